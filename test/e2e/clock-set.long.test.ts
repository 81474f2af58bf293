import { beforeEach, expect, test } from 'vitest';
import { setUpClient } from '../support/client-set-up.js';
import type { ContractServer } from '../support/contract-server.js';
import { runCli } from '../support/run-cli.js';
import { clockOf, runInProcess } from '../support/run-in-process.js';
import { createSettableClock } from '../support/settable-clock.js';
import type { TemporaryHome } from '../support/temporary-home.js';

const HOUR_MS = 3_600_000;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

let home: TemporaryHome;
let server: ContractServer;
beforeEach(async () => {
  const setUp = await setUpClient({ files: { 'a.pdf': 'A' } });
  ({ home, server } = setUp);
  return setUp.tearDown;
});

const run = (args: string[]) => runInProcess(args, { home, env: server.env });

/** Sets the clock as soon as a document is sent, or a job is asked for. */
function setClockAt(path: RegExp, byMs: number): void {
  server.onCall = (call) => {
    if (path.test(call.path)) clockOf(home).setTimeOfDay(byMs);
  };
}

test('a clock set forward → ends no wait early', async () => {
  server.pollsUntilDone = 1;
  const waiting = { headers: { 'retry-after': '1' }, body: { status: 'queued' } };
  server.script.job.push(waiting, waiting);
  // The clock of the machine itself: no part of the command may read it another way.
  const clock = createSettableClock(home);
  server.onCall = ({ path }) => {
    if (/jobs/.test(path)) clock.set(HOUR_MS);
  };
  const { exitCode, stdout } = await runCli(['extract', 'a.pdf'], { home, env: { ...server.env, ...clock.env } });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'text of A\n' });
});

test('a clock set back → prolongs no wait', async () => {
  server.pollsUntilDone = 99;
  setClockAt(/jobs/, -HOUR_MS);
  expect((await run(['extract', 'a.pdf', '--wait-timeout', '3s'])).exitCode).toBe(3);
  const { sleepsMs } = clockOf(home);
  // Its state changes in the second poll, after 3 s, which is progress. The time of the calls counts, too.
  expect(sum(sleepsMs)).toBeGreaterThan(3_000);
  expect(sum(sleepsMs)).toBeLessThanOrEqual(6_000);
});

test('a clock set during a requested pause → the pause keeps its length', async () => {
  server.script.post.push({ status: 429, headers: { 'retry-after': '2' } });
  const clock = clockOf(home);
  const sentAtMs: number[] = [];
  server.onCall = () => {
    sentAtMs.push(clock.monotonicMs());
    clock.setTimeOfDay(-HOUR_MS);
  };
  expect(await run(['extract', 'a.pdf'])).toMatchObject({ exitCode: 0, stdout: 'text of A\n' });
  const [refusedAtMs = 0, takenAtMs = 0] = sentAtMs;
  expect(takenAtMs - refusedAtMs).toBeGreaterThanOrEqual(2_000);
  expect(sum(clock.sleepsMs)).toBeLessThanOrEqual(2_000);
});

test('a clock set during jobs wait → the wait is not affected', async () => {
  server.pollsUntilDone = 3;
  const { stdout } = await run(['extract', '--no-wait', 'a.pdf']);
  setClockAt(/jobs/, HOUR_MS);
  const waited = await run(['jobs', 'wait', stdout.trim()]);
  expect(waited).toMatchObject({ exitCode: 0, stdout: 'text of A\n' });
});
