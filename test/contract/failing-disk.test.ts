import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, type TestContext, test } from 'vitest';
import {
  createFaultShim,
  explainLackOfShim,
  type FaultRule,
  type FaultShim,
} from '../support/fault-shim/fault-shim.js';
import { clientOf, createServiceHome, startOwnService } from '../support/own-service.js';
import type { Serving } from '../support/serve.js';
import type { TemporaryHome } from '../support/temporary-home.js';

// A service whose disk fails: system calls of the process return errors (test/support/fault-shim).

const SMALL = readFileSync('examples/report.pdf');
/** Larger than the documents that are rows of the store. */
const LARGE = Buffer.concat([SMALL, Buffer.alloc(100_000, '\n')]);
const lack = explainLackOfShim();
const HEADERS = { prefer: 'respond-async', 'idempotency-key': 'the-only-one' };

let home: TemporaryHome;
let shim: FaultShim;
beforeEach((context: TestContext) => {
  if (lack !== undefined) return context.skip(lack);
  home = createServiceHome();
  shim = createFaultShim(home.dataDir, home.dir);
  onTestFinished(() => shim.close());
});

const start = (): Promise<Serving> => startOwnService(home, shim.env);

/** Starts the service again, repeats the call and expects the result of the same request. */
async function expectSameJob(document: Buffer, requestId: string): Promise<void> {
  shim.fail();
  const again = await start();
  const client = clientOf(again);
  const answer = await client.submit(document, { headers: HEADERS });
  expect(answer.json).toMatchObject({ requestId });
  const ended = await client.waitForJob(answer.json.jobId);
  expect(ended.json).toMatchObject({ status: 'completed', requestId });
  expect(ended.json.result.text).toContain('Alder');
  expect(await again.stop()).toBe(0);
}

/** Resolves when what the service writes on its own, the lines of its log above all, is on disk. */
async function untilQuiet(): Promise<void> {
  shim.fail({ operations: ['write', 'sync'], file: '', error: 'EIO', after: 1_000_000 });
  for (let hits = -1; hits !== shim.countHits(0); await sleep(200)) hits = shim.countHits(0);
}

/** A call that makes the key known, so that the next call writes nothing before its job. */
async function startReady(): Promise<[Serving, ReturnType<typeof clientOf>]> {
  const serving = await start();
  const client = clientOf(serving);
  expect((await client.submit(SMALL, { function: 'DOCUMENT_INSPECTION' })).status).toBe(200);
  await untilQuiet();
  return [serving, client];
}

/** Submits a document of 48 KB, which is a row of the store. */
function submitUnlike(client: ReturnType<typeof clientOf>, number: number) {
  const file = Buffer.concat([SMALL, Buffer.alloc(48_000, `\n${number}`)]);
  return client.submit(file, { headers: { prefer: 'respond-async' } });
}

/** Submits documents until one is not accepted, and returns the jobs. From 1,000 pages on the journal is moved into the database. */
async function submitUntilRefused(client: ReturnType<typeof clientOf>): Promise<string[]> {
  const kept: string[] = [];
  for (;;) {
    const answer = await submitUnlike(client, kept.length).catch(() => undefined);
    if (answer?.status !== 202) return kept;
    kept.push(answer.json.jobId);
  }
}

/** The disk works again: a new service brings the jobs to their end. */
async function expectKept(jobIds: readonly string[]): Promise<void> {
  const again = await start();
  for (const jobId of jobIds) expect((await clientOf(again).waitForJob(jobId)).json.status).toBe('completed');
  expect(await again.stop()).toBe(0);
}

async function expectEnd(serving: Serving, words: string): Promise<void> {
  expect(await serving.ended).toBe(1);
  const lines = serving
    .log()
    .split('\n')
    .filter((line) => line.includes('the disk has failed: stopping'));
  expect(lines).toHaveLength(1);
  const { file, reason } = JSON.parse(lines[0] ?? '');
  expect(`${file} ${reason}`).toContain(`${home.dataDir}/${words}`);
  // Closing would have moved pages into the database that may not be on disk.
  expect(existsSync(join(home.dataDir, 'ocr.db-wal'))).toBe(true);
}

const FAILURES: Array<[name: string, rule: FaultRule, words: string]> = [
  [
    'a failed sync of the journal',
    { operations: ['sync'], file: 'ocr.db-wal', error: 'EIO', times: 1 },
    'ocr.db-wal fdatasync EIO i/o error',
  ],
  [
    'no space for a sync of the journal',
    { operations: ['sync'], file: 'ocr.db-wal', error: 'ENOSPC', times: 1 },
    'ocr.db-wal fdatasync ENOSPC no space left on device',
  ],
];

for (const [size, document] of [
  ['small', SMALL],
  ['large', LARGE],
] as const)
  test.for(FAILURES)(
    `%s, a ${size} document → 503, the service ends, and the call gets its job afterwards`,
    async ([, rule, words]) => {
      const [serving, client] = await startReady();
      shim.fail(rule);
      const refused = await client.submit(document, { headers: HEADERS });
      expect(refused.json?.error).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', retryable: true });
      expect(refused.headers['retry-after']).toBe('5');
      await expectEnd(serving, words);
      await expectSameJob(document, refused.json.error.requestId);
    },
  );

test('a failed write of the journal → 503, and the service ends', async () => {
  const [serving, client] = await startReady();
  // A large document is written nowhere else, so the first write is the commit of its job.
  shim.fail({ operations: ['write'], file: 'ocr.db-wal', error: 'EIO', times: 1 });
  const refused = await client.submit(LARGE, { headers: HEADERS });
  expect(refused.json?.error).toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
  await expectEnd(serving, 'ocr.db-wal SQLite 778');
  shim.fail();
  const again = await start();
  const answer = await clientOf(again).submit(LARGE, { headers: HEADERS });
  expect(answer.status).toBe(202);
  expect((await clientOf(again).waitForJob(answer.json.jobId)).json.status).toBe('completed');
  expect(await again.stop()).toBe(0);
});

test.for(['write', 'sync'] as const)(
  'a failed %s of the database → the service ends, nothing is lost',
  async (operation) => {
    const [serving, client] = await startReady();
    shim.fail({ operations: [operation], file: 'ocr.db', error: 'EIO' });
    const kept = await submitUntilRefused(client);
    expect(kept.length).toBeGreaterThan(10);
    await expectEnd(serving, `ocr.db SQLite ${operation === 'write' ? 778 : 1034}`);
    shim.fail();
    await expectKept(kept);
  },
);

test('no space for the journal → 503, and once there is space the service continues', async () => {
  const [serving, client] = await startReady();
  shim.fail({ operations: ['write'], file: 'ocr.db-wal', error: 'ENOSPC' });
  const refused = await client.submit(LARGE, { headers: HEADERS });
  expect(refused.json?.error).toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
  expect(readdirSync(join(home.dataDir, 'documents'))).toEqual([]);
  shim.fail();
  const answer = await client.submit(LARGE, { headers: HEADERS });
  expect(answer.status).toBe(202);
  expect((await client.waitForJob(answer.json.jobId)).json.status).toBe('completed');
  expect(await serving.stop()).toBe(0);
});

test.for(['the service is stopped', 'the service is killed'] as const)(
  'no space for the database while the journal is moved into it, and %s → the journal keeps everything, nothing is lost',
  async (what) => {
    const [serving, client] = await startReady();
    shim.fail({ operations: ['write'], file: 'ocr.db', error: 'ENOSPC' });
    const kept: string[] = [];
    const submit = async () => {
      const answer = await submitUnlike(client, kept.length);
      expect(answer.status, answer.text).toBe(202);
      kept.push(answer.json.jobId);
    };
    // The journal is moved into the database from 1,000 pages on, and that is tried again after each commit.
    while (shim.countHits(0) < 3) await submit();
    await submit();
    expect(kept.length).toBeGreaterThan(10);
    if (what === 'the service is killed') {
      serving.signal('SIGKILL');
      await serving.ended;
    } else {
      // While the disk is full, jobs end, and the service stops in order.
      expect((await client.waitForJob(kept[0] ?? '')).json.status).toBe('completed');
      expect(await serving.stop()).toBe(0);
    }
    shim.fail();
    await expectKept(kept);
  },
);

test('no space for a sync of the database → the service ends, nothing is lost', async () => {
  const [serving, client] = await startReady();
  shim.fail({ operations: ['sync'], file: 'ocr.db', error: 'ENOSPC' });
  const kept = await submitUntilRefused(client);
  expect(kept.length).toBeGreaterThan(10);
  await expectEnd(serving, 'ocr.db SQLite 1034');
  shim.fail();
  await expectKept(kept);
});
