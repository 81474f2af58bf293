import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, renameSync, unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { isNoSpace } from '../contract/system-reason.js';
import { retryInUseNow } from '../system/retry-in-use.js';
import { syncDirectory, syncFile } from '../system/sync-directory.js';

const FILE_MODE = 0o600;
// Syncing alone is handed to a thread; the other calls take microseconds, and several times that from there.

/**
 * Replaces a file whole: after a crash there is the old text or the new one, and the new one once this has resolved. On
 * a full disk a file that is there is written over in its own place, where a job id still fits.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  let temporary: string;
  try {
    temporary = await writeTemporary(path, text);
  } catch (error) {
    if (!isNoSpace(error)) throw error;
    if (await overwrite(path, text)) return;
    throw error;
  }
  renameOrRemove(temporary, path);
  await syncDirectory(dirname(path));
}

/** Like `replaceFile` without the syncs: a crash of the process is safe, a power cut may bring back the old text. */
export function replaceFileUnsynced(path: string, text: string): void {
  const temporary = nameTemporary(path);
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: FILE_MODE });
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  renameOrRemove(temporary, path);
}

/** One write, as long as what was there, so that whoever reads sees JSON before and after. Whether it was taken. */
async function overwrite(path: string, text: string): Promise<boolean> {
  try {
    const fd = openSync(path, 'r+');
    try {
      const { size, blocks } = fstatSync(fd);
      const bytes = Buffer.from(text.padEnd(size, ' '));
      // A text that does not fit into the file's own blocks would be cut.
      if (bytes.length > blocks * 512) return false;
      const bytesWritten = writeSync(fd, bytes, 0, bytes.length, 0);
      await syncFile(fd);
      return bytesWritten === bytes.length;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}

async function writeTemporary(path: string, text: string): Promise<string> {
  const temporary = nameTemporary(path);
  const fd = openSync(temporary, 'wx', FILE_MODE);
  try {
    writeFileSync(fd, text);
    await syncFile(fd);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  } finally {
    closeSync(fd);
  }
  return temporary;
}

const ownMark = `${process.pid}-${randomBytes(4).toString('hex')}`;
let temporaries = 0;

function nameTemporary(path: string): string {
  return `${path}.${ownMark}-${temporaries++}.tmp`;
}

function renameOrRemove(temporary: string, path: string): void {
  try {
    retryInUseNow(() => renameSync(temporary, path));
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Not made, or for prune to find.
  }
}
