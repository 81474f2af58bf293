import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MULTIPART_TYPE, multipart, type Part, sendRaw } from './support/http.js';
import { HOSTILE_PROGRAM, startTestService, type TestService, waitForNoBlobs } from './support/running-service.js';

// Callers that send wrong, slow or incomplete HTTP, byte by byte, each on its own socket.

let running: TestService;
const file: Part = { name: 'file', filename: 'a.pdf', content: '%PDF-1.4 TEXT=read' };
const body = multipart([file]);
const IN_CHUNKS = `${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n0\r\n\r\n`;

beforeAll(async () => {
  running = await startTestService({
    documentProgram: HOSTILE_PROGRAM,
    config: { headersTimeoutMs: 800, requestTimeoutMs: 3_000, minUploadRate: 1024, maxFileBytes: 4 * 1024 * 1024 },
  });
});
afterAll(() => running.remove());
afterEach(async () => {
  // After any request, no file stays, and the next caller is served.
  expect((await running.submit('%PDF-1.4 TEXT=next')).json?.result).toEqual({ text: 'next' });
  expect(await waitForNoBlobs(running.dataDir)).toEqual([]);
});

const head = (lines: string, key = running.key) =>
  `POST /v1/ocr/TEXT_EXTRACTION HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: ${MULTIPART_TYPE}\r\n${lines}\r\n\r\n`;
/** The sender's side stays open, so that only the service ends the exchange. */
const send = (...pieces: Array<Uint8Array | string>) => sendRaw(running.url, pieces, { end: false });
const countJobs = () => {
  const db = new DatabaseSync(join(running.dataDir, 'ocr.db'), { readOnly: true });
  try {
    return db.prepare('SELECT count(*) AS n FROM job').get()?.n;
  } finally {
    db.close();
  }
};
const statusesOf = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));

test('a body in chunks of one byte → read, with boundaries across chunks', async () => {
  const inBytes = (bytes: Uint8Array) =>
    [...bytes].map((byte) => Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a])).concat(Buffer.from('0\r\n\r\n'));
  const headers = head('Transfer-Encoding: chunked\r\nConnection: close');
  expect(await send(headers, ...inBytes(body))).toMatch(/^HTTP\/1\.1 200 /);
  const tooMany = multipart([file, { name: 'extra', content: 'x' }]);
  expect(await send(headers, ...inBytes(tooMany))).toMatch(/^HTTP\/1\.1 400 [\s\S]*INVALID_ARGS/);
});

// HTTP cannot parse these requests, or must not trust them: two programs that understand one differently let one caller
// speak for another (RFC 9112, section 11.2).
test.each<[string, string, Uint8Array | string]>([
  ['Content-Length and Transfer-Encoding', 'Content-Length: 5\r\nTransfer-Encoding: chunked', IN_CHUNKS],
  ['two Content-Lengths', `Content-Length: ${body.length}\r\nContent-Length: 5`, body],
  ['a negative Content-Length', 'Content-Length: -5', body],
  ['a Content-Length that is no number', 'Content-Length: 0x50', body],
  ['a Content-Length of 26 digits', `Content-Length: ${'9'.repeat(26)}`, body],
  ['a Transfer-Encoding that does not end in chunked', 'Transfer-Encoding: chunked, identity', IN_CHUNKS],
  ['a Transfer-Encoding beside chunked', 'Transfer-Encoding: gzip, chunked', IN_CHUNKS],
  ['chunked twice', 'Transfer-Encoding: chunked, chunked', IN_CHUNKS],
  ['no length at all', 'X: y', body],
  ['a chunk size that is no number', 'Transfer-Encoding: chunked', 'zz\r\nabc\r\n0\r\n\r\n'],
  ['a chunk size of 18 digits', 'Transfer-Encoding: chunked', `${'f'.repeat(18)}\r\nabc\r\n0\r\n\r\n`],
  ['a chunk extension of 100 KB', 'Transfer-Encoding: chunked', `5;${'x'.repeat(100_000)}\r\nabcde\r\n0\r\n\r\n`],
  ['a header without a colon', 'nonsense', body],
  ['a folded header', `X: a\r\n b\r\nContent-Length: ${body.length}`, body],
  ['a NUL in a header', `X: a\u0000b\r\nContent-Length: ${body.length}`, body],
])('%s → 400', async (_, lines, sent) => {
  expect(statusesOf(await send(head(lines), sent))).toEqual([400]);
});

test.each([
  ['nonsense', 'nonsense\r\n\r\n', 400],
  ['a TLS handshake', Buffer.from('160301020001000001fc0303', 'hex'), 400],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['headers of 90 KB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(90_000)}\r\n\r\n`, 431],
  ['a path of 90 KB', `GET /${'y'.repeat(90_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ['a path that is no UTF-8', 'GET /v1/ocr/jobs/%ff%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
  ['a path that cannot be decoded', 'GET /v1/ocr/jobs/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
])('$0 → $2 with a request id', async (_, sent, status) => {
  const answer = await send(sent);
  expect(statusesOf(answer)).toEqual([status]);
  expect(answer).toMatch(/^x-request-id: req_/im);
});

test('a call without a Host → refused with an envelope, and logged', async () => {
  const answer = await send('GET /v1/ocr/functions HTTP/1.1\r\n\r\n');
  expect(answer).toMatch(/"code":"INVALID_ARGS"/);
  expect(answer).toMatch(/^connection: close/im);
});

test.each([
  ['two Hosts', 'Host: x\r\nHost: y'],
  ['the same Host twice', 'Host: x\r\nHost: x'],
  ['a Host with a path', 'Host: x/y'],
])('%s → refused with an envelope', async (_, lines) => {
  const answer = await send(`GET /v1/ocr/functions HTTP/1.1\r\n${lines}\r\n\r\n`);
  expect(statusesOf(answer)).toEqual([400]);
  expect(answer).toMatch(/"code":"INVALID_ARGS"/);
  expect(answer).toMatch(/^connection: close/im);
});

test.each([
  ['two Authorizations', 'Authorization', 'Bearer KEY', 'Bearer other'],
  ['an Authorization for a proxy before the own one', 'Authorization', 'Basic dXNlcjpwYXNz', 'Bearer KEY'],
  ['the same Authorization twice', 'Authorization', 'Bearer KEY', 'Bearer KEY'],
  ['two X-API-Keys', 'X-API-Key', 'KEY', 'other'],
])('%s → refused with an envelope that names the header', async (_, name, ...values) => {
  const lines = values.map((value) => `${name}: ${value.replace('KEY', running.key)}`).join('\r\n');
  const answer = await send(`GET /v1/ocr/functions HTTP/1.1\r\nHost: x\r\n${lines}\r\n\r\n`);
  expect(statusesOf(answer)).toEqual([400]);
  expect(answer).toMatch(new RegExp(`"code":"INVALID_ARGS","message":"The call has more than one ${name} header"`));
  expect(answer).toMatch(/^connection: close/im);
});

test('a second call after "Connection: close" → the answer to the first alone, and nothing run', async () => {
  const before = countJobs();
  const first = `GET /v1/ocr/functions HTTP/1.1\r\nHost: x\r\nX-API-Key: ${running.key}\r\nConnection: close\r\n\r\n`;
  const answer = await send(first + head(`Content-Length: ${body.length}`) + body.toString('latin1'));
  expect(statusesOf(answer)).toEqual([200]);
  expect(answer).toMatch(/"functions":/);
  expect(countJobs()).toBe(before);
});

test('malformed bytes behind a call → its answer, then the end', async () => {
  const first = `GET /v1/ocr/functions HTTP/1.1\r\nHost: x\r\nX-API-Key: ${running.key}\r\n\r\n`;
  expect(statusesOf(await send(`${first}nonsense\r\n\r\n`))).toEqual([200]);
});

test('an unknown expectation → ignored', async () => {
  const answer = await send('GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n');
  expect(statusesOf(answer)).toEqual([200]);
});

test('a refusal by the headers → one answer, before the body is sent', async () => {
  const [unauthorized, tooLarge, beyond] = await Promise.all([
    send(head('Content-Length: 1000000', 'nobody'), body),
    send(head('Content-Length: 100000000'), body),
    // This sender ends. Bytes after a refusal that cannot be parsed get no second answer.
    sendRaw(running.url, [head('Content-Length: 1000000000000000000'), body]),
  ]);
  expect(statusesOf(unauthorized)).toEqual([401]);
  expect(unauthorized).toMatch(/UNAUTHORIZED/);
  for (const answer of [tooLarge, beyond]) {
    expect(statusesOf(answer)).toEqual([413]);
    expect(answer).toMatch(/PAYLOAD_TOO_LARGE/);
  }
});

test('a Content-Length too small → 400; too large → 408', async () => {
  const [short, long] = await Promise.all([
    send(head(`Content-Length: ${body.length - 10}\r\nConnection: close`), body),
    send(head(`Content-Length: ${body.length + 10}`), body),
  ]);
  // The answer may have no envelope: the ten bytes left over are no HTTP, and may be parsed first.
  expect(statusesOf(short)).toEqual([400]);
  expect(statusesOf(long)).toEqual([408]);
});

test('a sender that goes away after any byte → no file stays', async () => {
  const whole = multipart([{ name: 'args', content: '{}' }, file]);
  for (let at = 0; at < whole.length; at += 32) {
    const cuts = Array.from({ length: Math.min(32, whole.length - at) }, (_, index) => at + index);
    const answers = await Promise.all(
      cuts.map((length) =>
        sendRaw(running.url, [head(`Content-Length: ${whole.length}`), whole.subarray(0, length)], { end: true }),
      ),
    );
    expect(answers.flatMap(statusesOf).filter((status) => status !== 400)).toEqual([]);
  }
  const large = multipart([{ ...file, content: Buffer.alloc(2_000_000, 'x') }]);
  await sendRaw(running.url, [head(`Content-Length: ${large.length}`), large.subarray(0, 1_000_000)], { end: true });
});

test('a sender below the minimum rate, or one that stops → cut off', async () => {
  const large = multipart([{ ...file, content: 'x'.repeat(50_000) }]);
  const headers = head(`Content-Length: ${large.length}`);
  const answers = await Promise.all([
    send(headers, large.subarray(0, 200)),
    send(headers, large.subarray(0, 40_000)),
    send(headers),
    send(head('Transfer-Encoding: chunked'), '5\r\n--a-b\r\n'),
    dribble(headers, large, { bytes: 10, everyMs: 50 }),
  ]);
  for (const answer of answers) expect(statusesOf(answer)).toEqual([408]);
});

test('a slow sender above the minimum rate → served', async () => {
  const small = multipart([{ ...file, content: `%PDF-1.4 TEXT=slow ${'x'.repeat(4_000)}` }]);
  const headers = head(`Content-Length: ${small.length}\r\nConnection: close`);
  expect(await dribble(headers, small, { bytes: 800, everyMs: 100 })).toMatch(/^HTTP\/1\.1 200 [\s\S]*"slow"/);
});

test('two hundred senders with endless headers → cut off, while another caller is served', async () => {
  const begun = 'POST /v1/ocr/TEXT_EXTRACTION HTTP/1.1\r\nHost: x\r\n';
  const slow = Promise.all([
    ...Array.from({ length: 100 }, () => send(begun)),
    ...Array.from({ length: 100 }, () => dribble(begun, Buffer.alloc(1_000, 'X: y\r\n'), { bytes: 3, everyMs: 100 })),
  ]);
  expect((await running.submit('%PDF-1.4 TEXT=meanwhile')).json.result).toEqual({ text: 'meanwhile' });
  for (const answer of await slow) expect(statusesOf(answer)).toEqual([408]);
});

test('a silent caller → cut off', async () => {
  expect(await send()).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
});

/** Sends the headers at once and the rest in pieces, until the service closes the connection. */
function dribble(headers: string, rest: Uint8Array, pace: { bytes: number; everyMs: number }): Promise<string> {
  const { hostname, port } = new URL(running.url);
  return new Promise((resolve) => {
    const socket = net.connect({ host: hostname, port: Number(port) });
    let text = '';
    let isOpen = true;
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      isOpen = false;
      resolve(text);
    });
    socket.write(headers);
    void (async () => {
      for (let at = 0; at < rest.length && isOpen; at += pace.bytes) {
        socket.write(rest.subarray(at, at + pace.bytes));
        await sleep(pace.everyMs);
      }
    })();
  });
}
