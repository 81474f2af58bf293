import { readFileSync } from 'node:fs';
import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestBody } from '../../dist/contract/envelopes.js';
import { all } from '../../dist/store/unit.js';
import { examples } from '../fixtures/manifest.js';
import { type Answer, call, MULTIPART_TYPE, multipart, sendRaw } from './support/http.js';
import { openBeside } from './support/organisations.js';
import { type createClient, HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';

let running: TestService;
let other: ReturnType<typeof createClient>;
let unique = 0;
const make = (text: string) => `%PDF-1.4 ${text} LOG=${unique++}`;

beforeAll(async () => {
  running = await startTestService({ documentProgram: HOSTILE_PROGRAM, config: { headersTimeoutMs: 400 } });
  const beside = await openBeside(running);
  other = await beside.add();
  await beside.close();
});
afterAll(() => running.remove());

const idOf = (answer: Answer) => String(answer.headers['x-request-id']);
const lookUp = async (requestId: string): Promise<RequestBody> => {
  const answer = await running.get(`/v1/ocr/requests/${requestId}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
/** Reads all lines from the store, with those that no organisation may see. */
async function readAll(): Promise<Array<Record<string, unknown>>> {
  const { store } = await openBeside(running);
  try {
    return (await store.read(all('SELECT * FROM request'))).map((row) => ({ ...row }));
  } finally {
    await store.close();
  }
}
const findLine = async (id: string) => (await readAll()).find((row) => row.id === id);

test('an inline call → a line with all facts of its answer', async () => {
  const file = make('PAGES=3 TEXT=inline');
  const answer = await running.submit(file, { filename: 'in line.pdf' });
  expect(answer.status).toBe(200);
  expect(await lookUp(answer.json.requestId)).toEqual({
    requestId: answer.json.requestId,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    finishedAt: expect.stringMatching(/Z$/),
    method: 'POST',
    path: '/v1/ocr/TEXT_EXTRACTION',
    function: 'TEXT_EXTRACTION',
    httpStatus: 200,
    error: null,
    keyId: expect.stringMatching(/^key_/),
    keyLastFour: running.key.slice(-4),
    fileName: 'in line.pdf',
    sizeBytes: file.length,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    mimeType: 'application/pdf',
    pageCount: 3,
    provider: 'pdf-text',
    cached: false,
    durationMs: answer.json.meta.durationMs,
    elapsedMs: expect.any(Number),
    jobId: expect.stringMatching(/^job_/),
    jobStatus: 'completed',
    replayOf: null,
  });
});

test('a cached answer and a replay → lines marked as such', async () => {
  const file = make('TEXT=again');
  const headers = { 'idempotency-key': 'log' };
  const first = await running.submit(file, { headers });
  const cached = await running.submit(file);
  expect(await lookUp(cached.json.requestId)).toMatchObject({
    cached: true,
    provider: 'pdf-text',
    pageCount: 1,
    durationMs: cached.json.meta.durationMs,
    jobId: (await lookUp(first.json.requestId)).jobId,
  });
  expect((await running.submit(file, { headers })).text).toBe(first.text);
  // The answer names the first request; the repeated call has its own line.
  const findReplay = async () => (await readAll()).find((row) => row.replay_of === first.json.requestId);
  const { jobId } = await lookUp(first.json.requestId);
  await expect.poll(findReplay).toMatchObject({ status: 200, job_id: jobId });
  // A cached answer that is repeated under its own Idempotency-Key is the same to the byte.
  const own = { 'idempotency-key': 'log-cached' };
  const answers = [await running.submit(file, { headers: own }), await running.submit(file, { headers: own })];
  expect(answers[1]?.text).toBe(answers[0]?.text);
});

test('a queued call → a line with the end of its job', async () => {
  const headers = { prefer: 'respond-async' };
  const done = await running.submit(make('PAGES=2 TEXT=queued'), { headers });
  await running.waitForJob(done.json.jobId);
  expect(await lookUp(done.json.requestId)).toMatchObject({
    httpStatus: 202,
    jobStatus: 'completed',
    provider: 'pdf-text',
    pageCount: 2,
    durationMs: expect.any(Number),
    finishedAt: expect.any(String),
    error: null,
  });
  const failing = await running.submit(make('DO=fault'), { headers });
  await running.waitForJob(failing.json.jobId);
  const failed = await lookUp(failing.json.requestId);
  expect(failed).toMatchObject({ httpStatus: 202, jobStatus: 'failed', error: { code: 'INTERNAL', retryable: false } });
  expect(JSON.stringify(failed)).not.toContain('a secret of the program');
  const waiting = await running.submit(make('DO=slow PAGES=100 PAGE_MS=200'), { headers });
  expect(await lookUp(waiting.json.requestId)).toMatchObject({ finishedAt: null, provider: null });
});

test('refused calls, polls, the catalog, unknown paths and methods → one line each', async () => {
  const unknown = await running.submit(make(''), { function: 'NO_SUCH' });
  const badArgs = await running.submit(make(''), { args: { nonsense: 1 }, filename: 'refused.pdf' });
  const badType = await running.submit('plain text', { filename: 'a.pdf' });
  const catalog = await running.get('/v1/ocr/functions?token=planted-query');
  const poll = await running.get('/v1/ocr/jobs/job_01ARZ3NDEKTSV4RRFFQ69G5FAV');
  const path = await running.get('/v1/nowhere');
  const malformed = await running.get('/v1/ocr/%ZZ');
  const method = await call(`${running.url}/v1/ocr/functions`, {
    method: 'POST',
    headers: { 'x-api-key': running.key },
  });
  const nobody = await call(`${running.url}/v1/ocr/functions`, { headers: { 'x-api-key': 'nobody' } });
  const expected: Array<[Answer, Partial<RequestBody>]> = [
    [unknown, { httpStatus: 404, function: 'NO_SUCH', error: expect.objectContaining({ code: 'NOT_FOUND' }) }],
    [
      badArgs,
      {
        httpStatus: 400,
        fileName: 'refused.pdf',
        error: { code: 'INVALID_ARGS', message: expect.stringContaining('/nonsense'), retryable: false },
      },
    ],
    [badType, { httpStatus: 415, sizeBytes: 10, mimeType: null }],
    [catalog, { httpStatus: 200, method: 'GET', path: '/v1/ocr/functions', function: null }],
    [poll, { httpStatus: 404, path: '/v1/ocr/jobs/job_01ARZ3NDEKTSV4RRFFQ69G5FAV', jobId: null }],
    [path, { httpStatus: 404, path: '/v1/nowhere' }],
    [method, { httpStatus: 405, method: 'POST' }],
  ];
  for (const [answer, entry] of expected) expect(await lookUp(idOf(answer))).toMatchObject(entry);
  await expect.poll(async () => findLine(idOf(nobody))).toMatchObject({ status: 401, organisation_id: null });
  await expect.poll(async () => findLine(idOf(malformed))).toMatchObject({ status: 404, path: '/v1/ocr/%ZZ' });
  expect(JSON.stringify(await readAll())).not.toContain('planted-query');
});

test.each(['healthz', 'readyz', 'metrics'])('/%s, read every few seconds by monitoring → no line', async (path) => {
  expect((await call(`${running.url}/${path}?now`)).status).toBe(200);
  // Lines are written in order, so that the line of a later call shows that all earlier ones are there.
  const later = await running.get('/v1/ocr/functions');
  await expect.poll(async () => findLine(idOf(later))).toMatchObject({ status: 200 });
  expect((await readAll()).filter((row) => row.path === `/${path}`)).toEqual([]);
});

test('a call that its sender cuts off → a line with 408', async () => {
  const head = (length: number) =>
    `POST /v1/ocr/TEXT_EXTRACTION HTTP/1.1\r\nHost: x\r\nX-API-Key: ${running.key}\r\nContent-Type: ${MULTIPART_TYPE}\r\nContent-Length: ${length}\r\n\r\n`;
  const body = multipart([{ name: 'file', filename: 'cut', content: make('') }]);
  const cut = () => readAll().then((rows) => rows.filter((row) => row.status === 408));
  await new Promise<void>((resolve) => {
    const request = http.request(`${running.url}/v1/ocr/TEXT_EXTRACTION`, {
      method: 'POST',
      headers: { 'x-api-key': running.key, 'content-type': MULTIPART_TYPE, 'content-length': 1_000_000 },
    });
    request.on('error', () => resolve());
    request.write(body.subarray(0, 100), () => setTimeout(() => request.destroy(), 50));
  });
  await expect.poll(async () => (await cut()).length).toBe(1);
  expect((await cut())[0]).toMatchObject({
    error_message: 'the sender went away',
    key_last_four: running.key.slice(-4),
  });
  const slow = await sendRaw(running.url, [head(1_000_000), body.subarray(0, 60)], { end: false });
  expect(slow).toMatch(/^(?:HTTP\/1\.1 408|$)/);
  await expect.poll(async () => (await cut()).length).toBeGreaterThan(1);
  // A request that is no HTTP has a line under its id too.
  const garbage = await sendRaw(running.url, ['nonsense\r\n\r\n']);
  const id = /X-Request-Id: (req_\w+)/.exec(garbage)?.[1] ?? '';
  await expect.poll(async () => findLine(id)).toMatchObject({ status: 400, method: '', path: null });
});

test('another organisation’s entry → NOT_FOUND', async () => {
  const answer = await other.submit(make('TEXT=other'));
  const own = await other.get(`/v1/ocr/requests/${answer.json.requestId}`);
  expect(own.json).toMatchObject({ requestId: answer.json.requestId, httpStatus: 200 });
  const inSmallLetters = await other.get(`/v1/ocr/requests/${answer.json.requestId.toLowerCase()}`);
  expect(inSmallLetters.json).toMatchObject({ requestId: answer.json.requestId });
  const foreign = await running.get(`/v1/ocr/requests/${answer.json.requestId}`);
  const missing = await running.get('/v1/ocr/requests/req_01ARZ3NDEKTSV4RRFFQ69G5FAV');
  const unauthorized = await call(`${running.url}/v1/ocr/functions`);
  const ofNobody = await running.get(`/v1/ocr/requests/${idOf(unauthorized)}`);
  for (const refused of [foreign, missing, ofNobody]) {
    expect(refused.status).toBe(404);
    expect(refused.json.error).toMatchObject({ code: 'NOT_FOUND', retryable: false });
  }
  expect(foreign.json.error.message.replace(/req_\w+/, '')).toBe(missing.json.error.message.replace(/req_\w+/, ''));
});

test('the route → announced in the catalog, behind a key, GET only', async () => {
  expect((await running.get('/v1/ocr/functions')).json.extensions).toContain('requests');
  expect((await call(`${running.url}/v1/ocr/requests/req_x`)).status).toBe(401);
  const headers = { 'x-api-key': running.key };
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const refused = await call(`${running.url}/v1/ocr/requests/req_x`, { method, headers });
    expect(refused.status).toBe(405);
    expect(refused.headers.allow).toBe('GET, HEAD');
  }
  expect((await running.get('/v1/ocr/requests')).status).toBe(404);
});

test('keys and document text anywhere in a call → absent from the log', async () => {
  const key = running.key;
  const report = readFileSync(examples.report.path);
  await running.submit(make('TEXT=planted-text'), { filename: `${key}.pdf` });
  await running.submit(report, { function: key });
  await running.get(`/v1/${key}`);
  await running.get(`/v1/ocr/jobs/${key}`);
  await running.submit(make(''), { args: { [key]: 1, password: 'planted-password' } });
  await running.get(`/v1/ocr/requests/${key}`);
  // A look-up writes all waiting lines first.
  await running.get('/v1/ocr/requests/req_x');
  const rows = await readAll();
  expect(rows.length).toBeGreaterThan(5);
  const all = JSON.stringify(rows);
  for (const secret of [key, key.slice(9, 41), 'planted-text', 'planted-password']) expect(all).not.toContain(secret);
  expect(all).toContain(`…${key.slice(-4)}.pdf`);
});
