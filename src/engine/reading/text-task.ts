import type { PackedPage } from './packed-page.js';

/** A task for a text worker: take chunks of these pages until none is left. */
export interface TextTask {
  path: string;
  password: string | undefined;
  /** True when pictures with lines of print are looked for. */
  findsPrint: boolean;
  /** Numbers of the pages, from 1. */
  numbers: readonly number[];
  /** Number of pages in a chunk. */
  chunkSize: number;
  /** Counter of the next free chunk, shared by all threads that read the document. */
  next: Int32Array;
}

/** A message of a text worker: a chunk with its pages (undefined if damaged), the end of the task, or a failure, after which the thread is ended. */
export type TextReport =
  | { kind: 'chunk'; chunk: number; pages: (PackedPage | undefined)[] }
  | { kind: 'done' }
  | { kind: 'failed'; message: string };
