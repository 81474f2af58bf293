import { beforeEach, expect, test } from 'vitest';
import { setUpClient } from '../support/client-set-up.js';
import type { ContractServer } from '../support/contract-server.js';
import { runCli } from '../support/run-cli.js';
import { createSettableClock, type SettableClock } from '../support/settable-clock.js';
import type { TemporaryHome } from '../support/temporary-home.js';

const HOUR_MS = 3_600_000;

let home: TemporaryHome;
let server: ContractServer;
let clock: SettableClock;
let env: Record<string, string>;
beforeEach(async () => {
  const setUp = await setUpClient({ files: { 'a.pdf': 'A' } });
  ({ home, server } = setUp);
  clock = createSettableClock(home);
  env = { ...server.env, ...clock.env };
  return setUp.tearDown;
});

/** Sets the clock as soon as a document was sent, or a job was asked for. */
function setClockAt(path: RegExp, byMs: number): void {
  server.onCall = (call) => {
    if (path.test(call.path)) clock.set(byMs);
  };
}

test('a clock that is set forward ends no wait before its time', async () => {
  server.pollsUntilDone = 1;
  const waiting = { headers: { 'retry-after': '1' }, body: { status: 'queued' } };
  server.script.job.push(waiting, waiting);
  setClockAt(/jobs/, HOUR_MS);
  const { exitCode, stdout } = await runCli(['extract', 'a.pdf'], { home, env });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'text of A\n' });
});

test('a clock that is set back keeps nobody waiting for it to come round', async () => {
  server.pollsUntilDone = 99;
  setClockAt(/jobs/, -HOUR_MS);
  const startedAtMs = performance.now();
  const { exitCode } = await runCli(['extract', 'a.pdf', '--wait-timeout', '3s'], { home, env });
  expect(exitCode).toBe(3);
  expect(performance.now() - startedAtMs).toBeLessThan(15_000);
});

test('a pause that the service asks for is as long as it says, however the clock is set', async () => {
  server.script.post.push({ status: 429, headers: { 'retry-after': '2' } });
  setClockAt(/TEXT_EXTRACTION/, -HOUR_MS);
  const pause = runCli(['extract', 'a.pdf'], { home, env });
  setTimeout(() => clock.set(-2 * HOUR_MS), 1_500);
  expect(await pause).toMatchObject({ exitCode: 0, stdout: 'text of A\n' });
  const [refused, taken] = server.calls.filter(({ method }) => method === 'POST');
  expect((taken?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThan(1_900);
});

test('waiting for several jobs does not depend on the clock either', async () => {
  server.pollsUntilDone = 3;
  const { stdout } = await runCli(['extract', '--no-wait', 'a.pdf'], { home, env });
  setClockAt(/jobs/, HOUR_MS);
  const waited = await runCli(['jobs', 'wait', stdout.trim()], { home, env });
  expect(waited).toMatchObject({ exitCode: 0, stdout: 'text of A\n' });
});
