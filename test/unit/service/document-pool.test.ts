import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDocumentPool, DOCUMENT_PROGRAM, type DocumentPool } from '../../../dist/service/documents/pool.js';
import type { Task } from '../../../dist/service/documents/protocol.js';
import { HOSTILE_PROGRAM } from '../../contract/support/running-service.js';
import { bad, documents, examples } from '../../fixtures/manifest.js';

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
  confinement: { memoryBytes: 2 ** 32, readable: [], mayWrite: true },
  size: 2,
  keepWarm: 0,
  idleMs: 60_000,
  recycleAfterTasks: 100,
  recycleAtBytes: 2 ** 40,
};

function makeTask(text: string): Task {
  const path = join(directory, `${Math.random()}`);
  writeFileSync(path, `%PDF-1.4 ${text} MARKER=${marker} ALWAYS=1`);
  return {
    type: 'run',
    function: 'TEST',
    path,
    mimeType: 'application/pdf',
    args: {},
    maxPixels: 1,
    maxResultBytes: 1e6,
    parallelism: 1,
  };
}

const readPids = () => readFileSync(marker, 'utf8').trim().split('\n').map(Number);
const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
};

test('a process is used again, and replaced after its share of documents', async () => {
  pool = createDocumentPool({ ...defaults, recycleAfterTasks: 3 });
  for (let i = 0; i < 7; i++) expect((await pool.perform(makeTask('DO=answer'), limits)).type).toBe('done');
  const pids = readPids();
  expect([new Set(pids.slice(0, 3)).size, new Set(pids.slice(3, 6)).size, new Set(pids).size]).toEqual([1, 1, 3]);
});

test('no more processes than the pool has; what comes beyond waits', async () => {
  pool = createDocumentPool(defaults);
  const running = pool;
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () => running.perform(makeTask('PAGES=2 DO=slow PAGE_MS=30'), limits)),
  );
  expect(outcomes.map((outcome) => outcome.type)).toEqual(Array(8).fill('done'));
  expect(new Set(readPids()).size).toBe(2);
});

test('processes without work end after a while, but for those kept warm', async () => {
  pool = createDocumentPool({ ...defaults, keepWarm: 1, idleMs: 200 });
  const running = pool;
  await Promise.all([1, 2].map(() => running.perform(makeTask('PAGES=1 DO=slow PAGE_MS=100'), limits)));
  expect(new Set(readPids()).size).toBe(2);
  await expect.poll(() => readPids().filter(isRunning).length, { timeout: 30_000 }).toBe(1);
  await sleep(400);
  expect(readPids().filter(isRunning)).toHaveLength(1);
});

test('stopping ends every process; work under way and waiting is told so', async () => {
  pool = createDocumentPool(defaults);
  const running = pool;
  const outcomes = Promise.all(Array.from({ length: 4 }, () => running.perform(makeTask('DO=hang'), limits)));
  await expect.poll(() => readPids().length, { timeout: 30_000 }).toBe(2);
  await pool.stop();
  expect((await outcomes).map((outcome) => outcome.type)).toEqual(Array(4).fill('unavailable'));
  expect(readPids().filter(isRunning)).toEqual([]);
});

test('a program that cannot be started is a typed outcome', async () => {
  pool = createDocumentPool({ ...defaults, program: join(directory, 'missing.mjs') });
  expect(await pool.perform(makeTask(''), limits)).toMatchObject({ type: 'died', cause: 'crash' });
});

test('the real program inspects and reads, tells its progress, and refuses in the engine’s words', async () => {
  pool = createDocumentPool({ ...defaults, program: DOCUMENT_PROGRAM });
  const inspect = (path: string) =>
    pool?.perform({ type: 'inspect', path, mimeType: 'application/pdf', password: undefined, maxPixels: 1e8 }, limits);
  expect(await inspect(documents.hundred.path)).toEqual({ type: 'inspected', pageCount: 100 });
  expect(await inspect(documents.encrypted.path)).toMatchObject({ type: 'refused', reason: 'encrypted' });
  expect(await inspect(bad.damaged.path)).toMatchObject({ type: 'refused', reason: 'damaged' });
  const progress: number[] = [];
  const read: Task = {
    type: 'run',
    function: 'TEXT_EXTRACTION',
    path: examples.report.path,
    mimeType: 'application/pdf',
    args: {},
    maxPixels: 1e8,
    maxResultBytes: 1e6,
    parallelism: 2,
  };
  const outcome = await pool.perform(read, limits, (pagesDone) => progress.push(pagesDone));
  expect(outcome).toMatchObject({ type: 'done', provider: 'pdf-text', pageCount: 4 });
  expect(progress.at(-1)).toBe(4);
  expect(await pool.perform({ ...read, maxResultBytes: 1000 }, limits)).toMatchObject({
    type: 'refused',
    reason: 'too-large',
    message: expect.stringMatching(/result is larger/),
  });
  expect(await pool.perform({ ...read, function: 'NO_SUCH' }, limits)).toMatchObject({ type: 'fault' });
});
