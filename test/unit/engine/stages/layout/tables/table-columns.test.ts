import { expect, test } from 'vitest';
import type { PageLine } from '../../../../../../src/engine/model/page.js';
import {
  columnsBetween,
  createColumnCounter,
  MIN_CORRIDOR_EM,
} from '../../../../../../src/engine/stages/layout/tables/table-columns.js';
import { setLine } from '../../../set-words.js';

/** The first cell is 44 points wide. */
const CELLS = ['Rope of hemp', 'piers', '12,50', 'salt'];

const lineOf = (cells: readonly string[], xs: readonly number[], fontSize: number) =>
  ({
    fontSize,
    words: cells.flatMap((cell, column) => setLine(cell, xs[column] ?? 0, 0, { size: 8 })),
  }) as unknown as PageLine;

test.each([
  ['of one size', () => 8, [50, 200, 300, 400]],
  ['whose size decides how wide a corridor is', (row: number) => (row < 3 ? 30 : 8), [50, 102, 200, 300]],
  ['with edges so sharp that a narrow corridor separates them', () => 8, [50, 97.5, 200, 300]],
])('lines %s → as many columns line by line as in all lines at once', (_, sizeOf, xs) => {
  const lines = Array.from({ length: 30 }, (_, row) =>
    lineOf(
      row < 25
        ? CELLS.map((cell, column) => (column === 0 ? cell : `${row} ${cell}`))
        : ['Rope of hemp for the old pier of the harbour'],
      xs,
      sizeOf(row),
    ),
  );
  const measured = lines.map((_, row) => columnsBetween(lines.slice(0, row + 1), MIN_CORRIDOR_EM).length);
  expect(new Set(measured).size).toBeGreaterThan(1);
  expect(lines.map(createColumnCounter(MIN_CORRIDOR_EM))).toEqual(measured);
});
