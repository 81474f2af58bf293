import { expect, it } from 'vitest';
import type { PageWord } from '../../../../../src/engine/model/page.js';
import { markCellStarts } from '../../../../../src/engine/stages/text-layer/cell-starts.js';
import { pageWordsOf, type Style, setLine } from '../../set-words.js';

const setWords = (text: string, x: number, y: number, style: Style = {}): PageWord[] =>
  pageWordsOf(setLine(text, x, y, style));

/** Sets cells as close to each other as words. */
const setRow = (cells: readonly string[], y: number) =>
  cells.flatMap((cell, column) => setWords(cell, [60, 104, 128][column] ?? 0, y));

const ROWS = [
  ['Lanterns', 'Hull', 'yes'],
  ['Anchors', 'Leed', 'no'],
  ['Sailing', 'York', 'yes'],
  ['Netting', 'Bath', 'yes'],
];
const MANY = [1, 2, 3, 4, 5].flatMap(() => ROWS);

it('a title and sentences around rows of cells, each word placed by itself → no cells', () => {
  const lines = [
    setWords('Harbour report', 60, 100, { size: 20 }),
    setWords('As of Monday for all of you', 60, 124),
    ...MANY.map((row, index) => setRow(row, 140 + index * 14)),
    setWords('End of list', 60, 424),
  ];
  const words = lines.flat();
  markCellStarts(words, new Set(words));
  const marked = lines.map((line) => line.some(({ beginsCell }) => beginsCell));
  expect(marked).toEqual([false, false, ...MANY.map(() => true), false]);
});

it('sums in bold type below rows of figures, whose ends are not level → cells', () => {
  const rows = [0, 1, 2, 3, 4, 5, 6, 7].map((row) => setRow([`Item-no${row}`, `1${row}.5`, '2.75'], 140 + row * 14));
  const sums = ['Total', '80.25', '8.5', '11.25'].flatMap((cell, column) =>
    setWords(cell, [60, 90.3, 118.2, 136.4][column] ?? 0, 252, { bold: true }),
  );
  const words = [...rows.flat(), ...sums];
  markCellStarts(words, new Set(words));
  expect(sums.map(({ beginsCell }) => beginsCell === true)).toEqual([false, true, true, true]);
});
