import { describe, expect, test } from 'vitest';
import { LANGUAGES, nameOfLanguage, parseLanguages, toLanguageCode } from '../../../src/contract/languages.js';

describe('toLanguageCode', () => {
  test.each([
    ['deu', 'deu'],
    ['DEU', 'deu'],
    ['de', 'deu'],
    ['ger', 'deu'],
    ['German', 'deu'],
    ['en', 'eng'],
    ['fre', 'fra'],
    ['zh', 'chi_sim'],
    ['chi_tra', 'chi_tra'],
    ['nb', 'nor'],
    ['no', 'nor'],
    ['xx', undefined],
    ['my_own_data', undefined],
  ])('%s → %s', (word, code) => expect(toLanguageCode(word)).toBe(code));

  test('every code of ISO 639-1 in the table → the code that Unicode has for the language', () => {
    for (const { code } of LANGUAGES) {
      if (!/^[a-z]{3}$/.test(code)) continue;
      const twoLetters = new Intl.Locale(code).language;
      if (twoLetters.length === 2) expect(toLanguageCode(twoLetters)).toBe(code);
    }
  });
});

test('LANGUAGES → sorted, each code once, each with a name', () => {
  const codes = LANGUAGES.map(({ code }) => code);
  expect(codes).toEqual([...new Set(codes)].sort());
  for (const { code, name } of LANGUAGES) {
    expect(code).toMatch(/^[a-z]{3}(?:_[a-z]+)*$/);
    expect(name).toMatch(/^[A-Z][A-Za-z ]+(?:\([A-Za-z, ]+\))?$/);
  }
  expect(nameOfLanguage('deu')).toBe('German');
  expect(nameOfLanguage('own')).toBe('own');
});

test('a list → codes, each once, other words as they are', () => {
  expect(parseLanguages('deu+eng')).toEqual(['deu', 'eng']);
  expect(parseLanguages('de, en,de')).toEqual(['deu', 'eng']);
  expect(parseLanguages('ours+fr')).toEqual(['ours', 'fra']);
});
