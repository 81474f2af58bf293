import { expect, it } from 'vitest';
import type { Area } from '../../../../../src/engine/model/geometry.js';
import { renderText } from '../../../../../src/engine/stages/render/text.js';
import type { RawWord } from '../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { documentOf, readPage, setLine } from '../../set-words.js';

const wordsOf = (words: RawWord[], height: number, rules: Area[]): string[] =>
  renderText(documentOf([readPage(words, 6000, height, { rules })]))
    .split(/\s+/)
    .filter(Boolean)
    .sort();

const textsOf = (words: readonly RawWord[]): string[] => words.map(({ text }) => text).sort();

it('every other row a possible table head → all words', () => {
  const words = Array.from({ length: 1500 }, (_, row) => {
    const [bold, step] = row % 2 === 1 ? [true, 200] : [false, 220 + (row % 7) * 15];
    return [0, 1, 2, 3].flatMap((cell) => setLine(`text${cell}`, 60 + cell * step, 60 + row * 14, { bold }));
  }).flat();
  expect(wordsOf(words, 22_000, [])).toEqual(textsOf(words));
});
