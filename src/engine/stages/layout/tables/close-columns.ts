import { middleOf } from '../../../model/geometry.js';
import { splitWhere } from '../../../model/groups.js';
import { median } from '../../../model/median.js';
import type { PageLine, PageWord } from '../../../model/page.js';
import { isLeader } from '../lines/fragment.js';
import { isLoneMarker } from '../markers.js';
import { type Column, MAX_CROSSING_SHARE } from './table-columns.js';

/** Lower bound of the lines with words on both sides of an edge: fewer stand level by chance. */
const MIN_LEVEL_LINES = 4;
/** Share of those lines that must begin, or end, level at the edge. */
const MIN_LEVEL_SHARE = 0.8;
/** Tolerance of words that are level with an edge, in ems. */
const WORD_EDGE_TOLERANCE_EM = 0.07;
/** Largest difference between the spaces of a text, in ems. */
const MAX_SPACE_DIFFERENCE_EM = 0.15;
/** Share of the lines with larger differences from which an edge is a border. */
const MIN_UNEVEN_SHARE = 0.2;

/** Words of a line on either side of an edge. */
interface Sides {
  left: PageWord[];
  right: PageWord[];
}

/**
 * Splits columns whose cells stand no further apart than words: their lines begin or end level within the column. The
 * space beside that edge is uneven, as in no text, or the words are ragged on both of their outer sides.
 */
export function splitCloseColumns(columns: readonly Column[], lines: readonly PageLine[]): Column[] {
  return columns.flatMap((column) => {
    const rows = lines.flatMap(({ words }) => {
      const inside = words.filter(
        (word) => middleOf(word) > column.x0 && middleOf(word) < column.x1 && !isLeader(word),
      );
      return inside.length === 0 ? [] : [inside];
    });
    return rows.filter(({ length }) => length > 1).length < MIN_LEVEL_LINES ? [column] : splitColumn(column, rows);
  });
}

function splitColumn(column: Column, rows: readonly PageWord[][]): Column[] {
  const size = median(rows.map(([word]) => word?.fontSize ?? 0)) ?? 0;
  const off = size * WORD_EDGE_TOLERANCE_EM;
  const parts = [{ ...column }];
  for (const edge of levelEdges(rows, off)) {
    const last = parts.at(-1);
    const sides = rows.flatMap((row) => sidesOf(row, edge, off));
    if (last === undefined || edge < last.x0 + size / 2 || !isBorder(sides, edge, rows.length, size)) continue;
    last.x1 = Math.max(...sides.flatMap(({ left }) => left.at(-1)?.x1 ?? []));
    parts.push({ x0: Math.min(...sides.flatMap(({ right }) => right[0]?.x0 ?? [])), x1: column.x1 });
  }
  return parts;
}

/**
 * Returns, from the left, each place at which several lines have a word that begins and is not their first, or a word
 * that ends and is not their last.
 */
function levelEdges(rows: readonly PageWord[][], off: number): number[] {
  const starts = rows.flatMap((row) => row.slice(1).map(({ x0 }) => x0));
  const ends = rows.flatMap((row) => row.slice(0, -1).map(({ x1 }) => x1));
  return [...clustersOf(starts, off), ...clustersOf(ends, off)].sort((a, b) => a - b);
}

function clustersOf(values: readonly number[], off: number): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const clusters = splitWhere(sorted, (value, _, [start]) => value - start >= off);
  return clusters.flatMap((near) => (near.length < MIN_LEVEL_LINES ? [] : (median(near) ?? [])));
}

/** Returns the words on either side of the edge; nothing for a line with a word across it. */
function sidesOf(row: readonly PageWord[], edge: number, off: number): Sides[] {
  const left = row.filter(({ x1 }) => x1 < edge + off);
  const right = row.filter(({ x0 }) => x0 > edge - off);
  return left.length + right.length === row.length ? [{ left, right }] : [];
}

function isBorder(sides: readonly Sides[], edge: number, rows: number, size: number): boolean {
  if (rows - sides.length > rows * MAX_CROSSING_SHARE) return false;
  const pairs = sides.flatMap(pairOf);
  const [overs, unders] = [pairs.map(({ over }) => over), pairs.map(({ under }) => under)];
  const off = size * WORD_EDGE_TOLERANCE_EM;
  const [ends, starts] = [overs.map(({ x1 }) => x1), unders.map(({ x0 }) => x0)];
  const [isEnd, isStart] = [areLevel(ends, off, edge), areLevel(starts, off, edge)];
  if ((!isEnd && !isStart) || areNoCells(overs) || areNoCells(unders)) return false;
  if (overs.every(({ text }) => isLoneMarker(text))) return false;
  const gaps = pairs.map(({ over, under }) => under.x0 - over.x1);
  const closest = Math.min(...gaps);
  const uneven = gaps.filter((gap) => gap > closest + size * MAX_SPACE_DIFFERENCE_EM);
  if (uneven.length >= pairs.length * MIN_UNEVEN_SHARE) return true;
  const [firsts, lasts] = [pairs.map(({ first }) => first.x0), pairs.map(({ last }) => last.x1)];
  return !areLevel(firsts, off) && !areLevel(lasts, off);
}

/** Returns the outermost words of a line that has words on both sides, and the two beside the edge. */
function pairOf({ left, right }: Sides): { first: PageWord; over: PageWord; under: PageWord; last: PageWord }[] {
  const [first, over, under, last] = [left[0], left.at(-1), right[0], right.at(-1)];
  return first && over && under && last ? [{ first, over, under, last }] : [];
}

function areLevel(values: readonly number[], off: number, at = median(values) ?? 0): boolean {
  const least = Math.max(MIN_LEVEL_LINES, values.length * MIN_LEVEL_SHARE);
  return values.filter((value) => Math.abs(value - at) < off).length >= least;
}

/** True when the words are no cells: all the same unit, signs between two figures, or ideographs, which all stand level. */
function areNoCells(words: readonly PageWord[]): boolean {
  const others = words.filter(({ text }) => JOINS.test(text) || IDEOGRAPHS.test(text));
  return others.length * 2 > words.length || new Set(words.map(({ text }) => text)).size === 1;
}

const JOINS = /^[-–—−~±×:=/.]$/;
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
