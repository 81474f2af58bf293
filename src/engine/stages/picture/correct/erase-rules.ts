import { median } from '../../../model/median.js';
import { MOST_THICKNESS, type TracedRule } from '../find/find-rules.js';
import { leastRunOf, MOST_GAP } from '../find/trace-runs.js';
import type { Raster } from '../raster.js';

/** As shares of the long side: what is shorter may be the feet of letters that touch, or the stem of a large one. */
const LEAST_LENGTH = 0.08;
/** Rows beside a rule that its blur and its uneven edge reach. */
const FRINGE = 2;
/** So many dark rows beside a rule are the stroke of a letter that touches it. */
const STROKE = 3;
/** Of a rule's length, on which strokes stand: it is written on. */
const LEAST_WRITTEN = 0.05;

/** What a rule takes in one place along it: from the first row to the last. */
interface Row {
  along: number;
  first: number;
  last: number;
  /** Something as long as a rule touches it: the feet of letters. */
  isTouched: boolean;
}

/**
 * Takes the rules of tables and frames, and those that are written on, off a picture: a recogniser loses what stands on them,
 * or beside them where a scan is coarse. Strokes that cross a rule stay whole; those that end on it keep what is beside it.
 */
export function eraseRules(raster: Raster, rules: readonly TracedRule[]): Raster {
  const chosen = chooseRules(raster, rules).map((rule) => ({ ...rule, rows: rowsOf(raster, rule) }));
  if (chosen.length === 0) return raster;
  const { data, width, height } = raster;
  const isRule = new Uint8Array(data.length);
  for (const { direction, rows } of chosen) {
    const { step, stride } = stepsOf(raster, direction);
    for (const { along, first, last } of rows)
      for (let across = first; across <= last; across++) isRule[across * stride + along * step] = 1;
  }
  const bare = new Uint8Array(data);
  for (const { direction, rows, dark, paper, isInGrid } of chosen) {
    const { step, stride } = stepsOf(raster, direction);
    const count = direction === 'level' ? height : width;
    const isStroke = (along: number, edge: number, way: 1 | -1) => {
      for (let beside = 1; beside <= STROKE; beside++) {
        const across = edge + way * beside;
        const at = across * stride + along * step;
        if (across < 0 || across >= count || (data[at] ?? 255) >= dark || isRule[at] === 1) return false;
      }
      return true;
    };
    const places = rows.map((row) => ({
      ...row,
      before: isStroke(row.along, row.first, -1),
      after: isStroke(row.along, row.last, 1),
    }));
    const written = places.filter(({ before, after }) => before || after).length;
    if (!isInGrid && written < rows.length * LEAST_WRITTEN) continue;
    for (const { along, first, last, isTouched, before, after } of places) {
      if (before && after) continue;
      const from = Math.max(0, before || isTouched ? first : first - FRINGE);
      const to = Math.min(count - 1, after || isTouched ? last : last + FRINGE);
      for (let across = from; across <= to; across++) bare[across * stride + along * step] = paper;
    }
  }
  return { ...raster, data: bare };
}

/** Level ones that are long, and uprights between two of them. */
function chooseRules({ width, height }: Raster, rules: readonly TracedRule[]): (TracedRule & { isInGrid: boolean })[] {
  const long = Math.max(width, height);
  const reach = Math.max(MOST_GAP, long * MOST_THICKNESS);
  const isWithin = (place: number, { from, to }: TracedRule) => place > from - reach && place < to + reach;
  const meet = (a: TracedRule, b: TracedRule) =>
    isWithin((a.first + a.last) / 2, b) && isWithin((b.first + b.last) / 2, a);
  const isLong = ({ from, to }: TracedRule) => to - from >= long * LEAST_LENGTH;
  const level = rules.filter((rule) => rule.direction === 'level' && isLong(rule));
  const upright = rules
    .filter(({ direction }) => direction === 'upright')
    .map((rule) => ({ ...rule, isInGrid: level.filter((other) => meet(rule, other)).length > 1 }));
  return [
    ...level.map((rule) => ({ ...rule, isInGrid: upright.some((other) => other.isInGrid && meet(rule, other)) })),
    ...upright.filter(({ isInGrid }) => isInGrid),
  ];
}

/** From bytes to bytes: along a rule, and across it. */
const stepsOf = ({ width }: Raster, direction: TracedRule['direction']) =>
  direction === 'level' ? { step: 1, stride: width } : { step: width, stride: 1 };

/** Of each place along a rule, the rows that belong to runs as long as those of rules. */
function rowsOf(raster: Raster, { from, to, first, last, dark, direction }: TracedRule): Row[] {
  const { step, stride } = stepsOf(raster, direction);
  const leastRun = leastRunOf(direction, Math.max(raster.width, raster.height));
  const [firsts, lasts] = [new Int32Array(to - from).fill(-1), new Int32Array(to - from)];
  for (let across = first; across <= last; across++) {
    let [start, end] = [from, from];
    const finish = () => {
      if (end - start < leastRun) return;
      for (let index = start - from; index < end - from; index++) {
        if ((firsts[index] ?? 0) < 0) firsts[index] = across;
        lasts[index] = across;
      }
    };
    for (let along = from; along < to; along++) {
      if ((raster.data[across * stride + along * step] ?? 255) >= dark) continue;
      if (along - end > MOST_GAP) {
        finish();
        start = along;
      }
      end = along + 1;
    }
    finish();
  }
  const rows = [...firsts.entries()].flatMap(([index, row]) =>
    row < 0 ? [] : [{ along: from + index, first: row, last: lasts[index] ?? row, isTouched: false }],
  );
  return trimFeet(rows);
}

/** Where a rule is thicker than it usually is, the feet of letters stand on it, and it goes on as before. */
function trimFeet(rows: readonly Row[]): Row[] {
  const usual = median(rows.map(({ first, last }) => last - first)) ?? 0;
  const isUsual = ({ first, last }: Row) => last - first <= usual + 1;
  let near = rows.find(isUsual);
  return rows.map((row) => {
    if (isUsual(row)) near = row;
    return near === undefined || isUsual(row) ? row : { ...near, along: row.along, isTouched: true };
  });
}
