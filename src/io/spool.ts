import { readlinkSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../system/is-alive.js';

const NAME = /^ocr-stdin-(\d+)-(\w+)-/;

/** Prefix of the directories that hold standard input. It names the process, so that those of dead ones can be removed. */
export function spoolPrefix(): string {
  return `ocr-stdin-${process.pid}-${processSpace()}-`;
}

/** Removes what commands of this user left behind that were killed. Whatever cannot be told or removed stays. */
export async function removeLeftovers(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    const [, pid, space] = NAME.exec(name) ?? [];
    if (pid === undefined || space !== processSpace() || isAlive(Number(pid))) continue;
    const path = join(directory, name);
    const found = await lstat(path).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** Containers may share a directory, but not their process ids: a living one of another is not to be taken for dead. */
function processSpace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
