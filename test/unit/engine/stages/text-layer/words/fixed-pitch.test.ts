import { expect, it } from 'vitest';
import { markFixedPitch } from '../../../../../../src/engine/stages/text-layer/words/fixed-pitch.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { fragmentsOf, setLine } from '../../../set-words.js';

const TEXT = 'oil will make it warm while little lamps tell time';
const isMonospaced = (words: RawWord[]): boolean => {
  markFixedPitch(words);
  return words.every(({ monospaced }) => monospaced);
};

it("narrow letters as wide as wide ones, whatever the font's name → monospaced", () => {
  expect(isMonospaced(setLine(TEXT, 60, 100, { face: 1 }))).toBe(true);
  expect(isMonospaced(setLine(TEXT, 60, 100))).toBe(false);
});

it('one width for figures or ideographs, or little text → not monospaced', () => {
  expect(isMonospaced(setLine('1 22 333 4444 5 66 777 8888 9 0', 60, 100, { face: 1 }))).toBe(false);
  expect(isMonospaced(setLine('it will warm', 60, 100, { face: 1 }))).toBe(false);
  const narrow = setLine(TEXT, 60, 100, { face: 1 });
  for (const word of narrow) if (/[il]/.test(word.text)) word.x1 -= 2;
  expect(isMonospaced(narrow)).toBe(false);
});

it('a font flagged as monospaced with letters of unequal width → not monospaced', () => {
  const flagged = (change: (word: RawWord, index: number) => void) => {
    const words = setLine(TEXT, 60, 100, { face: 1, monospaced: true });
    words.forEach(change);
    return isMonospaced(words);
  };
  expect(flagged(() => undefined)).toBe(true);
  const setByLetters = (word: RawWord) => {
    const widths = [...word.text].map((letter) => (/[ijlt]/.test(letter) ? 3 : /[mw]/.test(letter) ? 8 : 5));
    word.x1 = word.x0 + widths.reduce((sum, width) => sum + width, 0);
  };
  expect(flagged(setByLetters)).toBe(false);
  const withIdeographs = (word: RawWord, index: number) => {
    if (index % 3 === 1) Object.assign(word, { text: 'a燈', x1: word.x0 + 15 });
    if (index % 3 === 2) Object.assign(word, { text: '燈火', x1: word.x0 + 20 });
  };
  expect(flagged(withIdeographs)).toBe(true);
});

it('two spaces of fixed pitch → no column gap', () => {
  const log = (monospaced: boolean) => {
    const style = { monospaced };
    return fragmentsOf([...setLine('INFO', 60, 100, style), ...setLine('lamp lit', 92, 100, style)]);
  };
  expect(log(true)).toHaveLength(1);
  expect(log(false)).toHaveLength(2);
});
