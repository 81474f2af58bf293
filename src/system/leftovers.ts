import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasEnded, processTag } from './process-tag.js';

/**
 * Returns the prefix of directories that only this process uses: `<kind>-<process id>-<where it runs>-`. It names
 * the process, so that the directories of dead ones can be removed.
 */
export function ownedPrefix(kind: string): string {
  return `${kind}-${processTag()}-`;
}

/** Removes directories of `kind` that commands of this user left behind that were killed. Whatever cannot be told or removed stays. */
export async function removeLeftovers(directory: string, kind: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(`${kind}-`)) continue;
    const tag = /^(\d+-\w+)-/.exec(name.slice(kind.length + 1))?.[1];
    if (tag === undefined || !hasEnded(tag)) continue;
    const path = join(directory, name);
    const found = await lstat(path).catch(() => undefined);
    if (!found?.isDirectory() || isOthers(found.uid)) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** Windows has no user ids; there each user has a temporary directory. */
function isOthers(uid: number): boolean {
  return process.getuid !== undefined && uid !== process.getuid();
}
