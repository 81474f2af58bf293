import { expect, test } from 'vitest';
import { followJob, type Poll } from '../../../../src/api/jobs/follow-job.js';
import { readJob } from '../../../../src/api/jobs/read-job.js';
import { OcrError } from '../../../../src/contract/ocr-error.js';

const WAITING = 'processing';

const toMs = (seconds: number) => seconds * 1_000;

/** Follows a job on a clock that stands still but for the waits; returns when it polled and what hold it asked for, in seconds. */
async function follow(options: {
  /** Results of the polls; the last one repeats. */
  polls: Array<string | OcrError | { status: string; retryAfterMs?: number; pagesDone?: number }>;
  /** The progress of the command's other jobs: it is seen at each of these seconds. */
  othersProgressAt?: readonly number[];
  /** Second from which the wait counts. */
  countsFrom?: number;
  waitTimeoutMs?: number;
  retryAfterMs?: number;
  pollsAtOnce?: boolean;
  pollTakesMs?: number;
  /** The server holds each poll for what it was asked for, and at most so long. */
  holdsMs?: number;
}) {
  let nowMs = 0;
  const times: number[] = [];
  const holds: number[] = [];
  const poll = async (_leftMs: number, holdMs: number): Promise<Poll> => {
    holds.push(holdMs / 1000);
    times.push(nowMs / 1000);
    const answer = options.polls[Math.min(times.length, options.polls.length) - 1];
    nowMs += (options.pollTakesMs ?? 0) + Math.min(options.holdsMs ?? 0, holdMs);
    if (answer instanceof OcrError) throw answer;
    const { status, retryAfterMs, pagesDone } = typeof answer === 'object' ? answer : { status: answer ?? '' };
    const job = readJob(pagesDone === undefined ? { status } : { status, progress: { pagesDone, pageCount: 2_000 } });
    if (job === undefined) throw new Error('unreachable');
    return { job, retryAfterMs, wasHeld: options.holdsMs !== undefined && holdMs > 0 };
  };
  const shared = {
    get latestMs() {
      return Math.max(Number.NEGATIVE_INFINITY, ...(options.othersProgressAt ?? []).filter(isPast).map(toMs));
    },
    set latestMs(_ms: number) {},
  };
  const isPast = (second: number) => toMs(second) <= nowMs;
  const clock = {
    now: () => {
      throw new Error('somebody may set it');
    },
    monotonicMs: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
    },
  };
  const ended = followJob({
    poll,
    clock,
    signal: new AbortController().signal,
    waitTimeoutMs: options.waitTimeoutMs ?? 300_000,
    retryAfterMs: options.retryAfterMs,
    shared,
    countsFromMs: options.countsFrom === undefined ? undefined : toMs(options.countsFrom),
    pollsImmediately: options.pollsAtOnce ?? false,
  });
  const outcome = await ended.then(
    ({ job, hasProgressed }) => ({ outcome: job?.status, hasProgressed }),
    (error: OcrError) => ({ outcome: error.code, hasProgressed: false }),
  );
  return { times, holds, ...outcome };
}

test('an unfinished job → polls after 1 s, then intervals that double to 15 s; the last poll at the deadline', async () => {
  const { times, outcome } = await follow({ polls: [WAITING], waitTimeoutMs: 70_000 });
  expect(times).toEqual([1, 3, 7, 15, 30, 45, 60, 70]);
  expect(outcome).toBe(WAITING);
});

test('a wait of 300 s → the last poll at its end', async () => {
  const { times } = await follow({ polls: [WAITING] });
  expect(times.at(-1)).toBe(300);
});

test('a job that ends at the deadline → completed', async () => {
  const { times, outcome } = await follow({ polls: [WAITING, 'completed'], waitTimeoutMs: 2_000 });
  expect(times).toEqual([1, 2]);
  expect(outcome).toBe('completed');
});

test('Retry-After of a poll or of the 202 → obeyed between 1 s and 15 s', async () => {
  const polls = [
    { status: WAITING, retryAfterMs: 0 },
    { status: WAITING, retryAfterMs: 3_000 },
    { status: WAITING, retryAfterMs: 600_000 },
    'completed',
  ];
  const { times } = await follow({ polls, retryAfterMs: 5_000 });
  expect(times).toEqual([5, 6, 9, 24]);
});

test('an answer without Retry-After → the schedule continues where it was', async () => {
  const { times } = await follow({ polls: [{ status: WAITING, retryAfterMs: 1_000 }, WAITING, WAITING, 'completed'] });
  expect(times).toEqual([1, 2, 6, 14]);
});

test('a job of an earlier command → the first poll at once', async () => {
  const { times, outcome } = await follow({ polls: ['completed'], pollsAtOnce: true });
  expect(times).toEqual([0]);
  expect(outcome).toBe('completed');
});

test('a wait of 0 s → one poll', async () => {
  expect((await follow({ polls: [WAITING], waitTimeoutMs: 0 })).times).toEqual([0]);
});

test('a slow poll → its time counts towards interval and deadline', async () => {
  const { times } = await follow({ polls: [WAITING], waitTimeoutMs: 10_000, pollTakesMs: 4_000 });
  // The second begins before the deadline and ends after it: nothing is left to wait for.
  expect(times).toEqual([1, 7]);
});

test('a poll → may be held until the next one is due, at most until the deadline', async () => {
  const { times, holds } = await follow({ polls: [WAITING], waitTimeoutMs: 20_000 });
  expect(times).toEqual([1, 3, 7, 15, 20]);
  expect(holds).toEqual([2, 4, 8, 5, 0]);
});

test('a poll that was held → the delay before the next one is shorter by that time', async () => {
  const { times, holds } = await follow({ polls: [WAITING], holdsMs: 30_000, waitTimeoutMs: 40_000 });
  // The one that was held until the deadline was the last.
  expect(times).toEqual([1, 3, 7, 15, 30]);
  expect(holds).toEqual([2, 4, 8, 15, 10]);
});

test('a poll that was held for less than it could be → only the rest is waited for', async () => {
  const { times } = await follow({ polls: [WAITING], holdsMs: 3_000, waitTimeoutMs: 20_000 });
  expect(times).toEqual([1, 3, 7, 15, 20]);
});

test('Retry-After → each poll may be held for as long', async () => {
  const polls = [{ status: WAITING, retryAfterMs: 1_000 }];
  const { times, holds } = await follow({ polls, retryAfterMs: 1_000, holdsMs: 30_000, waitTimeoutMs: 4_000 });
  expect(times).toEqual([1, 2, 3]);
  expect(holds).toEqual([1, 1, 1]);
});

test('a failed poll → no later poll asks to be held', async () => {
  const { times, holds } = await follow({
    polls: [WAITING, new OcrError('UNREACHABLE', 'x'), WAITING],
    holdsMs: 30_000,
    waitTimeoutMs: 20_000,
  });
  // The second fails after having been held for 4 s, which does not count.
  expect(times).toEqual([1, 3, 11, 19, 20]);
  expect(holds).toEqual([2, 4, 0, 0, 0]);
});

test.each(['UNREACHABLE', 'TIMEOUT'])('%s while polling → polls continue', async (code) => {
  const { outcome } = await follow({ polls: [new OcrError(code, code), new OcrError(code, code), 'completed'] });
  expect(outcome).toBe('completed');
});

test.each([400, 408, 429, 500, 502, 503, 504])('%i while polling → polls continue', async (status) => {
  const { outcome } = await follow({ polls: [new OcrError('ANY', 'any', { status }), 'completed'] });
  expect(outcome).toBe('completed');
});

test.each([401, 402, 403, 404, 410])('%i while polling → its error ends the wait', async (status) => {
  const { outcome, times } = await follow({ polls: [new OcrError('ENDS', 'ends', { status }), 'completed'] });
  expect(outcome).toBe('ENDS');
  expect(times).toHaveLength(1);
});

test('a service on this machine that cannot be started → LOCAL_UNAVAILABLE ends the wait', async () => {
  expect((await follow({ polls: [new OcrError('LOCAL_UNAVAILABLE', 'x'), 'completed'] })).outcome).toBe(
    'LOCAL_UNAVAILABLE',
  );
});

test('polls that all fail → a wait that ends without a state', async () => {
  expect((await follow({ polls: [new OcrError('UNREACHABLE', 'x')], waitTimeoutMs: 5_000 })).outcome).toBeUndefined();
});

test('an interruption during a sleep → the wait rejects with its reason', async () => {
  const controller = new AbortController();
  const reason = new OcrError('INTERRUPTED', 'Interrupted');
  const ended = followJob({
    poll: async () => {
      throw new Error('never polled');
    },
    clock: {
      now: () => 0,
      monotonicMs: () => 0,
      sleep: async (_, signal) => {
        controller.abort(reason);
        signal?.throwIfAborted();
      },
    },
    signal: controller.signal,
    waitTimeoutMs: 1_000,
  });
  await expect(ended).rejects.toBe(reason);
});

const page = (pagesDone: number) => ({ status: WAITING, pagesDone });

test('a page more in each poll → followed to its end, however long that takes', async () => {
  const pages = Array.from({ length: 2_000 }, (_, index) => page(index + 1));
  const { times, outcome } = await follow({ polls: [...pages, 'completed'], waitTimeoutMs: 20_000 });
  expect({ count: times.length, outcome }).toEqual({ count: 2_001, outcome: 'completed' });
});

test('a job that stops making progress → the wait counts from the last page', async () => {
  const { times, outcome, hasProgressed } = await follow({ polls: [page(0), page(1), page(2)], waitTimeoutMs: 70_000 });
  // Pages are seen after 3 s and 7 s.
  expect(times).toEqual([1, 3, 7, 15, 30, 45, 60, 75, 77]);
  expect({ outcome, hasProgressed }).toEqual({ outcome: WAITING, hasProgressed: true });
});

test('a new state → progress', async () => {
  const { times } = await follow({ polls: ['queued', 'queued', WAITING], waitTimeoutMs: 10_000 });
  expect(times).toEqual([1, 3, 7, 15, 17]);
});

test('the same page over and over, or fewer → no progress', async () => {
  const { times, hasProgressed } = await follow({ polls: [page(7), page(7), page(6), page(5)], waitTimeoutMs: 10_000 });
  expect({ times, hasProgressed }).toEqual({ times: [1, 3, 7, 10], hasProgressed: false });
});

test('progress in the last poll → the wait goes on', async () => {
  const { times } = await follow({ polls: [page(0), page(0), page(1)], waitTimeoutMs: 7_000 });
  expect(times).toEqual([1, 3, 7, 14]);
});

test('a queued job → progress of the other jobs of the command counts', async () => {
  const polls = ['queued'];
  const { times, hasProgressed } = await follow({ polls, waitTimeoutMs: 10_000, othersProgressAt: [5, 9, 18] });
  expect({ times, hasProgressed }).toEqual({ times: [1, 3, 7, 15, 19, 28], hasProgressed: true });
});

test('a job that is being read → progress of other jobs does not count', async () => {
  const { times } = await follow({ polls: [WAITING], waitTimeoutMs: 10_000, othersProgressAt: [5, 9] });
  expect(times).toEqual([1, 3, 7, 10]);
});

test('a wait that counts from an earlier time → it ends as much earlier', async () => {
  const { times } = await follow({ polls: [WAITING], waitTimeoutMs: 10_000, countsFrom: -4, pollsAtOnce: true });
  expect(times).toEqual([0, 1, 3, 6]);
});
