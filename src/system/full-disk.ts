import { statfsSync } from 'node:fs';

/** Space that a new data directory and its first small document take. */
const MIN_FREE_BYTES = 1024 * 1024;

/** Returns the space that this user may take; no limit where the system does not say. */
export function countFreeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Says that the disk of a directory is full, or almost; undefined where it is not, or the system does not say. */
export function describeFullDisk(directory: string): string | undefined {
  const freeBytes = countFreeBytes(directory);
  if (freeBytes >= MIN_FREE_BYTES) return undefined;
  const free = `${Math.floor(freeBytes / 1024)} KiB free`;
  return `its disk is full (${free}; 1 MiB is needed to start, and room for documents and their results)`;
}
