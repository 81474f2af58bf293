import { expect, test } from 'vitest';
import { readSessionCookie } from '../../../../src/service/portal/doors/cookies.js';
import { isSameOrigin } from '../../../../src/service/portal/doors/same-origin.js';
import { TryLimits } from '../../../../src/service/portal/doors/try-limits.js';

test('tries → ten of an address, a hundred in all, anew each minute', () => {
  const limits = new TryLimits();
  const take = (address: string, nowMs: number, count: number) =>
    Array.from({ length: count }, () => limits.take(address, nowMs)).filter(Boolean).length;
  expect(take('a', 0, 11)).toBe(10);
  expect(Array.from({ length: 12 }, (_, i) => take(`b${i}`, 1, 10)).reduce((sum, n) => sum + n)).toBe(90);
  expect(take('a', 59_999, 1)).toBe(0);
  expect(take('a', 60_000, 1)).toBe(1);
});

test('two cookies of one name → no session, since one may be forged', () => {
  expect(readSessionCookie({ cookie: 'a=1; ocr_session=x' }, false)).toBe('x');
  expect(readSessionCookie({ cookie: 'ocr_session=x; ocr_session=y' }, false)).toBeUndefined();
  expect(readSessionCookie({ cookie: 'ocr_session=x' }, true)).toBeUndefined();
});

test.each([
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:1' }, false],
  [{ origin: 'http://localhost:1' }, true],
  [{ origin: 'null' }, false],
  [{ origin: 'http://localhost:2' }, false],
  [{}, false],
])('a form with %j → same origin: %s', (headers, expected) => {
  expect(isSameOrigin({ host: 'localhost:1', ...headers }, undefined)).toBe(expected);
});
