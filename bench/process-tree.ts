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
const LOOK_EVERY_MS = 50;

/**
 * Adds up the processor time of a tree of processes while it is watched; the returned function ends that and tells the
 * milliseconds. Processes that are killed with their parent are counted nowhere else: the system forgets their time.
 */
export function watchCpu(root: number): () => number {
  const before = new Map<number, number>();
  const latest = new Map<number, number>();
  const look = () => {
    for (const pid of listTree(root)) {
      const ticks = readOwnTicks(pid);
      if (ticks !== undefined) latest.set(pid, ticks);
    }
  };
  look();
  for (const [pid, ticks] of latest) before.set(pid, ticks);
  const timer = setInterval(look, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    look();
    return [...latest].reduce((sum, [pid, ticks]) => sum + ticks - (before.get(pid) ?? 0), 0) * TICK_MS;
  };
}

function readOwnTicks(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // "pid (any name) state …": user and system time are the fields 14 and 15.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined ? undefined : Number(fields[11]) + Number(fields[12]);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
