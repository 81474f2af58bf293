import { unlink } from 'node:fs/promises';
import { retryInUse } from '../../system/retry-in-use.js';

/** Removes a file, if it exists. */
export async function removeFile(path: string): Promise<void> {
  try {
    await retryInUse(() => unlink(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
