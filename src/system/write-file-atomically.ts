import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { placeFile } from './place-file.js';
import { retryInUse } from './retry-in-use.js';
import { syncDirectory } from './sync-directory.js';

/** Writes a file with mode 0600. Readers see the old or the new content, never a part, also after a power cut. */
export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  await writeBeside(path, content, async (temporary) => {
    await retryInUse(() => rename(temporary, path));
    return true;
  });
}

/** Writes a file that is never replaced; false when it exists, also when another process creates it at the same time. */
export async function writeFileOnce(path: string, content: string | Uint8Array): Promise<boolean> {
  return await writeBeside(path, content, (temporary) => placeFile(temporary, path));
}

async function writeBeside(
  path: string,
  content: string | Uint8Array,
  place: (temporary: string) => Promise<boolean>,
): Promise<boolean> {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    const isPlaced = await place(temporary);
    if (!isPlaced) await retryInUse(() => rm(temporary, { force: true }));
    // The new name is durable only after a sync of the directory.
    await syncDirectory(dirname(path));
    return isPlaced;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
