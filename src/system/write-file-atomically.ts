import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from './sync-directory.js';

/** Mode 0600; whoever reads the path sees the old content or the new one, never a part, also after a power cut. */
export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  await writeBeside(path, content, async (temporary) => {
    await rename(temporary, path);
    return true;
  });
}

/** The same for a file that is never replaced: false where there was one already, also one made in the same moment. */
export async function writeFileOnce(path: string, content: string | Uint8Array): Promise<boolean> {
  return await writeBeside(path, content, async (temporary) => {
    const isFirst = await link(temporary, path).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    await rm(temporary, { force: true });
    return isFirst;
  });
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
    // The name is safe only once the directory is.
    await syncDirectory(dirname(path));
    return isPlaced;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
