import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UNCONFINED } from '../../../../dist/service/documents/confinement/find-confinement.js';
import { createDocumentPool, type DocumentPool } from '../../../../dist/service/documents/pool.js';
import { DOCUMENT_PROGRAM } from '../../../../dist/service/documents/process-handle.js';
import { createLog } from '../../../../dist/service/log.js';
import { type CountDeaths, createCountDeaths } from '../../../../dist/service/page-counts/count-deaths.js';
import { CounterTurns } from '../../../../dist/service/page-counts/counter-turns.js';
import { createPageCounter, type PageCounter } from '../../../../dist/service/page-counts/page-counter.js';
import { makeRebuildBomb } from '../../../fixtures/maker/counting-bombs.js';

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

function setUp(): { counter: PageCounter; deaths: CountDeaths } {
  const counters = createDocumentPool({
    program: DOCUMENT_PROGRAM,
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
    // However busy the machine is, the counter gets its CPU time.
    maxWallPerCpu: 100,
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

test('a PDF that is rebuilt for minutes → ended after seconds of computing, then refused without a count', async () => {
  const { counter, deaths } = setUp();
  // The type of its object streams is written so that the check of cross-references does not see it.
  const document = describeDocument(makeRebuildBomb({ streams: 40, type: '/#4fbjStm' }));
  expect(document.sizeBytes).toBeLessThan(16 * 1024);
  const died = {
    type: 'died',
    cause: 'timeout',
    message: 'it was not done within 3 s',
  };
  expect((await counter.count(document, LONG_MS)).outcome).toMatchObject(died);
  expect(deaths.isSlowed('a')).toBe(true);
  await pool?.stop();
  expect((await counter.count(document, LONG_MS)).outcome).toMatchObject(died);
  expect((await counter.count({ ...document, sha256: 'another' }, LONG_MS)).outcome).toMatchObject({
    type: 'unavailable',
  });
}, 300_000);
