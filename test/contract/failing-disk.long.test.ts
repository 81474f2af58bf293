import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFaultShim, type FaultRule } from '../support/fault-shim/fault-shim.js';
import { clientOf } from '../support/own-service.js';
import { runCli } from '../support/run-cli.js';
import {
  expectEnd,
  expectKept,
  expectRefusedThenKept,
  HEADERS,
  home,
  LARGE,
  SMALL,
  shim,
  start,
  startReady,
  submitUnlike,
  submitUntilRefused,
  useFailingDisk,
} from './failing-disk-suite.js';

useFailingDisk();

const SYNC: FaultRule = { operations: ['sync'], file: 'ocr.db-wal', error: 'EIO', times: 1 };
const NO_SPACE: FaultRule = { ...SYNC, error: 'ENOSPC' };

test.for<[name: string, document: Buffer, rule: FaultRule, words: string]>([
  ['a failed sync of the journal, a large document', LARGE, SYNC, 'ocr.db-wal fdatasync EIO i/o error'],
  [
    'no space for a sync of the journal, a small document',
    SMALL,
    NO_SPACE,
    'ocr.db-wal fdatasync ENOSPC no space left on device',
  ],
  [
    'no space for a sync of the journal, a large document',
    LARGE,
    NO_SPACE,
    'ocr.db-wal fdatasync ENOSPC no space left on device',
  ],
])('%s → 503, the service ends, and the call gets its job afterwards', ([, document, rule, words]) =>
  expectRefusedThenKept(document, rule, words),
);

test.for(['write', 'sync'] as const)(
  'a failed %s of the database → the service ends, nothing is lost',
  async (operation) => {
    const [serving, client] = await startReady();
    const kept = await submitUntilRefused(client, { operations: [operation], file: 'ocr.db', error: 'EIO' });
    await expectEnd(serving, `ocr.db SQLite ${operation === 'write' ? 778 : 1034}`);
    shim.fail();
    await expectKept(kept);
  },
);

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
  const kept = await submitUntilRefused(client, { operations: ['sync'], file: 'ocr.db', error: 'ENOSPC' });
  await expectEnd(serving, 'ocr.db SQLite 1034');
  shim.fail();
  await expectKept(kept);
});

test('a failed sync of the journal, a small document → 503, the service ends, and the call gets its job afterwards', () =>
  expectRefusedThenKept(
    SMALL,
    { operations: ['sync'], file: 'ocr.db-wal', error: 'EIO', times: 1 },
    'ocr.db-wal fdatasync EIO i/o error',
  ));

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

test('a data directory without hard links → the service starts, and reads documents', async () => {
  shim.fail({ operations: ['link'], file: '', error: 'EPERM' });
  const [serving, client] = await startReady();
  shim.fail({ operations: ['link'], file: '', error: 'EPERM' });
  const answer = await client.submit(LARGE, { headers: HEADERS });
  expect((await client.waitForJob(answer.json.jobId)).json.status).toBe('completed');
  expect(shim.countHits(0)).toBeGreaterThan(0);
  expect(await serving.stop()).toBe(0);
});

test('a home without hard links → a command starts the service, writes its result, and replaces none', async () => {
  const whole = createFaultShim(home.dir, join(home.dir, 'faults'));
  whole.fail({ operations: ['link'], file: '', error: 'EPERM' });
  try {
    writeFileSync(join(home.dir, 'report.pdf'), SMALL);
    const extract = async (...flags: string[]) =>
      await runCli(['extract', 'report.pdf', ...flags], { home, env: whole.env });
    expect(await extract('-o', 'report.txt')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readFileSync(join(home.dir, 'report.txt'), 'utf8')).toContain('Alder');
    expect(whole.countHits(0)).toBeGreaterThan(1);
    expect((await extract('-o', 'report.txt')).stderr).toContain('already exists');
  } finally {
    whole.close();
    expect(await runCli(['local', 'stop'], { home })).toMatchObject({ exitCode: 0 });
  }
});
