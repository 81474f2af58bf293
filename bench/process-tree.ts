import { readdirSync, readFileSync } from 'node:fs';

/** Every process below `root`, itself among them; empty when it is gone. Linux: it reads /proc. */
export function listTree(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // "pid (any name) state parent …"
    const stat = read(`/proc/${name}/stat`);
    if (stat !== undefined) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  if (!parents.has(root)) return [];
  const tree = [root];
  for (const parent of tree) for (const [child, of] of parents) if (of === parent) tree.push(child);
  return tree;
}

/** Reads the memory of a process: its proportional share (PSS) where the system tells it, else all resident pages. */
export function readMemoryBytes(pid: number): number {
  const pss = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1];
  if (pss !== undefined) return Number(pss) * 1024;
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? 0) * 1024;
}

/** Milliseconds a tick: every system that this runs on counts a hundred a second. */
const TICK_MS = 10;

/** Reads the processor time of a tree of processes in milliseconds, with that of its processes that have ended. */
export function readCpuMs(root: number): number {
  // "pid (any name) state …": user, system, and both of the children that have ended, are the fields 14 to 17.
  const ticks = listTree(root).map((pid) => {
    const stat = read(`/proc/${pid}/stat`) ?? ') ';
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  });
  return ticks.reduce((sum, count) => sum + count, 0) * TICK_MS;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
