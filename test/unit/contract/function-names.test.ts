import { expect, test } from 'vitest';
import { matchFunction } from '../../../src/contract/function-names.js';

const functions = [
  { id: 'TABLE_EXTRACTION', alias: 'tables' },
  { id: 'TEXT_EXTRACTION', alias: 'text' },
  { id: 'TEXT', alias: undefined },
  { id: 'other-form' },
];

test.each([
  ['TEXT_EXTRACTION', 'TEXT_EXTRACTION'],
  ['text-extraction', 'TEXT_EXTRACTION'],
  ['Table_Extraction', 'TABLE_EXTRACTION'],
  ['tables', 'TABLE_EXTRACTION'],
  ['TABLES', 'TABLE_EXTRACTION'],
  ['text', 'TEXT'],
  ['other-form', 'other-form'],
  ['table', undefined],
])('%s → %s', (name, id) => expect(matchFunction(functions, name)?.id).toBe(id));
