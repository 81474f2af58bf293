import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './is-alive.js';

/**
 * What the name of a directory begins with that only this process uses: `<kind>-<process id>-<where it runs>-`. It names
 * the process, so that the directories of dead ones can be removed.
 */
export function ownedPrefix(kind: string): string {
  return `${kind}-${process.pid}-${processSpace()}-`;
}

/** Removes directories of `kind` that commands of this user left behind that were killed. Whatever cannot be told or removed stays. */
export async function removeLeftovers(directory: string, kind: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(`${kind}-`)) continue;
    const [, pid, space] = /^(\d+)-(\w+)-/.exec(name.slice(kind.length + 1)) ?? [];
    if (pid === undefined || space !== processSpace() || isAlive(Number(pid))) continue;
    const path = join(directory, name);
    const found = await lstat(path).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/**
 * Containers may share a directory, and machines one on the network, but not their process ids: a living one of another is
 * not to be taken for dead.
 */
function processSpace(): string {
  let space = '';
  try {
    space = readlinkSync('/proc/self/ns/pid');
  } catch {
    // A system without such spaces.
  }
  return createHash('sha256').update(`${hostname()} ${space}`).digest('hex').slice(0, 12);
}
