import { closeSync, openSync, renameSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { retryInUseNow } from '../../system/retry-in-use.js';

/** Small documents as files, each in the directory of the process that reads it. */
export interface Copies {
  /** Returns the path of the copy. @throws errors of the file system (a full disk); no file stays then */
  write(directory: string, bytes: Uint8Array): string;
  /** Empties a copy. A second call for the same path has no effect. */
  takeBack(path: string): void;
}

export const COPY_NAME = /^\d+\.copy$/;

/**
 * Files are emptied and reused for the next document. Creating one for each document was a third of the cost of a small
 * document (ext4 without a journal searches everything that was removed within seconds). No name is used twice, because
 * readers (libvips) cache files by name.
 */
export function createCopies(): Copies {
  const inUse = new Set<string>();
  /** Emptied files by directory. */
  const free = new Map<string, string[]>();
  let count = 0;
  return {
    write: (directory, bytes) => {
      const path = join(directory, `${count++}.copy`);
      const emptied = free.get(directory)?.pop();
      try {
        if (emptied !== undefined) retryInUseNow(() => renameSync(emptied, path));
        writeWhole(openSync(path, emptied === undefined ? 'wx' : 'r+', 0o600), bytes);
      } catch (error) {
        rmSync(path, { force: true });
        throw error;
      }
      inUse.add(path);
      return path;
    },
    takeBack: (path) => {
      if (!inUse.delete(path)) return;
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
