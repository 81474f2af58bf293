import { append } from '../../../model/append.js';
import type { Area } from '../../../model/geometry.js';

/** A grid that rules make: x of its columns' borders, y of its rows' borders, and the cells that are drawn between them. */
export interface Grid {
  xs: number[];
  ys: number[];
  cells: GridCell[];
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

/** Distance at which rules still meet, in points; in a picture it is a share of the picture's size. */
export const REACH = 3;
const MAX_RULE_PAIRS = 4_000_000;

/** Joins the pieces of a rule that are on one line, end to end or with the gap of a dash. */
export function joinRules(rules: readonly Area[], reach = REACH): { horizontal: Area[]; vertical: Area[] } {
  const flat = rules.filter(({ y0, y1 }) => y0 === y1);
  const steep = rules.filter(({ y0, y1 }) => y0 !== y1).map(flip);
  return { horizontal: joinFlat(flat, reach), vertical: joinFlat(steep, reach).map(flip) };
}

const flip = ({ x0, y0, x1, y1 }: Area): Area => ({ x0: y0, y0: x0, x1: y1, y1: x1 });

function joinFlat(rules: readonly Area[], reach: number): Area[] {
  const joined: Area[] = [];
  let level: Area[] = [];
  const finish = () => {
    level.sort((a, b) => a.x0 - b.x0);
    let last: Area | undefined;
    for (const rule of level) {
      if (last !== undefined && rule.x0 <= last.x1 + reach) last.x1 = Math.max(last.x1, rule.x1);
      else {
        last = { ...rule };
        joined.push(last);
      }
    }
    level = [];
  };
  for (const rule of [...rules].sort((a, b) => a.y0 - b.y0)) {
    if (level[0] !== undefined && rule.y0 - level[0].y0 > reach / 2) finish();
    level.push(rule);
  }
  finish();
  return joined;
}

/**
 * Finds the grids that meeting rules make, of one cell (a frame) or more (after the lattice of Nurminen, "Algorithmic
 * extraction of data in tables in PDF documents", 2013).
 */
export function findGrids(horizontal: readonly Area[], vertical: readonly Area[], reach = REACH): Grid[] {
  if (horizontal.length < 2 || vertical.length === 0 || horizontal.length * vertical.length > MAX_RULE_PAIRS) return [];
  return groupMeeting(horizontal, vertical, reach)
    .map(({ flat, steep }) => toGrid(flat, steep, reach))
    .filter((grid) => grid !== undefined);
}

function groupMeeting(
  horizontal: readonly Area[],
  vertical: readonly Area[],
  reach: number,
): { flat: Area[]; steep: Area[] }[] {
  const parent = [...horizontal, ...vertical].map((_, index) => index);
  const find = (index: number): number => {
    let root = index;
    while (parent[root] !== root) root = parent[root] ?? root;
    parent[index] = root;
    return root;
  };
  horizontal.forEach((flat, i) => {
    vertical.forEach((steep, j) => {
      if (steep.x0 < flat.x0 - reach || steep.x0 > flat.x1 + reach) return;
      if (flat.y0 < steep.y0 - reach || flat.y0 > steep.y1 + reach) return;
      parent[find(horizontal.length + j)] = find(i);
    });
  });
  const groups = new Map<number, { flat: Area[]; steep: Area[] }>();
  [...horizontal, ...vertical].forEach((rule, index) => {
    const root = find(index);
    const group = groups.get(root) ?? { flat: [], steep: [] };
    (index < horizontal.length ? group.flat : group.steep).push(rule);
    groups.set(root, group);
  });
  return [...groups.values()];
}

function toGrid(flat: readonly Area[], steep: readonly Area[], reach: number): Grid | undefined {
  if (flat.length < 2 || steep.length === 0) return undefined;
  // A table may be open at its sides: its border is where its rules end.
  const xs = cluster([...steep.map(({ x0 }) => x0), ...outermost(flat.flatMap(({ x0, x1 }) => [x0, x1]))], reach);
  const ys = cluster([...flat.map(({ y0 }) => y0), ...outermost(steep.flatMap(({ y0, y1 }) => [y0, y1]))], reach);
  const [rows, columns] = [ys.length - 1, xs.length - 1];
  if (rows < 1 || columns < 1 || rows * columns > 20_000) return undefined;
  const at = (values: number[], index: number) => values[index] ?? 0;
  const hasBorder = (rules: readonly Area[], along: 'x' | 'y', place: number, from: number, to: number): boolean => {
    let covered = 0;
    for (const rule of rules) {
      if (Math.abs((along === 'x' ? rule.y0 : rule.x0) - place) > reach) continue;
      const [start, end] = along === 'x' ? [rule.x0, rule.x1] : [rule.y0, rule.y1];
      covered += Math.max(0, Math.min(end, to) - Math.max(start, from));
    }
    return covered > (to - from) * 0.5;
  };
  const groupOf = Array.from({ length: rows * columns }, (_, index) => index);
  const find = (slot: number): number => {
    let root = slot;
    while (groupOf[root] !== root) root = groupOf[root] ?? root;
    return root;
  };
  const unite = (a: number, b: number) => {
    const [first, second] = [find(a), find(b)].sort((left, right) => left - right);
    if (first !== undefined && second !== undefined) groupOf[second] = first;
  };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const slot = row * columns + column;
      const [x0, x1] = [at(xs, column), at(xs, column + 1)];
      const [y0, y1] = [at(ys, row), at(ys, row + 1)];
      if (column + 1 < columns && !hasBorder(steep, 'y', x1, y0, y1)) unite(slot, slot + 1);
      if (row + 1 < rows && !hasBorder(flat, 'x', y1, x0, x1)) unite(slot, slot + columns);
    }
  }
  return { xs, ys, cells: toCells(rows, columns, find) };
}

/** Joins slots without a border between them to one cell, when they make a rectangle. */
function toCells(rows: number, columns: number, find: (slot: number) => number): GridCell[] {
  const slots = new Map<number, number[]>();
  for (let slot = 0; slot < rows * columns; slot++) {
    append(slots, find(slot), slot);
  }
  return [...slots.values()].flatMap((group) => {
    const rowsOf = group.map((slot) => Math.floor(slot / columns));
    const columnsOf = group.map((slot) => slot % columns);
    const [row, column] = [Math.min(...rowsOf), Math.min(...columnsOf)];
    const rowSpan = Math.max(...rowsOf) - row + 1;
    const columnSpan = Math.max(...columnsOf) - column + 1;
    if (rowSpan * columnSpan === group.length) return [{ row, column, rowSpan, columnSpan }];
    return group.map((slot) => ({
      row: Math.floor(slot / columns),
      column: slot % columns,
      rowSpan: 1,
      columnSpan: 1,
    }));
  });
}

const outermost = (values: number[]): number[] => [Math.min(...values), Math.max(...values)];

/** Joins values that are closer than the reach of rules. */
function cluster(values: readonly number[], reach: number): number[] {
  const centres: number[] = [];
  let group: number[] = [];
  const finish = () => {
    if (group.length > 0) centres.push(group.reduce((sum, value) => sum + value, 0) / group.length);
    group = [];
  };
  for (const value of [...values].sort((a, b) => a - b)) {
    if (group.length > 0 && value - (group.at(-1) ?? 0) > reach) finish();
    group.push(value);
  }
  finish();
  return centres;
}
