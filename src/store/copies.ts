import { closeSync, openSync, renameSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Small documents as files, each in the directory of the process that reads it. */
export interface Copies {
  /** Returns the path of the copy. @throws what the file system does, a full disk say; then nothing is left */
  write(directory: string, bytes: Uint8Array): string;
  /** Empties a copy; done twice, it is done once. */
  takeBack(path: string): void;
}

export const COPY_NAME = /^\d+\.copy$/;

/**
 * A file is emptied and given the next document, rather than removed and made anew: making one for each document was a third of
 * what taking small ones cost (ext4 without a journal looks through all that was removed within seconds). Names are never
 * used again, since readers (libvips) remember files by their names.
 */
export function createCopies(): Copies {
  const lent = new Set<string>();
  /** Emptied files, by their directory. */
  const free = new Map<string, string[]>();
  let count = 0;
  return {
    write: (directory, bytes) => {
      const path = join(directory, `${count++}.copy`);
      const emptied = free.get(directory)?.pop();
      try {
        if (emptied !== undefined) renameSync(emptied, path);
        writeWhole(openSync(path, emptied === undefined ? 'wx' : 'r+', 0o600), bytes);
      } catch (error) {
        rmSync(path, { force: true });
        throw error;
      }
      lent.add(path);
      return path;
    },
    takeBack: (path) => {
      if (!lent.delete(path)) return;
      try {
        truncateSync(path);
      } catch {
        rmSync(path, { force: true });
        return;
      }
      const directory = dirname(path);
      const others = free.get(directory);
      if (others === undefined) free.set(directory, [path]);
      else others.push(path);
    },
  };
}

function writeWhole(file: number, bytes: Uint8Array): void {
  try {
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(file, bytes, offset);
  } finally {
    closeSync(file);
  }
}
