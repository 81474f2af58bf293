import { expect, test } from 'vitest';
import { textExtraction } from '../../../../dist/functions/text-extraction.js';
import { listFields } from '../../../../dist/service/portal/pages/try-it/argument-fields.js';
import { readArguments } from '../../../../dist/service/portal/pages/try-it/read-arguments.js';

/** A function with an argument of each kind; those of today have no numbers. */
const target = {
  ...textExtraction,
  id: 'EVERY_KIND',
  argsSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: {
      name: { type: 'string', maxLength: 5, description: 'A name.', examples: ['abc'] },
      turn: { type: 'integer', enum: [0, 90, 180], default: 0, description: 'Degrees.' },
      quality: { type: 'number', minimum: 0, maximum: 1, default: 0.5, description: 'From 0 to 1.' },
      copies: { type: 'integer', minimum: 1, description: 'How many.', examples: [2] },
      fullColour: { type: 'boolean', default: true, description: 'In colour.' },
      marginsMm: { type: 'array', items: { type: 'number' }, maxItems: 2, uniqueItems: true, description: 'Margins.' },
      sides: { type: 'array', items: { type: 'string', enum: ['front', 'back'] }, description: 'Sides.' },
      password: { type: 'string', writeOnly: true, description: 'Secret.' },
    },
  },
};
const read = (fields: Record<string, string | string[]>) =>
  readArguments(
    target,
    new URLSearchParams(
      Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value) => [`arg-${name}`, value])),
    ),
  );

test('each kind of argument → its kind of field', () => {
  expect(listFields(target.argsSchema).map(({ name, kind, label }) => [name, kind, label])).toEqual([
    ['name', 'text', 'Name'],
    ['turn', 'choice', 'Turn'],
    ['quality', 'number', 'Quality'],
    ['copies', 'number', 'Copies'],
    ['fullColour', 'switch', 'Full colour'],
    ['marginsMm', 'list', 'Margins mm'],
    ['sides', 'checks', 'Sides'],
    ['password', 'text', 'Password'],
  ]);
});

test('what is typed → values of their types; what is as by default is left out', () => {
  expect(
    read({
      name: ' ab ',
      turn: '90',
      quality: '0.25',
      copies: '3',
      marginsMm: '4, 5.5',
      sides: ['front', 'back'],
      password: ' p w ',
    }),
  ).toMatchObject({
    args: {
      name: 'ab',
      turn: 90,
      quality: 0.25,
      copies: 3,
      fullColour: false,
      marginsMm: [4, 5.5],
      sides: ['front', 'back'],
      password: ' p w ',
    },
    errors: [],
  });
  expect(read({ name: '', turn: '0', quality: '0.5', fullColour: 'true', marginsMm: ' , ' }).args).toEqual({});
});

test.each([
  ['quality', 'many', 'Quality is a number'],
  ['quality', '2', 'Quality is at most 1'],
  ['copies', '1.5', 'Copies is a whole number, such as 2'],
  ['copies', '0', 'Copies is at least 1'],
  ['turn', '45', 'Turn is one of: 0, 90, 180'],
  ['name', 'abcdef', 'Name has at most 5 characters'],
  ['marginsMm', '1, 2, 3', 'Margins mm has at most 2 values'],
  ['marginsMm', '1, 1', 'Margins mm names a value twice'],
  ['sides', 'top', 'Sides is one of: front, back'],
])('%s as "%s" → "%s" beside its field', (name, typed, message) => {
  const { errors, args } = read({ [name]: typed, fullColour: 'true' });
  expect(errors).toEqual([{ field: `arg-${name}`, message }]);
  expect(args).toEqual({});
});
