import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UNCONFINED } from '../../../../dist/service/documents/confinement/find-confinement.js';
import { createDocumentPool, type DocumentPool } from '../../../../dist/service/documents/pool.js';
import { createLog } from '../../../../dist/service/log.js';
import { type CountDeaths, createCountDeaths } from '../../../../dist/service/page-counts/count-deaths.js';
import { CounterTurns } from '../../../../dist/service/page-counts/counter-turns.js';
import { createPageCounter, type PageCounter } from '../../../../dist/service/page-counts/page-counter.js';
import { HOSTILE_PROGRAM } from '../../../contract/support/running-service.js';

const LONG_MS = 3_600_000;
const config = { maxPixels: 1e8, jobMaxAttempts: 3, documentMemoryBytes: 2 ** 31 };
let directory: string;
let pool: DocumentPool | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-counter-test-'));
});
afterEach(async () => {
  await pool?.stop();
  rmSync(directory, { recursive: true, force: true });
});

function setUp(program: string, cpuMs?: number): { counter: PageCounter; deaths: CountDeaths } {
  const counters = createDocumentPool({
    program,
    taskType: 'count-pages',
    confinement: { system: UNCONFINED, memoryBytes: 2 ** 32, mayWrite: true },
    room: join(directory, 'count-'),
    size: 2,
    keepWarm: 0,
    idleMs: 60_000,
    recycleAfterTasks: 100,
    recycleAtBytes: 2 ** 40,
  });
  pool = counters;
  const deaths = createCountDeaths();
  const turns = new CounterTurns({ size: 2, isSlowed: deaths.isSlowed });
  const log = createLog('silent');
  const counter = createPageCounter({
    config,
    counters,
    turns,
    deaths,
    log,
    ...(cpuMs === undefined ? {} : { cpuMs }),
  });
  return { counter, deaths };
}

function describeDocument(content: Uint8Array | string, sha256 = 'f') {
  const handOver = async (room: string) => {
    const path = join(room, 'document');
    writeFileSync(path, content);
    return path;
  };
  const sizeBytes = content.length;
  return { sha256, sizeBytes, organisationId: 'a', mimeType: 'application/pdf', args: {}, handOver };
}

/** A document of the hostile program, and the number of its counts so far. */
function describeHostile(what: string, sha256?: string) {
  const counts = join(directory, 'counts');
  const document = describeDocument(`%PDF-1.4 COUNT=${what} COUNTS=${counts} PAGES=3`, sha256);
  return {
    document,
    countAttempts: () => (existsSync(counts) ? readFileSync(counts, 'utf8').length / 'undefined\n'.length : 0),
  };
}

test('a counter that gets no CPU time → unavailable; the file and its sender are not blamed', async () => {
  const { counter, deaths } = setUp(HOSTILE_PROGRAM, 1_000);
  const { document } = describeHostile('hang');
  expect((await counter.count(document, LONG_MS)).outcome).toMatchObject({
    type: 'unavailable',
    message: expect.stringMatching(/too little CPU time/),
  });
  expect([deaths.findMessage('f'), deaths.isSlowed('a')]).toEqual([undefined, false]);
});

test('a crash → tried again; after three crashes the file is not counted any more', async () => {
  const { counter } = setUp(HOSTILE_PROGRAM);
  const { document, countAttempts } = describeHostile('crash');
  for (let call = 0; call < 2; call++)
    expect((await counter.count(document, LONG_MS)).outcome).toMatchObject({ type: 'died' });
  expect(countAttempts()).toBe(3);
});

test('a refusal → no death, and counted again when it is sent again', async () => {
  const { counter, deaths } = setUp(HOSTILE_PROGRAM);
  const { document, countAttempts } = describeHostile('refuse');
  for (let call = 0; call < 2; call++)
    expect((await counter.count(document, LONG_MS)).outcome).toMatchObject({ type: 'refused', reason: 'damaged' });
  expect([countAttempts(), deaths.isSlowed('a')]).toEqual([2, false]);
});

test('equal files that wait while the first one dies → refused without a count', async () => {
  const { counter } = setUp(HOSTILE_PROGRAM);
  const { document, countAttempts } = describeHostile('crash');
  const counts = await Promise.all([1, 2, 3].map(() => counter.count(document, LONG_MS)));
  expect(counts.map(({ outcome }) => outcome?.type)).toEqual(['died', 'died', 'died']);
  expect(countAttempts()).toBe(3);
});
