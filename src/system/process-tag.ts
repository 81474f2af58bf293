import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isAlive } from './is-alive.js';

/** Names this process to others that see its files: `<process id>-<where it runs>`. */
export function processTag(): string {
  return `${process.pid}-${processSpace()}`;
}

/** True when the process of that tag has ended. A process in another process space counts as living. */
export function hasEnded(tag: string): boolean {
  const [pid, space] = tag.split('-');
  return space === processSpace() && !isAlive(Number(pid));
}

/**
 * Returns an id of the space that process ids are unique in. Containers and machines may share a directory, so a living
 * process of another container must not count as dead here.
 */
function processSpace(): string {
  if (ownSpace !== undefined) return ownSpace;
  let space = '';
  try {
    space = readlinkSync('/proc/self/ns/pid');
  } catch {
    // The system has no such spaces.
  }
  ownSpace = createHash('sha256').update(`${hostname()} ${space}`).digest('hex').slice(0, 12);
  return ownSpace;
}

let ownSpace: string | undefined;
