import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { BOUNDARY, call, MULTIPART_TYPE, multipart, type Part, sendRaw } from './support/http.js';
import { HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';

let running: TestService;
const file: Part = { name: 'file', filename: 'a.pdf', content: '%PDF-1.4 TEXT=read' };

beforeAll(async () => {
  running = await startTestService({
    documentProgram: HOSTILE_PROGRAM,
    config: { headersTimeoutMs: 400, requestTimeoutMs: 4_000, minUploadRate: 1024, maxFileBytes: 4 * 1024 * 1024 },
  });
});
afterAll(() => running.remove());
afterEach(async () => {
  // Whatever was sent: nothing stays behind, and the next caller is served.
  expect(running.listBlobs()).toEqual([]);
  expect((await running.submit('%PDF-1.4 TEXT=next')).json?.result).toEqual({ text: 'next' });
});

const post = (body: Uint8Array | string, headers: Record<string, string> = {}) =>
  call(`${running.url}/v1/ocr/TEXT_EXTRACTION`, {
    method: 'POST',
    headers: { 'x-api-key': running.key, 'content-type': MULTIPART_TYPE, ...headers },
    body,
  });

test('parts may come in either order, with a preamble, with no args, with empty args', async () => {
  const args: Part = { name: 'args', content: '{"format":"text"}' };
  const good = [
    multipart([file, args]),
    multipart([args, file]),
    multipart([file]),
    multipart([file, { name: 'args', content: '' }]),
    multipart([file, { name: 'args', type: 'application/json', content: '{}' }]),
    Buffer.concat([Buffer.from('a preamble\r\n'), multipart([file])]),
    Buffer.concat([multipart([file]), Buffer.from('an epilogue')]),
  ];
  for (const body of good) expect((await post(body)).json.result).toEqual({ text: 'read' });
});

test.each<[string, Part[], RegExp]>([
  ['no part at all', [], /malformed|no part "file"/],
  ['no file', [{ name: 'args', content: '{}' }], /no part "file"/],
  ['two files', [file, file], /two parts "file"/],
  ['an empty file', [{ ...file, content: '' }], /empty/],
  ['two args', [{ name: 'args', content: '{}' }, { name: 'args', content: '{}' }, file], /two parts "args"/],
  ['args of 65 KiB', [file, { name: 'args', content: `{"format":"${'x'.repeat(65 * 1024)}"}` }], /64 KiB/],
  ['args of 1 MB', [{ name: 'args', content: 'x'.repeat(1_000_000) }, file], /64 KiB/],
  ['args as a file', [{ name: 'args', filename: 'a.json', content: '{}' }, file], /"args" must be a text/],
  ['a file as text', [{ name: 'file', content: '%PDF-1.4' }], /"file" must be a file/],
  ['an unknown text part', [file, { name: 'format', content: 'markdown' }], /"format"/],
  ['an unknown file part', [{ ...file, name: 'document' }], /"document"/],
  ['a name with a NUL', [{ ...file, name: 'file\u0000' }], /malformed|may be sent/],
  ['__proto__', [file, { name: '__proto__', content: '{}' }], /__proto__/],
  ['a part without a name', [file, { content: 'x', rawHeaders: 'Content-Disposition: form-data' }], /without a name/],
  ['a part without a disposition', [file, { content: 'x', rawHeaders: 'Content-Type: text/plain' }], /without a name/],
  ['a part without headers', [file, { content: 'x', rawHeaders: 'X: y' }], /without a name/],
  ['a header without a colon', [{ content: 'x', rawHeaders: 'Content-Disposition form-data' }, file], /malformed/],
  ['a header of 90 KB', [{ content: 'x', rawHeaders: `X: ${'y'.repeat(90_000)}` }, file], /malformed/],
  ['1,000 parts', Array.from({ length: 1000 }, (_, i) => ({ name: `p${i}`, content: 'x' })), /more parts|"p0"/],
  [
    '1,000 parts without a name',
    Array.from({ length: 1000 }, () => ({ content: 'x', rawHeaders: 'X: y' })),
    /more parts/,
  ],
])('refused: %s', async (_, parts, message) => {
  const answer = await post(multipart(parts));
  expect(answer.json, answer.text).toMatchObject({ error: { code: 'INVALID_ARGS', retryable: false } });
  expect(answer.status).toBe(400);
  expect(answer.json.error.message).toMatch(message);
});

test.each([
  ['no content type', {}],
  ['another content type', { 'content-type': 'application/json' }],
  ['a form without files', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['no boundary', { 'content-type': 'multipart/form-data' }],
  ['an empty boundary', { 'content-type': 'multipart/form-data; boundary=""' }],
  ['a boundary of 71 characters', { 'content-type': `multipart/form-data; boundary=${'b'.repeat(71)}` }],
  ['another boundary', { 'content-type': 'multipart/form-data; boundary=another' }],
  ['a malformed content type', { 'content-type': ';;;' }],
  ['a content encoding', { 'content-type': MULTIPART_TYPE, 'content-encoding': 'gzip' }],
])('refused: %s', async (name, headers) => {
  const body = multipart([file]);
  const answer = await call(`${running.url}/v1/ocr/TEXT_EXTRACTION`, {
    method: 'POST',
    headers: { 'x-api-key': running.key, ...headers },
    body: name.includes('encoding') ? gzipSync(body) : body,
  });
  expect(answer.json, answer.text).toMatchObject({ error: { code: 'INVALID_ARGS' } });
  expect(answer.status).toBe(400);
});

test('a body cut at any byte is refused', async () => {
  const whole = multipart([{ name: 'args', content: '{}' }, file]);
  // The last line's end may be missing: the body is complete without it.
  const cuts = Array.from({ length: whole.length - 2 }, (_, length) => length);
  const statuses = new Set<number>();
  for (let at = 0; at < cuts.length; at += 16) {
    const answers = await Promise.all(cuts.slice(at, at + 16).map((length) => post(whole.subarray(0, length))));
    for (const answer of answers) {
      statuses.add(answer.status);
      expect(answer.json?.error.code, answer.text).toBe('INVALID_ARGS');
    }
  }
  expect([...statuses]).toEqual([400]);
  expect((await post(whole.subarray(0, -2))).status).toBe(200);
});

test('file names are for the log only', async () => {
  const names = ['../../../../etc/passwd', '/etc/passwd', 'a\tb', 'x'.repeat(5000), '..', 'ü.pdf', 'a\\b'];
  for (const filename of names) expect((await post(multipart([{ ...file, filename }]))).status, filename).toBe(200);
  // A header cannot hold a NUL (RFC 9110, section 5.5).
  expect((await post(multipart([{ ...file, filename: 'a\u0000b' }]))).json.error.code).toBe('INVALID_ARGS');
});

const head = (headers: string) =>
  `POST /v1/ocr/TEXT_EXTRACTION HTTP/1.1\r\nHost: x\r\nX-API-Key: ${running.key}\r\nContent-Type: ${MULTIPART_TYPE}\r\n${headers}\r\n\r\n`;

test('a Content-Length that lies ends in 400 or 408, never in silence', async () => {
  const body = multipart([file]);
  const short = await sendRaw(running.url, [head(`Content-Length: ${body.length - 10}\r\nConnection: close`), body], {
    end: false,
  });
  expect(short).toMatch(/^HTTP\/1\.1 400 /);
  // More is announced than comes: the sender closes, or is cut off when it does not.
  await sendRaw(running.url, [head(`Content-Length: ${body.length + 10}`), body], { end: true });
  const waiting = await sendRaw(running.url, [head(`Content-Length: ${body.length + 10}`), body], { end: false });
  expect(waiting).toMatch(/^HTTP\/1\.1 (?:200|408) /);
});

test('both Content-Length and Transfer-Encoding are refused', async () => {
  const answer = await sendRaw(running.url, [head('Content-Length: 5\r\nTransfer-Encoding: chunked'), '0\r\n\r\n']);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

test('a sender below the least rate is cut off', async () => {
  const startedAt = Date.now();
  const body = multipart([{ ...file, content: 'x'.repeat(50_000) }]);
  const slow = await sendRaw(running.url, [head(`Content-Length: ${body.length}`), body.subarray(0, 200)], {
    end: false,
  });
  expect(slow).toMatch(/^HTTP\/1\.1 408 /);
  expect(Date.now() - startedAt).toBeLessThan(4_000);
});

test('a sender that never ends its headers is cut off', async () => {
  const answer = await sendRaw(running.url, ['POST /v1/ocr/TEXT_EXTRACTION HTTP/1.1\r\nHost: x\r\n'], { end: false });
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

test('a sender that goes away leaves nothing behind', async () => {
  const body = multipart([{ ...file, content: Buffer.alloc(2_000_000, 'x') }]);
  await sendRaw(running.url, [head(`Content-Length: ${body.length}`), body.subarray(0, 1_000_000)], { end: true });
  for (let i = 0; i < 100 && running.listBlobs().length > 0; i++)
    await new Promise((resolve) => setTimeout(resolve, 20));
});

test('a boundary that lies across chunks is found', async () => {
  const body = multipart([file, { name: 'extra', content: 'x' }]);
  const chunks = [...body].map((byte) =>
    Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]),
  );
  const good = [...multipart([file])].map((byte) => Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a]));
  const headers = head('Transfer-Encoding: chunked\r\nConnection: close');
  expect(await sendRaw(running.url, [headers, ...chunks, '0\r\n\r\n'], { end: false })).toMatch(/^HTTP\/1\.1 400 /);
  expect(await sendRaw(running.url, [headers, ...good, '0\r\n\r\n'], { end: false })).toMatch(/^HTTP\/1\.1 200 /);
  expect(BOUNDARY.length).toBeGreaterThan(10);
});

test('an unreadable request line gets a bare 400, oversized headers a 431', async () => {
  expect(await sendRaw(running.url, ['nonsense\r\n\r\n'])).toMatch(/^HTTP\/1\.1 400 /);
  expect(await sendRaw(running.url, [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(90_000)}\r\n\r\n`])).toMatch(
    /^HTTP\/1\.1 431 /,
  );
});

test('forty callers at once each get their own text', async () => {
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  const answers = await Promise.all(numbers.map((number) => running.submit(`%PDF-1.4 TEXT=number-${number}`)));
  expect(answers.map((answer) => answer.json.result?.text)).toEqual(numbers.map((number) => `number-${number}`));
  expect(readFileSync(`${running.dataDir}/service.json`, 'utf8')).toContain(running.service.instanceId);
});
