import { expect, test } from 'vitest';
import { findRepeatedName } from '../../../src/contract/repeated-name.js';

test.each([
  ['{"a":1,"b":2}', undefined],
  ['{"a":1,"b":2,"a":3}', 'a'],
  ['{"a":1,"\\u0061" : 2}', 'a'],
  ['{"a":{"b":1},"b":{"a":1,"c":[{"a":1},{"a":2}]}}', undefined],
  ['{"a":{"b":1,"b":2}}', 'b'],
  ['{"a":"a","b":["a","a"],"c":"{\\"d\\":1,\\"d\\":2}"}', undefined],
  ['[]', undefined],
])('%s → repeated name: %s', (json, name) => {
  JSON.parse(json);
  expect(findRepeatedName(json)).toBe(name);
});
