import { append } from '../../../model/append.js';
import { countBy } from '../../../model/counts.js';
import { type Area, contains, extentOf, sizeOfArea } from '../../../model/geometry.js';
import { createSets, splitWhere } from '../../../model/groups.js';
import type { Rules } from './table-rules.js';

/** A grid that rules make: x of its columns' borders, y of its rows' borders, and the cells that are drawn between them. */
export interface Grid {
  xs: number[];
  ys: number[];
  cells: GridCell[];
  /** Columns that have borders on all sides in most rows. */
  drawn: number[];
}

export interface GridCell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
}

/** Area from the first borders of a grid to its last ones. */
export const boxOf = ({ xs, ys }: Grid): Area => {
  const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = [xs[0], xs.at(-1), ys[0], ys.at(-1)];
  return { x0, x1, y0, y1 };
};

/** Distance at which rules still meet, in points. */
export const REACH = 3;
/** Share of the rows with four borders in a column that is drawn. */
const MIN_DRAWN_SHARE = 0.8;
const MAX_RULE_PAIRS = 4_000_000;

/** Returns the upper and the lower edge of an area, its left and its right one. */
export const sidesOf = ({ x0, y0, x1, y1 }: Area): Area[] => [
  { x0, x1, y0, y1: y0 },
  { x0, x1, y0: y1, y1 },
  { x0, x1: x0, y0, y1 },
  { x0: x1, x1, y0, y1 },
];

/** Joins the pieces of a rule that are on one line, end to end or with the gap of a dash. */
export function joinRules(rules: readonly Area[], reach = REACH): { horizontal: Area[]; vertical: Area[] } {
  const steep = rules.filter((rule) => !isFlat(rule)).map(flip);
  return { horizontal: joinFlat(rules.filter(isFlat), reach), vertical: joinFlat(steep, reach).map(flip) };
}

const isFlat = ({ y0, y1 }: Area): boolean => y0 === y1;
const flip = ({ x0, y0, x1, y1 }: Area): Area => ({ x0: y0, y0: x0, x1: y1, y1: x1 });

function joinFlat(rules: readonly Area[], reach: number): Area[] {
  const sorted = [...rules].sort((a, b) => a.y0 - b.y0);
  return splitWhere(sorted, (rule, _, [first]) => rule.y0 - first.y0 > reach / 2).flatMap((level) => {
    const joined: Area[] = [];
    for (const rule of level.sort((a, b) => a.x0 - b.x0)) {
      const last = joined.at(-1);
      if (last !== undefined && rule.x0 <= last.x1 + reach) last.x1 = Math.max(last.x1, rule.x1);
      else joined.push({ ...rule });
    }
    return joined;
  });
}

/**
 * Finds the grids that meeting rules make, of one cell (a frame) or more (after the lattice of Nurminen, "Algorithmic
 * extraction of data in tables in PDF documents", 2013).
 */
export function findGrids(horizontal: readonly Area[], vertical: readonly Area[]): Grid[] {
  if (horizontal.length < 2 || vertical.length === 0 || horizontal.length * vertical.length > MAX_RULE_PAIRS) return [];
  return groupMeeting(horizontal, vertical)
    .map((rules) => toGrid(rules.filter(isFlat), rules.filter((rule) => !isFlat(rule)).map(flip)))
    .filter((grid) => grid !== undefined);
}

function groupMeeting(horizontal: readonly Area[], vertical: readonly Area[]): Area[][] {
  const all = [...horizontal, ...vertical];
  const sets = createSets(all.length);
  horizontal.forEach((flat, i) => {
    vertical.forEach((steep, j) => {
      if (steep.x0 < flat.x0 - REACH || steep.x0 > flat.x1 + REACH) return;
      if (flat.y0 < steep.y0 - REACH || flat.y0 > steep.y1 + REACH) return;
      sets.unite(horizontal.length + j, i);
    });
  });
  const groups = new Map<number, Area[]>();
  for (const [index, rule] of all.entries()) append(groups, sets.find(index), rule);
  return [...groups.values()];
}

/** `sides` are the vertical rules, turned to horizontal ones. */
function toGrid(flat: readonly Area[], sides: readonly Area[]): Grid | undefined {
  if (flat.length < 2 || sides.length === 0) return undefined;
  const [xs, ys] = [bordersOf(sides, flat), bordersOf(flat, sides)];
  const [rows, columns] = [ys.length - 1, xs.length - 1];
  if (rows < 1 || columns < 1 || rows * columns > 20_000) return undefined;
  const hasBorder = (rules: readonly Area[], y: number, x0: number, x1: number): boolean => {
    let covered = 0;
    for (const rule of rules) {
      if (Math.abs(rule.y0 - y) > REACH) continue;
      covered += Math.max(0, Math.min(rule.x1, x1) - Math.max(rule.x0, x0));
    }
    return covered > (x1 - x0) * 0.5;
  };
  const { find, unite } = createSets(rows * columns);
  const closed: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const slot = row * columns + column;
      const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = [xs[column], xs[column + 1], ys[row], ys[row + 1]];
      const [right, below] = [hasBorder(sides, x1, y0, y1), hasBorder(flat, y1, x0, x1)];
      if (right && below && hasBorder(sides, x0, y0, y1) && hasBorder(flat, y0, x0, x1)) closed.push(column);
      if (column + 1 < columns && !right) unite(slot, slot + 1);
      if (row + 1 < rows && !below) unite(slot, slot + columns);
    }
  }
  const inColumn = countBy(closed, (column) => column);
  const drawn = [...inColumn].flatMap(([column, count]) => (count >= rows * MIN_DRAWN_SHARE ? column : []));
  return { xs, ys, cells: toCells(rows, columns, find), drawn };
}

/** Heights of the rules, those closer than the reach joined. A table may be open at its sides: its border is where the rules across end. */
function bordersOf(rules: readonly Area[], across: readonly Area[]): number[] {
  const { x0, x1 } = extentOf(across);
  const sorted = [...rules.map(({ y0 }) => y0), x0, x1].sort((a, b) => a - b);
  const near = splitWhere(sorted, (y, before) => y - before > REACH);
  return near.map((group) => group.reduce((sum, y) => sum + y, 0) / group.length);
}

/** Joins slots without a border between them to one cell, when they make a rectangle. */
function toCells(rows: number, columns: number, find: (slot: number) => number): GridCell[] {
  const groups = new Map<number, GridCell[]>();
  for (let slot = 0; slot < rows * columns; slot++) {
    append(groups, find(slot), { row: Math.floor(slot / columns), column: slot % columns, rowSpan: 1, columnSpan: 1 });
  }
  return [...groups.values()].flatMap((slots) => {
    const [rowsOf, columnsOf] = [slots.map(({ row }) => row), slots.map(({ column }) => column)];
    const [row, column] = [Math.min(...rowsOf), Math.min(...columnsOf)];
    const rowSpan = Math.max(...rowsOf) - row + 1;
    const columnSpan = Math.max(...columnsOf) - column + 1;
    return rowSpan * columnSpan === slots.length ? [{ row, column, rowSpan, columnSpan }] : slots;
  });
}

/**
 * Finds the grids of rules. A coloured head that no rule separates from the first row is a row of its own: the lower
 * edge of its ground reaches over a rule between two cells, while the ground of a paragraph stays within one.
 */
export function findRuledGrids({ horizontal, vertical }: Rules, shades: readonly Area[]): Grid[] {
  const ruled = findGrids(horizontal, vertical);
  const heads = shades.filter((shade) => ruled.some((grid) => endsInHead(shade, grid)) && !liesOn(shade, shades));
  const between = joinRules(heads.flatMap(sidesOf)).horizontal.filter((edge) =>
    ruled.some((grid) => separatesHead(edge, grid)),
  );
  return between.length === 0 ? ruled : findGrids([...horizontal, ...between], vertical);
}

const endsInHead = ({ y0, y1 }: Area, { xs, ys: [top = 0, firstRule = 0] }: Grid): boolean =>
  xs.length > 2 && [y0, y1].some((y) => y > top + REACH && y < firstRule - REACH);

/** True when the shade lies within a larger one, as the ground of a line does within that of its cell. */
const liesOn = (shade: Area, shades: readonly Area[]): boolean =>
  shades.some((ground) => contains(ground, shade, 1) && sizeOfArea(ground) > sizeOfArea(shade));

function separatesHead({ x0, x1, y0 }: Area, { xs, ys }: Grid): boolean {
  const [top = 0, firstRule = 0] = ys;
  return y0 > top + REACH && y0 < firstRule - REACH && xs.slice(1, -1).some((x) => x > x0 + REACH && x < x1 - REACH);
}
