import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readOpenRecords, setUpClient } from '../support/client-set-up.js';
import { type ContractServer, failure, startContractServer } from '../support/contract-server.js';
import { clockOf, runInProcess } from '../support/run-in-process.js';
import type { TemporaryHome } from '../support/temporary-home.js';

// Services do not know each other's ids: two of the contract's test server give equal ones.
const JOB = 'job_00000000000000000000000001';
const REQUEST = 'req_00000000000000000000000001';

let home: TemporaryHome;
let office: ContractServer;
let archive: ContractServer;
beforeEach(async () => {
  const setUp = await setUpClient({ files: { 'a.pdf': 'A', 'b.pdf': 'B' } });
  ({ home, server: office } = setUp);
  archive = await startContractServer({ textOf: (file) => `archived ${file.toString()}` });
  // The file that `ocr config set` and `ocr auth login` would write.
  const profileOf = ({ baseUrl, apiKey }: ContractServer) => ({ 'base-url': baseUrl, 'api-key': apiKey });
  const settings = { profiles: { office: profileOf(office), archive: profileOf(archive) } };
  mkdirSync(home.configDir, { mode: 0o700 });
  writeFileSync(join(home.configDir, 'config.json'), JSON.stringify(settings), { mode: 0o600 });
  await run('extract --no-wait a.pdf --profile office');
  await run('extract --no-wait b.pdf --profile archive');
  return async () => {
    await archive.close();
    await setUp.tearDown();
  };
});

const run = (line: string) => runInProcess(line.split(' '), { home });
const json = async (line: string) => JSON.parse((await run(`${line} --json`)).stdout) as unknown;

describe('a job id that two services gave', () => {
  test('with a service named or set → that service’s job', async () => {
    expect(await run(`jobs wait ${JOB} --profile office`)).toMatchObject({ stdout: 'text of A\n', exitCode: 0 });
    expect(await run(`jobs result ${JOB} --profile archive`)).toMatchObject({ stdout: 'archived B\n', exitCode: 0 });
    await run('config set profile office');
    expect((await run(`jobs get ${JOB}`)).stdout).toContain('Input\ta.pdf\n');
  });

  test('with neither → refused, and asked for nowhere', async () => {
    const { exitCode, stderr } = await run(`jobs wait ${JOB}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${office.baseUrl}`);
    expect(stderr).toMatch(/--profile archive or --profile office/);
    expect((await run(`jobs forget ${JOB}`)).exitCode).toBe(2);
    expect(readOpenRecords(home)).toHaveLength(2);
    expect([office, archive].flatMap(({ calls }) => calls.filter(({ path }) => path.includes('/jobs/')))).toEqual([]);
  });

  test('wait --all → two jobs', async () => {
    const { stdout, exitCode } = await run('jobs wait --all');
    expect({ exitCode, lines: stdout.split('\n').sort() }).toEqual({
      exitCode: 0,
      lines: ['', 'archived B', 'text of A'],
    });
    expect(readOpenRecords(home)).toEqual([]);
  });

  test('forget with a profile → the other job stays', async () => {
    await run(`jobs forget ${JOB} --profile archive`);
    expect(await json('jobs')).toMatchObject([{ jobId: JOB, profile: 'office' }]);
  });
});

test('a flag that names a service or a profile → lists and bulk commands are limited to it', async () => {
  const idsOf = async (line: string) =>
    ((await json(line)) as Array<{ profile: string }>).map(({ profile }) => profile);
  await run(`config set base-url ${office.baseUrl} --profile other`);
  expect(await idsOf('jobs')).toEqual(['archive', 'office']);
  for (const noun of ['jobs', 'requests']) {
    expect(await idsOf(`${noun} --profile archive`)).toEqual(['archive']);
    expect(await idsOf(`${noun} --base-url ${office.baseUrl}`)).toEqual(['office']);
    // The other profile names the same service, perhaps for another organisation.
    expect(await idsOf(`${noun} --profile other`)).toEqual([]);
    expect(await run(`${noun} --profile offcie`)).toMatchObject({ exitCode: 2, stdout: '' });
  }
  office.script.post = [failure(503, 'STRANGE', 'Later', false)];
  await run('extract b.pdf --profile office');
  await run('requests forget --interrupted --profile archive');
  expect(await idsOf('requests --status interrupted')).toEqual(['office']);
  const listed = await run('jobs --profile archive');
  expect(listed.stderr).toContain('ocr jobs wait --all --profile archive\n');
  expect((await run('jobs wait --all --profile archive')).stdout).toBe('archived B\n');
  expect(readOpenRecords(home).map(({ profile }) => profile)).toEqual(['office', 'office']);
});

test('a request id that two services gave → that of the named one', async () => {
  expect(await json(`requests get ${REQUEST} --profile office`)).toMatchObject({ input: { name: 'a.pdf' } });
  expect(await json(`requests get ${REQUEST} --profile archive`)).toMatchObject({ input: { name: 'b.pdf' } });
  expect((await run(`requests get ${REQUEST}`)).exitCode).toBe(2);
  expect((await run(`requests forget ${REQUEST}`)).exitCode).toBe(2);
  await run(`requests forget ${REQUEST} --profile office`);
  expect(await json('requests')).toMatchObject([{ profile: 'archive' }]);
});

test('a flag that names a service without a record of the job → the service is asked', async () => {
  await run(`jobs forget ${JOB} --profile archive`);
  expect(await run(`jobs result ${JOB} --profile archive`)).toMatchObject({ stdout: 'archived B\n', exitCode: 0 });
  expect((await run(`jobs result ${JOB}`)).stdout).toBe('text of A\n');
});

test('a job → asked for with the key of the profile that sent it', async () => {
  office.calls.length = 0;
  await run(`config set base-url ${office.baseUrl} --profile other`);
  office.script.catalog = [{ body: { functions: [] } }];
  await runInProcess(['auth', 'login', '--with-token', '--profile', 'other'], {
    home,
    input: 'key-of-another-organisation',
  });
  await run('config set profile other');
  expect((await run(`jobs get ${JOB}`)).stdout).toContain('Input\ta.pdf\n');
  expect(keysOf('/jobs/')).toEqual([`Bearer ${office.apiKey}`]);
});

test.each(['', '--no-wait'])(
  'a document that another organisation has sent → sent for this one too %s',
  async (how) => {
    office.calls.length = 0;
    office.script.job = [failure(404, 'NOT_FOUND', 'No such job', false)];
    office.script.post = [
      { body: { requestId: 'req_2', function: 'TEXT_EXTRACTION', result: { text: 'for the other' } } },
    ];
    await run(`config set base-url ${office.baseUrl} --profile other`);
    const env = { OCR_API_KEY: 'key-of-another-organisation' };
    const sent = await runInProcess(`extract a.pdf --profile other ${how}`.trim().split(' '), { home, env });
    expect(sent).toMatchObject({ stdout: 'for the other\n', exitCode: 0 });
    expect(keysOf('/')).toEqual(Array(2).fill('Bearer key-of-another-organisation'));
    // The first organisation's job is still there for it.
    expect((await run('jobs wait --all')).stdout).toContain('text of A\n');
  },
);

function keysOf(path: string): Array<string | undefined> {
  const calls = office.calls.filter((call) => call.path.includes(path));
  return calls.map(({ headers }) => headers.authorization);
}

test('an upload that one profile left → not taken over by another', async () => {
  await run(`config set base-url ${office.baseUrl} --profile other`);
  office.script.post = [failure(503, 'STRANGE', 'Later', false)];
  await run('extract b.pdf --profile office');
  office.calls.length = 0;
  office.pollsUntilDone = 1;
  const ofOther = { OCR_API_KEY: office.apiKey };
  const foreseen = await runInProcess('extract b.pdf --profile other --dry-run --json'.split(' '), {
    home,
    env: ofOther,
  });
  expect(JSON.parse(foreseen.stdout)).toMatchObject({ action: 'send' });
  const sent = await runInProcess('extract b.pdf --profile other --no-wait --json'.split(' '), { home, env: ofOther });
  const { jobId } = JSON.parse(sent.stdout) as { jobId: string };
  await run('extract b.pdf --profile office --no-wait');
  const keys = office.calls.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(2);
  const records = (await json('requests')) as Array<Record<string, unknown>>;
  expect(records.find((record) => record.jobId === jobId)).toMatchObject({ profile: 'other' });
});

/** Sends a document to the archive by its address alone, with a key that no profile has. */
async function sendByAddress(file: string): Promise<void> {
  const env = { OCR_BASE_URL: archive.baseUrl, OCR_API_KEY: archive.apiKey };
  await runInProcess(['extract', '--no-wait', '--fresh', file], { home, env });
}

describe('a job at an address that no profile has', () => {
  beforeEach(async () => {
    await run('jobs wait --all');
    writeFileSync(join(home.dir, 'c.pdf'), 'C');
    await run(`config set base-url ${office.baseUrl} --profile archive`);
    await sendByAddress('c.pdf');
  });

  test('its key is in the environment → wait --all asks that address, whatever address is in use', async () => {
    const env = { OCR_API_KEY: archive.apiKey };
    expect(await runInProcess(['jobs', 'wait', '--all'], { home, env })).toMatchObject({
      stdout: 'archived C\n',
      stderr: '',
      exitCode: 0,
    });
  });

  test('its key is that of a profile of another name → waited for with it', async () => {
    await run(`config set base-url ${archive.baseUrl} --profile renamed`);
    await runInProcess(['auth', 'login', '--with-token', '--profile', 'renamed'], { home, input: archive.apiKey });
    expect(await run('jobs wait --all')).toMatchObject({ stdout: 'archived C\n', exitCode: 0 });
  });

  test('its key is not known → said, and no other key goes there', async () => {
    archive.calls.length = 0;
    const env = { OCR_API_KEY: 'key-of-another-organisation' };
    const { exitCode, stderr } = await runInProcess(['jobs', 'wait', '--all'], { home, env });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(archive.baseUrl);
    expect(archive.calls).toEqual([]);
  });
});

test('an address in the environment → jobs of profiles are still asked for with their own keys', async () => {
  const env = { OCR_BASE_URL: archive.baseUrl, OCR_API_KEY: 'key-of-another-organisation' };
  office.calls.length = 0;
  const { stdout } = await runInProcess(['jobs', 'wait', '--all'], { home, env });
  expect(stdout).toContain('text of A\n');
  expect(keysOf('/jobs/')).toEqual([`Bearer ${office.apiKey}`]);
});

test.each(['get', 'wait', 'result', 'cancel', 'delete'])(
  'jobs %s --profile of another key of the same service → that key is used; the job stays its sender’s',
  async (command) => {
    office.extensions = ['jobs.delete'];
    await run(`config set base-url ${office.baseUrl} --profile other`);
    office.script.catalog = [{ body: { functions: [] } }];
    await runInProcess(['auth', 'login', '--with-token', '--profile', 'other'], {
      home,
      input: 'key-of-another-organisation',
    });
    office.calls.length = 0;
    // The service answers another organisation as if there were no such job.
    if (command === 'cancel' || command === 'delete')
      office.script.catalog = [{ body: { functions: [], extensions: ['jobs.delete'] } }];
    office.script.job = [failure(404, 'NOT_FOUND', 'No such job', false)];
    const { exitCode, stderr } = await run(`jobs ${command} ${JOB} --profile other`);
    expect(exitCode).toBe(5);
    expect(stderr).toContain('It was sent as profile office');
    expect(new Set(keysOf('/jobs/'))).toEqual(new Set(['Bearer key-of-another-organisation']));
    expect(await json('jobs --profile office')).toMatchObject([{ jobId: JOB, finishedAt: null }]);
  },
);

test.each(['get', 'wait', 'result'])('jobs %s with another key than the one that sent it → said', async (command) => {
  const env = { OCR_BASE_URL: office.baseUrl, OCR_API_KEY: office.apiKey };
  await run(`jobs forget ${JOB} --profile office`);
  const sent = await runInProcess(['extract', '--no-wait', '--json', 'b.pdf'], { home, env });
  const { jobId } = JSON.parse(sent.stdout) as { jobId: string };
  office.script.job = [failure(404, 'NOT_FOUND', 'No such job', false)];
  const other = { ...env, OCR_API_KEY: 'key-of-another-organisation' };
  const { exitCode, stderr } = await runInProcess(['jobs', command, jobId], { home, env: other });
  expect(exitCode).toBe(5);
  expect(stderr).toContain('It was sent with another key.');
  expect(stderr).not.toContain('ocr extract');
});

test('wait --all while one service is away → the other’s results come at once, its own job within the time to wait', async () => {
  await office.close();
  const startMs = clockOf(home).monotonicMs();
  const text = await run('jobs wait --all');
  expect(text).toMatchObject({ stdout: 'archived B\n', exitCode: 3 });
  expect(text.stderr).toMatch(/^a\.pdf: queued as last heard of, asking again: .*Waiting for 5 min at most/);
  expect(text.stderr).toContain(`Resume: ocr jobs wait --profile office ${JOB}`);
  expect(clockOf(home).monotonicMs() - startMs).toBeLessThan(310_000);
  await run('extract --no-wait b.pdf --profile archive');
  const { stdout, stderr } = await run('jobs wait --all --json');
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { input: string; status?: string });
  // The job of the service that is away was the first.
  expect(lines.map(({ input, status }) => ({ input, status }))).toEqual([
    { input: 'b.pdf', status: undefined },
    { input: 'a.pdf', status: 'queued' },
  ]);
  expect(stderr).toBe('');
});
