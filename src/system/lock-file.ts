import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { linkLock, lockText, makeLock } from './make-lock.js';
import { hasEnded } from './process-tag.js';
import { retryInUse, retryInUseNow } from './retry-in-use.js';

/** Age of a stale lock: work under a lock takes milliseconds, so an older lock belongs to a process that was killed. */
const STALE_AFTER_MS = 5_000;
const POLL_INTERVAL_MS = 5;

export interface LockOptions {
  /** Time after which a lock counts as stale. The lock of a dead process counts at once. */
  staleAfterMs?: number;
  /** Makes the lock as a link: for directories in which a process makes many. */
  isLink?: boolean;
}

/** For each lock that this process has or waits for, the end of the last work under it. */
const queues = new Map<string, Promise<void>>();

/**
 * Runs `work` while nothing else runs under the same lock file, in this process or another. The lock's own calls are synchronous:
 * a thread for each would take several times as long as the call. The waiting process measures the age of a lock, because
 * file times follow a clock that can be changed, and that goes on while a machine sleeps.
 * @throws the errors of `work` and of the file system
 */
export async function withLock<T>(path: string, work: () => T | Promise<T>, options: LockOptions = {}): Promise<T> {
  const earlier = queues.get(path);
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  queues.set(path, ended);
  try {
    await earlier;
    await takeLock(path, options);
    try {
      return await work();
    } finally {
      releaseLock(path);
    }
  } finally {
    end();
    if (queues.get(path) === ended) queues.delete(path);
  }
}

async function takeLock(path: string, { staleAfterMs = STALE_AFTER_MS, isLink = false }: LockOptions): Promise<void> {
  let blocking: BlockingLock | undefined;
  // On Windows a lock that is being removed cannot be made again until nobody has it open.
  while (!(await retryInUse(() => (isLink ? linkLock(path) : makeLock(path))))) {
    const lock = readLock(path);
    if (lock !== undefined && !isSameLock(lock, blocking?.lock)) blocking = { lock, sinceMs: performance.now() };
    if (blocking !== undefined && isStale(blocking, staleAfterMs)) removeStaleLock(path, blocking.lock);
    await sleep(POLL_INTERVAL_MS * (1 + Math.random()));
  }
}

/** Removes the lock, except when another process took it for stale on a slow disk: the file is then that process's. */
function releaseLock(path: string): void {
  try {
    if ([lockText(), ''].includes(readFileSync(path, 'utf8'))) retryInUseNow(() => unlinkSync(path));
  } catch {
    // The file is gone, or another process removes it when it counts as stale.
  }
}

/** A lock file as it was found. */
interface Lock {
  /** Tag of the process that made it; empty when it cannot be read. */
  holder: string;
  /** Tells two locks with the same holder apart. */
  inode: number;
  madeAtMs: number;
}

/** Returns undefined when the lock is gone. */
function readLock(path: string): Lock | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  return { holder: readHolder(path), inode: found.ino, madeAtMs: found.mtimeMs };
}

/** Returns an empty text for a file that cannot be read, such as another user's. */
function readHolder(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const isSameLock = (a: Lock, b: Lock | undefined): boolean =>
  a.holder === b?.holder && a.inode === b.inode && a.madeAtMs === b.madeAtMs;

/** A lock that this process waits for. */
interface BlockingLock {
  lock: Lock;
  /** Start of the wait, on a monotonic clock. */
  sinceMs: number;
}

const isStale = ({ lock, sinceMs }: BlockingLock, staleAfterMs: number): boolean =>
  hasEnded(lock.holder) || performance.now() - sinceMs > staleAfterMs;

/** Removes a stale lock by moving it away, which only one of several processes can do. A late process that moved a new lock puts it back. */
function removeStaleLock(path: string, lock: Lock): void {
  const moved = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    renameSync(path, moved);
    if (isSameLock(lock, readLock(moved))) unlinkSync(moved);
    else renameSync(moved, path);
  } catch {
    // Another process was quicker.
  }
}
