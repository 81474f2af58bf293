import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../fixtures/maker/scan.js';
import { BOUNDARY, call, MULTIPART_TYPE, multipart, type Part } from './support/http.js';
import { HOSTILE_PROGRAM, startTestService, type TestService, waitForNoBlobs } from './support/running-service.js';

let running: TestService;
const file: Part = { name: 'file', filename: 'a.pdf', content: '%PDF-1.4 TEXT=read' };

beforeAll(async () => {
  running = await startTestService({ documentProgram: HOSTILE_PROGRAM });
});
afterAll(() => running.remove());
afterEach(async () => {
  // After any request, no file stays, and the next caller is served.
  expect((await running.submit('%PDF-1.4 TEXT=next')).json?.result).toEqual({ text: 'next' });
  expect(await waitForNoBlobs(running.dataDir)).toEqual([]);
});

const post = (body: Uint8Array | string, headers: Record<string, string> = {}) =>
  call(`${running.url}/v1/ocr/TEXT_EXTRACTION`, {
    method: 'POST',
    headers: { 'x-api-key': running.key, 'content-type': MULTIPART_TYPE, ...headers },
    body,
  });

test('parts in either order, a preamble, no or empty args → accepted', async () => {
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
  const long = 'b'.repeat(70);
  for (const boundary of [long, `"${long}"`]) {
    const headers = { 'content-type': `multipart/form-data; charset=utf-8; boundary=${boundary}` };
    expect((await post(multipart([file], long), headers)).json.result).toEqual({ text: 'read' });
  }
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
  ['a path as a name', [{ ...file, name: '../file' }], /"\.\.\/file"/],
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
])('%s → INVALID_ARGS', async (_, parts, message) => {
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
  ['a boundary with more behind it', { 'content-type': `${MULTIPART_TYPE}x` }],
  ['another boundary', { 'content-type': 'multipart/form-data; boundary=another' }],
  ['a malformed content type', { 'content-type': ';;;' }],
  ['a content encoding', { 'content-type': MULTIPART_TYPE, 'content-encoding': 'gzip' }],
])('a request with %s → INVALID_ARGS', async (name, headers) => {
  const body = multipart([file]);
  const answer = await call(`${running.url}/v1/ocr/TEXT_EXTRACTION`, {
    method: 'POST',
    headers: { 'x-api-key': running.key, ...headers },
    body: name.includes('encoding') ? gzipSync(body) : body,
  });
  expect(answer.json, answer.text).toMatchObject({ error: { code: 'INVALID_ARGS' } });
  expect(answer.status).toBe(400);
});

test('a body cut at any byte → refused', async () => {
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

test('a randomly changed body → read or refused', async () => {
  const random = createRandom(20_261_120);
  const pick = (count: number) => Math.floor(random() * count);
  const whole = multipart([{ name: 'args', content: '{"format":"text"}' }, file]);
  const bits = ['\r\n', '--', `--${BOUNDARY}`, '\u0000', '"', ';', ': ', '\r\n\r\n', 'filename=', 'x'.repeat(300)];
  const mutate = () => {
    let bytes = whole;
    for (let left = 1 + pick(3); left > 0; left--) {
      const at = pick(bytes.length);
      const bit = Buffer.from(random() < 0.5 ? (bits[pick(bits.length)] ?? '') : [pick(256)]);
      const gone = random() < 0.5 ? 0 : pick(20);
      bytes = Buffer.concat([bytes.subarray(0, at), bit, bytes.subarray(at + gone)]);
    }
    return bytes;
  };
  for (let round = 0; round < 20; round++) {
    const bodies = Array.from({ length: 20 }, mutate);
    const answers = await Promise.all(bodies.map((body) => post(body)));
    for (const [index, { status, json }] of answers.entries()) {
      const shown = `${round}: ${bodies[index]?.toString('latin1')}`;
      expect([200, 400, 415], shown).toContain(status);
      if (status !== 200) expect(json?.error?.code, shown).toMatch(/^(?:INVALID_ARGS|UNSUPPORTED_MEDIA_TYPE)$/);
    }
  }
});

test('any file name → accepted; a NUL → INVALID_ARGS', async () => {
  const names = ['__proto__', '../../../../etc/passwd', '/etc/passwd', 'a\tb', 'x'.repeat(5000), '..', 'ü.pdf', 'a\\b'];
  for (const filename of names) expect((await post(multipart([{ ...file, filename }]))).status, filename).toBe(200);
  // A header cannot hold a NUL (RFC 9110, section 5.5).
  expect((await post(multipart([{ ...file, filename: 'a\u0000b' }]))).json.error.code).toBe('INVALID_ARGS');
});

test('forty concurrent callers → each gets its own text', async () => {
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  const answers = await Promise.all(numbers.map((number) => running.submit(`%PDF-1.4 TEXT=number-${number}`)));
  expect(answers.map((answer) => answer.json.result?.text)).toEqual(numbers.map((number) => `number-${number}`));
  expect(readFileSync(`${running.dataDir}/service.json`, 'utf8')).toContain(running.service.instanceId);
});
