import { randomBytes } from 'node:crypto';
import { link, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

const FILE_MODE = 0o600;
/** Codes of file systems that have no hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Replaces a file whole: after a crash there is the old text or the new one, and the new one once this has resolved. */
export async function replaceFile(path: string, text: string, { isDurable = true } = {}): Promise<void> {
  const temporary = await writeTemporary(path, text, isDurable);
  try {
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  if (isDurable) await syncDirectory(dirname(path));
}

/** Creates a file whole, by one process alone; false where it exists already. */
export async function createFile(path: string, text: string): Promise<boolean> {
  const temporary = await writeTemporary(path, text, true);
  try {
    await link(temporary, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.has(code)) throw error;
    return await createInPlace(path, text);
  } finally {
    await unlink(temporary).catch(() => {});
  }
  await syncDirectory(dirname(path));
  return true;
}

async function createInPlace(path: string, text: string): Promise<boolean> {
  try {
    const handle = await open(path, 'wx', FILE_MODE);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await syncDirectory(dirname(path));
  return true;
}

async function writeTemporary(path: string, text: string, isDurable: boolean): Promise<string> {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  const handle = await open(temporary, 'wx', FILE_MODE);
  try {
    await handle.writeFile(text);
    if (isDurable) await handle.sync();
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
  return temporary;
}

/** Makes a rename or a link last. Windows cannot and need not. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
