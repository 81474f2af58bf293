import { readdirSync, readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;

/**
 * Resident bytes of a process and of what it started, read from /proc (proc(5)); undefined where there is none, or when
 * the process is gone. Nothing here waits for a disk, and a thread that is asked to read takes ten times as long.
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

function listChildren(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readChildren(pid, thread).split(' ').filter(Boolean).map(Number),
  );
}

/** Empty for a thread that has ended, and where the system does not say. */
function readChildren(pid: number, thread: string): string {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1');
  } catch {
    return '';
  }
}
