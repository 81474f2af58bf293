import { append } from '../../../model/append.js';
import { countBy } from '../../../model/counts.js';
import { lengthOf } from '../../../model/fragment.js';
import { type Area, boundsOf, overlap, sizeOfArea } from '../../../model/geometry.js';
import { joinFragments } from '../../../model/join-fragments.js';
import type { Fragment, PageCell, PageContent, PageLine, PageWord, TurnedWords } from '../../../model/page.js';
import { isOblique } from '../../../model/page-transform.js';
import { hasLetter } from '../../../model/text-direction.js';
import { partsOf } from '../lines/line-cells.js';
import { beginsSmall, lastText } from '../lines/line-room.js';
import { lineText } from '../lines/lines.js';
import { findFilledGrids } from './filled-grids.js';
import { boxOf, findRuledGrids, type Grid, type GridCell } from './grids.js';
import { countFromReadingSide, dropEmpty, layOutCell, standForTable } from './table.js';
import type { FoundTables } from './table-finder.js';
import { isNumeric } from './table-rows.js';
import type { Rules } from './table-rules.js';
import { splitAcross, splitDown, splitUnruled } from './unruled-cells.js';

/** Share of the words that a border may cut: with more, the rules are a drawing's. */
const MAX_CUT_SHARE = 0.08;

/** Upper bound of the characters in a cell, on average. */
const MAX_CELL_CHARACTERS = 350;

/** Takes words that stand in grids out of the flow, each to its cell, words of other directions too. */
export function takeRuledTables(found: FoundTables, page: PageContent, rules: Rules): FoundTables {
  const { shades } = page;
  const ruled = findRuledGrids(rules, shades);
  const grids = [...ruled, ...findFilledGrids(shades, rules, ruled)];
  // A grid inside of a grid is read first; the outer one is a frame.
  return grids
    .sort((a, b) => sizeOfArea(boxOf(a)) - sizeOfArea(boxOf(b)))
    .reduce((result, grid) => takeGrid(grid, result, page), found);
}

function areaOfCell({ xs, ys }: Grid, { row, column, rowSpan, columnSpan }: GridCell): Area {
  const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = [xs[column], xs[column + columnSpan], ys[row], ys[row + rowSpan]];
  return { x0, y0, x1, y1 };
}

/**
 * Takes the words of one grid. Where rules were found in a picture, some rules of a form are missed, so its boxes make
 * no table.
 */
function takeGrid(grid: Grid, before: FoundTables, page: PageContent): FoundTables {
  const box = boxOf(grid);
  const cellAt = indexCells(grid);
  const words = new Map<number, PageWord[]>();
  const rest: Fragment[] = [];
  let all = 0;
  let cut = 0;
  for (const fragment of before.rest) {
    if (fragment.block !== undefined || !overlap(fragment, box)) {
      rest.push(fragment);
      continue;
    }
    const outside: PageWord[] = [];
    for (const word of fragment.words) {
      const [x, y, near] = [(word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2, 0.2 * (word.x1 - word.x0)];
      const cell = cellAt(x, y);
      if (cell === undefined) outside.push(word);
      else {
        all++;
        if (cell !== cellAt(word.x0 + near, y) || cell !== cellAt(word.x1 - near, y)) cut++;
        append(words, cell, word);
      }
    }
    if (outside.length === fragment.words.length) rest.push(fragment);
    else rest.push(...joinFragments(outside).map((part) => ({ ...part, order: fragment.order })));
  }
  if (all === 0) return before;
  const framed = { ...before, frames: [...before.frames, { ...box, cells: grid.cells.length }] };
  if (cut > all * MAX_CUT_SHARE) return framed;
  const cells = grid.cells.map(
    (cell, index): PageCell => ({ ...cell, lines: layOutCell(words.get(index) ?? []), area: areaOfCell(grid, cell) }),
  );
  const turnedCells = cellsOfTurned(before.turned, cellAt);
  const filled = cells.filter(({ lines }, index) => lines.length > 0 || turnedCells.has(index));
  const holdTexts = grid.ys.length === 2 && areTexts(filled);
  if (holdTexts || !isTable(filled, grid) || (page.isRecognised && isForm(cells))) {
    markBoxes(cells, words);
    const boxes = holdTexts ? [filled.flatMap(({ area }) => area ?? [])] : [];
    return { ...framed, boxes: [...before.boxes, ...boxes] };
  }
  const own = withoutTitles(grid, cells);
  if (own !== grid) return takeGrid(own, before, page);
  const turned = takeTurned(before.turned, cellAt, cells);
  const ruled = { rows: grid.ys.length - 1, columns: grid.xs.length - 1, cells };
  const table = countFromReadingSide(dropEmpty(splitUnruled(ruled, grid), drawnColumns(grid, page)));
  return { ...before, tables: [...before.tables, standForTable(table, box)], rest, turned };
}

/** Smallest width of an empty column, in points: a narrower one is space between two columns. */
const MIN_COLUMN_WIDTH = 12;

/** Returns the columns that are drawn wide on the page, empty ones too: a grid may go on outside of it. */
function drawnColumns({ xs, drawn }: Grid, { width }: PageContent): number[] {
  return drawn.filter((column) => {
    const [x0 = 0, x1 = 0] = xs.slice(column);
    return Math.min(x1, width) - Math.max(x0, 0) >= MIN_COLUMN_WIDTH;
  });
}

/** A note below a table is longer than its last row. */
const MIN_NOTE_CHARACTERS = 60;

/** The grid without a title above its rows and a note below them: rows of one cell, such as no other row is. */
function withoutTitles(grid: Grid, cells: readonly PageCell[]): Grid {
  const columns = grid.xs.length - 1;
  const last = grid.ys.length - 2;
  const whole = cells.filter(({ columnSpan, lines }) => columnSpan === columns && lines.length > 0);
  const title = whole.find(({ row }) => row === 0);
  const note = whole.find(({ row, rowSpan, lines }) => row + rowSpan > last && lengthOf(lines) >= MIN_NOTE_CHARACTERS);
  if (whole.some((cell) => cell !== title && cell.row + cell.rowSpan <= last)) return grid;
  const [from, to] = [title?.rowSpan ?? 0, note?.row ?? last + 1];
  if (to - from < 2 || to - from > last) return grid;
  const own = grid.cells.filter(({ row }) => row >= from && row < to);
  return {
    ...grid,
    ys: grid.ys.slice(from, to + 1),
    cells: own.map((cell) => ({ ...cell, row: cell.row - from })),
  };
}

/**
 * Marks the words in the cells of a grid that is no table: the cells are boxes all the same. A frame by itself may be
 * one around a link in a sentence. `words` are grouped by the index of their cell and changed in place.
 */
function markBoxes(cells: readonly PageCell[], words: ReadonlyMap<number, PageWord[]>): void {
  if (cells.length === 1) return;
  for (const [index, inCell] of words) {
    const box = cells[index]?.area;
    if (box === undefined) continue;
    for (const word of inCell) word.box ??= box;
  }
}

/**
 * Upper bound of the average span of the cell a character stands in, in places of the grid: with more it is a form,
 * whose boxes are no rows and columns.
 */
const MAX_SPANNED_PLACES = 4;

function isForm(cells: readonly PageCell[]): boolean {
  let [characters, spanned] = [0, 0];
  for (const { lines, rowSpan, columnSpan } of cells) {
    const count = lengthOf(lines);
    characters += count;
    spanned += count * rowSpan * columnSpan;
  }
  return spanned > characters * MAX_SPANNED_PLACES;
}

/** Finds the index of the cell at a point. */
type CellAt = (x: number, y: number) => number | undefined;

function indexCells({ xs, ys, cells }: Grid): CellAt {
  const columns = xs.length - 1;
  const bySlot: number[] = [];
  cells.forEach(({ row, column, rowSpan, columnSpan }, index) => {
    for (let r = row; r < row + rowSpan; r++) {
      for (let c = column; c < column + columnSpan; c++) bySlot[r * columns + c] = index;
    }
  });
  const slotOf = (values: number[], value: number) =>
    values.findIndex((start, index) => value >= start && value < (values[index + 1] ?? -Infinity));
  return (x, y) => {
    const row = slotOf(ys, y);
    const column = slotOf(xs, x);
    return row === -1 || column === -1 ? undefined : bySlot[row * columns + column];
  };
}

/** Lower bound of the rows, or lines of a cell, with parts that no rule separates. */
const MIN_PARTED_ROWS = 3;

/** Share of the cells of a grid: a diagram with lines across has fewer with text. */
const MIN_FILLED_SHARE = 0.2;
/** Rows of a sheet with few entries, and the share of them that begin with a label. */
const MIN_SHEET_ROWS = 8;
const MIN_LABELLED_SHARE = 0.7;

/** True when nearly all of many rows begin with a label, as in a sheet with a column for each of many places. */
function areLabelled(filled: readonly PageCell[], { ys }: Grid): boolean {
  const labels = filled.filter(({ column, lines }) => column === 0 && lines.some(({ words }) => words.some(hasLetter)));
  return ys.length > MIN_SHEET_ROWS && labels.length > (ys.length - 1) * MIN_LABELLED_SHARE;
}

/** True when there are two columns and two rows of text at least; a frame around a text or a picture has fewer. */
function isTable(filled: readonly PageCell[], grid: Grid): boolean {
  const inRow = countBy(
    filled.flatMap((cell) => splitDown(cell, filled, grid.ys).filter((part) => part === cell || part.lines.length > 0)),
    ({ row }) => row,
  );
  if (filled.length < grid.cells.length * MIN_FILLED_SHARE && !areLabelled(filled, grid)) return false;
  // Lines with wide space in one cell are columns that no rule separates.
  const isHeadOverBody = grid.ys.length === 3;
  const parts = isHeadOverBody ? filled.flatMap((cell) => splitAcross(cell, grid.xs)) : filled;
  if (parts.some(({ lines }) => lines.filter(({ apart }) => apart.size > 0).length >= MIN_PARTED_ROWS)) return false;
  if (hidesColumns(parts, grid)) return false;
  // Ruled boxes are used to lay out pages too: they hold text, not cells.
  const characters = filled.reduce((sum, { lines }) => sum + lengthOf(lines), 0);
  if (characters > filled.length * MAX_CELL_CHARACTERS) return false;
  if ([...inRow.values()].filter((count) => count >= 2).length >= 2 || haveParts(filled, grid)) return true;
  return filled.filter(({ row, lines }) => lines.length > 1 && (inRow.get(row) ?? 0) >= 2).length >= 2;
}

/** Upper bound of the lines in boxes side by side, each of which is compared with all others: more are columns of the page. */
const MAX_TEXT_LINES = 300;
/** Distance of the base lines of level lines, in ems. */
const MAX_LEVEL_EM = 0.15;

/**
 * True when sentences run on from line to line in one cell, level with lines of another cell that do not: boxes side by
 * side, each with a text of its own. A row of a table has no words beside the further lines of a wrapped cell.
 */
function areTexts(cells: readonly PageCell[]): boolean {
  const lines = cells.flatMap((cell) =>
    cell.lines.map((line, index) => ({ line, cell, above: cell.lines[index - 1] })),
  );
  if (lines.length > MAX_TEXT_LINES) return false;
  const runsOn = ({ line, above }: (typeof lines)[number]) =>
    above !== undefined && beginsSmall(line) && !/[.!?:]$/.test(lastText(above));
  const isLevel = (a: PageLine, b: PageLine) => Math.abs(a.baseline - b.baseline) < a.fontSize * MAX_LEVEL_EM;
  return lines.some(
    (further) =>
      runsOn(further) &&
      lines.some((other) => other.cell !== further.cell && isLevel(other.line, further.line) && !runsOn(other)),
  );
}

const MIN_PARTED_SHARE = 0.6;

/** True when most cells of a column hold several figures far apart: no rule is drawn between the columns of these. */
function hidesColumns(cells: readonly PageCell[], { xs }: Grid): boolean {
  return xs.some((_, column) => {
    const own = cells.filter((cell) => cell.column === column && cell.columnSpan === 1 && cell.rowSpan === 1);
    const parted = own.filter(({ lines }) => lines.some(holdsFigures)).length;
    return parted >= MIN_PARTED_ROWS && parted >= own.length * MIN_PARTED_SHARE;
  });
}

const MIN_FIGURES = 3;

const holdsFigures = (line: PageLine): boolean => {
  const parts = partsOf(line);
  return parts.filter((words) => isNumeric(lineText({ words }))).length >= Math.max(MIN_FIGURES, parts.length / 2);
};

/** True when most rows have words on both sides of a border that is drawn beside the head alone. */
function haveParts(filled: readonly PageCell[], { xs }: Grid): boolean {
  const parts = filled.flatMap((cell) => splitAcross(cell, xs));
  const counts = [...countBy(parts, ({ row }) => row).values()];
  const parted = counts.filter((count) => count >= 2).length;
  return parted >= Math.max(MIN_PARTED_ROWS, counts.length * MIN_PARTED_SHARE);
}

const cellsOfTurned = (turned: readonly TurnedWords[], cellAt: CellAt): Set<number | undefined> =>
  new Set(turned.flatMap((group) => group.words.map((word) => cellOf(group, word, cellAt))));

/** Returns the cell of a word. An oblique word must be in it as a whole, because watermarks lie over tables. */
function cellOf({ angle, toPage }: TurnedWords, word: PageWord, cellAt: CellAt): number | undefined {
  const { x0, y0, x1, y1 } = toPage(word);
  const cell = cellAt((x0 + x1) / 2, (y0 + y1) / 2);
  return isOblique(angle) && (cellAt(x0, y0) !== cell || cellAt(x1, y1) !== cell) ? undefined : cell;
}

/** Takes words of other directions: their lines are built upright, then turned with the page. */
function takeTurned(turned: readonly TurnedWords[], cellAt: CellAt, cells: readonly PageCell[]): TurnedWords[] {
  return turned.map((group) => {
    const inCell = new Map<number, PageWord[]>();
    const words = group.words.filter((word) => {
      const cell = cellOf(group, word, cellAt);
      if (cell === undefined) return true;
      append(inCell, cell, word);
      return false;
    });
    for (const [index, ofCell] of inCell) {
      const lines = layOutCell(ofCell);
      for (const word of ofCell) Object.assign(word, group.toPage(word));
      cells[index]?.lines.push(...lines.map((line) => ({ ...line, ...boundsOf(line.words) })));
    }
    return { ...group, words };
  });
}
