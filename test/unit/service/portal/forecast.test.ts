import { expect, test } from 'vitest';
import { forecast } from '../../../../dist/service/portal/pages/overview/forecast.js';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 10, 12);
const endsAtMs = Date.UTC(2026, 11, 1);

test.each([
  ['no limit → unlimited', { used: 5, limit: undefined }, 5, 7, { is: 'unlimited' }],
  ['all used → used up', { used: 100, limit: 100 }, 5, 7, { is: 'used-up' }],
  ['no documents of late → idle', { used: 5, limit: 100 }, 0, 7, { is: 'idle' }],
  ['slow enough → enough', { used: 50, limit: 100 }, 14, 7, { is: 'enough', perDay: 2 }],
  ['too quick → the time', { used: 50, limit: 100 }, 70, 7, { is: 'exhausted', perDay: 10, atMs: NOW + 5 * DAY_MS }],
  [
    'the first hour → counts as a day',
    { used: 20, limit: 60 },
    20,
    1 / 24,
    { is: 'exhausted', perDay: 20, atMs: NOW + 2 * DAY_MS },
  ],
  ['just the end of the period → enough', { used: 0, limit: 205 }, 70, 7, { is: 'enough', perDay: 10 }],
] as const)('%s', (_, allowance, documents, days, expected) => {
  expect(forecast({ ...allowance, endsAtMs }, { documents, elapsedMs: days * DAY_MS }, NOW)).toEqual(expected);
});
