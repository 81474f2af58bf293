import { readdirSync, writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { listChildren } from './process-usage.js';

/** Nice value of long documents above the service's: beside others a core gives them a quarter, so their pages go on. */
const STEP = 5;

/** The nice value that long documents get. */
export function lowPriority(): number {
  return Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEP);
}

/**
 * Lowers the CPU priority of a process, its threads and its children. On Linux a nice value belongs to one thread, new threads
 * and children inherit it, and the scheduler may compare whole sessions first (sched(7), autogroup).
 */
export function lowerPriority(pid: number, priority = lowPriority()): void {
  if (process.platform !== 'linux') {
    attempt(() => setPriority(pid, priority));
    return;
  }
  attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(priority)));
  attempt(() => {
    for (const thread of readdirSync(`/proc/${pid}/task`)) attempt(() => setPriority(Number(thread), priority));
    for (const child of listChildren(pid)) lowerPriority(child, priority);
  });
}

/** A thread may be gone, and a system may have no autogroups: the document is read anyway. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Only speed is at stake.
  }
}
