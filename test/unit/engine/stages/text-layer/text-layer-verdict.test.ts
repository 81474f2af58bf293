import { describe, expect, it } from 'vitest';
import { judgeTextLayer, mayHoldText } from '../../../../../src/engine/stages/text-layer/text-layer-verdict.js';

const NO_INK = { imageCoverage: 0, paths: 0 };
const layer = (text: string, more: object = {}) => {
  const words = text.split(' ').map((word) => ({ text: word }));
  return { words, glyphs: text.replaceAll(' ', '').length, unmapped: 0, lost: 0, offPage: 0, ...more };
};
const byCode = (text: string) =>
  Array.from({ length: 128 }, (_, code) => [...text].filter((letter) => letter.charCodeAt(0) === code).length);
const ENGLISH =
  'The library opened on three hundred days and welcomed more visitors than in any year since it was built';
const shift = (text: string) =>
  text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 11) % 26) + 97));

describe('judgeTextLayer', () => {
  it.each([
    ['English', ENGLISH],
    [
      'German',
      'Die Bücherei war an dreihundert Tagen geöffnet und begrüßte mehr Besucher als in jedem Jahr seit dem Neubau',
    ],
    [
      'Polish',
      'Biblioteka była otwarta przez trzysta dni i przyjęła więcej gości niż w którymkolwiek roku od czasu budowy',
    ],
    [
      'Finnish',
      'Kirjasto oli avoinna kolmesataa päivää ja otti vastaan enemmän kävijöitä kuin minään muuna vuonna ennen sitä',
    ],
    ['Chinese', '图书馆全年开放三百天接待的读者比新馆建成以来的任何一年都多而且冬天的下午阅览室总是坐满了人'],
    ['Greek', 'Η βιβλιοθήκη ήταν ανοιχτή τριακόσιες ημέρες και δέχτηκε περισσότερους επισκέπτες από κάθε άλλη χρονιά'],
    [
      'Hindi among English names',
      `${'पुस्तकालय वर्ष में तीन सौ दिन खुला रहा और पहले से अधिक लोग आए '.repeat(4)} ${'xml https www pdfbox '.repeat(5)}`,
    ],
    ['a table of numbers', '1,024 +2.5% 17 (3) -9 4.4 $12 88% 1/2 3.14 42 17:30 2024-01-01 #5'],
    ['codes that are plainly the characters', ENGLISH, { unmapped: 85, byCode: byCode(ENGLISH) }],
    ['signs without characters among words', Array(3).fill(ENGLISH).join(' '), { unmapped: 70, lost: 15 }],
    ['a text on PDF', `${ENGLISH} (and) Tj 11.4 0 Td (so)Tj`],
    ['a drawing that says the same over and over', Array(40).fill('3x3 conv, 64 max pool, /2').join(' ')],
    ['a contents page', 'Introduction ................ 1 Methods ................ 17 Results ................ 42'],
  ])('%s → trusted', (_, text, more: object = {}) => {
    expect(judgeTextLayer(layer(text, more), NO_INK)).toEqual({ verdict: 'trusted', reasons: [] });
  });

  it.each([
    [
      'words without characters among others',
      layer(Array(3).fill(ENGLISH).join(' '), { unmapped: 70, lost: 60 }),
      'glyphs without characters',
    ],
    [
      'more signs without characters than letters',
      layer(Array(3).fill(ENGLISH).join(' '), { unmapped: 160, lost: 15 }),
      'glyphs without characters',
    ],
    ['unmapped glyphs', layer(ENGLISH, { unmapped: 40 }), 'glyphs without characters'],
    [
      'codes that make no language',
      layer(ENGLISH, { unmapped: 85, byCode: byCode(shift(ENGLISH)) }),
      'glyphs without characters',
    ],
    ['shuffled letters', layer(shift(ENGLISH)), 'letters that make no words'],
    ['no spaces', layer(Array(6).fill(ENGLISH.replaceAll(' ', '')).join(' ')), 'no word spaces'],
    ['signs for letters', layer('"7+%- !#$ %&/()'), 'symbols where letters should be'],
    ['private-use characters', layer('\ue001\ue002\ue003\ue004 \ue005\ue006'), 'symbols where letters should be'],
    [
      'operators',
      layer(`${ENGLISH} (and)Tj -200.031 -12 Td (Plattner)Tj 30.45 0 Td (.)Tj`),
      'operators of the page as its text',
    ],
    ['text off the page', { words: [], glyphs: 300, unmapped: 0, lost: 0, offPage: 300 }, 'text off the page'],
  ])('%s → suspect', (_, facts, reason) => {
    expect(judgeTextLayer(facts, NO_INK)).toEqual({ verdict: 'suspect', reasons: [reason] });
  });

  it('a stamp on a scan → suspect; a scan with a text layer → trusted', () => {
    const scan = { imageCoverage: 1, paths: 0 };
    expect(judgeTextLayer(layer('Received 3 May'), scan).verdict).toBe('suspect');
    expect(judgeTextLayer(layer(ENGLISH), scan).verdict).toBe('trusted');
  });

  it('text typed onto the page → no part of the verdict', () => {
    const scan = { imageCoverage: 1, paths: 0 };
    expect(judgeTextLayer(layer(ENGLISH, { own: 0 }), scan).verdict).toBe('absent');
    expect(judgeTextLayer(layer(ENGLISH, { own: 12 }), scan).verdict).toBe('suspect');
    expect(judgeTextLayer(layer(ENGLISH, { own: 12 }), NO_INK).verdict).toBe('trusted');
  });

  it('a page without glyphs → absent', () => {
    expect(judgeTextLayer(layer('', { words: [] }), NO_INK).verdict).toBe('absent');
  });
});

describe('mayHoldText', () => {
  it('pictures and outlines → true; an empty page or a few rules → false', () => {
    expect(mayHoldText({ imageCoverage: 0.2, paths: 0 })).toBe(true);
    expect(mayHoldText({ imageCoverage: 0, paths: 900 })).toBe(true);
    expect(mayHoldText({ imageCoverage: 0, paths: 4 })).toBe(false);
  });
});
