import { expect, test } from 'vitest';
import type { FaultRule } from '../support/fault-shim/fault-shim.js';
import {
  expectEnd,
  expectKept,
  expectRefusedThenKept,
  LARGE,
  SMALL,
  shim,
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
