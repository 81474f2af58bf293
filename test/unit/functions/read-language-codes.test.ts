import { expect, test } from 'vitest';
import { readLanguageCodes } from '../../../src/functions/read-language-codes.js';

const native = { program: 'tesseract', version: '5', languages: ['chi_sim', 'deu', 'eng', 'fast', 'xx'] };

test.each([
  [['de'], ['deu']],
  [
    ['eng', 'German'],
    ['eng', 'deu'],
  ],
  [
    ['de', 'en', 'deu'],
    ['deu', 'eng'],
  ],
  [['French'], ['fra']],
  [['chi_sim'], ['chi_sim']],
  // Data of somebody's own may have any name.
  [
    ['fast', 'xx'],
    ['fast', 'xx'],
  ],
  [['klingon'], ['klingon']],
  [['xyz'], ['xyz']],
])('%j → %j', (languages, codes) => expect(readLanguageCodes(languages, native)).toEqual(codes));

test('two letters that name no language → an error', () => {
  expect(() => readLanguageCodes(['eng', 'qq'], native)).toThrow(
    /^"qq" is the code of no language that can be read; installed: chi_sim, deu, eng/,
  );
});
