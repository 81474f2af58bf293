import { createFragment } from '../../../model/fragment.js';
import type { PageCell, PageTable, PageWord } from '../../../model/page.js';
import { dropEmpty } from './table.js';
import type { Column } from './table-columns.js';
import type { TableRow } from './table-rows.js';

export function fromRows(joined: readonly TableRow[], columns: readonly Column[]): PageTable {
  const cells = joined.flatMap((row, index): PageCell[] =>
    row.cells.flatMap((cell) =>
      cell === undefined
        ? []
        : [
            {
              ...{ row: index, column: cell.column, rowSpan: 1, columnSpan: cell.columnSpan },
              lines: cell.lines.map((words) => ({
                ...createFragment(closeFigures(words), 0),
                apart: new Set<number>(),
              })),
            },
          ],
    ),
  );
  return dropEmpty({
    rows: joined.length,
    columns: columns.length,
    cells: fillEmpty(cells, joined.length, columns.length),
  });
}

/** Glues the closing brackets of negative figures to them: brackets in a column of their own keep these level with the other figures. */
function closeFigures(words: PageWord[]): PageWord[] {
  for (const [index, word] of words.entries()) {
    if (word.text.startsWith(')') && /\d$/.test(words[index - 1]?.text ?? '')) word.glued = true;
  }
  return words;
}

/** Adds an empty cell for every place that has none. */
function fillEmpty(cells: PageCell[], rows: number, columns: number): PageCell[] {
  const taken = new Set(
    cells.flatMap(({ row, column, columnSpan }) =>
      Array.from({ length: columnSpan }, (_, index) => row * columns + column + index),
    ),
  );
  for (let slot = 0; slot < rows * columns; slot++) {
    if (taken.has(slot)) continue;
    cells.push({ row: Math.floor(slot / columns), column: slot % columns, rowSpan: 1, columnSpan: 1, lines: [] });
  }
  return cells;
}
