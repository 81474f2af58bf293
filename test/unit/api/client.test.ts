import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ApiClient, createClient } from '../../../src/api/client.js';
import type { FileToSend } from '../../../src/api/http/multipart.js';
import type { SubmitRequest } from '../../../src/api/jobs/submit.js';
import type { LocateService } from '../../../src/contract/endpoint.js';
import { type ContractServer, failure, startContractServer } from '../../support/contract-server.js';

let server: ContractServer;
let dir: string;
let waitedMs: number[];
let debugged: string[];
let clients: ApiClient[];
beforeEach(async () => {
  server = await startContractServer();
  dir = mkdtempSync(join(tmpdir(), 'ocr-client-'));
  [waitedMs, debugged, clients] = [[], [], []];
});
afterEach(async () => {
  for (const client of clients) await client.close();
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

function connect(
  options: { locate?: LocateService; env?: NodeJS.ProcessEnv; timeoutMs?: number; baseUrl?: string } = {},
) {
  const endpoint = { baseUrl: options.baseUrl ?? server.baseUrl, apiKey: server.apiKey, serverId: 'server' };
  const client = createClient({
    locate: options.locate ?? (async () => endpoint),
    env: options.env ?? {},
    timeoutMs: options.timeoutMs ?? 10_000,
    userAgent: 'ocr/test',
    signal: new AbortController().signal,
    debug: (message) => debugged.push(message),
    clock: {
      now: () => Date.now(),
      monotonicMs: () => performance.now(),
      sleep: async (ms) => {
        waitedMs.push(ms);
      },
    },
  });
  clients.push(client);
  return client;
}

function request(content: Buffer | string = 'a document', changes: Partial<SubmitRequest> = {}): SubmitRequest {
  const path = join(dir, 'document');
  writeFileSync(path, content);
  const { size: sizeBytes, mtimeMs } = statSync(path);
  return {
    file: { path, name: 'document', sizeBytes, mtimeMs },
    function: 'TEXT_EXTRACTION',
    args: {},
    idempotencyKey: 'key-1',
    isAsync: false,
    ...changes,
  };
}

test('an upload → arrives whole, with a Content-Length and the API key in one header', async () => {
  const content = Buffer.alloc(3_500_000, 'abc');
  const submitted = await connect().submit(request(content, { args: { pages: '1' } }));
  expect(submitted).toMatchObject({ state: 'completed', body: { function: 'TEXT_EXTRACTION' } });
  const [call] = server.calls;
  expect(call?.upload?.args).toBe('{"pages":"1"}');
  expect(
    createHash('sha256')
      .update(call?.upload?.file ?? '')
      .digest('hex'),
  ).toBe(createHash('sha256').update(content).digest('hex'));
  expect(Number(call?.headers['content-length'])).toBe(call?.upload?.bytes);
  expect(call?.headers['transfer-encoding']).toBeUndefined();
  expect(call?.headers.authorization).toBe(`Bearer ${server.apiKey}`);
  expect(call?.headers['x-api-key']).toBeUndefined();
  expect(call?.headers['idempotency-key']).toBe('key-1');
  expect(call?.headers.prefer).toBeUndefined();
});

test('a queued document → its job, and the delay that Retry-After asks for', async () => {
  const body = { requestId: 'req_1', jobId: 'job_1', status: 'pending', statusUrl: '/v1/ocr/jobs/job_1' };
  server.script.post = [{ status: 202, body, headers: { 'retry-after': '3' } }];
  expect(await connect().submit(request('x', { isAsync: true }))).toEqual({
    state: 'pending',
    retryAfterMs: 3_000,
    ...body,
  });
  expect(server.calls[0]?.headers.prefer).toBe('respond-async');
});

test('a repeated upload → the same Idempotency-Key and the whole file in each attempt', async () => {
  const busy = { ...failure(503, 'PROVIDER_UNAVAILABLE', 'Busy', true), headers: { 'retry-after': '2' } };
  server.script.post = [busy, { hangsUp: true }, failure(429, 'RATE_LIMITED', 'Slow down', true)];
  await connect().submit(request('again and again'));
  expect(server.calls).toHaveLength(4);
  expect(new Set(server.calls.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set(['key-1']));
  expect(server.calls.map(({ upload }) => upload?.file?.toString())).toEqual(Array(4).fill('again and again'));
  expect(waitedMs[0]).toBe(2_000);
  expect(waitedMs).toHaveLength(3);
});

test('a service that stays busy → an error after five retries', async () => {
  server.script.post = Array(9).fill(failure(503, 'PROVIDER_UNAVAILABLE', 'Busy', true));
  await expect(connect().submit(request())).rejects.toMatchObject({
    code: 'PROVIDER_UNAVAILABLE',
    exitCode: 7,
    requestId: 'req_0000000000000000000FA1LED0',
  });
  expect(server.calls).toHaveLength(6);
});

test.each<[number, string, boolean, number]>([
  [400, 'INVALID_ARGS', false, 1],
  [400, 'INVALID_DOCUMENT', false, 1],
  [401, 'UNAUTHORIZED', false, 4],
  [402, 'PAYMENT_REQUIRED', false, 4],
  [403, 'FORBIDDEN', false, 4],
  [404, 'NOT_FOUND', false, 5],
  [409, 'IDEMPOTENCY_CONFLICT', false, 1],
  [413, 'PAYLOAD_TOO_LARGE', false, 1],
  [415, 'UNSUPPORTED_MEDIA_TYPE', false, 1],
  [500, 'INTERNAL', false, 1],
  [400, 'A_CODE_OF_ITS_OWN', false, 1],
])('$0 $1 → not repeated; exit code $3', async (status, code, retryable, exitCode) => {
  server.script.post = [failure(status, code, 'because', retryable)];
  await expect(connect().submit(request())).rejects.toMatchObject({ code, message: 'because', exitCode, status });
  expect(server.calls).toHaveLength(1);
});

test.each([
  [401, 'TOKEN_EXPIRED', /API key/],
  [403, 'NOT_YOURS', /functions of this key/],
  [400, 'A_CODE_OF_ITS_OWN', undefined],
])('%i with the unknown code %s → the hint of the status', async (status, code, hint) => {
  server.script.post = [failure(status, code, 'because', false)];
  const stated = hint === undefined ? undefined : expect.stringMatching(hint);
  await expect(connect().submit(request())).rejects.toMatchObject({ code, hint: stated });
});

test.each([
  [401, 'UNAUTHORIZED'],
  [413, 'PAYLOAD_TOO_LARGE'],
])('%i before the upload has ended → its error, without a retry', async (status, code) => {
  server.script.post = [{ ...failure(status, code, 'no need to go on', false), isEarly: true }];
  await expect(connect().submit(request(Buffer.alloc(40_000_000)))).rejects.toMatchObject({ code, status });
  expect(server.calls).toHaveLength(1);
});

test.each<[string, { status: number; body: string }, RegExp, string, number]>([
  ['a proxy’s page with 502', { status: 502, body: '<html>\n<h1>Bad gateway</h1>' }, /502.*<html>/, 'BAD_RESPONSE', 7],
  ['a page with 200', { status: 200, body: '\n  Welcome!' }, /200.*Welcome!/, 'BAD_RESPONSE', 7],
  ['nothing with 200', { status: 200, body: '' }, /200/, 'BAD_RESPONSE', 7],
  ['an empty success of another kind', { status: 204, body: '' }, /204/, 'BAD_RESPONSE', 7],
  ['a success of another kind', { status: 201, body: '{"result":{}}' }, /201/, 'BAD_RESPONSE', 7],
  ['a page with 404', { status: 404, body: 'no such page' }, /404.*no such page/, 'BAD_RESPONSE', 7],
  ['a page with 410', { status: 410, body: '{"detail":"Gone"}' }, /410.*Gone/, 'BAD_RESPONSE', 7],
  ['a page with 413', { status: 413, body: 'too big' }, /413.*too big/, 'PAYLOAD_TOO_LARGE', 1],
  ['a page with 400', { status: 400, body: 'bad' }, /400.*bad/, 'HTTP_400', 1],
  ['an array with 200', { status: 200, body: '[]' }, /200/, 'BAD_RESPONSE', 7],
  ['an object without a result', { status: 200, body: '{}' }, /no result/, 'BAD_RESPONSE', 7],
  ['a 202 without a job', { status: 202, body: '{}' }, /no jobId/, 'BAD_RESPONSE', 7],
])('%s → an error with its status and first line', async (_, answer, message, code, exitCode) => {
  server.script.post = Array(6).fill(answer);
  await expect(connect().submit(request())).rejects.toMatchObject({
    code,
    exitCode,
    message: expect.stringMatching(message),
  });
});

test('a redirect → not followed, because the API key would go along', async () => {
  server.script.post = [{ status: 307, headers: { location: `${server.baseUrl}/elsewhere` } }];
  await expect(connect().submit(request())).rejects.toMatchObject({
    exitCode: 7,
    message: expect.stringContaining('/elsewhere'),
  });
  expect(server.calls).toHaveLength(1);
});

test('an answer that breaks off → the request is repeated', async () => {
  server.script.post = [{ cutAfterBytes: 5, body: { result: { text: 'whole' } } }];
  const submitted = await connect().submit(request());
  expect(submitted.state).toBe('completed');
  expect(server.calls).toHaveLength(2);
});

test('a server that stalls → TIMEOUT', async () => {
  server.script.catalog = Array(6).fill({ stalls: true });
  await expect(connect({ timeoutMs: 1_500 }).getCatalog({ isBestEffort: true })).rejects.toMatchObject({
    code: 'TIMEOUT',
    exitCode: 7,
    message: expect.stringMatching(/^127\.0\.0\.1:\d+ made no progress/),
  });
});

test('a poll that the server holds → that time is added to the time-out, and taken from the next delay', async () => {
  const submitted = await connect().submit(request('a document', { isAsync: true }));
  if (submitted.state !== 'pending') throw new Error('it is no job');
  server.script.job.push({ delayMs: 2_500, headers: { 'preference-applied': 'wait=15' }, body: { status: 'queued' } });
  const { jobId } = submitted;
  const client = connect({ timeoutMs: 300 });
  const outcome = await client.wait({ jobId, waitTimeoutMs: 60_000, retryAfterMs: 15_000 });
  expect(outcome.state).toBe('completed');
  const polls = server.calls.filter(({ method }) => method === 'GET');
  expect(polls.map(({ headers }) => headers.prefer)).toEqual(['wait=15', 'wait=4']);
  // The second delay of 2 s is reduced by the time that the first poll was held.
  expect(waitedMs).toEqual([15_000, 0]);
  expect(debugged.join('\n')).toContain('preference-applied: wait=15');
});

test('a server on this machine, which holds polls → the first poll without a delay', async () => {
  const endpoint = {
    baseUrl: server.baseUrl,
    apiKey: server.apiKey,
    serverId: 'server',
    isOnThisMachine: true as const,
  };
  const client = connect({ locate: async () => endpoint });
  const submitted = await client.submit(request('a document', { isAsync: true }));
  if (submitted.state !== 'pending') throw new Error('it is no job');
  expect(await client.wait({ jobId: submitted.jobId, waitTimeoutMs: 60_000 })).toMatchObject({ state: 'completed' });
  expect(waitedMs).toEqual([]);
});

test('a port where nothing listens → UNREACHABLE after five retries', async () => {
  await expect(connect({ baseUrl: 'http://127.0.0.1:1' }).submit(request())).rejects.toMatchObject({
    code: 'UNREACHABLE',
    exitCode: 7,
    message: 'Nothing listens at 127.0.0.1:1',
  });
  expect(waitedMs).toHaveLength(5);
});

test('a server that does not speak HTTP → UNREACHABLE that says so', async () => {
  const other = createServer((socket) => socket.end('220 mail.example ESMTP\r\n'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  await expect(connect({ baseUrl: `http://127.0.0.1:${port}` }).getCatalog()).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: `127.0.0.1:${port} does not speak HTTP`,
  });
  other.close();
});

test('a name that no host has → UNREACHABLE that names it', async () => {
  await expect(connect({ baseUrl: 'http://no-such-host.invalid' }).getCatalog()).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringContaining('no-such-host.invalid'),
  });
});

test('a service that moved → found again; the call is made there without a delay', async () => {
  const gone = { baseUrl: 'http://127.0.0.1:1', apiKey: 'old', serverId: 'local' };
  const here = { baseUrl: server.baseUrl, apiKey: server.apiKey, serverId: 'local' };
  const asked: Array<string | undefined> = [];
  const locate: LocateService = async (after) => {
    asked.push(after?.baseUrl);
    return after === undefined ? gone : here;
  };
  const submitted = await connect({ locate }).submit(request());
  expect(submitted.state).toBe('completed');
  expect(asked).toEqual([undefined, 'http://127.0.0.1:1']);
  expect(waitedMs).toEqual([]);
});

test('a service that was replaced by one with another API key → asked with the new key', async () => {
  const stale = { baseUrl: server.baseUrl, apiKey: 'old', serverId: 'local' };
  const locate: LocateService = async (after) => (after === undefined ? stale : { ...stale, apiKey: server.apiKey });
  expect((await connect({ locate }).submit(request())).state).toBe('completed');
  expect(server.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', `Bearer ${server.apiKey}`]);
});

test('a service on this machine → asked without a proxy', async () => {
  const env = { http_proxy: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1', ALL_PROXY: 'http://127.0.0.1:1' };
  expect((await connect({ env }).submit(request())).state).toBe('completed');
});

test('plain http to another host → through the proxy, without CONNECT', async () => {
  // The contract's server plays the proxy: it is asked for the whole address.
  const client = connect({ baseUrl: 'http://ocr.example', env: { HTTP_PROXY: server.baseUrl } });
  server.script.catalog = [{ body: { functions: [] } }];
  await client.getCatalog();
  expect(server.calls[0]).toMatchObject({ method: 'GET', path: 'http://ocr.example/v1/ocr/functions' });
});

test('a host in NO_PROXY → asked without the proxy', async () => {
  const env = { HTTP_PROXY: server.baseUrl, NO_PROXY: 'no-such-host.invalid' };
  await expect(connect({ baseUrl: 'http://no-such-host.invalid', env }).getCatalog()).rejects.toMatchObject({
    code: 'UNREACHABLE',
  });
  expect(server.calls).toEqual([]);
});

test('a base address with a path → calls under this path', async () => {
  server.script.catalog = [{ body: [] }];
  await connect({ baseUrl: `${server.baseUrl}/tenant/a` }).getCatalog();
  expect(server.calls[0]?.path).toBe('/tenant/a/v1/ocr/functions');
});

test('lines of --debug → no API key, no argument and no text of the document', async () => {
  await connect().submit(request('planted document text', { args: { password: 'planted-password' } }));
  expect(debugged.join('\n')).toMatch(/POST .*\/v1\/ocr\/TEXT_EXTRACTION · 200 · \d+ ms/);
  expect(debugged.join('\n')).not.toContain('planted');
});

test('a file that changed → FILE_CHANGED, not a network error', async () => {
  const changed = request('before');
  writeFileSync((changed.file as FileToSend).path, 'something else');
  await expect(connect().submit(changed)).rejects.toMatchObject({ code: 'FILE_CHANGED', exitCode: 2 });
});

test('--debug → the requestId of the header, or else of the body', async () => {
  const answer = (requestId: string, headers = {}) => ({
    headers,
    body: { requestId, function: 'F', result: { text: 'x' }, meta: {} },
  });
  server.script.post = [answer('req_body'), answer('req_body', { 'x-request-id': 'req_header' })];
  await connect().submit(request());
  await connect().submit(request());
  expect(debugged[0]).toMatch(/ ms · req_body · /);
  expect(debugged[1]).toMatch(/ ms · req_header · /);
});
