import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFaultShim } from '../support/fault-shim/fault-shim.js';
import { clientOf } from '../support/own-service.js';
import { runCli } from '../support/run-cli.js';
import {
  expectEnd,
  expectRefusedThenKept,
  HEADERS,
  home,
  LARGE,
  SMALL,
  shim,
  start,
  startReady,
  useFailingDisk,
} from './failing-disk-suite.js';

// A service whose disk fails. The failures that need many documents are in failing-disk.long.test.ts.

useFailingDisk();

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
