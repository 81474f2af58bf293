import { median } from '../../../model/median.js';
import { isPale, MAX_THICKNESS_SHARE, type TracedRule } from '../find/find-rules.js';
import { MAX_GAP_PX, minRunOf } from '../find/trace-runs.js';
import type { Raster } from '../raster.js';

/** Length of a rule by the long side. A shorter one may be the feet of letters that touch, or the stem of a large letter. */
const MIN_LENGTH_SHARE = 0.08;
/** Rows beside a rule that its blur and its rough edge reach. */
const FRINGE_ROWS = 2;
/** Dark rows beside a rule that make the stroke of a letter that touches it. */
const STROKE_ROWS = 3;
/** Share of a rule's length with strokes on it, from which it counts as written on. */
const MIN_WRITTEN_SHARE = 0.05;

/** The extent of a rule at one place along it: from the first row to the last. */
interface Row {
  along: number;
  first: number;
  last: number;
  /** True when something as long as a rule touches it: the feet of letters. */
  isTouched: boolean;
}

/**
 * Erases the rules of tables and frames, and those that are written on: a recogniser loses text on them, and in a coarse
 * scan text beside them. Strokes that cross a rule stay whole; strokes that end on it keep the part beside it.
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
      for (let beside = 1; beside <= STROKE_ROWS; beside++) {
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
    if (!isInGrid && written < rows.length * MIN_WRITTEN_SHARE) continue;
    for (const { along, first, last, isTouched, before, after } of places) {
      if (before && after) continue;
      const from = Math.max(0, before || isTouched ? first : first - FRINGE_ROWS);
      const to = Math.min(count - 1, after || isTouched ? last : last + FRINGE_ROWS);
      for (let across = from; across <= to; across++) bare[across * stride + along * step] = paper;
    }
  }
  return { ...raster, data: bare };
}

/** Chooses the level rules that are long, and the upright rules between two of these. A pale rule by itself harms no letters. */
function chooseRules({ width, height }: Raster, rules: readonly TracedRule[]): (TracedRule & { isInGrid: boolean })[] {
  const long = Math.max(width, height);
  const reach = Math.max(MAX_GAP_PX, long * MAX_THICKNESS_SHARE);
  const isWithin = (place: number, { from, to }: TracedRule) => place > from - reach && place < to + reach;
  const meet = (a: TracedRule, b: TracedRule) =>
    isWithin((a.first + a.last) / 2, b) && isWithin((b.first + b.last) / 2, a);
  const isLong = ({ from, to }: TracedRule) => to - from >= long * MIN_LENGTH_SHARE;
  const level = rules.filter((rule) => rule.direction === 'level' && isLong(rule));
  const upright = rules
    .filter(({ direction }) => direction === 'upright')
    .map((rule) => ({ ...rule, isInGrid: level.filter((other) => meet(rule, other)).length > 1 }));
  return [
    ...level.map((rule) => ({ ...rule, isInGrid: upright.some((other) => other.isInGrid && meet(rule, other)) })),
    ...upright,
  ].filter((rule) => rule.isInGrid || (rule.direction === 'level' && !isPale(rule)));
}

/** Distances in bytes from a pixel to the next: along a rule, and across it. */
const stepsOf = ({ width }: Raster, direction: TracedRule['direction']) =>
  direction === 'level' ? { step: 1, stride: width } : { step: width, stride: 1 };

/** Finds, for each place along a rule, the rows in runs that are long enough for a rule. */
function rowsOf(raster: Raster, { from, to, first, last, dark, direction }: TracedRule): Row[] {
  const { step, stride } = stepsOf(raster, direction);
  const minRun = minRunOf(direction, Math.max(raster.width, raster.height));
  const [firsts, lasts] = [new Int32Array(to - from).fill(-1), new Int32Array(to - from)];
  for (let across = first; across <= last; across++) {
    let [start, end] = [from, from];
    const finish = () => {
      if (end - start < minRun) return;
      for (let index = start - from; index < end - from; index++) {
        if ((firsts[index] ?? 0) < 0) firsts[index] = across;
        lasts[index] = across;
      }
    };
    for (let along = from; along < to; along++) {
      if ((raster.data[across * stride + along * step] ?? 255) >= dark) continue;
      if (along - end > MAX_GAP_PX) {
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

/** Returns a rule's rows with its usual thickness. Where it is thicker, the feet of letters stand on it. */
function trimFeet(rows: readonly Row[]): Row[] {
  const usual = median(rows.map(({ first, last }) => last - first)) ?? 0;
  const isUsual = ({ first, last }: Row) => last - first <= usual + 1;
  let near = rows.find(isUsual);
  return rows.map((row) => {
    if (isUsual(row)) near = row;
    return near === undefined || isUsual(row) ? row : { ...near, along: row.along, isTouched: true };
  });
}
