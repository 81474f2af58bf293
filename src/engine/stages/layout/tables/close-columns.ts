import { median } from '../../../model/median.js';
import type { PageLine, PageWord } from '../../../model/page.js';
import { isLeader } from '../lines/fragment.js';
import { isLoneMarker } from '../markers.js';
import type { Column } from './table-columns.js';
import { isNumeric } from './table-rows.js';

/** Of lines with words on both sides of an edge: fewer stand level at one by chance. */
const LEAST_LINES = 4;
/** As a share of those: so many begin, or end, level there. */
const LEAST_LEVEL = 0.8;
/** In ems: how far words may be off an edge and still be level with it. */
const OFF = 0.07;
/** In ems: words stand further apart than letters. */
const LEAST_GAP = 0.15;
/** In ems: the spaces between the words of a text differ by less, and in fewer lines than this share. */
const MOST_UNEVEN = 0.15;
const LEAST_UNEVEN = 0.2;
/** Lines with words at the right of the edge alone. */
const LEAST_INDENTED = 2;
/** As a share of the lines: heads may stand over several columns. */
const MOST_CROSSING = 0.15;

/** What a line has on either side of an edge between two words. */
interface Sides {
  left: PageWord[];
  right: PageWord[];
}

/**
 * The columns, with those parted whose cells stand no further apart than words: their lines begin or end level within
 * the column, with uneven space beside that edge as no text has, or with the words ragged on both of their outer sides.
 */
export function partCloseColumns(columns: readonly Column[], lines: readonly PageLine[]): Column[] {
  if (lines.length < LEAST_LINES) return [...columns];
  return columns.flatMap((column) => {
    const rows = lines.flatMap(({ words }) => {
      const inside = words.filter((word) => isIn(column, word) && !isLeader(word));
      return inside.length === 0 ? [] : [inside];
    });
    return rows.filter(({ length }) => length > 1).length < LEAST_LINES ? [column] : partColumn(column, rows);
  });
}

const isIn = (column: Column, { x0, x1 }: PageWord): boolean => x0 + x1 > column.x0 * 2 && x0 + x1 < column.x1 * 2;

function partColumn(column: Column, rows: readonly PageWord[][]): Column[] {
  const size = median(rows.map(([word]) => word?.fontSize ?? 0)) ?? 0;
  const off = size * OFF;
  const parts = [{ ...column }];
  for (const edge of levelEdges(rows, off)) {
    const last = parts.at(-1);
    const sides = rows.flatMap((row) => sidesOf(row, edge, off));
    if (last === undefined || edge < last.x0 + size / 2 || !isBorder(sides, edge, rows.length, size)) continue;
    const [ends, starts] = [
      sides.flatMap(({ left }) => left.at(-1)?.x1 ?? []),
      sides.flatMap(({ right }) => right[0]?.x0 ?? []),
    ];
    last.x1 = Math.max(...ends);
    parts.push({ x0: Math.min(...starts), x1: column.x1 });
  }
  return parts;
}

/** From the left: where several lines have a word that begins, and is not their first one, or one that ends before another. */
function levelEdges(rows: readonly PageWord[][], off: number): number[] {
  const starts = rows.flatMap((row) => row.slice(1).map(({ x0 }) => x0));
  const ends = rows.flatMap((row) => row.slice(0, -1).map(({ x1 }) => x1));
  return [...clustersOf(starts, off), ...clustersOf(ends, off)].sort((a, b) => a - b);
}

function clustersOf(values: readonly number[], off: number): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const found: number[] = [];
  for (let from = 0; from < sorted.length; ) {
    const start = sorted[from] ?? 0;
    let to = from + 1;
    while (to < sorted.length && (sorted[to] ?? 0) - start < off) to++;
    if (to - from >= LEAST_LINES) found.push(median(sorted.slice(from, to)) ?? start);
    from = to;
  }
  return found;
}

/** None of a line with a word across the edge. */
function sidesOf(row: readonly PageWord[], edge: number, off: number): Sides[] {
  const left = row.filter(({ x1 }) => x1 < edge + off);
  const right = row.filter(({ x0 }) => x0 > edge - off);
  return left.length + right.length === row.length ? [{ left, right }] : [];
}

function isBorder(sides: readonly Sides[], edge: number, rows: number, size: number): boolean {
  if (rows - sides.length > rows * MOST_CROSSING) return false;
  const pairs = sides.flatMap(pairOf);
  const [overs, unders] = [pairs.map(({ over }) => over), pairs.map(({ under }) => under)];
  const off = size * OFF;
  const [ends, starts] = [overs.map(({ x1 }) => x1), unders.map(({ x0 }) => x0)];
  const [isEnd, isStart] = [areLevel(ends, off, edge), areLevel(starts, off, edge)];
  if ((!isEnd && !isStart) || belongToOthers(overs) || belongToOthers(unders)) return false;
  if (overs.every(({ text }) => isLoneMarker(text))) return false;
  const gaps = pairs.map(({ over, under }) => under.x0 - over.x1);
  const closest = Math.min(...gaps);
  if (closest < size * LEAST_GAP) return false;
  const uneven = gaps.filter((gap) => gap > closest + size * MOST_UNEVEN);
  if (uneven.length >= pairs.length * LEAST_UNEVEN || (isStart && haveIndented(sides, edge, off))) return true;
  const [firsts, lasts] = [pairs.map(({ first }) => first.x0), pairs.map(({ last }) => last.x1)];
  return !areLevel(firsts, off) && !areLevel(lasts, off) && areLevel(ends, off) && areLevel(starts, off);
}

/** The outermost words of a line with some on both sides, and those beside the edge. */
function pairOf({ left, right }: Sides): { first: PageWord; over: PageWord; under: PageWord; last: PageWord }[] {
  const [first, over, under, last] = [left[0], left.at(-1), right[0], right.at(-1)];
  return first && over && under && last ? [{ first, over, under, last }] : [];
}

function areLevel(values: readonly number[], off: number, at = median(values) ?? 0): boolean {
  const least = Math.max(LEAST_LINES, values.length * LEAST_LEVEL);
  return values.filter((value) => Math.abs(value - at) < off).length >= least;
}

/** Begin lines without a label where others go on behind theirs? Groups of figures do, without the thousands. */
function haveIndented(sides: readonly Sides[], edge: number, off: number): boolean {
  const labels = sides.flatMap(({ left }) => left.at(-1) ?? []);
  const figures = labels.filter(({ text }) => isNumeric(text));
  const indented = sides.filter(({ left, right }) => left.length === 0 && Math.abs((right[0]?.x0 ?? 0) - edge) < off);
  return indented.length >= LEAST_INDENTED && figures.length * 2 < labels.length;
}

/** One and the same unit is no cell, and a sign between two figures neither begins nor ends one; ideographs all stand level. */
function belongToOthers(words: readonly PageWord[]): boolean {
  const others = words.filter(({ text }) => JOINS.test(text) || IDEOGRAPHS.test(text));
  return others.length * 2 > words.length || new Set(words.map(({ text }) => text)).size === 1;
}

const JOINS = /^[-–—−~±×:=/.]$/;
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
