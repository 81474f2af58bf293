import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, renameSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasEnded, processTag } from './process-tag.js';

/** Age of a stale lock: work under a lock takes milliseconds, so an older lock belongs to a process that was killed. */
const STALE_AFTER_MS = 5_000;
const POLL_INTERVAL_MS = 5;

export interface LockOptions {
  /** How long the same lock must be in the way to count as left behind; that of a dead process does at once. */
  staleAfterMs?: number;
}

/**
 * Runs `work` while no other process runs one under the same lock file. The lock's own calls are made at once: handing
 * each to a thread would take several times as long as it takes. How long a lock stands is measured by who waits for it:
 * times of files are of a clock that is set, and that goes on while a machine sleeps.
 * @throws what `work` throws, and what the file system does
 */
export async function withLock<T>(
  path: string,
  work: () => T | Promise<T>,
  { staleAfterMs = STALE_AFTER_MS }: LockOptions = {},
): Promise<T> {
  const mine = `${processTag()}-${randomBytes(8).toString('hex')}`;
  let inTheWay: BlockingLock | undefined;
  while (!createLock(path, mine)) {
    const lock = readLock(path);
    if (lock !== undefined && !isSameLock(lock, inTheWay?.lock)) inTheWay = { lock, sinceMs: performance.now() };
    if (inTheWay !== undefined && isStale(inTheWay, staleAfterMs)) removeStaleLock(path, inTheWay.lock);
    await sleep(POLL_INTERVAL_MS * (1 + Math.random()));
  }
  try {
    return await work();
  } finally {
    releaseLock(path, mine);
  }
}

function createLock(path: string, mine: string): boolean {
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
function releaseLock(path: string, mine: string): void {
  try {
    if ([mine, ''].includes(readFileSync(path, 'utf8'))) unlinkSync(path);
  } catch {
    // Gone already, or it goes when it counts as left behind.
  }
}

/** A lock file as it was found: of two with the same name in them, or none, the place on the disk tells. */
interface Lock {
  holder: string;
  place: number;
  madeAtMs: number;
}

/** Undefined where there is none any more. */
function readLock(path: string): Lock | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  return { holder: readHolder(path), place: found.ino, madeAtMs: found.mtimeMs };
}

/** Empty where it cannot be read: another user's, say. */
function readHolder(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const isSameLock = (a: Lock, b: Lock | undefined): boolean =>
  a.holder === b?.holder && a.place === b.place && a.madeAtMs === b.madeAtMs;

/** A lock that another one waits for, since when on a clock that nobody sets. */
interface BlockingLock {
  lock: Lock;
  sinceMs: number;
}

const isStale = ({ lock, sinceMs }: BlockingLock, staleAfterMs: number): boolean =>
  hasEnded(lock.holder) || performance.now() - sinceMs > staleAfterMs;

/** Removes a stale lock by moving it away, which only one of several processes can do. A late one that moved a new lock puts it back. */
function removeStaleLock(path: string, lock: Lock): void {
  const moved = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    renameSync(path, moved);
    if (isSameLock(lock, readLock(moved))) unlinkSync(moved);
    else renameSync(moved, path);
  } catch {
    // Another one was quicker.
  }
}
