import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../contract/support/http.js';
import { createClient } from '../contract/support/running-service.js';
import { examples, images } from '../fixtures/manifest.js';
import { openTerminal } from '../support/pty.js';
import { runInProcess } from '../support/run-in-process.js';
import { type Serving, startServe } from '../support/serve.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';
import { until } from '../support/until.js';

/** A service for others, and two machines that call it, each with a ledger of its own. */
let service: TemporaryHome;
let [here, elsewhere]: TemporaryHome[] = [];
let serving: Serving;
let key: string;

beforeAll(async () => {
  service = createHome();
  serving = await startServe(service);
  key = readFileSync(join(service.dataDir, 'api-key'), 'utf8').trim();
  [here, elsewhere] = [createHome(), createHome()];
  for (const home of [here, elsewhere]) Object.assign(home.env, { OCR_BASE_URL: serving.url, OCR_API_KEY: key });
});
afterAll(async () => {
  await serving.stop();
  for (const home of [service, here, elsewhere]) home?.remove();
});

const admin = (line: string) => runInProcess(['admin', ...line.split(' ')], { home: service });
// biome-ignore lint/suspicious/noExplicitAny: what is printed is held against its schema by runInProcess
const adminJson = async (line: string): Promise<any> => {
  const run = await admin(`${line} --json`);
  expect(run.exitCode, run.stderr).toBe(0);
  return JSON.parse(run.stdout);
};
const extract = async (home: TemporaryHome | undefined, ...args: string[]) =>
  JSON.parse((await runInProcess(['extract', '--json', ...args], { home: home as TemporaryHome })).stdout);

test('a request of another machine → one card, told by the service', async () => {
  const sent = await extract(elsewhere, examples.report.path);
  const run = await runInProcess(['requests', 'get', sent.requestId, '--json'], { home: here as TemporaryHome });
  expect(run.exitCode, run.stderr + run.stdout).toBe(0);
  expect(JSON.parse(run.stdout)).toEqual({
    requestId: sent.requestId,
    source: 'service',
    createdAt: expect.stringMatching(/Z$/),
    finishedAt: expect.stringMatching(/Z$/),
    command: null,
    input: {
      name: 'report.pdf',
      sizeBytes: readFileSync(examples.report.path).length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
    function: 'TEXT_EXTRACTION',
    args: null,
    profile: null,
    server: serving.url,
    httpStatus: 200,
    provider: sent.meta.provider,
    pageCount: 4,
    cached: sent.meta.cached,
    durationMs: sent.meta.durationMs,
    elapsedMs: expect.any(Number),
    jobId: expect.stringMatching(/^job_/),
    status: 'completed',
    statusAt: null,
    error: null,
    next: expect.stringMatching(/^ocr jobs result job_/),
  });
  const own = await runInProcess(['requests', 'get', sent.requestId, '--json'], { home: elsewhere as TemporaryHome });
  expect(JSON.parse(own.stdout)).toMatchObject({ source: 'ledger' });
  const missing = await runInProcess(['requests', 'get', 'req_X'], { home: here as TemporaryHome });
  expect(missing.exitCode).toBe(5);
  expect(missing.stderr).toContain('nor does the service');
});

test('a refused request of another machine → says why', async () => {
  const client = createClient(serving.url, key);
  const { error } = (await client.submit('no document', { filename: 'memo.txt' })).json;
  const run = await runInProcess(['requests', 'get', error.requestId, '--json'], { home: here as TemporaryHome });
  expect(JSON.parse(run.stdout)).toMatchObject({
    httpStatus: 415,
    input: { name: 'memo.txt', sizeBytes: 11 },
    error: { code: 'UNSUPPORTED_MEDIA_TYPE', message: error.message, retryable: false },
    next: 'ocr functions get TEXT_EXTRACTION',
  });
  const text = await runInProcess(['requests', 'get', error.requestId], { home: here as TemporaryHome });
  expect(text.stdout).toContain('Known from\tthe service; it is not in the record of this machine\n');
});

test('a call just answered, or refused → found by the operator', async () => {
  const unauthorized = await call(`${serving.url}/v1/ocr/functions`, { headers: { 'x-api-key': 'wrong' } });
  const { requestId } = unauthorized.json.error;
  await until(async () => (await admin(`requests get ${requestId}`)).exitCode === 0, 'the entry in the log');
  expect(await adminJson(`requests get ${requestId}`)).toMatchObject({
    requestId,
    orgId: null,
    httpStatus: 401,
    method: 'GET',
    path: '/v1/ocr/functions',
    error: { code: 'UNAUTHORIZED' },
  });
  const text = (await admin(`requests get ${requestId}`)).stdout;
  expect(text).toContain(`Request\t${requestId}\n`);
  expect(text).toContain('Call\tGET /v1/ocr/functions\n');
  const missing = await admin('requests get req_X');
  expect(missing).toMatchObject({ exitCode: 5, stdout: '' });
  expect(missing.stderr).toContain('ocr admin requests list');
  for (const id of ['req_', 'job_', 'REQ_', 'req'])
    for (const command of ['requests get', 'jobs get', 'jobs cancel', 'jobs delete']) {
      const { exitCode, stdout, stderr } = await admin(`${command} ${id}`);
      expect({ exitCode, stdout }, `${command} ${id}`).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toContain(`"${id}" is only the beginning of an id`);
    }
});

test('filters → the matching entries, newest first', async () => {
  const client = createClient(serving.url, key);
  const first = await client.submit(readFileSync(images.png.path), { headers: { prefer: 'respond-async' } });
  const failing = await client.submit(readFileSync(examples.report.path), {
    args: { languages: ['tlh'], ocr: 'force' },
    headers: { prefer: 'respond-async' },
  });
  const refused = await client.submit('x');
  await client.waitForJob(first.json.jobId);
  await client.waitForJob(failing.json.jobId);
  const [orgId] = (await adminJson('orgs list')).map((org: { orgId: string }) => org.orgId);
  const list = async (filter: string): Promise<string[]> =>
    (await adminJson(`requests list --limit 9999 ${filter}`.trim())).map(
      (entry: { requestId: string }) => entry.requestId,
    );
  const [a, b, c] = [first.json.requestId, failing.json.requestId, refused.json.error.requestId];
  const posts = (ids: string[]) => ids.filter((id) => [a, b, c].includes(id));
  const found: Array<[filter: string, ids: string[]]> = [
    ['', [c, b, a]],
    ['--failed', [c, b]],
    ['--status 202', [b, a]],
    ['--status failed --function TEXT_EXTRACTION', [b]],
    ['--status 415', [c]],
    [`--org ${orgId} --since 1h`, [c, b, a]],
    [`--key ${key.slice(-4)}`, [c, b, a]],
    [`--key ${key}`, [c, b, a]],
  ];
  const none = ['--function NOTHING', '--since 2999-01-01', '--key none'];
  await Promise.all([
    ...found.map(async ([filter, ids]) => expect(posts(await list(filter)), filter).toEqual(ids)),
    ...none.map(async (filter) => expect(await list(filter), filter).toEqual([])),
    adminJson('requests list --limit 2').then((entries) => expect(entries).toHaveLength(2)),
  ]);
  const [entry] = await adminJson(`requests list --limit 1 --status failed`);
  expect(entry).toMatchObject({ requestId: b, error: { code: 'INVALID_ARGS' }, jobStatus: 'failed' });
  const line = (await admin('requests --status failed')).stdout.split('\n')[0]?.split('\t');
  expect(line?.slice(0, 8)).toEqual([
    b,
    entry.createdAt,
    orgId,
    `…${key.slice(-4)}`,
    'POST',
    'TEXT_EXTRACTION',
    '202',
    'failed',
  ]);

  const jobs = async (filter: string): Promise<string[]> =>
    (await adminJson(`jobs list ${filter}`.trim())).map((job: { jobId: string }) => job.jobId);
  expect((await jobs('')).slice(0, 2)).toEqual([failing.json.jobId, first.json.jobId]);
  expect(await jobs('--status failed')).toEqual([failing.json.jobId]);
  expect(await jobs(`--org ${orgId} --since 1h --function TEXT_EXTRACTION --limit 1`)).toEqual([failing.json.jobId]);
  expect(await jobs('--status queued')).toEqual([]);
  expect(await adminJson(`jobs get ${first.json.jobId}`)).toMatchObject({
    status: 'completed',
    requestId: a,
    orgId,
    pagesDone: 1,
    attempts: 1,
    hasResult: true,
  });
  expect((await admin(`jobs get ${failing.json.jobId}`)).stdout).toContain('Error\tINVALID_ARGS\n');
  for (const bad of ['requests --status 42', 'jobs --status done', 'requests --limit 0', 'requests --since lately'])
    expect((await admin(bad)).exitCode, bad).toBe(2);
  for (const unknown of ['requests --org org_x', 'jobs --org org_x', 'jobs get job_x'])
    expect((await admin(unknown)).exitCode, unknown).toBe(5);
});

test('a list on 80 columns → one row each, with ages', async () => {
  const client = createClient(serving.url, key);
  const { jobId } = (await client.submit(readFileSync(examples.report.path), { headers: { prefer: 'respond-async' } }))
    .json;
  await client.waitForJob(jobId);
  await client.submit('x');
  await admin('plans set TRIAL --functions TEXT_EXTRACTION,LAYOUT_ANALYSIS,TABLE_EXTRACTION');
  const heads = {
    plans: /^Plan +Functions .*Webhooks$/,
    requests: /^Request +Time .*HTTP .*Error$/,
    jobs: /^Job +Status .*Created/,
    keys: /^Key +Shown +Status +Last used$|^Key +Shown +Status +Name/,
    orgs: /^Organisation +Name .*Subscription/,
  };
  for (const [list, head] of Object.entries(heads)) {
    const terminal = openTerminal(['admin', list], { home: service, columns: 80 });
    expect((await terminal.exited).exitCode).toBe(0);
    const lines = stripVTControlCharacters(terminal.shown).trimEnd().split(/\r?\n/);
    expect(lines[0], list).toMatch(head);
    for (const line of lines.slice(1)) expect(line, list).toMatch(/^(?:(?:req|job|key|org)_\w{26}|[A-Z]+) .{1,79}$/);
    for (const line of lines) expect(line.length, list).toBeLessThanOrEqual(80);
    if (list !== 'orgs' && list !== 'plans') expect(terminal.shown, list).toMatch(/ (?:sec|min)\. ago/);
  }
});

test('the service stopped → its log can still be read', async () => {
  const sent = await extract(elsewhere, '--fresh', examples.report.path);
  await serving.stop();
  expect(await adminJson(`requests get ${sent.requestId}`)).toMatchObject({ httpStatus: 200 });
  expect((await adminJson('jobs list')).length).toBeGreaterThan(0);
  serving = await startServe(service, ['--port', new URL(serving.url).port]);
});

test('a list for an unknown organisation → an error and nothing else', async () => {
  for (const list of ['requests list', 'jobs list', 'webhooks deliveries']) {
    const run = await admin(`${list} --org org_X --json`);
    expect(run.exitCode, list).toBe(5);
    expect(JSON.parse(run.stdout), list).toMatchObject({ error: { code: 'NOT_FOUND' } });
    expect((await admin(`${list} --org org_X`)).stderr, list).not.toContain('No such');
    expect((await admin(`${list} --limit 0`)).exitCode, list).toBe(2);
  }
});

test('a revoked key that is still tried → seen by the operator', async () => {
  const [{ orgId }] = await adminJson('orgs');
  const { keyId, key: leaked } = await adminJson(`keys create --org ${orgId}`);
  // It was not used before, so no process holds it as valid.
  await adminJson(`keys revoke ${keyId}`);
  const headers = { authorization: `Bearer ${leaked}` };
  const refused = await call(`${serving.url}/v1/ocr/functions`, { headers });
  expect(refused.status).toBe(401);
  const { requestId } = refused.json.error;
  const keyLastFour = leaked.slice(-4);
  await expect
    .poll(async () => await adminJson(`requests --key ${keyId}`))
    .toMatchObject([{ requestId, httpStatus: 401, orgId, keyId, keyLastFour }]);
  // A leaked key is known whole to whoever found it.
  expect(await adminJson(`requests --key ${leaked}`)).toMatchObject([{ requestId }]);
  expect((await admin(`requests get ${requestId}`)).stdout).toMatch(new RegExp(`^Key\\t.*${keyId}`, 'm'));
});
