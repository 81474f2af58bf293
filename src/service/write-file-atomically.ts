import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Mode 0600; whoever reads the path sees the old content or the new one, never a part, also after a power cut. */
export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    // The name is safe only once the directory is.
    const directory = await open(dirname(path), 'r');
    await directory.sync().finally(() => directory.close());
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
