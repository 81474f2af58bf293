import { stat } from 'node:fs/promises';
import { PDF_TYPE } from '../sniff.js';

/** Of a PDF, by all page workers together. */
const MOST_COPIES_BYTES = 256 * 1024 * 1024;

/** How many of `threads` may each hold a copy of the file, at least one. */
export async function boundByCopies(threads: number, path: string, mostBytes: number): Promise<number> {
  const { size } = await stat(path);
  return Math.max(1, Math.min(threads, Math.floor(mostBytes / Math.max(1, size))));
}

/** How many page workers may read the document: a picture is read from its file, frame by frame; a PDF is held in memory by each. */
export async function boundPageWorkers(parallelism: number, path: string, mimeType: string): Promise<number> {
  return mimeType === PDF_TYPE ? await boundByCopies(parallelism, path, MOST_COPIES_BYTES) : parallelism;
}
