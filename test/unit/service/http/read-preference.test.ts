import { expect, test } from 'vitest';
import { readPreference } from '../../../../src/service/http/read-preference.js';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['respond-async', undefined],
  ['waiting=5', undefined],
  ['wait', ''],
  ['wait=5', '5'],
  ['Wait = "5"', '5'],
  ['respond-async, wait=5', '5'],
  ['wait=5; q=1', '5'],
  ['wait=5, wait=6', '5'],
  [['respond-async', 'wait=5'], '5'],
])('Prefer: %j → wait %j', (prefer, value) => {
  expect(readPreference(prefer === undefined ? {} : { prefer: prefer as string }, 'wait')).toBe(value);
});
