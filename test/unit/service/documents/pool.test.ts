import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findConfinement, UNCONFINED } from '../../../../dist/service/documents/confinement/find-confinement.js';
import { lowPriority } from '../../../../dist/service/documents/lower-priority.js';
import { createDocumentPool, type DocumentPool } from '../../../../dist/service/documents/pool.js';
import { DOCUMENT_PROGRAM } from '../../../../dist/service/documents/process-handle.js';
import { readCpuMs } from '../../../../dist/service/documents/process-usage.js';
import type { Outcome, Task } from '../../../../dist/service/documents/protocol.js';
import type { TaskLimits } from '../../../../dist/service/documents/watch-limits.js';
import { HOSTILE_PROGRAM } from '../../../contract/support/running-service.js';
import { bad, documents, examples } from '../../../fixtures/manifest.js';

let directory: string;
let marker: string;
let pool: DocumentPool | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-pool-test-'));
  marker = join(directory, 'pids');
});
afterEach(async () => {
  await pool?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const limits = { timeoutMs: 30_000, idleTimeoutMs: 30_000, memoryBytes: 2 ** 31 };
const defaults = {
  program: HOSTILE_PROGRAM,
  taskType: 'run' as const,
  confinement: { system: UNCONFINED, memoryBytes: 2 ** 32, mayWrite: true },
  size: 2,
  keepWarm: 0,
  idleMs: 60_000,
  recycleAfterTasks: 100,
  recycleAtBytes: 2 ** 40,
};

const options = () => ({ ...defaults, room: join(directory, 'run-') });

function makeTask(text: string): () => Task {
  const path = join(directory, `${Math.random()}`);
  writeFileSync(path, `%PDF-1.4 ${text} MARKER=${marker} ALWAYS=1`);
  return () => ({
    type: 'run',
    function: 'TEST',
    path,
    mimeType: 'application/pdf',
    args: {},
    maxPixels: 1,
    maxResultBytes: 1e6,
    parallelism: 1,
  });
}

const readPids = () => readFileSync(marker, 'utf8').trim().split('\n').map(Number);
/** The marker exists a moment before its first line. */
const countPids = () => (existsSync(marker) ? readFileSync(marker, 'utf8').split('\n').length - 1 : 0);
const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
};

test('a process → reused, and replaced after its share of documents', async () => {
  pool = createDocumentPool({ ...options(), recycleAfterTasks: 3 });
  for (let i = 0; i < 7; i++) expect((await pool.perform('a', makeTask('DO=answer'), limits)).type).toBe('done');
  const pids = readPids();
  expect([new Set(pids.slice(0, 3)).size, new Set(pids.slice(3, 6)).size, new Set(pids).size]).toEqual([1, 1, 3]);
});

describe.runIf(process.platform === 'linux')('a task of much CPU time', () => {
  const LONG_AFTER_MS = 500;
  /** Starts such a task, which ends when its gate is there; returns its process with the priorities of its threads. */
  const startLong = async (running: DocumentPool) => {
    const gate = join(directory, `gate-${Math.random()}`);
    const long = { ...limits, longAfterCpuMs: LONG_AFTER_MS };
    const before = countPids();
    const outcome = running.perform('a', makeTask(`DO=compute GATE=${gate}`), long);
    await expect.poll(countPids).toBeGreaterThan(before);
    const pid = readPids().at(-1) ?? 0;
    const priorities = () => readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread)));
    const end = async () => {
      writeFileSync(gate, '');
      expect((await outcome).type).toBe('done');
    };
    return { pid, priorities, end };
  };
  const usual = getPriority();

  test('beside another, if of ended children → lower priority for all of its threads; the next task gets another process', async () => {
    pool = createDocumentPool(options());
    const first = await startLong(pool);
    const second = await startLong(pool);
    for (const { priorities } of [first, second])
      await expect.poll(() => new Set(priorities())).toEqual(new Set([lowPriority()]));
    for (const { end } of [first, second]) await end();
    expect((await pool.perform('a', makeTask('DO=answer'), limits)).type).toBe('done');
    const next = readPids().at(-1) ?? 0;
    expect([first.pid, second.pid]).not.toContain(next);
    expect(getPriority(next)).toBe(usual);
  });

  test('alone → its usual priority, and its process takes the next task', async () => {
    pool = createDocumentPool(options());
    const { pid, priorities, end } = await startLong(pool);
    await expect.poll(() => readCpuMs(pid)).toBeGreaterThan(LONG_AFTER_MS * 3);
    expect(new Set(priorities())).toEqual(new Set([usual]));
    await end();
    expect((await pool.perform('a', makeTask('DO=answer'), limits)).type).toBe('done');
    expect(readPids().at(-1)).toBe(pid);
  });
});

test('more tasks than processes → the others wait', async () => {
  pool = createDocumentPool(options());
  const running = pool;
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () => running.perform('a', makeTask('PAGES=2 DO=slow PAGE_MS=30'), limits)),
  );
  expect(outcomes.map((outcome) => outcome.type)).toEqual(Array(8).fill('done'));
  expect(new Set(readPids()).size).toBe(2);
});

describe('a task that leaves the last ready process', () => {
  type Leaving = TaskLimits['leavesReadyTo'];
  let rooms: string[];

  async function count(owner: string, leavesReadyTo?: Leaving, text = '', mimeType = 'application/pdf'): Promise<void> {
    const path = join(directory, `${Math.random()}`);
    writeFileSync(path, `%PDF-1.4 ${text}`);
    const prepare = (room: string) => {
      rooms.push(room);
      return { type: 'count-pages' as const, path, mimeType, maxPixels: 1, pages: undefined, password: undefined };
    };
    const outcome = await pool?.perform(owner, prepare, { ...limits, ...(leavesReadyTo && { leavesReadyTo }) });
    expect(outcome?.type).toBe('counted');
  }

  /** Numbers of the rooms that the tasks had, in the order of their first use. */
  const listRooms = () => rooms.map((room) => [...new Set(rooms)].indexOf(room));

  beforeEach(() => {
    rooms = [];
    pool = createDocumentPool(options());
  });

  test('to anybody → others find it ready, unless no more may be started', async () => {
    await count('a');
    await count('a', 'anybody');
    await count('b', 'anybody');
    await count('c');
    expect(listRooms()).toEqual([0, 0, 1, 0]);
    const gate = join(directory, 'gate');
    const waiting = count('b', 'anybody', `COUNT=wait COUNT_GATE=${gate}`);
    await expect.poll(() => rooms.length).toBe(5);
    await count('d', 'anybody');
    expect(listRooms().slice(4)).toEqual([1, 0]);
    writeFileSync(gate, '');
    await waiting;
  });

  test('to its user → the organisation that used it before finds it ready; an unused one is taken', async () => {
    pool?.warm();
    await count('a', 'its-user');
    expect(pool?.processCount).toBe(1);
    await count('b', 'its-user', '', 'image/png');
    await count('a');
    expect(listRooms()).toEqual([0, 1, 0]);
  });

  test('no more may be started → one that serves a single organisation is replaced, not the ready one', async () => {
    const text = `COUNTED_BY=${marker}`;
    await count('a', undefined, text);
    for (const owner of ['b', 'c', 'd']) await count(owner, 'its-user', text, 'image/png');
    await count('a', undefined, text);
    const pids = readPids();
    expect(pids.map((pid) => pids.indexOf(pid))).toEqual([0, 1, 2, 3, 0]);
  });
});

test('another organisation → a fresh process, where native code may have run; the same one otherwise', async () => {
  pool = createDocumentPool({ ...options(), program: DOCUMENT_PROGRAM, size: 1 });
  const running = pool;
  const rooms: string[] = [];
  const read = async (owner: string, name: string, mimeType: string) => {
    const outcome = await running.perform(
      owner,
      (room) => {
        rooms.push(room);
        const path = join(room, `${rooms.length}`);
        copyFileSync(name, path);
        const task = { type: 'run' as const, function: 'DOCUMENT_INSPECTION', path, mimeType, args: {} };
        return { ...task, maxPixels: 1e8, maxResultBytes: 1e6, parallelism: 1 };
      },
      limits,
    );
    expect(outcome.type).toBe('done');
    expect(running.processCount).toBe(1);
  };
  const { report, photo } = examples;
  await read('a', report.path, 'application/pdf');
  await read('b', report.path, 'application/pdf');
  await read('b', photo.path, 'image/jpeg');
  await read('b', report.path, 'application/pdf');
  const ownProcess = rooms[0];
  expect(rooms).toEqual(Array(4).fill(ownProcess));
  await read('a', report.path, 'application/pdf');
  expect(rooms.at(-1)).not.toBe(ownProcess);
});

test('a document of another organisation in the same process → PDFium is made anew in its thread', async () => {
  // Preloaded into the process and its thread: counts the instances of WebAssembly.
  const preload = join(directory, 'count-instances.cjs');
  const instances = join(directory, 'instances');
  writeFileSync(instances, '');
  writeFileSync(
    preload,
    `const { appendFileSync } = require('node:fs');
     WebAssembly.Instance = class extends WebAssembly.Instance {
       constructor(module, imports) {
         super(module, imports);
         if (WebAssembly.Module.exports(module).some(({ name }) => name === 'FPDF_LoadMemDocument'))
           appendFileSync(${JSON.stringify(instances)}, 'x');
       }
     };`,
  );
  const system = { ...UNCONFINED, wrap: (command: readonly string[]) => [...command, '--require', preload] };
  const confinement = { ...defaults.confinement, system };
  pool = createDocumentPool({ ...options(), confinement, program: DOCUMENT_PROGRAM, size: 1 });
  const counts: number[] = [];
  for (const owner of ['a', 'a', 'b', 'b', 'a']) {
    const { path } = examples.report;
    const task = { type: 'run' as const, function: 'DOCUMENT_INSPECTION', path, mimeType: 'application/pdf', args: {} };
    const bounds = { maxPixels: 1e8, maxResultBytes: 1e6, parallelism: 1 };
    const outcome = await pool.perform(owner, () => ({ ...task, ...bounds }), limits);
    expect(outcome).toMatchObject({ type: 'done' });
    counts.push(readFileSync(instances, 'utf8').length);
  }
  expect(counts).toEqual([1, 1, 2, 2, 3]);
});

test('a document of another organisation in the same process → the process is told', async () => {
  pool = createDocumentPool({ ...options(), size: 1 });
  const seen: unknown[] = [];
  for (const owner of ['a', 'a', 'b', 'b', 'a']) {
    const path = join(directory, `${Math.random()}`);
    writeFileSync(path, '%PDF-1.4 COUNT=owner');
    const task = { type: 'count-pages' as const, path, mimeType: 'application/pdf', maxPixels: 1 };
    const outcome = await pool.perform(owner, () => ({ ...task, pages: undefined, password: undefined }), limits);
    seen.push(outcome.type === 'counted' && outcome.pageCount === 2);
  }
  expect(seen).toEqual([false, false, true, false, true]);
});

test('idle processes → end after a while, except the warm ones', async () => {
  pool = createDocumentPool({ ...options(), keepWarm: 1, idleMs: 200 });
  const running = pool;
  await Promise.all([1, 2].map(() => running.perform('a', makeTask('PAGES=1 DO=slow PAGE_MS=100'), limits)));
  expect(new Set(readPids()).size).toBe(2);
  await expect.poll(() => readPids().filter(isRunning).length).toBe(1);
  await sleep(400);
  expect(readPids().filter(isRunning)).toHaveLength(1);
});

test('a stop → ends every process; its tasks are unavailable', async () => {
  pool = createDocumentPool(options());
  const running = pool;
  const outcomes = Promise.all(Array.from({ length: 4 }, () => running.perform('a', makeTask('DO=hang'), limits)));
  await expect.poll(() => readPids().length).toBe(2);
  await pool.stop();
  expect((await outcomes).map((outcome) => outcome.type)).toEqual(Array(4).fill('unavailable'));
  expect(readPids().filter(isRunning)).toEqual([]);
});

/** Starts a task that waits until it is let go, as the run of this number. */
async function startLong(
  running: DocumentPool,
  more = '',
  number = 1,
): Promise<{ outcome: Promise<Outcome>; open: () => void }> {
  const gate = join(directory, 'gate');
  const outcome = running.perform('a', makeTask(`DO=wait GATE=${gate} ${more}`), limits);
  await expect.poll(countPids).toBeGreaterThanOrEqual(number);
  return { outcome, open: () => writeFileSync(gate, '') };
}

test('a long task → a process is made ready, which takes the next task of anybody', async () => {
  const warmedUp = join(directory, 'warmed-up');
  const makeWarmUpTask = async (room: string) => {
    const path = join(room, 'warm-up');
    writeFileSync(path, `%PDF-1.4 MARKER=${warmedUp}`);
    return { ...makeTask('')(), path };
  };
  pool = createDocumentPool({ ...options(), size: 3, readyAfterMs: 50, makeWarmUpTask });
  const running = pool;
  const { outcome, open } = await startLong(running);
  await expect.poll(() => existsSync(warmedUp)).toBe(true);
  await expect.poll(() => readdirSync(join(directory, 'run-1'))).toEqual([]);
  // It is given back a few turns of the event loop after its document is removed.
  await sleep(50);
  expect((await running.perform('b', makeTask('DO=answer'), limits)).type).toBe('done');
  const [, short] = readPids();
  expect(readFileSync(warmedUp, 'utf8').split('\n')[0]).toBe(String(short));
  open();
  expect((await outcome).type).toBe('done');
});

test('quick tasks alone → no process is made ready', async () => {
  pool = createDocumentPool({ ...options(), readyAfterMs: 30_000 });
  for (let i = 0; i < 3; i++) await pool.perform('a', makeTask('DO=answer'), limits);
  expect(pool.processCount).toBe(1);
});

test.runIf(process.platform === 'linux')(
  'all processes together exceed their memory → who may give way does, and the others go on',
  async () => {
    const memory = { maxBytes: 800 * 1024 * 1024, safeProcesses: 1 };
    pool = createDocumentPool({ ...options(), memory });
    const running = pool;
    const { outcome, open } = await startLong(running);
    expect(running.hasRoom).toBe(true);
    const growing = await running.perform('b', makeTask('DO=memory'), { ...limits, mayGiveWay: true });
    const message = 'its memory was needed for other documents';
    // It took most of the memory itself, so it is not tried beside the workers again.
    expect(growing).toEqual({ type: 'unavailable', message, isHeavy: true });
    open();
    expect((await outcome).type).toBe('done');
  },
);

test.runIf(process.platform === 'linux')(
  'documents take all of the memory → no room for one more, nor for a ready process',
  async () => {
    const given: Parameters<typeof createDocumentPool>[0] = {
      ...options(),
      memory: { maxBytes: 200 * 1024 * 1024, safeProcesses: 1 },
    };
    pool = createDocumentPool(given);
    const running = pool;
    // A process that still starts takes little memory, and may be slow: none is made ready beside it.
    await running.perform('a', makeTask('DO=answer'), limits);
    given.readyAfterMs = 20;
    const { outcome, open } = await startLong(running, '', 2);
    expect(running.hasRoom).toBe(false);
    await sleep(100);
    expect(running.processCount).toBe(1);
    open();
    await outcome;
  },
);

test('a program that cannot start → an outcome, no exception', async () => {
  pool = createDocumentPool({ ...options(), program: join(directory, 'missing.mjs') });
  expect(await pool.perform('a', makeTask(''), limits)).toMatchObject({ type: 'died', cause: 'crash' });
});

test('the real program → counts, reads, reports progress and refuses with the engine’s reasons', async () => {
  pool = createDocumentPool({ ...options(), program: DOCUMENT_PROGRAM });
  const lend = (path: string, room: string) => {
    const lent = join(room, basename(path));
    copyFileSync(path, lent);
    return lent;
  };
  const count = (path: string) =>
    pool?.perform(
      'a',
      (room) => ({
        type: 'count-pages',
        pages: undefined,
        path: lend(path, room),
        mimeType: 'application/pdf',
        password: undefined,
        maxPixels: 1e8,
      }),
      limits,
    );
  expect(await count(documents.hundred.path)).toEqual({ type: 'counted', pageCount: 100 });
  expect(await count(documents.encrypted.path)).toMatchObject({ type: 'refused', reason: 'encrypted' });
  expect(await count(bad.damaged.path)).toMatchObject({ type: 'refused', reason: 'damaged' });
  const progress: number[] = [];
  const read = (room: string): Task => ({
    type: 'run',
    function: 'TEXT_EXTRACTION',
    path: lend(examples.report.path, room),
    mimeType: 'application/pdf',
    args: {},
    maxPixels: 1e8,
    maxResultBytes: 1e6,
    parallelism: 2,
  });
  const outcome = await pool.perform('a', read, limits, (pagesDone) => progress.push(pagesDone));
  expect(outcome).toMatchObject({ type: 'done', provider: 'pdf-text', pageCount: 4 });
  expect(progress.at(-1)).toBe(4);
  expect(await pool.perform('a', (room) => ({ ...read(room), maxResultBytes: 1000 }), limits)).toMatchObject({
    type: 'refused',
    reason: 'too-large',
    message: expect.stringMatching(/result is larger/),
  });
  expect(await pool.perform('a', (room) => ({ ...read(room), function: 'NO_SUCH' }), limits)).toMatchObject({
    type: 'fault',
  });
});

test.runIf(process.platform === 'linux')(
  'two processes → each reads its own documents, not those of the other',
  async () => {
    const system = await findConfinement({ dataDir: directory, programs: [] });
    const confinement = { ...defaults.confinement, system, mayWrite: false };
    pool = createDocumentPool({ ...options(), program: DOCUMENT_PROGRAM, confinement });
    const running = pool;
    const count = (path: string): Task => ({
      type: 'count-pages',
      pages: undefined,
      path,
      mimeType: 'application/pdf',
      password: undefined,
      maxPixels: 1e8,
    });
    const rooms: string[] = [];
    const lend = (room: string) => {
      rooms.push(room);
      const lent = join(room, 'report');
      copyFileSync(examples.report.path, lent);
      return lent;
    };
    // Both at once, so that there are two processes.
    const own = () => running.perform('a', (room) => count(lend(room)), limits);
    for (const outcome of await Promise.all([own(), own()])) expect(outcome.type).toBe('counted');
    expect(new Set(rooms).size).toBe(2);
    const others = (room: string) => count(join(rooms.find((one) => one !== room) as string, 'report'));
    expect(await running.perform('a', others, limits)).toMatchObject({
      type: 'fault',
      message: expect.stringMatching(/has been restricted/),
    });
  },
);

test.runIf(process.platform === 'linux')('a stopped process → not ended as one without progress', async () => {
  pool = createDocumentPool(options());
  const running = pool;
  const outcome = running.perform('a', makeTask('DO=hang'), { ...limits, idleTimeoutMs: 1_000 });
  await expect.poll(countPids).toBeGreaterThan(0);
  const [pid = 0] = readPids();
  process.kill(pid, 'SIGSTOP');
  expect(await outcome).toMatchObject({ type: 'died', cause: 'starved' });
});
