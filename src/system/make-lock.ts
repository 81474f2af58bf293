import { randomBytes } from 'node:crypto';
import { closeSync, linkSync, openSync, unlinkSync, utimesSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { processTag } from './process-tag.js';

let ownText: string | undefined;
/** The marks of this process by their directories. */
const marks = new Map<string, string>();
let areMarksRemoved = false;

/** Returns what the locks of this process hold: a text that no other process has. */
export function lockText(): string {
  ownText ??= `${processTag()}-${randomBytes(8).toString('hex')}`;
  return ownText;
}

/** Makes a lock file. @returns false where there is one @throws ErrnoException */
export function makeLock(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
  try {
    writeSync(file, lockText());
  } catch {
    // On a full disk the file is empty, and still a lock.
  } finally {
    closeSync(file);
  }
  return true;
}

/**
 * Makes a lock as a link to a file of this process, its mark in the lock's directory. Where each of many locks is a file of
 * its own, ext4 takes ever longer to make one: it passes over all that were removed in the last seconds. Makes a file where
 * the file system has no links.
 * @returns false where there is a lock
 * @throws ErrnoException
 */
export function linkLock(path: string): boolean {
  const directory = dirname(path);
  const known = marks.get(directory);
  const mark = known ?? makeMark(directory);
  try {
    const now = Date.now() / 1000;
    // Tells one lock from the next of the same process.
    utimesSync(mark, now, now);
    linkSync(mark, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code !== 'ENOENT' || known === undefined) return makeLock(path);
    // Somebody removed the mark.
    marks.delete(directory);
    return linkLock(path);
  }
}

/** Makes the mark. Its ending is that of temporary files, which are removed when they are old. */
function makeMark(directory: string): string {
  const mark = join(directory, `${lockText()}.tmp`);
  makeLock(mark);
  marks.set(directory, mark);
  if (!areMarksRemoved) process.once('exit', removeMarks);
  areMarksRemoved = true;
  return mark;
}

function removeMarks(): void {
  for (const mark of marks.values()) {
    try {
      unlinkSync(mark);
    } catch {
      // Its directory is gone.
    }
  }
}
