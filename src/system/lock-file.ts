import { randomBytes } from 'node:crypto';
import { open, rename, stat, unlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a lock covers takes milliseconds: a much older one is of a process that was killed. */
const STALE_AFTER_MS = 5_000;
const LOOK_AGAIN_MS = 5;

export interface LockOptions {
  /** How old a lock must be to count as left behind. */
  staleAfterMs?: number;
}

/** Runs `work` while no other process runs one under the same lock file. @throws what `work` throws, and what the file system does */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  { staleAfterMs = STALE_AFTER_MS }: LockOptions = {},
): Promise<T> {
  while (!(await take(path))) {
    await removeStale(path, staleAfterMs);
    await sleep(LOOK_AGAIN_MS * (1 + Math.random()));
  }
  try {
    return await work();
  } finally {
    await unlink(path).catch(() => {});
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Of several that find it stale one moves it away; one that was too late and moved a new lock looks at what it has, and puts it back. */
async function removeStale(path: string, staleAfterMs: number): Promise<void> {
  if (!(await isStale(path, staleAfterMs))) return;
  const moved = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    await rename(path, moved);
    if (await isStale(moved, staleAfterMs)) await unlink(moved);
    else await rename(moved, path);
  } catch {
    // Another one was quicker.
  }
}

async function isStale(path: string, staleAfterMs: number): Promise<boolean> {
  return await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > staleAfterMs,
    () => false,
  );
}
