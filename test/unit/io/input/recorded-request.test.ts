import { expect, test } from 'vitest';
import { parseRecordedRequest } from '../../../../src/io/input/recorded-request.js';

const BODY = Buffer.from([0x7b, 0x0d, 0x0a, 0x0d, 0x0a, 0xff, 0x00, 0x0a, 0x7d]);

function record(head: string[], lineEnd = '\r\n', body: Uint8Array = BODY) {
  const { headers, ...rest } = parseRecordedRequest(
    Buffer.concat([Buffer.from(`${head.join(lineEnd)}${lineEnd}${lineEnd}`), body]),
  );
  return { headers: Object.fromEntries(headers), ...rest };
}

test.each(['\r\n', '\n'])('headers that end in %j → read; the body keeps its bytes', (lineEnd) => {
  const found = record(
    ['POST /hook HTTP/1.1', 'Host: h', 'X-SERVICE-Signature:  t=1,v1=ab  ', 'x-service-event:e'],
    lineEnd,
  );
  expect(found.headers).toEqual({ host: 'h', 'x-service-signature': 't=1,v1=ab', 'x-service-event': 'e' });
  expect(found.body).toEqual(BODY);
});

test('a request line, of HTTP/2 too, or none → the headers alone', () => {
  expect(record([':method: POST', ':path: /a:b', 'a: 1']).headers).toEqual({ a: '1' });
  expect(record(['POST http://h:80/a HTTP/1.1', 'a: 1']).headers).toEqual({ a: '1' });
  expect(record(['a: 1']).headers).toEqual({ a: '1' });
  expect(record(['', 'a: 1']).headers).toEqual({ a: '1' });
});

test('repeated and folded headers → joined', () => {
  expect(record(['a: 1', 'A: 2', 'b: x', '  y']).headers).toEqual({ a: '1, 2', b: 'x y' });
});

test('blanks around a value → left out, however many; a CR within it → no header', () => {
  expect(record(['a: \t 1 \t 2 \t', 'b:', 'c: \t']).headers).toEqual({ a: '1 \t 2', b: '', c: '' });
  const tabs = '\t'.repeat(20_000);
  expect(record([`a: ${tabs}x${tabs}`, `b: ${tabs}\rx`]).headers).toEqual({ a: 'x' });
});

test('Content-Length → the end of the body, and the number of missing bytes', () => {
  expect(record(['Content-Length: 3']).body).toEqual(BODY.subarray(0, 3));
  expect(record([`content-length: ${BODY.length}`])).toMatchObject({ body: BODY, missingBytes: 0 });
  expect(record(['content-length: 12'])).toMatchObject({ body: BODY, missingBytes: 3 });
  expect(record(['content-length: many']).body).toEqual(BODY);
  expect(record(['content-length: 0']).body).toHaveLength(0);
});

test('a recorded body in chunks → joined; without chunks → unchanged', () => {
  const head = ['Transfer-Encoding: chunked'];
  const chunked = Buffer.from('3\r\n{"a\r\n5;x=y\r\n":1}\n\r\n0\r\n\r\n');
  expect(Buffer.from(record(head, '\r\n', chunked).body ?? []).toString()).toBe('{"a":1}\n');
  expect(record(head).body).toEqual(BODY);
});

test('no empty line → no body', () => {
  expect(parseRecordedRequest(Buffer.from('POST / HTTP/1.1\r\na: 1\r\n')).body).toBeUndefined();
  expect(parseRecordedRequest(Buffer.from('')).body).toBeUndefined();
  expect(parseRecordedRequest(Buffer.from('a: 1\n\n')).body).toHaveLength(0);
});
