import { describe, expect, it, vi } from 'vitest';
import type { PageLine } from '../../../../../../src/engine/model/page.js';
import { createHeadSearch } from '../../../../../../src/engine/stages/layout/tables/tabular-lines.js';
import { linesOf, setLine } from '../../../set-words.js';

interface Row {
  texts: readonly string[];
  xs?: readonly number[];
  bold?: boolean;
}

const setRows = (rows: readonly Row[]): PageLine[] =>
  linesOf(
    rows.flatMap(({ texts, xs = [60, 150, 240, 330], bold = false }, row) =>
      texts.flatMap((text, cell) => setLine(text, xs[cell] ?? 0, 100 + row * 14, { bold })),
    ),
  );

const WIDE = [60, 300];
const ADDRESSES: Row[] = [
  { texts: ['Anna Albrecht', 'Bruno Castelli'], xs: WIDE },
  { texts: ['75661 Graz with a long name', '10115 Turin'], xs: WIDE },
];
const HEAD: Row = { texts: ['Goods', 'Count', 'Price', 'Amount'], bold: true };
const GOODS: Row[] = [{ texts: ['Rope', '2', '5.00', '10.00'] }, { texts: ['Salt', '4', '1.00', '4.00'] }];
const startOfNext = (run: readonly PageLine[], isTable: (lines: readonly PageLine[]) => boolean) =>
  createHeadSearch(run, isTable)(0, run.length);
const startIn = (...rows: Row[]) => startOfNext(setRows(rows), () => true);

describe('the head of another table among lines', () => {
  it('a bold line above rows of other columns → the head, if both are a table by themselves', () => {
    const run = setRows([...ADDRESSES, HEAD, ...GOODS]);
    const isTable = vi.fn(() => true);
    expect(startOfNext(run, isTable)).toBe(2);
    expect(isTable.mock.calls).toEqual([[run.slice(2)]]);
    expect(startOfNext(run, () => false)).toBeUndefined();
  });

  it('a bold line of two cells → no head', () => {
    const pair = (row: Row): Row => ({ ...row, texts: row.texts.slice(0, 2), xs: [60, 180] });
    expect(startIn(...ADDRESSES, pair(HEAD), ...GOODS.map(pair))).toBeUndefined();
  });

  it('five narrow columns above three wide ones → a head; with such wide ones further up → none', () => {
    const narrow = [60, 110, 160, 210, 260];
    const figures: Row = { texts: ['a', 'b', 'c', 'd', 'e'], xs: narrow };
    const far = [60, 175, 330];
    const words = (row: Row): Row => ({ ...row, texts: ['Ropes and their coils', 'Yards of them', 'Sum'], xs: far });
    const rows = [...GOODS.map(words), figures, figures, words(HEAD), ...GOODS.map(words)];
    const search = createHeadSearch(setRows(rows), () => true);
    expect(search(0, rows.length)).toBeUndefined();
    expect(search(2, rows.length)).toBe(4);
  });

  it('a bold line below other bold lines, or below a single line → no head', () => {
    const over: Row = { texts: ['What is sold to the ships', 'What they pay'], xs: [60, 240], bold: true };
    expect(startIn(over, over, HEAD, ...GOODS)).toBeUndefined();
    expect(startIn({ ...over, bold: false }, HEAD, ...GOODS)).toBeUndefined();
  });

  it('a bold line with figures, as a sum → no head', () => {
    const sum: Row = { texts: ['Sum', '6', '6.00', '14.00'], bold: true };
    expect(startIn(...ADDRESSES, sum, ...GOODS)).toBeUndefined();
  });

  it('runs with common lines → these lines searched once, the same head found', () => {
    const run = setRows(
      Array.from({ length: 240 }, (_, row) => {
        const step = row % 2 === 0 ? 220 + (row % 7) * 15 : 200;
        const text = row % 2 === 0 ? 'what stands in a cell of the row' : 'Head';
        return {
          texts: [text, text, text, text],
          xs: [0, 1, 2, 3].map((cell) => 60 + cell * step),
          bold: row % 2 === 1,
        };
      }),
    );
    const isTable = vi.fn((lines: readonly PageLine[]) => run.indexOf(lines[0] as PageLine) >= 150);
    const search = createHeadSearch(run, isTable);
    expect(search(0, run.length)).toBe(151);
    expect(isTable).toHaveBeenCalledTimes(75);
    isTable.mockClear();
    expect(search(5, run.length)).toBe(151);
    expect(isTable.mock.calls.length).toBeLessThan(30);
    const runs = [
      [60, 240],
      [140, 240],
      [150, 240],
      [151, 240],
      [0, 155],
      [0, 152],
      [0, 150],
      [3, 150],
    ] as const;
    for (const [from, end] of runs) {
      expect(search(from, end), `from ${from} to ${end}`).toBe(createHeadSearch(run, isTable)(from, end));
    }
  });
});
