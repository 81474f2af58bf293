import { expect, test } from 'vitest';
import { readIdempotencyKey } from '../../../../src/service/intake/admission.js';

test('an Idempotency-Key outside 1 to 255 printable ASCII characters → INVALID_ARGS', () => {
  expect(readIdempotencyKey({})).toBeUndefined();
  for (const key of ['a', '~', 'a b', 'x'.repeat(255)])
    expect(readIdempotencyKey({ 'idempotency-key': key })).toBe(key);
  for (const key of ['', 'x'.repeat(256), 'ü', 'a\tb'])
    expect(() => readIdempotencyKey({ 'idempotency-key': key })).toThrow(/1 to 255/);
});
