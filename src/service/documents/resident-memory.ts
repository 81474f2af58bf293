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

function listChildren(pid: number): number[] {
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
