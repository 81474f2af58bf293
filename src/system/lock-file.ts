import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, renameSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a lock covers takes milliseconds: a much older one is of a process that was killed. */
const STALE_AFTER_MS = 5_000;
const LOOK_AGAIN_MS = 5;

export interface LockOptions {
  /** How old a lock must be to count as left behind. */
  staleAfterMs?: number;
}

/**
 * Runs `work` while no other process runs one under the same lock file. The lock's own calls are made at once: handing
 * each to a thread would take several times as long as it takes.
 * @throws what `work` throws, and what the file system does
 */
export async function withLock<T>(
  path: string,
  work: () => T | Promise<T>,
  { staleAfterMs = STALE_AFTER_MS }: LockOptions = {},
): Promise<T> {
  const mine = `${process.pid}-${randomBytes(8).toString('hex')}`;
  while (!take(path, mine)) {
    removeStale(path, staleAfterMs);
    await sleep(LOOK_AGAIN_MS * (1 + Math.random()));
  }
  try {
    return await work();
  } finally {
    release(path, mine);
  }
}

function take(path: string, mine: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
  try {
    writeSync(file, mine);
  } catch {
    // On a full disk it is a lock all the same, without a name in it.
  } finally {
    closeSync(file);
  }
  return true;
}

/** One that was taken for left behind, because the disk took so long, is by now another process's: that is not removed. */
function release(path: string, mine: string): void {
  try {
    if ([mine, ''].includes(readFileSync(path, 'utf8'))) unlinkSync(path);
  } catch {
    // Gone already, or it goes when it counts as left behind.
  }
}

/** Of several that find it stale one moves it away; one that was too late and moved a new lock looks at what it has, and puts it back. */
function removeStale(path: string, staleAfterMs: number): void {
  if (!isStale(path, staleAfterMs)) return;
  const moved = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    renameSync(path, moved);
    if (isStale(moved, staleAfterMs)) unlinkSync(moved);
    else renameSync(moved, path);
  } catch {
    // Another one was quicker.
  }
}

/** Also one of the future: the clock was set back, and nobody waits for it to come round. */
function isStale(path: string, staleAfterMs: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > staleAfterMs;
}
