import { describe, expect, it } from 'vitest';
import type { Area } from '../../../../../../src/engine/model/geometry.js';
import { tableEndsAbove } from '../../../../../../src/engine/stages/layout/tables/closed-tables.js';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { tablesOf } from '../../../gfm.js';
import { documentOf, linesOf, readPage, setLine } from '../../../set-words.js';

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

describe('a paragraph between two tables', () => {
  const xs = [60, 90, 150, 190];
  const note = 'They met in the hall.';
  /** The tables and the paragraphs, with the text at `x`, so far above and below it, in points. */
  const parts = (text: string, x: number, [above, below]: readonly [number, number]) => {
    const y = 100 + (MEMBERS.length - 1) * 12 + above;
    const words = [...setTable(MEMBERS, xs, 100), ...setLine(text, x, y), ...setTable(TOWNS, [60, 170], y + below)];
    return renderMarkdown(documentOf([readPage(words, 600, 800, { rules: [] })]));
  };

  it('wider space above and below it than between the rows → no row', () => {
    const markdown = parts(note, 60, [20, 20]);
    expect(tablesOf(markdown)).toEqual([MEMBERS, TOWNS]);
    expect(markdown).toContain(`\n\n${note}\n\n`);
  });

  it('no wider space, but further left than the rows → no row', () => {
    const markdown = parts(note, 54, [12, 12]);
    expect(tablesOf(markdown)).toEqual([MEMBERS, TOWNS]);
    expect(markdown).toContain(`\n\n${note}\n\n`);
  });

  it('as close and as far left as the rows, or no sentence → the title of a section', () => {
    expect(tablesOf(parts(note, 60, [12, 12]))).toHaveLength(1);
    expect(tablesOf(parts('Houses of the County.', 54, [12, 12]))).toHaveLength(1);
    expect(tablesOf(parts('The towns of the county', 60, [14, 14]))).toHaveLength(1);
  });
});

interface Row {
  texts: readonly string[];
  xs?: readonly number[];
  bold?: boolean;
}

const NO_RULES = { horizontal: [], vertical: [] };

/** The row above which the table ends that begins at row `from`; -1 where it ends above none. */
function endOf(rows: readonly Row[], from = 0): number {
  const words = rows.flatMap(({ texts, xs = [60, 150, 240, 330], bold = false }, row) =>
    texts.flatMap((text, cell) => setLine(text, xs[cell] ?? 0, 100 + row * 14, { bold })),
  );
  const lines = linesOf(words);
  return lines.findIndex((_, index) => index > from && tableEndsAbove(lines, from, index, 14, NO_RULES));
}

describe('the bold head of another table', () => {
  const wide = [60, 300];
  const addresses: Row[] = [
    { texts: ['Anna Albrecht', 'Bruno Castelli'], xs: wide },
    { texts: ['75661 Graz with a long name', '10115 Turin'], xs: wide },
  ];
  const head: Row = { texts: ['Goods', 'Count', 'Price', 'Amount'], bold: true };
  const goods: Row[] = [{ texts: ['Rope', '2', '5.00', '10.00'] }, { texts: ['Salt', '4', '1.00', '4.00'] }];

  it('rows of other columns below it → the table ends above it', () => {
    expect(endOf([...addresses, head, ...goods])).toBe(2);
  });

  it('two cells → no head', () => {
    const pair = (row: Row): Row => ({ ...row, texts: row.texts.slice(0, 2), xs: [60, 180] });
    expect(endOf([...addresses, pair(head), ...goods.map(pair)])).toBe(-1);
  });

  it('five narrow columns above three wide ones → a head; with such wide ones further up → none', () => {
    const figures: Row = { texts: ['a', 'b', 'c', 'd', 'e'], xs: [60, 110, 160, 210, 260] };
    const words = (row: Row): Row => ({
      ...row,
      texts: ['Ropes and their coils', 'Yards of them', 'Sum'],
      xs: [60, 175, 330],
    });
    const rows = [...goods.map(words), figures, figures, words(head), ...goods.map(words)];
    expect(endOf(rows)).toBe(-1);
    expect(endOf(rows, 2)).toBe(4);
  });

  it('other bold lines above it, or a single line → no head', () => {
    const over: Row = { texts: ['What is sold to the ships', 'What they pay'], xs: [60, 240], bold: true };
    expect(endOf([over, over, head, ...goods])).toBe(-1);
    expect(endOf([{ ...over, bold: false }, head, ...goods])).toBe(-1);
  });

  it('figures, as a sum has them → no head', () => {
    expect(endOf([...addresses, { texts: ['Sum', '6', '6.00', '14.00'], bold: true }, ...goods])).toBe(-1);
  });
});
