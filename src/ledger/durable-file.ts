import { randomBytes } from 'node:crypto';
import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

const FILE_MODE = 0o600;
const NO_SPACE = new Set(['ENOSPC', 'EDQUOT']);

/**
 * Replaces a file whole: after a crash there is the old text or the new one, and the new one once this has resolved. On
 * a full disk a file that is there is written over in its own place, where a job id still fits.
 */
export async function replaceFile(path: string, text: string, { isDurable = true } = {}): Promise<void> {
  let temporary: string;
  try {
    temporary = await writeTemporary(path, text, isDurable);
  } catch (error) {
    if (!NO_SPACE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    if (await overwrite(path, text)) return;
    throw error;
  }
  try {
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  if (isDurable) await syncDirectory(dirname(path));
}

/** One write, as long as what was there, so that whoever reads sees JSON before and after. Whether it was taken. */
async function overwrite(path: string, text: string): Promise<boolean> {
  try {
    const handle = await open(path, 'r+');
    try {
      const { size, blocks } = await handle.stat();
      const bytes = Buffer.from(text.padEnd(size, ' '));
      // What does not fit into the blocks that it has would be cut.
      if (bytes.length > blocks * 512) return false;
      const { bytesWritten } = await handle.write(bytes, 0, bytes.length, 0);
      await handle.sync();
      return bytesWritten === bytes.length;
    } finally {
      await handle.close();
    }
  } catch {
    return false;
  }
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

/** For each directory: the sync that runs, and the one that is to follow it. */
const syncs = new Map<string, { running: Promise<void>; next: Promise<void> | undefined }>();

/**
 * Makes a rename or a link last. Many at once share a sync, one that began after they were made. Windows cannot and need
 * not.
 */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const current = syncs.get(path);
  if (current === undefined) return await startSync(path);
  current.next ??= current.running.catch(() => {}).then(() => startSync(path));
  await current.next;
}

async function startSync(path: string): Promise<void> {
  const running = syncNow(path);
  const entry = { running, next: undefined };
  syncs.set(path, entry);
  try {
    await running;
  } finally {
    if (syncs.get(path) === entry && entry.next === undefined) syncs.delete(path);
  }
}

async function syncNow(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
