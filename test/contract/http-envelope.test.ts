import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVICE_ERRORS, type ServiceErrorCode } from '../../dist/contract/error-codes.js';
import { all, one } from '../../dist/store/unit.js';
import { bad, documents, examples } from '../fixtures/manifest.js';
import { until } from '../support/until.js';
import { type Answer, call, MULTIPART_TYPE, multipart, sendRaw } from './support/http.js';
import { openBeside } from './support/organisations.js';
import { HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';

let running: TestService;
const report = readFileSync(examples.report.path);

beforeAll(async () => {
  running = await startTestService({ config: { maxFileBytes: 1024 * 1024 } });
});
afterAll(() => running.remove());

/** Contract, section Error envelope; X-Request-Id is ours. */
function expectError(answer: Answer, code: ServiceErrorCode, message?: RegExp): void {
  const { status, retryable } = SERVICE_ERRORS[code];
  expect(answer.json, answer.text).toMatchObject({ error: { code, retryable } });
  expect(answer.status).toBe(status);
  expect(Object.keys(answer.json)).toEqual(['error']);
  expect(Object.keys(answer.json.error).sort()).toEqual(['code', 'message', 'requestId', 'retryable']);
  expect(answer.json.error.requestId).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(answer.headers['x-request-id']).toBe(answer.json.error.requestId);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.json.error.message).not.toBe('');
  if (message !== undefined) expect(answer.json.error.message).toMatch(message);
}

const post = (headers: Record<string, string>, path = '/v1/ocr/TEXT_EXTRACTION') =>
  call(running.url + path, {
    method: 'POST',
    headers: { 'content-type': MULTIPART_TYPE, ...headers },
    body: multipart([{ name: 'file', filename: 'a', content: report }]),
  });

test('no key, a malformed key, an unknown key → UNAUTHORIZED', async () => {
  const unknown = `${running.key.slice(0, -7)}${running.key.at(-7) === 'a' ? 'b' : 'a'}${running.key.slice(-6)}`;
  const none: Array<Record<string, string>> = [
    {},
    { 'x-api-key': '' },
    { authorization: 'Bearer ' },
    { authorization: running.key },
    { authorization: `Basic ${running.key}` },
  ];
  for (const headers of none) expectError(await post(headers), 'UNAUTHORIZED', /No API key: send it as/);
  for (const key of ['x', unknown, `${running.key}x`, `${running.key} ${running.key}`]) {
    expectError(await post({ 'x-api-key': key }), 'UNAUTHORIZED', /unknown/);
    expectError(await post({ authorization: `Bearer ${key}` }), 'UNAUTHORIZED', /unknown/);
  }
  for (const path of ['/v1/ocr/functions', '/v1/ocr/jobs/job_0'])
    expectError(await call(running.url + path), 'UNAUTHORIZED');
});

test('a key in either header → accepted; Bearer wins', async () => {
  expect((await post({ authorization: `Bearer ${running.key}` })).status).toBe(200);
  expect((await post({ 'x-api-key': running.key })).status).toBe(200);
  expect((await post({ authorization: `bearer ${running.key}`, 'x-api-key': 'wrong' })).status).toBe(200);
  expectError(await post({ authorization: 'Bearer wrong', 'x-api-key': running.key }), 'UNAUTHORIZED');
  // Another scheme in Authorization is for a proxy on the way.
  expect((await post({ authorization: 'Basic dXNlcjpwYXNz', 'x-api-key': running.key })).status).toBe(200);
  expect((await post({ authorization: 'Bearer', 'x-api-key': running.key })).status).toBe(200);
});

test('a success → the body of the contract', async () => {
  const answer = await running.submit(report);
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.json).sort()).toEqual(['function', 'meta', 'requestId', 'result']);
  expect(answer.json.function).toBe('TEXT_EXTRACTION');
  expect(answer.json.result.text).toContain('Alder Vale Library');
  expect(answer.json.meta).toMatchObject({ provider: 'pdf-text', pageCount: 4, confidence: null });
  expect(Object.keys(answer.json.meta).sort()).toEqual(['cached', 'confidence', 'durationMs', 'pageCount', 'provider']);
  expect(answer.headers['x-request-id']).toBe(answer.json.requestId);
});

test('the catalog → the functions; a matching ETag → 304', async () => {
  const answer = await running.get('/v1/ocr/functions');
  expect(answer.status).toBe(200);
  const ids = answer.json.functions.map((entry: { id: string }) => entry.id);
  expect(ids).toEqual([...ids].sort());
  expect(answer.json.functions.find((entry: { id: string }) => entry.id === 'TEXT_EXTRACTION')).toMatchObject({
    included: true,
    acceptedTypes: expect.arrayContaining(['application/pdf', 'image/png']),
    pageCap: expect.any(Number),
    argsSchema: { additionalProperties: false },
  });
  const headers = { 'x-api-key': running.key, 'if-none-match': String(answer.headers.etag) };
  const again = await call(`${running.url}/v1/ocr/functions`, { headers });
  expect(again).toMatchObject({ status: 304, text: '' });
  expect(again.headers['x-request-id']).toMatch(/^req_/);
});

test('an unknown path → NOT_FOUND; a wrong method → METHOD_NOT_ALLOWED with Allow', async () => {
  expectError(
    await post({ 'x-api-key': running.key }, '/v1/ocr/TEXT_EXTRACTON'),
    'NOT_FOUND',
    /mean TEXT_EXTRACTION\?/,
  );
  expectError(await running.get('/v1/ocr/jobs/job_01ARZ3NDEKTSV4RRFFQ69G5FAV'), 'NOT_FOUND');
  for (const path of ['/', '/v1', '/v2/ocr/TEXT_EXTRACTION', '/v1/ocr/a/b/c', '/v1/ocr/jobs', '/v1/ocr/%ZZ'])
    expectError(await running.get(path), 'NOT_FOUND');
  const allowed: Array<[string, string, string]> = [
    ['GET', '/v1/ocr/TEXT_EXTRACTION', 'POST'],
    ['DELETE', '/v1/ocr/TEXT_EXTRACTION', 'POST'],
    ['POST', '/v1/ocr/functions', 'GET, HEAD'],
    ['PUT', '/v1/ocr/jobs/job_1', 'GET, HEAD, DELETE'],
    ['POST', '/healthz', 'GET, HEAD'],
  ];
  for (const [method, path, allow] of allowed) {
    const answer = await call(running.url + path, { method });
    expectError(answer, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.allow).toBe(allow);
  }
});

test.each([
  ['not json', '{', /args: expected a JSON object/],
  ['a list', '[]', /args: expected a JSON object/],
  ['null', 'null', /args: expected a JSON object/],
  ['an unknown name', '{"fromat":"markdown"}', /\/fromat.*did you mean "format"\?/],
  ['a name far from all', '{"zzzzzzzzzz":1}', /\/zzzzzzzzzz: expected one of the arguments format/],
  ['another value', '{"format":"html"}', /\/format: expected one of "text", "markdown"/],
  ['another type', '{"format":1}', /\/format/],
  ['another type in a list', '{"languages":[1]}', /\/languages\/0: expected a value of type string/],
  ['a prototype', '{"__proto__":{"format":"markdown"}}', /__proto__/],
  ['deep nesting', `{"format":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, /\/format/],
  ['a page that is not there', '{"pages":"99"}', /args at \/pages: /],
  [
    'a language that there is no data for',
    '{"languages":["tlh"],"ocr":"force"}',
    /\/languages: there is no data for a language "tlh"/,
  ],
])('args with %s → INVALID_ARGS, with the reason', async (_, args, message) => {
  const body = multipart([
    { name: 'args', content: args },
    { name: 'file', filename: 'a', content: report },
  ]);
  const headers = { 'x-api-key': running.key, 'content-type': MULTIPART_TYPE };
  expectError(
    await call(`${running.url}/v1/ocr/TEXT_EXTRACTION`, { method: 'POST', headers, body }),
    'INVALID_ARGS',
    message,
  );
  expect(running.listBlobs()).toEqual([]);
});

test('a wrong password → not quoted in the answer', async () => {
  const answer = await running.submit(report, { args: { password: 5, format: 'text' } });
  expectError(answer, 'INVALID_ARGS', /\/password/);
  const wrong = await running.submit(readFileSync(documents.encrypted.path), { args: { password: 'planted-secret' } });
  expectError(wrong, 'INVALID_DOCUMENT', /password/);
  expect(wrong.text).not.toContain('planted-secret');
});

test('an encrypted document with its password → read; the password is nowhere on disk', async () => {
  const { path, password, text } = documents.encrypted;
  expectError(await running.submit(readFileSync(path)), 'INVALID_DOCUMENT', /encrypted/);
  const answer = await running.submit(readFileSync(path), { args: { password } });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.json.result.text).toContain(text[0]?.split('\n')[0]);
  for (const name of ['ocr.db', 'ocr.db-wal'])
    expect(readFileSync(`${running.dataDir}/${name}`).includes(String(password)), name).toBe(false);
});

test('the type → detected from the bytes', async () => {
  expectError(await running.submit(readFileSync(bad.garbage.path), { filename: 'a.pdf' }), 'UNSUPPORTED_MEDIA_TYPE');
  expect((await running.submit(report, { filename: 'a.jpg' })).status).toBe(200);
});

test.each(['damaged', 'bomb'] as const)('an unreadable document (%s) → INVALID_DOCUMENT', async (name) => {
  expectError(await running.submit(readFileSync(bad[name].path)), 'INVALID_DOCUMENT');
  expect(running.listBlobs()).toEqual([]);
});

test('more pages than the function takes → PAGE_LIMIT_EXCEEDED', async () => {
  const hostile = await startTestService({ documentProgram: HOSTILE_PROGRAM });
  try {
    expectError(await hostile.submit('%PDF-1.4 PAGES=1000000'), 'PAGE_LIMIT_EXCEEDED', /1000000 pages/);
    expect(hostile.listBlobs()).toEqual([]);
  } finally {
    await hostile.remove();
  }
});

test('a file over the limit → refused during the upload, with an answer', async () => {
  const file = Buffer.alloc(3 * 1024 * 1024, '%PDF-');
  expectError(await running.submit(file), 'PAYLOAD_TOO_LARGE', /1048576 bytes/);
  // Without a Content-Length, the size is known only while the body arrives.
  const chunked = await call(`${running.url}/v1/ocr/TEXT_EXTRACTION`, {
    method: 'POST',
    headers: {
      'x-api-key': running.key,
      'content-type': MULTIPART_TYPE,
      'transfer-encoding': 'chunked',
    },
    body: multipart([{ name: 'file', filename: 'a', content: file }]),
  });
  expectError(chunked, 'PAYLOAD_TOO_LARGE');
  expect(running.listBlobs()).toEqual([]);
});

test('a refusal by the headers → does not wait for the body', async () => {
  const head = (lines: string) =>
    `POST /v1/ocr/TEXT_EXTRACTION HTTP/1.1\r\nHost: x\r\nContent-Type: ${MULTIPART_TYPE}\r\n${lines}\r\n\r\n`;
  const key = `X-API-Key: ${running.key}`;
  const unread = 'Content-Length: 900000000';
  // The sender's side stays open: only the answer and the close after it end these exchanges.
  const [unauthorized, tooLarge] = await Promise.all([
    sendRaw(running.url, [head(`X-API-Key: nobody\r\n${unread}\r\nExpect: 100-continue`)], { end: false }),
    sendRaw(running.url, [head(`${key}\r\n${unread}\r\nExpect: 100-continue`)], { end: false }),
  ]);
  expect(unauthorized).toMatch(/^HTTP\/1\.1 401 [\s\S]*connection: close[\s\S]*UNAUTHORIZED/i);
  expect(tooLarge).toMatch(/^HTTP\/1\.1 413 [\s\S]*PAYLOAD_TOO_LARGE/);
});

test('every call → in the request log, without keys', async () => {
  const refused = await running.submit(report, { args: { nonsense: 1 }, filename: 'named.pdf' });
  const unauthorized = await post({ 'x-api-key': 'ocr_live_nobody' });
  const accepted = await running.submit(Buffer.concat([report, Buffer.from('% another')]));
  const { store } = await openBeside(running);
  try {
    const find = async (id: string) => ({ ...(await store.read(one('SELECT * FROM request WHERE id = :id', { id }))) });
    await expect.poll(async () => (await find(accepted.json.requestId)).status).toBe(200);
    expect(await find(accepted.json.requestId)).toMatchObject({ error_code: null, page_count: 4, cached: 0 });
    expect(await find(refused.json.error.requestId)).toMatchObject({
      function: 'TEXT_EXTRACTION',
      status: 400,
      error_code: 'INVALID_ARGS',
      file_name: 'named.pdf',
      size_bytes: report.length,
      key_last_four: running.key.slice(-4),
    });
    expect(await find(unauthorized.json.error.requestId)).toMatchObject({
      status: 401,
      organisation_id: null,
      job_id: null,
    });
    const rows: unknown[] = [];
    for (const table of ['request', 'job', 'api_key']) rows.push(...(await store.read(all(`SELECT * FROM ${table}`))));
    expect(JSON.stringify(rows)).not.toContain(running.key);
  } finally {
    await store.close();
  }
});

test('health and readiness → no key needed', async () => {
  const health = await call(`${running.url}/healthz`);
  expect(health.json).toMatchObject({ status: 'ok', instanceId: running.service.instanceId, pid: process.pid });
  // A call of another test may be answered and still count as open.
  await until(async () => {
    const { unfinishedJobs, openRequests } = (await call(`${running.url}/healthz`)).json;
    return unfinishedJobs === 0 && openRequests === 0;
  }, 'no call and no job is under way');
  expect((await call(`${running.url}/readyz`)).status).toBe(200);
});
