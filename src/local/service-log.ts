import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { retryInUse } from '../system/retry-in-use.js';

const ROTATE_AT_BYTES = 5 * 1024 * 1024;
const TAIL_BYTES = 256 * 1024;

/** Returns the path of the background service's log, which `ocr local logs` shows. */
export function serviceLogPath(dataDir: string): string {
  return join(dataDir, 'service.log');
}

/** Keeps one older log beside the present one, so that a service started again and again does not fill the disk. */
export async function rotateServiceLog(dataDir: string): Promise<void> {
  const path = serviceLogPath(dataDir);
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > ROTATE_AT_BYTES) await retryInUse(() => rename(path, `${path}.1`));
}

/** The last lines of a text file and the size that was read up to, without reading a long file whole. */
export async function readTail(path: string, lines: number): Promise<{ text: string; endByte: number }> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const buffer = Buffer.alloc(size - start);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
    const all = buffer.toString('utf8', 0, bytesRead).split('\n');
    const ended = all.at(-1) === '' ? all.slice(0, -1) : all;
    const tail = lines === 0 ? [] : ended.slice(-lines);
    return { text: tail.length > 0 ? `${tail.join('\n')}\n` : '', endByte: start + bytesRead };
  } finally {
    await handle.close();
  }
}
