import { expect, test } from 'vitest';
import { CallFailure, type FailureKind } from '../../../../src/api/http/call-failure.js';
import { parseRetryAfterMs, retryDelayMs, withRetries } from '../../../../src/api/http/retry.js';
import { OcrError } from '../../../../src/contract/ocr-error.js';

interface Case {
  kind?: FailureKind;
  code?: string;
  status?: number;
  retryable?: boolean;
  retryAfterMs?: number;
}

function failure({ kind = 'answer', code = 'X', status, retryable, retryAfterMs }: Case): CallFailure {
  const error = new OcrError(code, code, { ...(status === undefined ? {} : { status }) });
  return new CallFailure(error, kind, { statedRetryable: retryable, retryAfterMs });
}

/** The longest delay that full jitter can give. */
const longest = () => 1;

test('connection errors → five retries, after half a second and then twice as long each time, up to 8 s', () => {
  const delays = [0, 1, 2, 3, 4, 5].map((retry) => retryDelayMs(failure({ kind: 'connection' }), retry, longest));
  expect(delays).toEqual([500, 1000, 2000, 4000, 8000, undefined]);
});

test('the jitter → any delay from zero to the full one', () => {
  expect(retryDelayMs(failure({ kind: 'timeout' }), 3, () => 0)).toBe(0);
  expect(retryDelayMs(failure({ kind: 'timeout' }), 3, () => 0.25)).toBe(1000);
});

test.each<[string, Case, number | undefined]>([
  ['a connection error', { kind: 'connection' }, 500],
  ['a time-out', { kind: 'timeout' }, 500],
  ['an unknown name or a bad certificate', { kind: 'permanent' }, undefined],
  ['429', { status: 429 }, 500],
  ['408', { status: 408 }, 500],
  ['408 that says it is not retryable', { status: 408, retryable: false }, undefined],
  ['502', { status: 502 }, 500],
  ['503', { status: 503 }, 500],
  ['504', { status: 504 }, 500],
  ['500 that does not say', { status: 500 }, undefined],
  ['500 that says retryable', { status: 500, retryable: true }, 500],
  ['a code we do not know that says retryable', { status: 418, retryable: true }, 500],
  ['503 that says it is not retryable', { status: 503, retryable: false }, undefined],
  ['429 that says it is not retryable', { status: 429, retryable: false }, undefined],
  ['400', { status: 400, retryable: false }, undefined],
  ['400 that does not say', { status: 400 }, undefined],
  ['Retry-After', { status: 429, retryAfterMs: 7_000 }, 7_000],
  ['Retry-After 0', { status: 503, retryAfterMs: 0 }, 0],
  ['Retry-After of a minute', { status: 503, retryAfterMs: 60_000 }, 60_000],
  ['Retry-After of more than a minute', { status: 503, retryAfterMs: 61_000 }, undefined],
  ['an exhausted quota', { status: 429, code: 'QUOTA_EXCEEDED', retryable: true }, undefined],
  [
    'a quota that comes back soon',
    { status: 429, code: 'QUOTA_EXCEEDED', retryable: true, retryAfterMs: 5_000 },
    5_000,
  ],
  [
    'a quota that comes back late',
    { status: 429, code: 'QUOTA_EXCEEDED', retryable: true, retryAfterMs: 86_400_000 },
    undefined,
  ],
])('$0 → retry delay in ms: $2', (_, given, expected) => {
  expect(retryDelayMs(failure(given), 0, longest)).toBe(expected);
});

test('retries that all fail → waits on the given clock, then the last failure as an OcrError', async () => {
  const waited: number[] = [];
  let attempts = 0;
  const clock = {
    now: () => 0,
    monotonicMs: () => 0,
    sleep: async (ms: number) => {
      waited.push(ms);
    },
  };
  const signal = new AbortController().signal;
  const run = withRetries(
    async () => {
      attempts++;
      throw failure({ status: 503, code: `ATTEMPT_${attempts}` });
    },
    { clock, signal, random: longest },
  );
  await expect(run).rejects.toMatchObject({ name: 'OcrError', code: 'ATTEMPT_6' });
  expect(waited).toEqual([500, 1000, 2000, 4000, 8000]);
});

test.each<[string | undefined, string | undefined, number | undefined]>([
  [undefined, undefined, undefined],
  ['0', undefined, 0],
  ['12', undefined, 12_000],
  ['12', 'Thu, 01 Jan 1970 01:00:00 GMT', 12_000],
  ['Thu, 01 Jan 1970 00:01:40 GMT', undefined, 40_000],
  ['Thu, 01 Jan 1970 00:01:40 GMT', 'no date', 40_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', undefined, 0],
  // A server whose clock is an hour ahead of this machine's, and one whose clock is behind.
  ['Thu, 01 Jan 1970 01:00:10 GMT', 'Thu, 01 Jan 1970 01:00:00 GMT', 10_000],
  ['Thu, 01 Jan 1970 00:00:10 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT', 10_000],
  ['soon', undefined, undefined],
])('Retry-After: %s, sent at %s → %s ms', (header, date, expected) => {
  expect(parseRetryAfterMs({ 'retry-after': header, date }, 60_000)).toBe(expected);
});
