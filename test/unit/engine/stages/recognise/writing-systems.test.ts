import { describe, expect, it } from 'vitest';
import { findUnreadable, isLatin } from '../../../../../src/engine/stages/recognise/writing-systems.js';

it.each([
  [['eng'], true],
  [['deu', 'srp_latn'], true],
  [['eng', 'rus'], false],
  [['jpn_vert'], false],
  // A user's own model, and Tesseract's model of a whole script.
  [['Cyrillic'], false],
])('%j → in Latin letters: %s', (languages, expected) => {
  expect(isLatin(languages)).toBe(expected);
});

describe('findUnreadable', () => {
  it.each([
    ['English', 'Uninstall the program', ['rus']],
    ['Russian, if one of the languages is Cyrillic', 'Удалите программу', ['eng', 'bul']],
    ['Chinese, by a Japanese model', '删除程序安装', ['jpn']],
    ['upright lines', '削除について', ['jpn_vert']],
    ['English with a Greek word', 'the word λόγος means reason and more', ['eng']],
    ['signs of a formula', 'αβγ', ['eng']],
    ['text of a wrong font map', 'кбд ბგდ กขค あいう אבג', ['eng']],
    ['a script that somebody’s own model may read', 'Удалите программу', ['Cyrillic']],
    ['nothing', '', ['eng']],
  ])('%s → readable', (_, text, languages) => {
    expect(findUnreadable(text, languages)).toBeUndefined();
  });

  it.each([
    ['Japanese', 'の削除・インストールについて (Java)', ['eng'], 'jpn'],
    ['Japanese', 'の削除・インストールについて', ['chi_sim', 'eng'], 'jpn'],
    ['Chinese', '删除程序安装', ['eng', 'deu'], 'chi_sim'],
    ['Korean', '프로그램 제거', ['jpn'], 'kor'],
    ['Cyrillic', 'Удалите программу', ['eng', 'srp_latn'], 'rus'],
    ['Devanagari', 'पुस्तकालय वर्ष में', ['eng'], 'hin'],
    ['Arabic', 'إزالة البرنامج', ['heb'], 'ara'],
  ])('%s: %s in %s → unreadable', (name, text, languages, language) => {
    expect(findUnreadable(text, languages)).toEqual({ name, language });
  });
});
