import { describe, expect, it } from 'vitest';
import type { Area } from '../../../../../src/engine/model/geometry.js';
import { renderText } from '../../../../../src/engine/stages/render/text.js';
import type { RawWord } from '../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { documentOf, readPage, setLine, setLines } from '../../set-words.js';

const frame = (x0: number, y0: number, x1: number, y1: number): Area[] => [
  { x0, y0, x1, y1: y0 },
  { x0, y0: y1, x1, y1 },
  { x0, y0, x1: x0, y1 },
  { x0: x1, y0, x1, y1 },
];

const wordsOf = (words: RawWord[], height: number, rules: Area[]): string[] =>
  renderText(documentOf([readPage(words, 6000, height, { rules })]))
    .split(/\s+/)
    .filter(Boolean)
    .sort();

const textsOf = (words: readonly RawWord[]): string[] => words.map(({ text }) => text).sort();

// Work that grows with the square of such pages does not end before the test does.
describe('a page with very many words or rules', () => {
  it('very many words in one frame → all words', () => {
    const line = Array.from({ length: 50 }, (_, index) => `word${index}`).join(' ');
    const words = setLines(
      Array.from({ length: 800 }, () => line),
      50,
      100,
    );
    expect(wordsOf(words, 10_000, frame(40, 80, 5900, 9_900))).toEqual(textsOf(words));
  });

  it('very many words in boxes far apart → all words', () => {
    const places = Array.from({ length: 2500 }, (_, index) => [
      60 + (index % 10) * 180,
      60 + Math.floor(index / 10) * 60,
    ]);
    const words = places.flatMap(([x = 0, y = 0], index) => [
      ...setLine(`upper${index}`, x, y),
      ...setLine(`lower${index}`, x, y + 12),
    ]);
    const rules = places.flatMap(([x = 0, y = 0]) => frame(x - 4, y - 12, x + 90, y + 18));
    expect(wordsOf(words, 25_000, rules)).toEqual(textsOf(words));
  });
});
