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
 * Containers may share a directory, and machines one on the network, but not their process ids: a living one of another is
 * not to be taken for dead.
 */
function processSpace(): string {
  if (ownSpace !== undefined) return ownSpace;
  let space = '';
  try {
    space = readlinkSync('/proc/self/ns/pid');
  } catch {
    // A system without such spaces.
  }
  ownSpace = createHash('sha256').update(`${hostname()} ${space}`).digest('hex').slice(0, 12);
  return ownSpace;
}

let ownSpace: string | undefined;
