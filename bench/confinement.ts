import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findConfinement, type SystemConfinement } from '../dist/service/documents/confinement/find-confinement.js';
import { createDocumentPool } from '../dist/service/documents/pool.js';
import { DOCUMENT_PROGRAM } from '../dist/service/documents/process-handle.js';
import { median } from './median.js';
import { ROOT } from './ocr-command.js';

const ROUNDS = 31;
const MEMORY_BYTES = 2 ** 32;
const LIMITS = { timeoutMs: 60_000, idleTimeoutMs: 60_000, memoryBytes: 2 ** 31 };
const PROCESSES = 2;
const MEASURED_MS = 10_000;
const DOCUMENTS = [
  { name: 'PDF of 4 pages of text', path: 'examples/report.pdf', mimeType: 'application/pdf' },
  { name: 'photograph with 8 lines', path: 'examples/photo.jpg', mimeType: 'image/jpeg' },
];

/** `npm run bench -- confinement`: the start of a confined process, and documents of one organisation and of two in turn. */
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
    printStarts(system, dataDir);
    for (const document of DOCUMENTS) {
      for (const organisations of [1, 2]) {
        const rate = await measureRate(system, dataDir, document, organisations);
        const label = `${document.name}, organisations in turn: ${organisations}`;
        console.log(`${label.padEnd(52)} ${rate.toFixed(2).padStart(6)} documents a second`);
      }
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Test programs, which may write, get an empty network and no more: the confinement before there was a file system. */
function printStarts({ wrap }: SystemConfinement, room: string): void {
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
    const [middle, quickest] = [median(list), Math.min(...list)].map((ms) => `${ms.toFixed(0).padStart(4)} ms`);
    console.log(`${name.padEnd(32)} ${middle}   quickest ${quickest}   paired ${more.toFixed(1).padStart(6)} ms`);
  }
}

async function measureRate(
  system: SystemConfinement,
  dataDir: string,
  { path, mimeType }: (typeof DOCUMENTS)[number],
  organisations: number,
): Promise<number> {
  const pool = createDocumentPool({
    program: DOCUMENT_PROGRAM,
    taskType: 'run',
    confinement: { system, memoryBytes: MEMORY_BYTES, mayWrite: false },
    room: join(dataDir, 'run-'),
    size: PROCESSES,
    keepWarm: 0,
    idleMs: 60_000,
    recycleAfterTasks: 1_000,
    recycleAtBytes: 2 ** 40,
  });
  let count = 0;
  const readOne = async () => {
    const name = String(count++);
    const prepare = (room: string) => {
      const lent = join(room, name);
      copyFileSync(join(ROOT, path), lent);
      const task = { type: 'run' as const, function: 'TEXT_EXTRACTION', path: lent, mimeType, args: {} };
      return { ...task, maxPixels: 1e8, maxResultBytes: 1e7, parallelism: 1 };
    };
    const outcome = await pool.perform(String(count % organisations), prepare, LIMITS);
    if (outcome.type !== 'done') throw new Error(JSON.stringify(outcome));
  };
  try {
    await Promise.all(Array.from({ length: PROCESSES }, readOne));
    const startedAtMs = performance.now();
    const before = count;
    const readOn = async () => {
      while (performance.now() - startedAtMs < MEASURED_MS) await readOne();
    };
    await Promise.all(Array.from({ length: PROCESSES }, readOn));
    return ((count - before) * 1000) / (performance.now() - startedAtMs);
  } finally {
    await pool.stop();
  }
}
