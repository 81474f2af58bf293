import { expect, test } from 'vitest';
import { parseAssignment, typeValue, withoutSecrets } from '../../../../src/api/catalog/arguments.js';

const SCHEMA = {
  additionalProperties: false,
  properties: {
    format: { type: 'string', enum: ['text', 'markdown'] },
    pages: { type: 'string' },
    dpi: { type: 'integer' },
    scale: { type: 'number' },
    ocr: { type: 'boolean' },
    languages: { type: 'array', items: { type: 'string' } },
    numbers: { type: 'array', items: { type: 'integer' } },
    box: { type: 'object' },
    pin: { type: 'string', writeOnly: true },
  },
};

test.each<[string, string, unknown]>([
  ['pages', '1', '1'],
  ['pages', 'true', 'true'],
  ['dpi', '300', 300],
  ['scale', '1.5', 1.5],
  ['ocr', 'false', false],
  ['languages', 'en,de', ['en', 'de']],
  ['languages', '["en"]', ['en']],
  ['languages', '', []],
  ['numbers', '1,2', [1, 2]],
  ['box', '{"x":1}', { x: 1 }],
])('%s=%s → a value of the type that its schema names', (name, text, expected) => {
  expect(typeValue(name, text, SCHEMA)).toEqual(expected);
});

test.each([
  ['dpi', '1.5'],
  ['dpi', ''],
  ['scale', 'big'],
  ['ocr', 'yes'],
  ['numbers', '1,x'],
  ['languages', '["en'],
  ['box', 'x'],
])('%s=%s, which its schema does not allow → USAGE', (name, text) => {
  expect(() => typeValue(name, text, SCHEMA)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test.each<[string, unknown]>([
  ['1', 1],
  ['true', true],
  ['[1]', [1]],
  ['1-3', '1-3'],
  ['text', 'text'],
])('%s without a schema → parsed as JSON; text that is no JSON → itself', (text, expected) => {
  expect(typeValue('any', text, undefined)).toEqual(expected);
});

test('secret arguments, and passwords without a schema → null; other arguments → unchanged', () => {
  expect(withoutSecrets({ pin: '1', pages: '2', password: '3' }, SCHEMA)).toEqual({
    pin: null,
    pages: '2',
    password: null,
  });
  expect(withoutSecrets({ password: '3' }, undefined)).toEqual({ password: null });
});

test('an assignment → split at its first equals sign; an empty name → USAGE', () => {
  expect(parseAssignment('a=b=c')).toEqual({ name: 'a', value: 'b=c' });
  expect(parseAssignment('a=')).toEqual({ name: 'a', value: '' });
  expect(parseAssignment('password')).toEqual({ name: 'password', value: undefined });
  expect(() => parseAssignment('=x')).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
