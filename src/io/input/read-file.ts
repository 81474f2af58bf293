import { readFile, stat } from 'node:fs/promises';

/** A file whole, or what is written into a pipe until its end. @throws ErrnoException; the signal's reason */
export async function readFileOrPipe(path: string, signal: AbortSignal): Promise<Buffer> {
  if (!(await stat(path)).isFIFO()) return await readFile(path);
  const { readPipe } = await import('./named-pipe.js');
  return await readPipe(path, signal);
}
