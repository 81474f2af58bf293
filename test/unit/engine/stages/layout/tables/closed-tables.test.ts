import { describe, expect, it } from 'vitest';
import type { Area } from '../../../../../../src/engine/model/geometry.js';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { tablesOf } from '../../../gfm.js';
import { documentOf, readPage, setLine } from '../../../set-words.js';

const MEMBERS = [
  ['No', 'Name', 'Score', 'Club'],
  ['1', 'Abbott', '91.2', 'Bath'],
  ['2', 'Brown', '88.0', 'Bristol'],
  ['3', 'Carter', '7.5', 'Wells'],
];
const TOWNS = [
  ['Town of the county', 'Houses'],
  ['Bath in Avon', '1200'],
  ['Frome in Somerset', '850'],
  ['Wells in Somerset', '410'],
];

const setTable = (rows: readonly string[][], xs: readonly number[], y: number): RawWord[] =>
  rows.flatMap((cells, row) => cells.flatMap((cell, column) => setLine(cell, xs[column] ?? 0, y + row * 12)));
const rule = (y: number, x0: number, x1: number): Area => ({ x0, x1, y0: y, y1: y });
/** Above and below the head, and below the last row. */
const rulesOf = (rows: readonly string[][], y: number, x0: number, x1: number): Area[] =>
  [-9, 3, rows.length * 12 - 9].map((off) => rule(y + off, x0, x1));
const read = (words: readonly RawWord[], rules: readonly Area[]) =>
  tablesOf(renderMarkdown(documentOf([readPage(words, 600, 800, { rules: [...rules] })])));

describe('the last rule of a table', () => {
  const xs = [60, 90, 150, 190];
  const members = setTable(MEMBERS, xs, 100);
  const own = rulesOf(MEMBERS, 100, 58, 230);

  it('a table of other columns below it → two tables', () => {
    const words = [...members, ...setTable(TOWNS, [60, 170], 160)];
    expect(read(words, [...own, ...rulesOf(TOWNS, 160, 58, 205)])).toEqual([MEMBERS, TOWNS]);
  });

  it('a table as wide below it → two tables', () => {
    const words = [...members, ...setTable(TOWNS, [60, 190], 160)];
    expect(read(words, [...own, ...rulesOf(TOWNS, 160, 58, 230)])).toEqual([MEMBERS, TOWNS]);
  });

  it('a mean below it in the columns of the table → the last row', () => {
    const sums = [...setLine('Mean', 90, 160), ...setLine('62.2', 150, 160)];
    expect(read([...members, ...sums], own)).toEqual([[...MEMBERS, ['', 'Mean', '62.2', '']]]);
  });
});
