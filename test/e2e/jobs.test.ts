import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { setUpClient } from '../support/client-set-up.js';
import { type ContractServer, OTHER_DIALECT, startContractServer } from '../support/contract-server.js';
import { startCli } from '../support/run-cli.js';
import { runInProcess } from '../support/run-in-process.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';

let home: TemporaryHome;
let server: ContractServer;
beforeEach(async () => {
  const setUp = await setUpClient({ files: { 'a.pdf': 'A', 'b.pdf': 'B' } });
  ({ home, server } = setUp);
  return setUp.tearDown;
});

const run = (args: string[], env: Record<string, string> = server.env) => runInProcess(args, { home, env });
const submit = async (name: string) => (await run(['extract', '--no-wait', name])).stdout.trim();

test('list → what this machine submitted, newest first, also where the service is away', async () => {
  expect(JSON.parse((await run(['jobs', '--json'])).stdout)).toEqual([]);
  const [a, b] = [await submit('a.pdf'), await submit('b.pdf')];
  await run(['jobs', 'wait', a]);
  const { baseUrl } = server;
  await server.close();
  const { stdout, stderr, exitCode } = await run(['jobs', 'list', '--json']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject([
    { jobId: b, status: 'queued', input: 'b.pdf', function: 'TEXT_EXTRACTION', server: baseUrl, finishedAt: null },
    { jobId: a, status: 'completed', input: 'a.pdf', requestId: 'req_00000000000000000000000001' },
  ]);
  const table = await run(['jobs']);
  expect(table.stdout.split('\n').map((line) => line.split('\t').slice(0, 2))).toEqual([
    [b, 'queued'],
    [a, 'completed'],
    [''],
  ]);
  expect(table.stderr).toMatch(/^1 job is shown as last heard of \(\S+ or later\): Nothing listens at \S+\n$/);
  expect(JSON.parse((await run(['jobs', '--unfinished', '--json'])).stdout)).toHaveLength(1);
});

test('an empty list → says whether there is nothing, or nothing that matches', async () => {
  const listed = async (...args: string[]) => (await run(args)).stderr;
  expect(await listed('jobs')).toBe('No jobs yet. Queue a document: ocr extract --no-wait <file>\n');
  expect(await listed('jobs', '--unfinished')).toBe('No unfinished jobs known here.\n');
  expect(await listed('requests')).toBe('No requests yet. Send a document: ocr extract <file>\n');
  const elsewhere = ['--base-url', 'http://127.0.0.1:9'];
  expect(await listed('jobs', ...elsewhere)).toBe('No job was sent to this service from here.\n');
  expect(await listed('requests', ...elsewhere)).toBe('No request was sent to this service from here.\n');
  server.pollsUntilDone = 100;
  await submit('a.pdf');
  expect(await listed('jobs', '--failed')).toBe('No job known here matches.\n');
  expect(await listed('requests', '--failed')).toBe('No request known here matches.\n');
  expect(await listed('jobs', '--status', 'completed')).toBe(
    'No job known here has the status completed. There are: processing\n',
  );
  expect(await listed('requests', '--status', '599')).toMatch(
    /^No request known here has the status 599\. There are: \w+\n$/,
  );
});

const KNOWN = 'Known statuses: queued, processing, completed, failed, gone, sending, interrupted';

test.each(['jobs', 'requests'])('an unknown status → a usage error that names the known ones: %s', async (noun) => {
  server.pollsUntilDone = 100;
  await submit('a.pdf');
  const { exitCode, stderr } = await run([noun, '--status', 'complete']);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: `ocr: There is no status "complete"\nDid you mean completed?\n${KNOWN}\n`,
  });
  for (const [word, ours] of [
    ['cancelled', 'failed'],
    ['pending', 'queued'],
  ]) {
    const { exitCode, stderr: said } = await run([noun, '--status', `${word}`]);
    expect({ exitCode, said }).toEqual({
      exitCode: 2,
      said: `ocr: There is no status "${word}"\nDid you mean ${ours}?\n${KNOWN}\n`,
    });
  }
  expect(await run([noun, '--status', 'foo'])).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: `ocr: There is no status "foo"\n${KNOWN}\n`,
  });
  expect((await run([noun, '--status', 'Failed', '--json'])).exitCode).toBe(2);
  expect(await run([noun, '--status', 'failed', '--json'])).toMatchObject({ exitCode: 0, stdout: '[]\n' });
});

test('list → asks for each unfinished job once, and records its state', async () => {
  server.pollsUntilDone = 3;
  const [a, b] = [await submit('a.pdf'), await submit('b.pdf')];
  await run(['jobs', 'wait', a]);
  const polled = server.calls.length;
  const listed = async (...flags: string[]) =>
    JSON.parse((await run(['jobs', '--json', ...flags])).stdout) as Array<Record<string, string>>;
  const [first] = await listed();
  expect(first).toMatchObject({ jobId: b, status: 'queued', finishedAt: null });
  expect(server.calls.slice(polled).map(({ path }) => path)).toEqual([`/v1/ocr/jobs/${b}`]);
  expect(Date.parse(first?.statusAt ?? '')).toBeGreaterThan(Date.parse(first?.createdAt ?? ''));
  expect(await listed('--unfinished')).toMatchObject([{ jobId: b, status: 'processing' }]);
  expect(await listed('--unfinished')).toEqual([]);
  const { stderr } = await run(['jobs']);
  expect(stderr).toBe('1 job has ended; fetch what came of it: ocr jobs wait --all\n');
  expect((await run(['jobs', 'wait', '--all'])).stdout).toBe('text of B\n');
  expect(await run(['jobs'])).toMatchObject({ stderr: '' });
});

test('list → marks jobs that are gone, asks a refusing service no further, filters', async () => {
  server.pollsUntilDone = 9;
  const [a, b] = [await submit('a.pdf'), await submit('b.pdf')];
  server.jobs.delete(b);
  expect(JSON.parse((await run(['jobs', '--json'])).stdout)).toMatchObject([
    { jobId: b, status: 'gone' },
    { jobId: a, status: 'queued' },
  ]);
  expect((await run(['jobs', '--unfinished'])).stdout).toMatch(new RegExp(`^${a}\t`));
  const wrongKey = { ...server.env, OCR_API_KEY: 'another-key-0123456789' };
  expect((await run(['jobs'], wrongKey)).stderr).toMatch(/^1 job is shown as last heard of .+\n$/);
  expect((await run(['jobs', '-f', 'NONE', '--json'])).stdout).toBe('[]\n');
  expect((await run(['jobs', '--since', '2999-01-01', '--json'])).stdout).toBe('[]\n');
});

test('another organisation’s key, which does not know the jobs → they stay unfinished for their own key', async () => {
  server.pollsUntilDone = 1;
  const job = await submit('a.pdf');
  const unknown = { status: 404, body: { error: { code: 'NOT_FOUND', message: 'No such job', retryable: false } } };
  const other = { ...server.env, OCR_API_KEY: 'another-key-0123456789' };
  for (const [args, exitCode] of [
    [['jobs'], 0],
    [['jobs', 'get', job], 5],
    [['jobs', 'wait', '--all'], 5],
  ] as const) {
    server.script.job.push(unknown);
    expect((await run([...args], other)).exitCode, args.join(' ')).toBe(exitCode);
  }
  expect(server.script.job).toEqual([]);
  expect(await run(['jobs', 'wait', '--all'])).toMatchObject({ exitCode: 0, stdout: 'text of A\n' });
});

test('list --limit → asks for no more jobs than it shows', async () => {
  server.pollsUntilDone = 9;
  const [a, b] = [await submit('a.pdf'), await submit('b.pdf')];
  const askedFor = async (...flags: string[]) => {
    const before = server.calls.length;
    await run(['jobs', ...flags]);
    return server.calls.slice(before).map(({ path }) => path.split('/').at(-1));
  };
  expect(await askedFor('--limit', '1')).toEqual([b]);
  // Only their answers tell which job is the first with this status.
  expect((await askedFor('--limit', '1', '--status', 'processing')).sort()).toEqual([a, b]);
});

test('list → takes the filters of requests', async () => {
  server.pollsUntilDone = 1;
  const [a, b] = [await submit('a.pdf'), await submit('b.pdf')];
  server.jobError = { code: 'INVALID_DOCUMENT' };
  await run(['jobs', 'wait', b]);
  server.jobError = undefined;
  const listed = async (...flags: string[]) =>
    (JSON.parse((await run(['jobs', '--json', ...flags])).stdout) as Array<{ jobId: string }>).map(
      ({ jobId }) => jobId,
    );
  expect(await listed('--limit', '1')).toEqual([b]);
  expect(await listed('--limit', '9')).toEqual([b, a]);
  expect(await listed('--failed')).toEqual([b]);
  expect(await listed('--status', 'failed', '--limit', '1')).toEqual([b]);
  // Asked for now, and done by now.
  expect(await listed('--status', 'completed', '--limit', '1')).toEqual([a]);
  expect((await run(['jobs', '--limit', 'x'])).exitCode).toBe(2);
});

test('a silent service → does not hold the list up', async () => {
  const jobId = await submit('a.pdf');
  server.script.job = [{ stalls: true }];
  const { stdout, stderr, exitCode } = await run(['jobs']);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^1 job is shown as last heard of \(\S+ or later\): no answer within 3 s\n$/);
  expect(stdout).toContain(jobId);
});

test('get → asks the service; --json is its own body', async () => {
  server.pollsUntilDone = 3;
  const jobId = await submit('a.pdf');
  const text = await run(['jobs', 'get', jobId]);
  expect(text.stdout).toContain(`Status\tqueued\n`);
  expect(text.stdout).toContain(`Next\tocr jobs wait ${jobId}\n`);
  const json = JSON.parse((await run(['jobs', 'get', jobId, '--json'])).stdout) as object;
  expect(json).toMatchObject({ jobId, status: 'processing', progress: { pagesDone: 0, pageCount: 9 } });
  expect(json).not.toHaveProperty('input');
  server.script.job = [{ body: { status: 'working' } }];
  expect(JSON.parse((await run(['jobs', 'get', jobId, '--json'])).stdout)).toEqual({ jobId, status: 'working' });
});

test('get → records the state; an ended job stays to be delivered', async () => {
  server.pollsUntilDone = 1;
  const jobId = await submit('a.pdf');
  const listed = async () => JSON.parse((await run(['jobs', '--unfinished', '--json'])).stdout) as unknown;
  let status: string | undefined;
  while (status !== 'completed') {
    ({ status } = JSON.parse((await run(['jobs', 'get', jobId, '--json'])).stdout) as { status: string });
    expect(await listed()).toMatchObject(status === 'completed' ? [] : [{ jobId, finishedAt: null }]);
  }
  expect((await run(['jobs', 'wait', '--all'])).stdout).toBe('text of A\n');
  expect(await listed()).toEqual([]);
});

test('wait → prints results as extract does, in the given order', async () => {
  server.pollsUntilDone = 2;
  const [a, b] = [await submit('a.pdf'), await submit('b.pdf')];
  expect(await run(['jobs', 'wait', b, a])).toMatchObject({ stdout: 'text of B\ntext of A\n', exitCode: 0 });
  const { stdout } = await run(['jobs', 'wait', a, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ input: 'a.pdf', jobId: a, result: { text: 'text of A' } });
});

test('wait --all → takes every unfinished job, and then none is left', async () => {
  await submit('a.pdf');
  await submit('b.pdf');
  expect((await run(['jobs', 'wait', '--all'])).stdout).toBe('text of A\ntext of B\n');
  expect(await run(['jobs', 'wait', '--all'])).toMatchObject({ stdout: '', exitCode: 0 });
});

test('wait of many jobs at once → nothing on standard error', async () => {
  server.pollsUntilDone = 2;
  const names = Array.from({ length: 12 }, (_, i) => `many-${i}.pdf`);
  for (const name of names) writeFileSync(join(home.dir, name), name);
  await run(['extract', '--no-wait', ...names]);
  const { stdout, stderr, exitCode } = await run(['jobs', 'wait', '--all', '--json']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.trim().split('\n')).toHaveLength(12);
});

test('a closed reader → the job it read has ended in the record, the next one has not', async () => {
  writeFileSync(join(home.dir, 'long.pdf'), 'x\n'.repeat(500_000));
  const [long, b] = [await submit('long.pdf'), await submit('b.pdf')];
  const child = startCli(['jobs', 'wait', long, b], { home, env: server.env });
  child.stdout?.once('data', () => child.stdout?.destroy());
  const { exitCode, stderr } = await child;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse((await run(['jobs', '--json'])).stdout)).toMatchObject([
    { jobId: b, finishedAt: null },
    { jobId: long, finishedAt: expect.any(String) },
  ]);
});

test('wait past its end → 3; its JSON is the 202 with the last status', async () => {
  server.pollsUntilDone = 100;
  const jobId = await submit('a.pdf');
  const text = await run(['jobs', 'wait', jobId, '--wait-timeout', '1s']);
  expect(text).toMatchObject({ exitCode: 3, stdout: '' });
  expect(text.stderr).toContain(`Resume: ocr jobs wait ${jobId}`);
  const json = await run(['jobs', 'wait', jobId, '--wait-timeout', '0s', '--json']);
  expect(json).toMatchObject({ exitCode: 3, stderr: '' });
  expect(JSON.parse(json.stdout)).toMatchObject({ input: 'a.pdf', jobId, status: 'processing' });
});

test('a failed job → 1 and its error', async () => {
  server.jobError = { code: 'INVALID_DOCUMENT', message: 'Page 3 is damaged' };
  const jobId = await submit('a.pdf');
  const { exitCode, stderr } = await run(['jobs', 'wait', jobId]);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/a\.pdf: Page 3 is damaged/);
  expect(JSON.parse((await run(['jobs', '--json'])).stdout)).toMatchObject([
    { status: 'failed', error: { code: 'INVALID_DOCUMENT' } },
  ]);
});

test('an unknown job → 5', async () => {
  for (const command of ['get', 'wait', 'result']) {
    const { exitCode, stderr } = await run(['jobs', command, 'job_NOBODY']);
    expect(exitCode, command).toBe(5);
    expect(stderr).toContain('job_NOBODY');
    expect(stderr).toContain('ocr jobs list');
  }
});

test.each(['get', 'result', 'wait'])(
  '%s of a job that is gone → says how to send its document again',
  async (command) => {
    const jobId = await submit('a.pdf');
    server.jobs.clear();
    const { exitCode, stderr } = await run(['jobs', command, jobId]);
    expect(exitCode).toBe(5);
    expect(stderr).toContain('\nTry: ocr extract a.pdf\n');
  },
);

test('a job of another machine → asked for at the service in use', async () => {
  const jobId = await submit('a.pdf');
  const other = createHome();
  try {
    const { stdout, exitCode } = await runInProcess(['jobs', 'wait', jobId, '--json'], {
      home: other,
      env: server.env,
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ input: jobId, jobId, result: { text: 'text of A' } });
  } finally {
    other.remove();
  }
});

test('a job of another service → not asked for here', async () => {
  const jobId = await submit('a.pdf');
  const other = await startContractServer({ dialect: OTHER_DIALECT });
  try {
    const { exitCode, stderr } = await run(['jobs', 'wait', jobId], other.env);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(server.baseUrl);
    expect(stderr).toContain(`ocr jobs forget ${jobId}\n`);
    // The job's own key is not known to this command, and no other goes to its service.
    const otherKey = { ...other.env, OCR_API_KEY: 'key-of-another-service' };
    expect((await run(['jobs', 'wait', '--all'], otherKey)).exitCode).toBe(2);
    expect(server.calls.filter(({ path }) => path.includes('/jobs/'))).toEqual([]);
    await run(['jobs', 'forget', jobId], other.env);
    expect((await run(['jobs', 'wait', '--all'], other.env)).exitCode).toBe(0);
    expect(other.calls).toEqual([]);
  } finally {
    await other.close();
  }
});

test('result → prints finished jobs, to a file too; an unfinished one → 3', async () => {
  server.pollsUntilDone = 2;
  const jobId = await submit('a.pdf');
  const early = await run(['jobs', 'result', jobId]);
  expect(early).toMatchObject({ exitCode: 3, stdout: '' });
  expect(early.stderr).toContain(`ocr jobs wait ${jobId}`);
  expect(await run(['jobs', 'result', jobId])).toMatchObject({ exitCode: 0, stdout: 'text of A\n' });
  expect(await run(['jobs', 'result', jobId, '-o', 'out.txt'])).toMatchObject({ exitCode: 0, stdout: '' });
  const again = await run(['jobs', 'result', jobId, '-o', 'out.txt']);
  expect(again).toMatchObject({ exitCode: 2, stdout: '' });
  // Nothing ever is.
  expect(again.stderr).not.toContain('sent');
});

test('forget → the job leaves the record', async () => {
  const jobId = await submit('a.pdf');
  expect((await run(['jobs', 'forget', jobId])).exitCode).toBe(0);
  expect(JSON.parse((await run(['jobs', '--json'])).stdout)).toEqual([]);
  expect((await run(['jobs', 'forget', jobId])).exitCode).toBe(5);
});

test('an interrupted wait → calls no job running of which no state is known', async () => {
  const known = await submit('a.pdf');
  server.script.job = [{ stalls: true }, { stalls: true }];
  const child = startCli(['jobs', 'wait', known, 'job_x'], { home, env: server.env });
  await until(() => server.calls.filter(({ method }) => method === 'GET').length === 2);
  child.kill('SIGINT');
  const { exitCode, stderr } = await child;
  expect(exitCode).toBe(130);
  expect(stderr).toContain(`Job ${known} was queued when it was last heard of. Resume: ocr jobs wait ${known}`);
  expect(stderr).toContain('Nothing was heard of job job_x. Resume: ocr jobs wait job_x');
});
