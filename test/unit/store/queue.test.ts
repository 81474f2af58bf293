import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createId } from '../../../src/contract/identifiers.js';
import { createOrganisation } from '../../../src/store/access.js';
import { claim as claimJobs, mayClaim } from '../../../src/store/claims.js';
import { createQueue } from '../../../src/store/create-queue.js';
import { findJob } from '../../../src/store/jobs.js';
import { LANES, setOfLanes } from '../../../src/store/lanes.js';
import type { Acceptance, ClaimedJob, Queue } from '../../../src/store/queue.js';
import { removeExpired } from '../../../src/store/remove-expired.js';
import { openDatabase } from '../../../src/store/sqlite/database.js';
import { openStore } from '../../../src/store/sqlite/open-store.js';
import { runUnit } from '../../../src/store/sqlite/run-unit.js';
import { createWriteQueue, ERASURE_DELAY_MS } from '../../../src/store/sqlite/write-queue.js';
import type { Store } from '../../../src/store/store.js';
import type { SqlValues } from '../../../src/store/unit.js';
import { all, type Statement } from '../../../src/store/unit.js';

let directory: string;
let store: Store;
let queue: Queue;
let organisationId: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-queue-test-'));
  store = await openStore(join(directory, 'ocr.db'));
  queue = createQueue(store);
  organisationId = await createOrganisation(store, 'Test');
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

function makeAcceptance(more: Partial<Acceptance> = {}): Acceptance {
  return {
    requestId: createId('req'),
    jobId: createId('job'),
    organisationId,
    keyId: 'key_1',
    keyLastFour: 'abcd',
    function: 'TEXT_EXTRACTION',
    args: '{"args":{"password":"sealed"}}',
    cacheKey: 'cache',
    engine: 'engine',
    fileName: 'a.pdf',
    document: { id: createId('doc'), sha256: 'ab', sizeBytes: 1, mimeType: 'application/pdf', pageCount: 3 },
    isUrgent: false,
    effort: { lane: LANES.long, delayMs: 0 },
    idempotency: undefined,
    allowance: { period: '2026-01', limit: undefined },
    nowMs: Date.now(),
    ...more,
  };
}

async function claim(leaseMs = 10_000): Promise<ClaimedJob> {
  const [job] = await queue.claim(leaseMs);
  if (job === undefined) throw new Error('nothing to claim');
  return job;
}

const outcome = { body: '{"text":"x"}', provider: 'test', pageCount: 3, confidence: 0.875, durationMs: 5 };

test('the search for the next job → reads queued and running jobs alone, by their indices', async () => {
  const plan: string[] = [];
  const opening = { choice: 'light', lanes: setOfLanes([LANES.brief]) } as const;
  for (const unit of [mayClaim(opening), claimJobs(1, opening, 1, false), claimJobs(1, opening, 4, false)])
    for (let step = unit.next(); step.done !== true; ) {
      if (step.value === 'clock') {
        step = unit.next(store.clock);
        continue;
      }
      const { kind, sql, values } = step.value as Statement;
      plan.push(...(await explainQuery(sql, values)));
      step = unit.next(kind === 'all' ? [] : { organisationId });
    }
  const used = plan.flatMap((step) => / job (?:EXISTS )?USING (.*?)(?: \(|$)/.exec(step)?.[1] ?? []);
  const indices = [
    'COVERING INDEX job_turn',
    'COVERING INDEX job_busy',
    'INDEX job_running',
    'INDEX sqlite_autoindex_job_1',
    'COVERING INDEX sqlite_autoindex_job_1',
  ];
  expect(new Set(used)).toEqual(new Set(indices));
  expect(plan.filter((step) => /^(?:SCAN|SEARCH) job(?! (?:EXISTS )?USING)/.test(step))).toEqual([]);
});

const explainQuery = async (sql: string, values: SqlValues) =>
  (await store.read(all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values))).map(({ detail }) => detail);

test('a deleted and an expired result → gone from the files, the journal too', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const isInFiles = (text: string) =>
    ['ocr.db', 'ocr.db-wal'].some((name) => readFileSync(join(directory, name)).includes(text));
  const completeWith = async (text: string): Promise<ClaimedJob> => {
    await queue.accept(makeAcceptance());
    const job = await claim();
    await queue.complete(job, { ...outcome, body: JSON.stringify({ text }) });
    return job;
  };
  const job = await completeWith('a text that is deleted');
  await queue.remove({ jobId: job.id, organisationId, resultTtlMs: 60_000 });
  expect(isInFiles('a text that is deleted')).toBe(true);
  await vi.advanceTimersByTimeAsync(ERASURE_DELAY_MS);
  expect(isInFiles('a text that is deleted')).toBe(false);
  await completeWith('a text that expires');
  const ages = { resultTtlMs: 1_000, cacheTtlMs: 500, idempotencyTtlMs: 500, requestLogTtlMs: 5_000 };
  await removeExpired(store, ages, Date.now() + 2_000);
  expect(isInFiles('a text that expires')).toBe(true);
  await vi.advanceTimersByTimeAsync(ERASURE_DELAY_MS);
  expect(isInFiles('a text that expires')).toBe(false);
});

test('a job that is finished but not yet on disk → not found before it is; an unfinished one at once', async () => {
  const { jobId } = await acceptOne();
  const other = await acceptOne();
  const job = await claim();
  const path = join(directory, 'ocr.db');
  const db = openDatabase(path);
  onTestFinished(() => db.close());
  let bringToDisk = () => {};
  const disk = new Promise<void>((resolve) => {
    bringToDisk = resolve;
  });
  const { write, synced } = createWriteQueue(db, { path, syncJournal: () => disk });
  const slow = createQueue({
    ...store,
    write: (work, options) => write(() => runUnit(db, store.clock, work()), options),
    synced,
  });
  let isCompleted = false;
  const outcome = { body: '{}', provider: 'test', pageCount: 3, confidence: null, durationMs: 5 };
  const completing = slow.complete(job, outcome).then(() => {
    isCompleted = true;
  });
  await vi.waitFor(async () => expect((await findJob(store, jobId))?.status).toBe('completed'));
  let isFound = false;
  const finding = slow.find(jobId).then((view) => {
    isFound = true;
    return view;
  });
  expect((await slow.find(other.jobId))?.status).toBe('queued');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([isCompleted, isFound]).toEqual([false, false]);
  bringToDisk();
  expect((await finding)?.status).toBe('completed');
  await completing;
});

async function acceptOne(): Promise<Acceptance> {
  const acceptance = makeAcceptance();
  await queue.accept(acceptance);
  return acceptance;
}
