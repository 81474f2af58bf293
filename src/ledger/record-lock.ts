import { randomBytes } from 'node:crypto';
import { link, stat, unlink, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a lock covers takes milliseconds: an older one is of a process that was killed. */
const STALE_AFTER_MS = 5_000;
const LOOK_AGAIN_MS = 5;

/** Runs `work` while no other process runs one under the same lock file. @throws what `work` throws, and what the file system does */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  await writeFile(draft, '', { flag: 'wx', mode: 0o600 });
  try {
    while (!(await take(draft, path))) await sleep(LOOK_AGAIN_MS * (1 + Math.random()));
    try {
      return await work();
    } finally {
      await unlink(path).catch(() => {});
    }
  } finally {
    await unlink(draft).catch(() => {});
  }
}

async function take(draft: string, path: string): Promise<boolean> {
  try {
    // A hard link is made by one process alone, on every file system that has them, network ones too.
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const age = await stat(path).then(
    ({ ctimeMs }) => Date.now() - ctimeMs,
    () => 0,
  );
  if (age > STALE_AFTER_MS) await unlink(path).catch(() => {});
  return false;
}
