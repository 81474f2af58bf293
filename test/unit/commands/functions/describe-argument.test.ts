import { expect, test } from 'vitest';
import { describeArgument } from '../../../../src/commands/functions/describe-argument.js';

test.each<[unknown, string, string, string]>([
  [{ type: 'string', enum: ['a', 'b'], default: 'a', examples: ['b'] }, 'a | b', 'a', '-a x=b'],
  [{ type: 'integer', minimum: 50, maximum: 600, default: 300 }, 'whole number ≥ 50 ≤ 600', '300', ''],
  [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 'number > 0 < 1', '', ''],
  [{ type: 'boolean', default: false }, 'true | false', 'false', ''],
  [{ type: 'array', items: { enum: ['a', 'b'] }, examples: [['a', 'b']] }, 'list of a | b', '', '-a x=a,b'],
  [{ type: 'array', examples: [['a,b']] }, 'list of any', '', `-a x='["a,b"]'`],
  [{ type: 'object', examples: [{ left: 1 }] }, 'object', '', `-a x='{"left":1}'`],
  [{ type: 'string', examples: ["it's"] }, 'text', '', `-a x='it'\\''s'`],
  [{ type: 'string', writeOnly: true, examples: ['hunter2'] }, 'secret', '', '-a x'],
  [{ type: ['string', 'null'] }, 'text | null', '', ''],
  [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, 'text | whole number', '', ''],
  [{ const: 1 }, '1', '', ''],
  [true, 'any', '', ''],
  [null, 'any', '', ''],
])('%j → %s', (schema, type, initial, example) => {
  expect(describeArgument('x', schema, false)).toEqual(['x', type, initial, example, { prose: '' }]);
});

test('a required, deprecated argument → its description says both', () => {
  const schema = { type: 'string', description: 'Once of use.', deprecated: true };
  expect(describeArgument('x', schema, true).at(-1)).toEqual({ prose: 'Once of use. (required) (deprecated)' });
});
