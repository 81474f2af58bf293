import { describe, expect, it } from 'vitest';
import type { RawWord } from '../../../src/engine/pdf/raw-word.js';
import { renderMarkdown } from '../../../src/engine/render/markdown.js';
import { tablesOf } from './gfm.js';
import { documentOf, readPage, setLine, setLines } from './set-words.js';

const intro = setLines(
  ['The harbour keeps a list of what comes in and what goes out again, and', 'reads it aloud.'],
  50,
  60,
);
const outro = setLines(['Whoever is there on the first of the month hears what the list has to say.'], 50, 700);
const flat = (y: number, x0 = 50, x1 = 500) => ({ x0, x1, y0: y, y1: y });
const XS = [54, 184, 364];

const render = (words: RawWord[], ys: number[]) =>
  renderMarkdown(documentOf([readPage([...intro, ...words, ...outro], 600, 800, { rules: ys.map((y) => flat(y)) })]));

/** Cells of one row, their lines 12 points apart. */
const setRow = (cells: string[][], y: number) => cells.flatMap((lines, column) => setLines(lines, XS[column] ?? 0, y));

const HEAD = [['Meeting'], ['Who comes'], ['How long']];
const ROWS = [
  [
    ['Weekly council of', 'the harbour about', 'ropes and chains'],
    ['Masters of all ships that', 'lie in the harbour'],
    ['Two hours on the', 'first of a month'],
  ],
  [
    ['Reading of the', 'list and whatever', 'came in late since', 'the last one'],
    ['Whoever happens to be', 'there, and the clerk of', 'the harbour'],
    ['Half an hour'],
  ],
  [
    ['Counting of gulls', 'and other birds'],
    ['The keeper of the light', 'and his neighbours'],
    ['As long as they', 'can be seen'],
  ],
];
const TABLE = [HEAD, ...ROWS].map((row) => row.map((lines) => lines.join(' ')));

/** The rows below each other, with space between them. */
function setTable(space: number): { words: RawWord[]; tops: number[]; end: number } {
  let y = 140;
  const tops: number[] = [];
  const words = ROWS.flatMap((row) => {
    tops.push(y - 10);
    const set = setRow(row, y);
    y += Math.max(...row.map(({ length }) => length)) * 12 + space;
    return set;
  });
  return { words: [...setRow(HEAD, 120), ...words], tops, end: y - 8 - space };
}

describe('tables ruled at their head and end', () => {
  it('have rows where words had room in the line above', () => {
    const { words, end } = setTable(0);
    const markdown = render(words, [108, 126, end]);
    expect(tablesOf(markdown)).toEqual([TABLE]);
    expect(markdown.split('\n\n')).toHaveLength(3);
  });

  it('have rows where wider space parts them', () => {
    const { words, end } = setTable(6);
    expect(tablesOf(render(words, [108, 126, end]))).toEqual([TABLE]);
  });

  it('may have rules between their rows and none above the head', () => {
    const { words, tops, end } = setTable(6);
    expect(tablesOf(render(words, [...tops, end]))).toEqual([TABLE]);
  });

  it('are no programs with a title between rules', () => {
    const words = [
      ...setLine('Algorithm 1: Counting of gulls', 54, 120),
      ...setLines(['repeat', 'look at the next gull', 'until it is dark', 'write the number down'], 54, 140),
    ];
    expect(tablesOf(render(words, [108, 126, 190]))).toEqual([]);
  });

  it('are no columns of text between the rules of the page', () => {
    const column = (x: number, from: number) =>
      setLines(
        Array.from({ length: 30 }, (_, index) => `${TEXT[(index + from) % TEXT.length]}`),
        x,
        140,
      );
    const words = [
      ...setLine('Harbour news', 54, 120),
      ...setLine('May', 480, 120),
      ...column(54, 0),
      ...column(290, 3),
    ];
    const markdown = render(words, [108, 126, 510]);
    expect(tablesOf(markdown)).toEqual([]);
  });
});

const TEXT = [
  'ships come in at the break of the day and go',
  'out when it is dark, and those who look after',
  'them sleep. Nobody has counted the ropes',
  'since the old clerk left, which is why there',
  'are so many of them now.',
  'The new one has begun to count them, but was',
  'called away to the gulls before he was done',
];
