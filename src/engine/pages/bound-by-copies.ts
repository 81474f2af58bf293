import { stat } from 'node:fs/promises';

/** How many of `threads` may each hold a copy of the file, at least one. */
export async function boundByCopies(threads: number, path: string, mostBytes: number): Promise<number> {
  const { size } = await stat(path);
  return Math.max(1, Math.min(threads, Math.floor(mostBytes / Math.max(1, size))));
}
