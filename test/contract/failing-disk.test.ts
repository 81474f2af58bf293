import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientOf } from '../support/own-service.js';
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
