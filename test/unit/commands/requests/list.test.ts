import { expect, test } from 'vitest';
import { get } from '../../../../src/commands/requests/get.js';
import { list } from '../../../../src/commands/requests/list.js';
import { processTag } from '../../../../src/system/process-tag.js';
import { fakeContext, recordSubmission, type Target } from '../../../support/fake-context.js';

const ALL = { failedOnly: false, isFollowing: false, redact: false };

const lines = (...rows: string[]) => rows.map((row) => `${row}\n`).join('');

/** Creates a context whose ledger has an answered, a refused and an interrupted request. */
async function setUp(target: Target) {
  const fake = fakeContext(target, { nowMs: Date.UTC(2026, 0, 2) });
  await recordSubmission(fake.context, 'a.pdf', { requestId: 'req_1', httpStatus: 200 }, { status: 'completed' });
  fake.pass(1_000);
  const error = { code: 'UNAUTHORIZED', message: 'no such key for b.pdf', retryable: false };
  await recordSubmission(fake.context, 'b.pdf', { requestId: 'req_2', httpStatus: 401 }, { status: 'failed', error });
  fake.pass(1_000);
  // A process id above the largest of Linux (proc(5)): the process has ended.
  const sender = processTag().replace(/^\d+/, '4194305');
  await recordSubmission(fake.context, 'c.pdf', { sender });
  return fake;
}

test('three requests on a terminal → a table and advice on the interrupted one', async () => {
  const fake = await setUp('terminal');
  await list(fake.context, ALL);
  expect(fake.stdout).toBe(
    lines(
      'Request    Status       HTTP  Function         Sent        Input  Error',
      'not known  interrupted        TEXT_EXTRACTION  0 sec. ago  c.pdf',
      'req_2      failed       401   TEXT_EXTRACTION  1 sec. ago  b.pdf  UNAUTHORIZED',
      'req_1      completed    200   TEXT_EXTRACTION  2 sec. ago  a.pdf',
    ),
  );
  expect(fake.stderr).toBe(
    lines(
      'An upload got no answer; the same command sends it again, and the request id is known then: ocr extract c.pdf',
      'Or remove what got none from the record: ocr requests forget --interrupted',
    ),
  );
});

test('three requests in a pipe → a line each, with tabs', async () => {
  const fake = await setUp('pipe');
  await list(fake.context, ALL);
  expect(fake.stdout).toBe(
    lines(
      '\tinterrupted\t\tTEXT_EXTRACTION\t2026-01-02T00:00:02.000Z\tc.pdf\t',
      'req_2\tfailed\t401\tTEXT_EXTRACTION\t2026-01-02T00:00:01.000Z\tb.pdf\tUNAUTHORIZED',
      'req_1\tcompleted\t200\tTEXT_EXTRACTION\t2026-01-02T00:00:00.000Z\ta.pdf\t',
    ),
  );
});

test('three requests with --json --redact → cards without names', async () => {
  const fake = await setUp('json');
  await list(fake.context, { ...ALL, redact: true });
  const cards = JSON.parse(fake.stdout) as Array<{ requestId: string | null; status: string }>;
  expect(cards.map(({ requestId, status }) => [requestId, status])).toEqual([
    [null, 'interrupted'],
    ['req_2', 'failed'],
    ['req_1', 'completed'],
  ]);
  expect(fake.stdout).not.toMatch(/[abc]\.pdf/);
  expect(fake.stderr).toBe('');
});

test.each<[string, object, string[]]>([
  ['--failed', { failedOnly: true }, ['req_2']],
  ['--status with a status', { status: 'interrupted' }, ['']],
  ['--status with an HTTP status', { status: '200' }, ['req_1']],
  ['--limit', { limit: 2 }, ['', 'req_2']],
])('%s → only the requests that match', async (_, filter, ids) => {
  const fake = await setUp('pipe');
  await list(fake.context, { ...ALL, ...filter });
  expect(fake.stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([...ids, '']);
});

test('one request on a terminal → its facts and the next command', async () => {
  const fake = await setUp('terminal');
  await get(fake.context, { requestId: 'req_2', redact: false });
  expect(fake.stdout).toBe(
    lines(
      'Request      req_2',
      'Known from   the record of this machine',
      'Sent         2026-01-02T00:00:01.000Z',
      'Ended        2026-01-02T00:00:01.000Z',
      'Command      ocr extract',
      'Input        b.pdf',
      'Size         9 bytes',
      `SHA-256      ${'ab'.repeat(32)}`,
      'Function     TEXT_EXTRACTION',
      'Profile      local',
      `Server       ${await fake.context.serverId()}`,
      'HTTP status  401',
      'Elapsed      0 ms',
      'Status       failed',
      'Error        UNAUTHORIZED',
      'Message      no such key for b.pdf',
      'Retryable    no',
      'Next         ocr auth status',
    ),
  );
});

test('the id of a job → refused with the command for jobs', async () => {
  const fake = fakeContext('pipe');
  await expect(get(fake.context, { requestId: 'job_1', redact: false })).rejects.toMatchObject({
    code: 'USAGE',
    hint: 'ocr jobs get job_1',
  });
});
