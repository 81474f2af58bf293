import { expect, test } from 'vitest';
import { checkLanguageCodes } from '../../../src/functions/check-language-codes.js';

const native = { program: 'tesseract', version: '5', languages: ['chi_sim', 'deu', 'eng', 'fast', 'xx'] };
const check = (...languages: string[]) => checkLanguageCodes(languages, native);

test.each([
  [['de'], 'the language "de" is called deu here'],
  [['eng', 'German'], 'the language "German" is called deu here'],
  [['en'], 'the language "en" is called eng here'],
  [['tlh', 'eo'], /^languages have codes of three letters, not "eo"; installed: chi_sim, deu, eng/],
  [['French'], /^languages have codes of three letters, not "French"; installed: /],
])('%j → an error', (languages, message) => {
  expect(() => check(...languages)).toThrow(message);
});

test.each([[['deu', 'eng']], [['chi_sim']], [['fast']], [['xx']], [['klingon']], [['xyz']]])(
  '%j → left to the engine',
  (languages) => {
    expect(() => check(...languages)).not.toThrow();
  },
);
