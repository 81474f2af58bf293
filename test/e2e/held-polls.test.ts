import { beforeEach, expect, test } from 'vitest';
import { documents } from '../fixtures/manifest.js';
import { setUpClient } from '../support/client-set-up.js';
import { type ContractServer, OTHER_DIALECT, startContractServer } from '../support/contract-server.js';
import { createLocalHome } from '../support/local-service.js';
import { clockOf, runInProcess } from '../support/run-in-process.js';
import type { TemporaryHome } from '../support/temporary-home.js';

test('our service → holds polls, and the result comes all the same', async () => {
  const home = createLocalHome();
  const queued = await runInProcess(['extract', '--no-wait', documents.landscapeRotated.path], { home });
  const { exitCode, stdout, stderr } = await runInProcess(['jobs', 'wait', queued.stdout.trim(), '--debug'], { home });
  expect(exitCode).toBe(0);
  expect(stdout).toContain('To the members of the committee');
  const polls = stderr.split('\n').filter((line) => line.includes('GET ') && line.includes('/v1/ocr/jobs/'));
  expect(polls.length).toBeGreaterThan(0);
  for (const line of polls) expect(line).toContain('preference-applied: wait=1');
});

let home: TemporaryHome;
let server: ContractServer;
beforeEach(async () => {
  const setUp = await setUpClient({ files: { 'a.pdf': 'A' } });
  ({ home, server } = setUp);
  return setUp.tearDown;
});

const preferences = ({ calls }: ContractServer) =>
  calls.filter(({ path }) => path.startsWith('/v1/ocr/jobs/')).map(({ headers }) => headers.prefer);

test('a server that does not hold polls → polled on schedule', async () => {
  const { sleepsMs } = clockOf(home);
  const other = await startContractServer({ dialect: OTHER_DIALECT, pollsUntilDone: 3, textOf: () => 'other' });
  try {
    const { exitCode, stdout } = await runInProcess(['extract', 'a.pdf'], { home, env: other.env });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'other\n' });
    expect(preferences(other)).toEqual(['wait=2', 'wait=4', 'wait=8']);
    expect(sleepsMs).toEqual([1_000, 2_000, 4_000]);
  } finally {
    await other.close();
  }
});

test('a held poll that was cut → no other is asked to be held', async () => {
  server.pollsUntilDone = 1;
  server.script.job.push({ hangsUp: true });
  const { exitCode, stdout } = await runInProcess(['extract', 'a.pdf'], { home, env: server.env });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'text of A\n' });
  expect(preferences(server)).toEqual(['wait=2', undefined]);
});

test('the end of the wait → bounds the requested hold', async () => {
  server.pollsUntilDone = 99;
  const { exitCode } = await runInProcess(['extract', 'a.pdf', '--wait-timeout', '2.5s'], { home, env: server.env });
  expect(exitCode).toBe(3);
  // A new state in the second poll is progress: the wait counts from there.
  expect(preferences(server)).toEqual(['wait=1', undefined, undefined]);
});
