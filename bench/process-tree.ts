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

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
