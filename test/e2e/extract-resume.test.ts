import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readOpenRecords, setUpClient } from '../support/client-set-up.js';
import { type ContractServer, failure } from '../support/contract-server.js';
import { startCli } from '../support/run-cli.js';
import { clockOf, runInProcess, startInProcess } from '../support/run-in-process.js';
import type { TemporaryHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';

const JOB = 'job_00000000000000000000000001';
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
let home: TemporaryHome;
let server: ContractServer;
beforeEach(async () => {
  const setUp = await setUpClient({ files: { 'a.pdf': 'A' } });
  ({ home, server } = setUp);
  return setUp.tearDown;
});

const run = (args: string[]) => runInProcess(args, { home, env: server.env });
const start = (args: string[]) => startCli(args, { home, env: server.env });
const records = () => readOpenRecords(home);
const posts = () => server.calls.filter(({ method }) => method === 'POST');
const polls = () => server.calls.filter(({ path }) => path.startsWith('/v1/ocr/jobs/'));

test('an upload → recorded before it is sent; the job id before the first poll', async () => {
  server.pollsUntilDone = 1;
  server.script.post = [failure(503, 'PROVIDER_UNAVAILABLE', 'Busy', true)];
  const known: Array<ReturnType<typeof records>> = [];
  server.onCall = () => known.push(records());
  expect((await run(['extract', 'a.pdf'])).exitCode).toBe(0);
  const sent = {
    status: 'sending',
    input: { name: 'a.pdf', sizeBytes: 1 },
    function: 'TEXT_EXTRACTION',
    idempotencyKey: posts()[0]?.headers['idempotency-key'],
  };
  expect(server.calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
  expect(known).toMatchObject([[sent], [sent], [{ ...sent, jobId: JOB, status: 'queued' }]]);
  expect(records()).toEqual([]);
});

test('a service that does not answer while its job is followed → said once, and asked again', async () => {
  server.pollsUntilDone = 1;
  server.script.job = Array.from({ length: 4 }, () => failure(503, 'PROVIDER_UNAVAILABLE', 'Not now', true));
  const { stdout, stderr, exitCode } = await run(['extract', 'a.pdf']);
  expect({ stdout, exitCode }).toEqual({ stdout: 'text of A\n', exitCode: 0 });
  expect(stderr).toMatch(
    /^a\.pdf: queued as last heard of, asking again: Not now.* Waiting for 5 min at most[^\n]*\n$/,
  );
});

test('a 202 → first poll after one second', async () => {
  server.pollsUntilDone = 1;
  await run(['extract', 'a.pdf']);
  expect(clockOf(home).sleepsMs).toEqual([1_000]);
  expect([posts(), polls()].map(({ length }) => length)).toEqual([1, 1]);
});

describe('kill -9', () => {
  test('while polling → the same command joins the job, also after the file was moved', async () => {
    server.pollsUntilDone = 3;
    const child = start(['extract', 'a.pdf']);
    await until(() => polls().length > 0);
    child.kill('SIGKILL');
    await child;
    renameSync(join(home.dir, 'a.pdf'), join(home.dir, 'moved.pdf'));
    const { stdout, exitCode } = await run(['extract', 'moved.pdf']);
    expect({ stdout, exitCode }).toEqual({ stdout: 'text of A\n', exitCode: 0 });
    expect(posts()).toHaveLength(1);
    expect(records()).toEqual([]);
  });

  test('while polling → jobs wait prints the result', async () => {
    server.pollsUntilDone = 3;
    const child = start(['extract', 'a.pdf']);
    await until(() => polls().length > 0);
    child.kill('SIGKILL');
    await child;
    expect(await run(['jobs', 'wait', JOB])).toMatchObject({ stdout: 'text of A\n', exitCode: 0 });
    expect(posts()).toHaveLength(1);
  });

  test('while sending → the same command sends again under the first Idempotency-Key', async () => {
    server.script.post = [{ stalls: true }];
    const child = start(['extract', 'a.pdf']);
    await until(() => posts().length > 0);
    child.kill('SIGKILL');
    await child;
    expect(await run(['extract', 'a.pdf'])).toMatchObject({ stdout: 'text of A\n', exitCode: 0 });
    const keys = posts().map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
  });

  test('an unreachable service → the same command sends again under the first Idempotency-Key', async () => {
    server.script.post = Array(6).fill({ status: 502, body: 'x', headers: { 'retry-after': '0' } });
    expect((await run(['extract', 'a.pdf'])).exitCode).toBe(7);
    expect((await run(['extract', 'a.pdf'])).exitCode).toBe(0);
    expect(new Set(posts().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });
});

test('a completed or refused submission → the same command sends anew', async () => {
  server.script.post = [failure(400, 'INVALID_DOCUMENT', 'Damaged', false)];
  expect((await run(['extract', 'a.pdf'])).exitCode).toBe(1);
  await run(['extract', 'a.pdf']);
  await run(['extract', 'a.pdf']);
  expect(new Set(posts().map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
});

test('--no-wait of an unfinished job → its id again; of a finished one → sent anew', async () => {
  server.pollsUntilDone = 2;
  const first = (await run(['extract', '--no-wait', 'a.pdf'])).stdout;
  expect((await run(['extract', '--no-wait', 'a.pdf'])).stdout).toBe(first);
  expect(posts()).toHaveLength(1);
  expect((await run(['extract', '--no-wait', 'a.pdf'])).stdout).not.toBe(first);
  expect(posts()).toHaveLength(2);
  expect(JSON.parse((await run(['jobs', '--json'])).stdout).map(({ status }: { status: string }) => status)).toEqual([
    'queued',
    'completed',
  ]);
});

test('--no-wait of an interrupted upload that was answered with its result → sent anew for a job', async () => {
  server.script.post = [{ stalls: true }];
  const started = startInProcess(['extract', 'a.pdf'], { home, env: server.env });
  await until(() => posts().length > 0);
  started.kill('SIGINT');
  await started;
  const meta = { provider: 'test', pageCount: 1, cached: false, durationMs: 1 };
  const body = { requestId: 'req_1', function: 'TEXT_EXTRACTION', result: { text: 'first' }, meta };
  server.script.post = [{ body }];
  expect((await run(['extract', '--no-wait', 'a.pdf'])).stdout).toBe(`${JOB}\n`);
  const keys = posts().map(({ headers }) => headers['idempotency-key']);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[1]);
  expect(records()).toMatchObject([{ jobId: JOB }]);
});

test('--fresh of an unfinished job → sent anew', async () => {
  server.pollsUntilDone = 10;
  await run(['extract', '--no-wait', 'a.pdf']);
  expect((await run(['extract', '--no-wait', 'a.pdf'])).stdout).toBe(`${JOB}\n`);
  expect(posts()).toHaveLength(1);
  expect((await run(['extract', '--no-wait', '--fresh', 'a.pdf'])).stdout).not.toBe(`${JOB}\n`);
  expect(posts()).toHaveLength(2);
});

test('an interrupted upload with a conflicting key → sent under a new one', async () => {
  server.script.post = [{ stalls: true }];
  const started = startInProcess(['extract', 'a.pdf'], { home, env: server.env });
  await until(() => posts().length > 0);
  started.kill('SIGINT');
  await started;
  server.script.post = [failure(409, 'IDEMPOTENCY_CONFLICT', 'Used for something else', false)];
  expect((await run(['extract', 'a.pdf'])).exitCode).toBe(0);
  const keys = posts().map(({ headers }) => headers['idempotency-key']);
  expect(keys[2]).not.toBe(keys[1]);
});

describe('the end of the wait', () => {
  beforeEach(() => {
    server.pollsUntilDone = 100;
  });

  test('the end → exit code 3 and the command to resume; the job stays unfinished', async () => {
    const { exitCode, stdout, stderr } = await run(['extract', 'a.pdf', '--wait-timeout', '1s']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toContain(`Resume: ocr jobs wait ${JOB}`);
    expect(records()).toMatchObject([{ jobId: JOB }]);
  });

  test('a service chosen by a flag → named in the command to resume', async () => {
    const { OCR_BASE_URL = '', ...env } = server.env;
    const line = ['extract', 'a.pdf', '--wait-timeout', '0s', '--base-url', OCR_BASE_URL];
    const { stderr } = await runInProcess(line, { home, env });
    expect(stderr).toContain(`Resume: ocr jobs wait --base-url ${OCR_BASE_URL} ${JOB}`);
    const resume = ['jobs', 'wait', '--wait-timeout', '0s', '--base-url', OCR_BASE_URL, JOB];
    expect((await runInProcess(resume, { home, env })).stderr).toContain(
      `Resume: ocr ${resume.slice(0, 2).join(' ')} --base`,
    );
  });

  test('--json → the 202 with the last known status; no standard error', async () => {
    server.pollsUntilDone = 100;
    const { exitCode, stdout, stderr } = await run(['extract', '--json', 'a.pdf', '--wait-timeout', '3s']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      input: 'a.pdf',
      requestId: 'req_00000000000000000000000001',
      jobId: JOB,
      status: 'processing',
      statusUrl: `/v1/ocr/jobs/${JOB}`,
    });
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s → the command to resume, exit code %i', async (signal, expected) => {
    const child = start(['extract', 'a.pdf']);
    await until(() => polls().length > 0);
    child.kill(signal);
    const { exitCode, stdout, stderr } = await child;
    expect({ exitCode, stdout }).toEqual({ exitCode: expected, stdout: '' });
    expect(stderr).toContain(`Job ${JOB} is still running. Resume: ocr jobs wait ${JOB}`);
  });

  test('SIGINT with --json → every input has its line', async () => {
    writeFileSync(join(home.dir, 'b.pdf'), 'B');
    const child = start(['extract', '--json', '-c', '1', 'a.pdf', 'b.pdf']);
    await until(() => polls().length > 0);
    child.kill('SIGINT');
    const { exitCode, stdout, stderr } = await child;
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: '' });
    const lines = String(stdout)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { input: 'a.pdf', jobId: JOB, status: 'queued' },
      { input: 'b.pdf', error: { code: 'NOT_SENT' } },
    ]);
    expect(posts()).toHaveLength(1);
  });

  test('SIGINT while sending → 130, and the same command goes on', async () => {
    server.script.post = [{ stalls: true }];
    const child = start(['extract', 'a.pdf']);
    await until(() => posts().length > 0);
    child.kill('SIGINT');
    expect((await child).exitCode).toBe(130);
    server.pollsUntilDone = 1;
    expect((await run(['extract', 'a.pdf'])).exitCode).toBe(0);
    expect(posts()[1]?.headers['idempotency-key']).toBe(posts()[0]?.headers['idempotency-key']);
  });
});

describe('408, which says that the upload did not arrive in time', () => {
  const SLOW = { status: 408, headers: { 'retry-after': '0' }, body: '' };

  test('a 408 → the upload is repeated under its key', async () => {
    server.script.post = [SLOW, SLOW];
    expect(await run(['extract', 'a.pdf'])).toMatchObject({ exitCode: 0, stdout: 'text of A\n', stderr: '' });
    expect(new Set(posts().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(posts()).toHaveLength(3);
  });

  test('six times 408 → the next command sends under the same key', async () => {
    server.script.post = Array.from({ length: 6 }, () => SLOW);
    const { exitCode, stdout } = await run(['extract', 'a.pdf', '--json']);
    expect(exitCode).toBe(7);
    expect(JSON.parse(stdout)).toMatchObject({ input: 'a.pdf', error: { code: 'TIMEOUT', retryable: true } });
    expect((await run(['extract', 'a.pdf'])).exitCode).toBe(0);
    expect(posts()).toHaveLength(7);
    expect(new Set(posts().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });
});

describe('errors while polling', () => {
  beforeEach(() => {
    server.pollsUntilDone = 1;
  });

  test.each([
    ['a proxy’s page with 502', { status: 502, body: '<html>' }],
    ['429', failure(429, 'RATE_LIMITED', 'Slow down', true)],
    ['503', failure(503, 'PROVIDER_UNAVAILABLE', 'Busy', true)],
    ['a broken connection', { hangsUp: true }],
    ['nothing that makes sense', { body: 'what?' }],
  ])('%s → does not fail the job', async (_, reply) => {
    server.script.job = [reply];
    expect(await run(['extract', 'a.pdf'])).toMatchObject({ exitCode: 0, stdout: 'text of A\n', stderr: '' });
  });

  test('401 → exit code 4, and the job stays unfinished', async () => {
    server.script.job = [failure(401, 'UNAUTHORIZED', 'Revoked', false)];
    expect((await run(['extract', 'a.pdf'])).exitCode).toBe(4);
    expect(records()).toMatchObject([{ jobId: JOB }]);
  });

  test.each([
    [404, 'NOT_FOUND'],
    [410, 'EXPIRED'],
  ])('%i → exit code 5, and the next command sends anew', async (status, code) => {
    server.script.job = [failure(status, code, 'Gone', false)];
    expect((await run(['extract', 'a.pdf'])).exitCode).toBe(5);
    expect(records()).toEqual([]);
    expect((await run(['extract', 'a.pdf'])).exitCode).toBe(0);
    expect(posts()).toHaveLength(2);
  });
});

test('a completed job without a result → an error that says so', async () => {
  server.pollsUntilDone = 1;
  server.script.job = [{ body: { status: 'completed' } }];
  const { exitCode, stderr } = await run(['extract', 'a.pdf']);
  expect(exitCode).toBe(7);
  expect(stderr).toContain('no result');
});

test('a document that makes progress → followed to its end, far beyond --wait-timeout', async () => {
  server.pollsUntilDone = 300;
  server.makesProgress = true;
  const { exitCode, stdout, stderr } = await run(['extract', 'a.pdf']);
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: 'text of A\n', stderr: '' });
  expect(sum(clockOf(home).sleepsMs)).toBeGreaterThan(3_600_000);
});

test('progress that stops → the wait counts from there, and the message says so', async () => {
  server.pollsUntilDone = 100;
  const state = (pagesDone: number) => ({ body: { status: 'processing', progress: { pagesDone, pageCount: 9 } } });
  const states = [state(0), state(1), state(2), ...Array(9).fill(state(2))];
  server.script.job = [...states];
  const { exitCode, stderr } = await run(['extract', 'a.pdf', '--wait-timeout', '5s']);
  expect(exitCode).toBe(3);
  expect(stderr).toContain(`Job ${JOB} is still processing and has made no progress for 5 s.`);
  expect(sum(clockOf(home).sleepsMs)).toBeCloseTo(12_000, -2);
  server.script.job = [...states];
  const waited = await run(['jobs', 'wait', JOB, '--wait-timeout', '5s']);
  expect(waited.stderr).toContain('has made no progress for 5 s');
});

test('a queued document of a batch → followed while the one before it makes progress', async () => {
  writeFileSync(join(home.dir, 'b.pdf'), 'B');
  server.pollsUntilDone = 60;
  server.makesProgress = true;
  server.answerPoll = ({ text }) => {
    const isFirstDone = [...server.jobs.values()].some((job) => job.text === 'text of A' && job.polls >= 60);
    if (text !== 'text of B') return undefined;
    return { body: isFirstDone ? { status: 'completed', result: { text } } : { status: 'queued' } };
  };
  const { exitCode, stdout } = await run(['extract', 'a.pdf', 'b.pdf', '--wait-timeout', '20s', '-c', '2']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'text of A\ntext of B\n' });
});

describe('a wait that ends while polls fail', () => {
  const BUSY = failure(503, 'PROVIDER_UNAVAILABLE', 'The store is away', true);

  test('a failing last poll → its error and the last known state', async () => {
    server.pollsUntilDone = 100;
    server.script.job = [{ body: { status: 'processing' } }, BUSY, BUSY];
    const { stderr, exitCode } = await run(['extract', 'a.pdf', '--wait-timeout', '2s']);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`Job ${JOB} was processing when it was last heard of`);
    expect(stderr).toContain('the last poll failed: The store is away');
    expect(stderr).toContain(`Resume: ocr jobs wait ${JOB}`);
    server.script.job = [BUSY, BUSY];
    const waited = await run(['jobs', 'wait', JOB, '--wait-timeout', '0s']);
    expect(waited.stderr).toContain('the last poll failed: The store is away');
  });

  test('no poll answered → ends with the wait', async () => {
    server.pollsUntilDone = 1;
    server.script.job = Array(9).fill({ stalls: true });
    const { stderr, exitCode } = await run(['extract', 'a.pdf', '--wait-timeout', '1500ms']);
    expect(exitCode).toBe(3);
    expect(polls()).toHaveLength(1);
    expect(stderr).toMatch(/The wait of 1\.5 s is over, and the last poll failed: .+ made no progress for 3 s\./);
  });

  test('an answered last poll → earlier failures are not named', async () => {
    server.pollsUntilDone = 100;
    server.script.job = [BUSY];
    const { stderr } = await run(['extract', 'a.pdf', '--wait-timeout', '2s']);
    expect(stderr).toContain(`Job ${JOB} is still`);
    expect(stderr).not.toContain('The store is away');
  });

  test('--json → the line has the fields of the 202 alone', async () => {
    server.pollsUntilDone = 100;
    server.script.job = [BUSY, BUSY, BUSY];
    const { stdout, stderr } = await run(['extract', 'a.pdf', '--wait-timeout', '1s', '--json']);
    expect(stderr).toBe('');
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual(['input', 'requestId', 'jobId', 'status', 'statusUrl']);
  });
});
