import { readdir, readFile } from 'node:fs/promises';

const PAGE_BYTES = 4096;

/**
 * Resident bytes of a process and of what it started, read from /proc (proc(5)); undefined where there is none, or when
 * the process is gone.
 */
export async function readResidentBytes(pid: number): Promise<number | undefined> {
  try {
    const statm = await readFile(`/proc/${pid}/statm`, 'latin1');
    let bytes = Number(statm.split(' ')[1]) * PAGE_BYTES;
    for (const child of await listChildren(pid)) bytes += (await readResidentBytes(child)) ?? 0;
    return bytes;
  } catch {
    return undefined;
  }
}

async function listChildren(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'latin1').catch(() => '')),
  );
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}
