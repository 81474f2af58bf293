import { expect, test } from 'vitest';
import { checkRate, describeRate, type Rate } from '../../../../src/service/intake/check-access.js';
import type { Plan } from '../../../../src/store/plans.js';

const plan = { name: 'STARTER', requestsPerWindow: 3 } as Plan;
const rateOf = (count: number, remainingMs = 1_500): Rate => ({
  limit: plan.requestsPerWindow,
  use: { count, remainingMs: () => remainingMs },
});

test('the last call within the limit → admitted with 0 remaining; the next one → RATE_LIMITED', () => {
  expect(() => checkRate(rateOf(3), plan, 60_000)).not.toThrow();
  expect(describeRate(rateOf(3))).toMatchObject({ 'ratelimit-remaining': '0' });
  expect(() => checkRate(rateOf(4), plan, 60_000)).toThrow('The plan STARTER allows 3 calls in 60 s: try again in 2 s');
  expect(describeRate(rateOf(4))).toEqual({
    'ratelimit-limit': '3',
    'ratelimit-remaining': '0',
    'ratelimit-reset': '2',
  });
});

test('a window that ends in this moment → Retry-After of 1 s', () => {
  expect(() => checkRate(rateOf(4, 0), plan, 60_000)).toThrow(
    expect.objectContaining({ code: 'RATE_LIMITED', headers: { 'retry-after': '1' } }),
  );
});
