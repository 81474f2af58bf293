import { readdirSync, readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;

/**
 * Returns the resident bytes of a process and its children from /proc (proc(5)); undefined on systems without it, or when the
 * process is gone. The reads are synchronous: /proc never waits for a disk, and the thread pool takes ten times as long.
 */
export function readResidentBytes(pid: number): number | undefined {
  try {
    const statm = readFileSync(`/proc/${pid}/statm`, 'latin1');
    let bytes = Number(statm.split(' ')[1]) * PAGE_BYTES;
    for (const child of listChildren(pid)) bytes += readResidentBytes(child) ?? 0;
    return bytes;
  } catch {
    return undefined;
  }
}

/** Milliseconds of a tick of proc(5), which Linux counts 100 times a second for programs. */
const TICK_MS = 10;

/** Returns the CPU time of a process and its children, the ended ones too; undefined like readResidentBytes. */
export function readCpuMs(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined;
  try {
    // The fields utime, stime, cutime and cstime are the 14th to the 17th.
    let ticks = 0;
    for (const field of readStat(pid).slice(11, 15)) ticks += Number(field);
    let cpuMs = ticks * TICK_MS;
    for (const child of listChildren(pid)) cpuMs += readCpuMs(child) ?? 0;
    return cpuMs;
  } catch {
    return undefined;
  }
}

/**
 * Returns the time in milliseconds that the threads of a process and its children have waited for a core, the sum of all
 * (Documentation/scheduler/sched-stats.rst); undefined like readResidentBytes. A thread that ends takes its time along.
 */
export function readWaitMs(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined;
  try {
    let waitMs = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [, waitNs] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ');
      waitMs += Number(waitNs) / NS_PER_MS;
    }
    for (const child of listChildren(pid)) waitMs += readWaitMs(child) ?? 0;
    return waitMs;
  } catch {
    return undefined;
  }
}

const NS_PER_MS = 1_000_000;

/** True when a process was stopped by a signal (proc(5), the field `state`): it gets no time, and asks for none. */
export function isStopped(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return /^[Tt]/.test(readStat(pid)[0] ?? '');
  } catch {
    return false;
  }
}

/** Returns the fields of /proc/…/stat from the third on. The second, a name in brackets, may hold spaces. */
function readStat(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Lists the children of all threads of a process. */
export function listChildren(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readChildren(pid, thread).split(' ').filter(Boolean).map(Number),
  );
}

/** Returns an empty list for a thread that has ended, and on systems without this file. */
function readChildren(pid: number, thread: string): string {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1');
  } catch {
    return '';
  }
}
