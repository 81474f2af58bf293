import type { PackedPage } from './packed-page.js';

/** What a text worker is asked: to take chunks of these pages until none is left. */
export interface TextTask {
  path: string;
  password: string | undefined;
  /** From 1. */
  numbers: readonly number[];
  /** Pages of a chunk. */
  chunkSize: number;
  /** The next chunk that nobody has taken; shared by all who read the document. */
  next: Int32Array;
}

/** What it says: each chunk that it has read, the damaged pages undefined; at the end, whether it can go on with another document. */
export type TextReport =
  | { kind: 'chunk'; chunk: number; pages: (PackedPage | undefined)[] }
  | { kind: 'done' }
  | { kind: 'failed'; message: string };
