import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { tablesOf } from '../../../gfm.js';
import { documentOf, readPage, setLine, setLines } from '../../../set-words.js';
import { asText, flat, HEAD, ROWS, read, render, setNewspaper, setRow, TABLE, TEXT } from '../../../wrapped-rows.js';

/** The rows below each other, with space between them. */
function setRows(rows: string[][][], from: number, space: number): { words: RawWord[]; end: number } {
  let y = from;
  const words = rows.flatMap((row) => {
    const set = setRow(row, y);
    y += Math.max(...row.map(({ length }) => length)) * 12 + space;
    return set;
  });
  return { words, end: y - 8 - space };
}
const { words: body, end } = setRows(ROWS, 140, 7);

describe('tables without a rule at their head or end', () => {
  it('a rule under the head alone → a table that ends where its columns do', () => {
    expect(tablesOf(render([...setRow(HEAD, 120), ...body], [126]))).toEqual([TABLE]);
  });

  it('a line further below than rows are apart → the table ends above it', () => {
    const words = [
      ...setRow(HEAD, 120),
      ...body,
      ...setLine('Other meetings', 54, end + 28),
      ...setRow(HEAD, end + 48),
      ...setRows(ROWS, end + 68, 7).words,
    ];
    expect(tablesOf(render(words, [126, end + 54]))).toEqual([TABLE, TABLE]);
  });

  it('names of files that had no room in the cell above → rows of their own', () => {
    const rows = [
      [['Pictures of', 'all the gulls'], ['pictures/all-gulls.md']],
      [['Pictures seen'], ['pictures/ the folder']],
      [['Pictures drawn'], ['pictures_drawn/ the folder']],
    ];
    let y = 132;
    const words = rows.flatMap((row) => {
      const set = setRow(row, y);
      y += Math.max(...row.map(({ length }) => length)) * 12;
      return set;
    });
    const head = setRow([['What'], ['Where']], 120);
    expect(tablesOf(render([...head, ...words], [108, 123]))).toEqual([[['What', 'Where'], ...asText(rows)]]);
  });

  it('a narrow cell with a justified line → one cell', () => {
    const wide = [
      ...setLine('Two', 364, 140),
      ...setLine('hours', 430, 140),
      ...setLines(['every morning but', 'one'], 364, 152),
    ];
    const words = [...setRow(HEAD, 120), ...body.filter(({ x0, y0 }) => x0 < 360 || y0 > 160), ...wide];
    const [, first = [], ...others] = TABLE;
    expect(tablesOf(render(words, [126]))).toEqual([
      [TABLE[0], [...first.slice(0, 2), 'Two hours every morning but one'], ...others],
    ]);
  });

  it('a table in the right column of the page → one table, the title of the column after the left one', () => {
    const left = setLines(
      Array.from({ length: 20 }, (_, index) => `${TEXT[index % TEXT.length]}`),
      50,
      60,
    );
    const xs = [314, 400];
    const right = [
      [['What'], ['Where']],
      [['Template of', 'a new sheet'], ['templates/Sheet']],
      [
        ['Sheets that', 'there are'],
        ['sheets, drafts', 'and others'],
      ],
      [['Pictures of', 'all ships'], ['assets/pictures']],
    ].flatMap((row, index) =>
      row.flatMap((lines, column) => setLines(lines, xs[column] ?? 0, 104 + index * 32 - (index > 0 ? 12 : 0))),
    );
    const words = [...left, ...setLine('Where things are', 306, 66, { bold: true }), ...right];
    const markdown = renderMarkdown(documentOf([readPage(words, 600, 800, { rules: [flat(110, 306, 540)] })]));
    expect(tablesOf(markdown)).toHaveLength(1);
    expect(markdown.indexOf('Where things are')).toBeGreaterThan(markdown.lastIndexOf('The new one'));
  });

  it('columns of text below the head of a page → no table', () => {
    expect(tablesOf(render(setNewspaper(), [126]))).toEqual([]);
  });

  it('sides drawn between the columns, as in forms → not this table', () => {
    const sides = [50, 180, 500].map((x) => ({ x0: x, x1: x, y0: 128, y1: end - 30 }));
    const words = [...setRow(HEAD, 120), ...body];
    expect(tablesOf(read(words, { rules: [flat(126), ...sides] }))).not.toContainEqual(TABLE);
  });
});
