import { afterEach, expect, test, vi } from 'vitest';
import { createLeases, type Leases, type LeasesOptions } from '../../../../src/service/jobs/leases.js';
import type { Beat, ClaimedJob } from '../../../../src/store/queue.js';

let leases: Leases | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await leases?.stop();
});

const claimed = (token: string, pagesDone = 0) =>
  ({ id: 'job_1', token, documentPageCount: 3, pagesDone }) as ClaimedJob;

/** Leases in a store that knows one token. */
function start(newest: string, leaseMs = 30) {
  const seen = { beats: [] as Beat[], log: [] as string[], releases: 0, isAway: false };
  const log = (_: unknown, text: string) => seen.log.push(text);
  leases = createLeases({
    queue: {
      beat: async (beats) => {
        seen.beats.push(...beats);
        return beats.filter(({ token }) => token !== newest).map(({ jobId }) => jobId);
      },
      hasExpired: async () => {
        if (seen.isAway) throw new Error('the store is away');
        return true;
      },
      releaseExpired: async () => ++seen.releases,
    },
    writes: { attempt: (write) => write() },
    leaseMs,
    log: { info: log, error: log, warn: log } as unknown as LeasesOptions['log'],
    onExpired: () => {},
  });
  const beatsOf = (token: string) => seen.beats.filter((beat) => beat.token === token);
  return { leases, seen, beatsOf };
}

test('a job claimed again → keeps its lease when the first run ends', async () => {
  const { leases, beatsOf } = start('second');
  const first = leases.hold(claimed('first'));
  const second = leases.hold(claimed('second'));
  first.drop();
  const before = beatsOf('second').length;
  await expect.poll(() => beatsOf('second').length).toBeGreaterThan(before + 1);
  second.drop();
});

test('a beat → reports the latest progress', async () => {
  const { leases, beatsOf } = start('only');
  const lease = leases.hold(claimed('only'));
  await expect
    .poll(() => beatsOf('only'))
    .toContainEqual({ jobId: 'job_1', token: 'only', pagesDone: 0, pageCount: 3 });
  lease.noteProgress(1, 3);
  lease.noteProgress(2, 3);
  await expect.poll(() => beatsOf('only').at(-1)).toMatchObject({ pagesDone: 2 });
  expect(beatsOf('only').map(({ pagesDone }) => pagesDone)).not.toContain(1);
});

test('a job whose run before was postponed → its progress stays until the pages are done again', async () => {
  const { leases, beatsOf } = start('only');
  const lease = leases.hold(claimed('only', 2));
  await expect.poll(() => beatsOf('only').at(-1)).toMatchObject({ pagesDone: 2 });
  lease.noteProgress(1, 3);
  const before = beatsOf('only').length;
  await expect.poll(() => beatsOf('only').length).toBeGreaterThan(before);
  expect(beatsOf('only').at(-1)).toMatchObject({ pagesDone: 2 });
  lease.noteProgress(3, 3);
  await expect.poll(() => beatsOf('only').at(-1)).toMatchObject({ pagesDone: 3 });
});

test('a job without progress → its lease is extended twice before it would end', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const { leases, beatsOf } = start('only', 9_000);
  leases.hold(claimed('only'));
  await vi.advanceTimersByTimeAsync(1_000);
  const first = beatsOf('only').length;
  await vi.advanceTimersByTimeAsync(8_000);
  expect([first, beatsOf('only').length]).toEqual([1, 3]);
});

test('leases of others → released only by who has reached the store for a whole lease, also after an absence', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const { seen } = start('only', 3_000);
  const pass = async (seconds: number) => {
    const before = seen.releases;
    await vi.advanceTimersByTimeAsync(seconds * 1_000);
    return seen.releases - before;
  };
  expect(await pass(3)).toBe(0);
  expect(await pass(2)).toBe(2);
  seen.isAway = true;
  expect(await pass(10)).toBe(0);
  seen.isAway = false;
  expect(await pass(3)).toBe(0);
  expect(await pass(2)).toBe(2);
});
