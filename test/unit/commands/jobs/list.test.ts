import { expect, test } from 'vitest';
import { list } from '../../../../src/commands/jobs/list.js';
import { fakeContext, recordSubmission, type Target } from '../../../support/fake-context.js';

const ALL = { unfinishedOnly: false, failedOnly: false };
const START = '2026-01-02T00:00:00.000Z';
const HOUR_MS = 3_600_000;

/** Creates a context whose ledger has a completed job and, an hour later, a failed one. */
async function setUp(target: Target) {
  const fake = fakeContext(target, { nowMs: Date.parse(START) });
  await recordSubmission(fake.context, 'a.pdf', { jobId: 'job_1', requestId: 'req_1' }, { status: 'completed' });
  fake.pass(HOUR_MS);
  const error = { code: 'INVALID_DOCUMENT', message: 'damaged', retryable: false };
  await recordSubmission(fake.context, 'b\n.pdf', { jobId: 'job_2' }, { status: 'failed', error });
  fake.pass(HOUR_MS);
  return fake;
}

test('two ended jobs on a terminal → a table with a header and ages, newest first', async () => {
  const fake = await setUp('terminal');
  await list(fake.context, ALL);
  expect(fake.stdout).toBe(
    [
      'Job    Status     Function         Submitted  Input',
      'job_2  failed     TEXT_EXTRACTION  1 hr. ago  b^J.pdf',
      'job_1  completed  TEXT_EXTRACTION  2 hr. ago  a.pdf',
      '',
    ].join('\n'),
  );
  expect(fake.stderr).toBe('');
});

test('two ended jobs in a pipe → a line each, with tabs and whole times', async () => {
  const fake = await setUp('pipe');
  await list(fake.context, ALL);
  expect(fake.stdout).toBe(
    `job_2\tfailed\tTEXT_EXTRACTION\t2026-01-02T01:00:00.000Z\tb .pdf\njob_1\tcompleted\tTEXT_EXTRACTION\t${START}\ta.pdf\n`,
  );
});

test('two ended jobs with --json → every field of both', async () => {
  const fake = await setUp('json');
  await list(fake.context, ALL);
  const [failed, completed] = JSON.parse(fake.stdout) as object[];
  expect(failed).toMatchObject({ jobId: 'job_2', input: 'b\n.pdf', requestId: null, error: { message: 'damaged' } });
  expect(completed).toEqual({
    jobId: 'job_1',
    status: 'completed',
    function: 'TEXT_EXTRACTION',
    input: 'a.pdf',
    sha256: 'ab'.repeat(32),
    profile: 'local',
    server: await fake.context.serverId(),
    requestId: 'req_1',
    createdAt: START,
    finishedAt: START,
    statusAt: START,
  });
});

test.each<[string, object, string]>([
  ['--failed', { failedOnly: true }, 'job_2'],
  ['--status', { status: 'completed' }, 'job_1'],
  ['--limit', { limit: 1 }, 'job_2'],
  ['--since', { sinceMs: Date.parse(START) + 1 }, 'job_2'],
  ['--unfinished', { unfinishedOnly: true }, ''],
  ['--function', { function: 'F' }, ''],
])('%s → only the jobs that match', async (_, filter, expected) => {
  const fake = await setUp('pipe');
  await list(fake.context, { ...ALL, ...filter });
  expect(fake.stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([...(expected ? [expected] : []), '']);
});

test('a mistyped status → refused with the right one', async () => {
  const fake = await setUp('pipe');
  await expect(list(fake.context, { ...ALL, status: 'complete' })).rejects.toMatchObject({
    code: 'USAGE',
    hint: expect.stringMatching(/^Did you mean completed\?\n/),
  });
});

test('a job that ended and was not fetched → a note with the command that fetches it', async () => {
  const fake = fakeContext('pipe');
  await recordSubmission(fake.context, 'a.pdf', { jobId: 'job_1', status: 'completed' });
  await list(fake.context, ALL);
  expect(fake.stderr).toBe('1 job has ended; fetch what came of it: ocr jobs wait --all\n');
});

test('no jobs → nothing but a note', async () => {
  const fake = fakeContext('pipe');
  await list(fake.context, ALL);
  expect([fake.stdout, fake.stderr]).toEqual(['', 'No jobs yet. Queue a document: ocr extract --no-wait <file>\n']);
});
