import { expect, it } from 'vitest';
import { readGlyphs } from '../../../../../support/read-glyphs.js';

const LETTERS = 'abdehlortuwABCDEF';
const SIZE = 20;

/** Shows each letter as browsers do, by itself, `gap` ems behind the one before it; a space is as wide as the gap and half an em. */
const read = (line: string, gap: number): Promise<string[]> => {
  const codes = [...LETTERS].map((letter, index) => [String.fromCharCode(65 + index), letter] as const);
  const codeOf = new Map(codes.map(([code, letter]) => [letter, code]));
  let skipped = 0;
  const shown = [...line].flatMap((letter, index) => {
    const code = codeOf.get(letter);
    if (code === undefined) {
      skipped += (0.5 + gap) * SIZE;
      return [];
    }
    const step = index === 0 ? 0 : (0.5 + gap) * SIZE + skipped;
    skipped = 0;
    return [`${step.toFixed(2)} 0 Td (${code}) Tj`];
  });
  return readGlyphs(shown.join(' '), Object.fromEntries(codes), Array(codes.length).fill(500));
};

it.each([0.1, 0.17, 0.3, 0.5])('letters of two words, spaced out by %d em → two words', async (gap) => {
  expect(await read('harbour boat', gap)).toEqual(['harbour', 'boat']);
});

it('one word whose letters are as far apart as words → one word', async () => {
  expect(await read('bordure', 0.3)).toEqual(['bordure']);
});

it.each([
  ['an enumeration', 'ABCDEF'],
  ['marks of a row, of which few differ', 'dedded'],
  ['four letters', 'lode'],
  ['the letters of a font', 'aAbBdD'],
])('%s, as far apart as words → words of one letter', async (_, line) => {
  expect(await read(line, 0.3)).toEqual([...line]);
});
