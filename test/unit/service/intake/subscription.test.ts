import { expect, test } from 'vitest';
import { beginTrial, periodOf, type Subscribed, stateOf } from '../../../../src/service/intake/subscription.js';

const at = (text: string) => Date.parse(text);
const paying: Subscribed = { subscription: 'active', trialStartedAtMs: null, trialEndsAtMs: null };

test.each([
  ['2026-11-20T12:00:00Z', '2026-11', '2026-12-01T00:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', '2026-12', '2027-01-01T00:00:00.000Z'],
  ['2027-01-01T00:00:00Z', '2027-01', '2027-02-01T00:00:00.000Z'],
  ['2028-02-29T00:00:00Z', '2028-02', '2028-03-01T00:00:00.000Z'],
])('%s → the month %s, which ends %s', (now, name, end) => {
  const period = periodOf(paying, at(now));
  expect(period.name).toBe(name);
  expect(new Date(period.endsAtMs).toISOString()).toBe(end);
});

test('a trial → its own period across months, until its end', () => {
  const startedAtMs = at('2026-11-20T12:00:00Z');
  const trial = beginTrial(startedAtMs);
  expect(new Date(trial.endsAtMs).toISOString()).toBe('2026-12-20T12:00:00.000Z');
  const trialing: Subscribed = {
    subscription: 'trialing',
    trialStartedAtMs: trial.startedAtMs,
    trialEndsAtMs: trial.endsAtMs,
  };
  for (const now of [startedAtMs, at('2026-12-05T00:00:00Z'), trial.endsAtMs - 1]) {
    expect(stateOf(trialing, now)).toBe('trialing');
    expect(periodOf(trialing, now)).toEqual({
      name: `trial:${startedAtMs}`,
      startsAtMs: startedAtMs,
      endsAtMs: trial.endsAtMs,
    });
  }
  expect(stateOf(trialing, trial.endsAtMs)).toBe('expired');
  // Once it pays, it counts by the month; the trial's dates mean nothing any more.
  const active: Subscribed = { ...trialing, subscription: 'active' };
  expect(stateOf(active, trial.endsAtMs)).toBe('active');
  expect(periodOf(active, trial.endsAtMs).name).toBe('2026-12');
});
