import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { loadServiceConfig } from '../../../../src/service/config/service-config.js';
import type { TaskLimits } from '../../../../src/service/documents/watch-limits.js';
import { createJobRunner, type JobRunner, type JobRunnerOptions } from '../../../../src/service/jobs/job-runner.js';
import { SILENT_BELL } from '../../../../src/store/bell.js';
import { LANES } from '../../../../src/store/lanes.js';
import type { ClaimedJob } from '../../../../src/store/queue.js';

const FULL = Object.assign(new Error('database or disk is full'), { errcode: 13 });
const job: ClaimedJob = {
  id: 'job_1',
  token: 'token',
  organisationId: 'org_1',
  requestId: 'req_1',
  documentId: 'doc_1',
  function: 'TEXT_EXTRACTION',
  args: '{}',
  cacheKey: 'key',
  engine: 'engine',
  mimeType: 'application/pdf',
  sha256: 'ab',
  sizeBytes: 1,
  documentPageCount: 1,
  lane: LANES.long,
  attempts: 1,
  pagesDone: 0,
};

let runner: JobRunner | undefined;
afterEach(() => runner?.stop());

/** A runner of one job, on a store whose disk is full while `isFull()`. */
function start(
  isFull: () => boolean,
  maxResultWaitMs: number,
  more: { runMs?: number; endMs?: number; pageCount?: number; timeoutMs?: number; workers?: number } = {},
) {
  const seen = {
    completions: 0,
    removed: [] as string[],
    log: [] as string[],
    limits: [] as TaskLimits[],
    claimed: [] as number[],
  };
  const { workers = 1 } = more;
  const waiting = Array.from({ length: workers }, () => ({ ...job, documentPageCount: more.pageCount ?? 1 }));
  const { config } = loadServiceConfig({
    flags: { dataDir: '/', workers, documentTimeoutMs: more.timeoutMs },
    env: {},
  });
  const log = (facts: unknown, text = String(facts)) => seen.log.push(text);
  runner = createJobRunner({
    config,
    maxResultWaitMs,
    queue: {
      claim: async (_leaseMs: number, _opening: unknown, count: number) => {
        seen.claimed.push(count);
        return waiting.splice(0, count);
      },
      complete: async () => {
        await sleep(more.endMs ?? 0);
        if (isFull()) throw FULL;
        seen.completions++;
        return true;
      },
      beat: async () => (more.runMs === undefined ? [] : [job.id]),
      hasExpired: async () => false,
      releaseExpired: async () => 0,
      listEnded: async () => [],
    },
    blobs: {
      handOver: async ({ id }: { id: string }) => id,
      takeBack: async () => {},
      remove: async (id: string) => void seen.removed.push(id),
    },
    recognition: { identify: () => 'engine' },
    vault: { open: () => ({}) },
    pool: {
      perform: async (_owner: string, _prepare: unknown, limits: TaskLimits) => {
        seen.limits.push(limits);
        await sleep(more.runMs ?? 0);
        return { type: 'done', body: '{}', provider: 'test', pageCount: 1 };
      },
      stop: async () => {},
    },
    bell: SILENT_BELL,
    log: { info: log, error: log, warn: log },
    onJobEnded: () => {},
    onRun: () => {},
  } as unknown as JobRunnerOptions);
  runner.wake();
  return { runner, seen };
}

test('a result on a full disk → held and reported, written once there is space', async () => {
  let isFull = true;
  const { runner, seen } = start(() => isFull, 60_000);
  const ended = runner.waitFor(job.id, 20_000);
  await expect.poll(() => runner.blockedReason).toBe('its disk is full');
  await sleep(1_200);
  expect(runner.blockedReason).toBe('its disk is full');
  expect(seen.completions).toBe(0);
  isFull = false;
  expect(await ended).toBe(true);
  expect(runner.blockedReason).toBeUndefined();
  expect(seen.completions).toBe(1);
  // Once when it begins and once when it ends, not at every attempt.
  expect(seen.log).toEqual(['document', 'the store cannot be written', 'the store can be written again']);
});

test('a disk full for too long → the result is dropped, the job and its document stay', async () => {
  const { runner, seen } = start(() => true, 1_500);
  await expect.poll(() => seen.log).toContain('the end of a job could not be written');
  expect(runner.blockedReason).toBe('its disk is full');
  expect(seen).toMatchObject({ completions: 0, removed: [] });
});

test('a lease lost during a run → a warning; a lease that ends with its job → none', async () => {
  const lost = start(() => false, 60_000, { runMs: 2_500 });
  await expect.poll(() => lost.seen.log).toContain('the lease of a job was lost');
  await lost.runner.stop();
  const ending = start(() => false, 60_000, { runMs: 0, endMs: 2_500 });
  await expect.poll(() => ending.seen.completions).toBe(1);
  expect(ending.seen.log).toEqual(['document']);
});

test('several free workers → their documents are claimed at once', async () => {
  const { seen } = start(() => false, 60_000, { workers: 3 });
  await expect.poll(() => seen.completions).toBe(3);
  expect(seen.claimed[0]).toBe(3);
});

test.each([
  [1, undefined, 600_000],
  [20, undefined, 600_000],
  [21, undefined, 1_200_000],
  [2000, undefined, 60_000_000],
  [2000, 2 ** 31 - 1, 2 ** 31 - 1],
])('$0 pages with a time limit of $1 ms for each 20 → $2 ms', async (pageCount, timeoutMs, expected) => {
  const { runner, seen } = start(() => false, 60_000, { pageCount, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  const ended = runner.waitFor(job.id, 20_000);
  expect(await ended).toBe(true);
  expect(seen.limits).toMatchObject([{ timeoutMs: expected, idleTimeoutMs: 60_000 }]);
});
