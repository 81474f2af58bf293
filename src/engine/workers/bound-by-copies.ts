import { stat } from 'node:fs/promises';
import { PDF_TYPE } from '../sniff.js';

/** Memory for copies of a PDF in all page workers together. */
const MAX_COPIES_BYTES = 256 * 1024 * 1024;

/** Returns how many of `threads` may each hold a copy of the file, at least one. */
export async function boundByCopies(threads: number, path: string, maxBytes: number): Promise<number> {
  const { size } = await stat(path);
  return Math.max(1, Math.min(threads, Math.floor(maxBytes / Math.max(1, size))));
}

/** Returns how many page workers may read the document. Each holds a PDF in memory, but reads an image from its file, frame by frame. */
export async function boundPageWorkers(parallelism: number, path: string, mimeType: string): Promise<number> {
  return mimeType === PDF_TYPE ? await boundByCopies(parallelism, path, MAX_COPIES_BYTES) : parallelism;
}
