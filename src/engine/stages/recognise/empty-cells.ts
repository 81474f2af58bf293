import { type Area, extentOf, gapBetween, overlap } from '../../model/geometry.js';
import { median } from '../../model/median.js';
import type { PageWord } from '../../model/page.js';
import { type Chain, chainLetters } from './chain-letters.js';

/** A place in a table where a row has no word, and columns above or below do. */
export interface EmptyCell extends Area {
  /** The word of the row that is nearest. */
  beside: PageWord;
}

type Row<Part extends Area = PageWord> = Chain<Part>;

/** Rows above and below that show the columns, and their distance from one to the next. */
const REACH_ROWS = 4;
const MAX_PITCH_EM = 3;
/** Words of one column above and below an empty cell. */
const MIN_COLUMN_WORDS = 2;
/** Gap between cells of a row. Words of running text are closer. */
const MIN_CELL_GAP_EM = 0.9;
/** Height of a word in a row; higher ones reach over several rows. */
const MAX_HEIGHT_EM = 1.5;
/** Reach of an empty cell beyond its column, which may have narrow figures. */
const MARGIN_EM = 0.5;

/** Finds the empty cells among rows of words. */
export function findEmptyCells(words: readonly PageWord[]): EmptyCell[] {
  const size = median(words.map(({ fontSize }) => fontSize)) ?? 0;
  const rows = findRows(words, size);
  return rows.flatMap(({ row, near }) => findColumns(near).flatMap((column) => cellOf(row, column, size) ?? []));
}

/** Maps each part that is alone in its cell, beside other cells, to the parts alone in the cells above and below. `size`: size of the type. */
export function findColumnsOf<Part extends Area>(parts: readonly Part[], size: number): Map<Part, Part[]> {
  const rows = findRows(parts, size).filter(({ row }) => row.parts.length > 1);
  return new Map(
    rows.flatMap(({ alone, near }) =>
      alone.map((part) => [part, near.flat().filter((other) => gapBetween(other, part) < 0)] as const),
    ),
  );
}

interface NearRows<Part extends Area> {
  row: Row<Part>;
  /** The parts of the row that stand apart, and those of the rows above and below. */
  alone: Part[];
  near: Part[][];
}

function findRows<Part extends Area>(parts: readonly Part[], size: number): NearRows<Part>[] {
  const low = parts.filter(({ y0, y1 }) => y1 - y0 < size * MAX_HEIGHT_EM);
  const rows = chainLetters(low, Number.POSITIVE_INFINITY).sort((a, b) => a.y0 - b.y0);
  const alone = rows.map((row) => partsAlone(row, size));
  return rows.map((row, at) => ({
    ...{ row, alone: alone[at] ?? [] },
    near: [...reachFrom(rows, at, -1, size), ...reachFrom(rows, at, 1, size)].map((index) => alone[index] ?? []),
  }));
}

/** Returns the parts of a row that stand apart from those beside them. */
const partsAlone = <Part extends Area>({ parts }: Row<Part>, size: number): Part[] =>
  parts.filter((part) => parts.every((other) => other === part || gapBetween(part, other) > size * MIN_CELL_GAP_EM));

/** Returns the indices of the rows that follow one in a direction, as far as each is near the one before it. */
function reachFrom(rows: readonly Area[], at: number, step: 1 | -1, size: number): number[] {
  const reached: number[] = [];
  for (let index = at + step; reached.length < REACH_ROWS; index += step) {
    const [row, before] = [rows[index], rows[index - step]];
    if (row === undefined || before === undefined || Math.abs(row.y0 - before.y0) > size * MAX_PITCH_EM) break;
    reached.push(index);
  }
  return reached;
}

/** Finds the columns that words of several rows form. */
function findColumns(rows: readonly (readonly PageWord[])[]): PageWord[][] {
  const columns: PageWord[][] = [];
  for (const word of rows.flat()) {
    const column = columns.find((words) => words.some((other) => gapBetween(other, word) < 0));
    if (column === undefined) columns.push([word]);
    else column.push(word);
  }
  return columns.filter((words) => words.length >= MIN_COLUMN_WORDS);
}

/** Returns the cell of a row in a column; undefined if the row has a word there. */
function cellOf({ parts, y0, y1 }: Row, column: readonly PageWord[], size: number): EmptyCell | undefined {
  const { x0, x1 } = extentOf(column);
  const margin = size * MARGIN_EM;
  const cell = { x0: x0 - margin, x1: x1 + margin, y0, y1 };
  const beside = [...parts].sort((a, b) => gapBetween(a, cell) - gapBetween(b, cell))[0];
  return beside === undefined || overlap(cell, { ...beside, y0, y1 }) ? undefined : { ...cell, beside };
}
