import { expect, test } from 'vitest';
import { hashApiKey, isWellFormedApiKey, mintApiKey } from '../../../src/contract/api-key.js';
import { canonicalJson } from '../../../src/contract/canonical-json.js';
import { createId, sortableId } from '../../../src/contract/identifiers.js';
import { OcrError } from '../../../src/contract/ocr-error.js';
import { maskApiKey } from '../../../src/contract/secrets.js';
import { parseServiceFile } from '../../../src/contract/service-file.js';

test('a new API key → the documented form; one wrong character anywhere → not well formed', () => {
  const key = mintApiKey('live');
  expect(key).toMatch(/^ocr_live_[0-9A-Za-z]{38}$/);
  expect(isWellFormedApiKey(key)).toBe(true);
  for (let i = 0; i < key.length; i++) {
    const wrong = `${key.slice(0, i)}${key[i] === 'x' ? 'y' : 'x'}${key.slice(i + 1)}`;
    expect(isWellFormedApiKey(wrong), `character ${i}`).toBe(false);
  }
  expect(hashApiKey(key)).toMatch(/^[0-9a-f]{64}$/);
});

test('an API key → its checksum is the CRC-32 of the characters before it, in base62', () => {
  const body = `ocr_test_${'0'.repeat(32)}`;
  expect(isWellFormedApiKey(`${body}${base62OfCrc32(body)}`)).toBe(true);
});

/** A plain bitwise CRC-32 (ISO 3309), as an independent second opinion. */
function base62OfCrc32(text: string): string {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let value = (crc ^ 0xffffffff) >>> 0;
  let digits = '';
  while (value > 0) {
    digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'[value % 62] + digits;
    value = Math.floor(value / 62);
  }
  return digits.padStart(6, '0');
}

test('a masked API key → its prefix and its last four characters alone', () => {
  const key = mintApiKey('test');
  expect(maskApiKey(key)).toBe(`ocr_test_…${key.slice(-4)}`);
  expect(maskApiKey('0123456789abcdefghij')).toBe('…ghij');
  expect(maskApiKey('sk_live_0123456789abcdefghij')).toBe('sk_live_…ghij');
  expect(maskApiKey('short_key')).toBe('…');
  // Four of fewer than 16 characters would be a large part.
  expect(maskApiKey('ocr_live_0123456789abcde')).toBe('…');
  expect(maskApiKey('ocr_live_0123456789abcdef')).toBe('ocr_live_…cdef');
});

test('a thousand ids → sorted by time, of the documented length, none twice', () => {
  const ids = Array.from({ length: 1000 }, (_, i) => sortableId(1_700_000_000_000 + i));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(1000);
  expect(createId('req')).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
});

test('equal values with keys in another order → the same canonical JSON', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'ä' }], a: undefined })).toBe('{"b":[1,{"c":"ä","d":null}]}');
  expect(canonicalJson({ z: 1, a: 2 })).toBe(canonicalJson({ a: 2, z: 1 }));
});

test.each([
  ['FILE_NOT_FOUND', undefined, false, 5],
  ['UNREACHABLE', undefined, true, 7],
  ['UNAUTHORIZED', 401, false, 4],
  ['PAYMENT_REQUIRED', 402, false, 4],
  ['FORBIDDEN', 403, false, 4],
  ['NOT_FOUND', 404, false, 5],
  ['EXPIRED', 410, false, 5],
  ['REQUEST_TIMEOUT', 408, true, 7],
  ['SOMETHING_NEW', 422, false, 1],
  ['RATE_LIMITED', 429, true, 6],
  ['INTERNAL', 500, false, 1],
  ['INTERNAL', 500, true, 7],
  ['PROVIDER_UNAVAILABLE', 503, true, 7],
])('$0 with status $1 → exit code $3', (code, status, retryable, exitCode) => {
  const options = status === undefined ? { retryable } : { status, retryable };
  expect(new OcrError(code, 'x', options).exitCode).toBe(exitCode);
});

test('a service file that was cut anywhere → undefined', () => {
  const text = JSON.stringify({
    url: 'http://127.0.0.1:1',
    pid: 1,
    version: '1.0.0',
    instanceId: 'i',
    proofKey: 'k',
    startedAt: 't',
    stopsWhenIdle: true,
  });
  expect(parseServiceFile(text)).toMatchObject({ pid: 1, stopsWhenIdle: true });
  for (let i = 0; i < text.length; i++) expect(parseServiceFile(text.slice(0, i))).toBeUndefined();
});
