import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readOpenRecords, setUpClient } from '../support/client-set-up.js';
import { type ContractServer, failure, startContractServer } from '../support/contract-server.js';
import { runInProcess } from '../support/run-in-process.js';
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
