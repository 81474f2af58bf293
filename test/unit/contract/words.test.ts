import { expect, test } from 'vitest';
import { formatDuration, parseDurationMs } from '../../../src/contract/duration.js';
import { suggest } from '../../../src/contract/suggest.js';

test.each<[string, number | undefined]>([
  ['300', 300_000],
  ['300s', 300_000],
  ['0', 0],
  ['1.5s', 1_500],
  ['500ms', 500],
  ['5m', 300_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
  ['', undefined],
  ['-1', undefined],
  ['5 minutes', undefined],
  ['1e3', undefined],
])('the duration "%s" → %s ms', (text, expected) => {
  expect(parseDurationMs(text)).toBe(expected);
});

test.each([
  [5, '5 ms'],
  [1_500, '1.5 s'],
  [119_000, '119 s'],
  [300_000, '5 min'],
  [7_140_000, '119 min'],
  [86_400_000, '24 h'],
  [608_580_000, '7 days'],
])('%i ms → "%s"', (ms, expected) => {
  expect(formatDuration(ms)).toBe(expected);
});

test.each<[string, string | undefined]>([
  ['markdwon', 'markdown'],
  ['MARKDOWN', 'markdown'],
  ['txt', 'text'],
  ['pgaes', 'pages'],
  ['xyz', undefined],
  ['', undefined],
])('the word "%s" → the suggestion %s', (word, expected) => {
  expect(suggest(word, ['markdown', 'text', 'pages'])).toBe(expected);
});
