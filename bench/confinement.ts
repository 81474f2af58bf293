import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findConfinement } from '../dist/service/documents/confinement/find-confinement.js';

const ROUNDS = 31;
const MEMORY_BYTES = 2 ** 32;

/** `npm run bench -- confinement`: what the start of a confined process takes, and that of the service to find out how. */
export async function printConfinement(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ocr-bench-confinement-'));
  try {
    const startedAtMs = performance.now();
    const system = await findConfinement({ dataDir, programs: [] });
    const trialMs = performance.now() - startedAtMs;
    const kept = Object.entries(system.isolation).filter(([, isKept]) => isKept);
    console.log(
      `kept from: ${kept.map(([name]) => name).join(', ') || 'nothing'}; found out in ${trialMs.toFixed(0)} ms`,
    );
    printStarts(system.wrap, dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Test programs, which may write, get an empty network and no more: the confinement before there was a file system. */
function printStarts(wrap: Awaited<ReturnType<typeof findConfinement>>['wrap'], room: string): void {
  const command = [process.execPath, '-e', '0'];
  const ways = {
    'without any': command,
    'limits and an empty network': wrap(command, room, { memoryBytes: MEMORY_BYTES, mayWrite: true }),
    'the whole confinement': wrap(command, room, { memoryBytes: MEMORY_BYTES, mayWrite: false }),
  };
  const times = new Map(Object.keys(ways).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, [file = '', ...args]] of Object.entries(ways)) {
      const startedAtMs = performance.now();
      const { status } = spawnSync(file, args, { env: { PATH: process.env.PATH }, stdio: 'ignore' });
      if (status !== 0) throw new Error(`${name}: exit code ${status}`);
      times.get(name)?.push(performance.now() - startedAtMs);
    }
  }
  const base = times.get('limits and an empty network') ?? [];
  for (const [name, list] of times) {
    const more = median(list.map((time, round) => time - (base[round] ?? 0)));
    const quickest = Math.min(...list);
    console.log(
      `${name.padEnd(32)} ${median(list).toFixed(0).padStart(4)} ms   quickest ${quickest.toFixed(0).padStart(4)} ms   paired ${more.toFixed(1).padStart(6)} ms`,
    );
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
