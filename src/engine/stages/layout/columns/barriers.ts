import { type Area, covers, extentOf } from '../../../model/geometry.js';
import type { Fragment } from '../../../model/page.js';
import { bottom, piecesOf, type Run, sidesOf, spaceAbove, top } from '../lines/strips.js';
import { rowsOf } from './column-rows.js';

/** Least width of a barrier, as a share of the width of all text. */
const MIN_SHARE = 0.9;

/** The rules and pictures of at least this width, as a share of the width of all text: those from one side to the other. */
export function barriersAmong(fragments: readonly Fragment[], parts: readonly Area[], share = MIN_SHARE): Area[] {
  if (parts.length === 0) return [];
  const width = extentOf(fragments);
  return parts.filter((part) => covers(part, width, share));
}

/** Least width of rules of rows on one side of a gutter, as a share of the width of all text. */
const MIN_RULE_SHARE = 0.3;

/** Barriers that are no rules of rows: those would part rows of one side, too. */
export function barriersOfText(fragments: readonly Fragment[], parts: readonly Area[]): Area[] {
  const barriers = barriersAmong(fragments, parts);
  if (barriers.length === 0) return [];
  const [from, to] = [Math.min(...fragments.map(top)), Math.max(...fragments.map(bottom))];
  const rules = parts.filter(({ y0, y1 }) => y0 === y1 && y0 > from && y0 < to);
  const ruled = barriersAmong(fragments, rules, MIN_RULE_SHARE);
  return ruled.every((rule) => barriers.includes(rule)) ? barriers : [];
}

/** Least space beside a rule that parts texts, in ems: lines of one text stand closer to each other. */
const MIN_SPACE_BESIDE_EM = 0.9;

/**
 * Cuts off the head of the page above the columns, or its foot, where a rule parts it from them: text there keeps
 * their gutter free by chance, and `areColumns` tells that it is no columns by itself. Rules among the remaining lines
 * are those of rows.
 */
export function cutAtBarriers(
  strips: readonly Fragment[][],
  run: Run,
  barriers: readonly Area[],
  areColumns: (fragments: Fragment[]) => boolean,
): Run | undefined {
  if (barriers.length === 0) return undefined;
  const cuts = [...strips.keys()].filter(
    (index) => index > run.from && index <= run.to && isBarred(strips, index, barriers),
  );
  const isHead = (from: number, to: number) => {
    const fragments = piecesOf(strips, { from, to });
    return standsOnBothSides(fragments, run.gutter) && !areColumns(fragments);
  };
  let { from, to } = run;
  for (const cut of cuts) {
    if (!isHead(from, cut - 1)) break;
    from = cut;
  }
  for (const cut of cuts.reverse()) {
    if (cut <= from || !isHead(cut, to)) break;
    to = cut - 1;
  }
  if ((from === run.from && to === run.to) || cuts.some((cut) => cut > from && cut <= to)) return undefined;
  return { ...run, from, to };
}

/** True when a rule stands well apart from the lines above and below it. */
function isBarred(strips: readonly Fragment[][], index: number, barriers: readonly Area[]): boolean {
  const beside = strips.slice(index - 1, index + 1).flat();
  const least = MIN_SPACE_BESIDE_EM * Math.min(...beside.map(({ fontSize }) => fontSize));
  return spaceAbove(strips, index) > least && rulesBetween(strips, index, barriers);
}

/** True when a rule stands between a strip and the one above it. */
export function rulesBetween(strips: readonly Fragment[][], index: number, barriers: readonly Area[]): boolean {
  const [above = [], below = []] = [strips[index - 1], strips[index]];
  const [from, to] = [Math.max(...above.map(bottom)), Math.min(...below.map(top))];
  return barriers.some(({ y0, y1 }) => y0 > from && y1 < to);
}

/**
 * Parts the strips of columns at rules and pictures across both: the columns end above them and begin anew below.
 * Both zones must be text columns, since the heads of a table have no text below each other.
 */
export function cutZones(
  strips: readonly Fragment[][],
  barriers: readonly Area[],
  areText: (fragments: Fragment[]) => boolean,
): Fragment[][] {
  const begins = strips.flatMap((_, index) => (index > 0 && rulesBetween(strips, index, barriers) ? [index] : []));
  const zones: Fragment[][] = [];
  let from = 0;
  for (const [place, begin] of begins.entries()) {
    const zone = strips.slice(from, begin).flat();
    const next = strips.slice(begin, begins[place + 1]).flat();
    if (!areText(zone) || !areText(next)) continue;
    zones.push(zone);
    from = begin;
  }
  return [...zones, strips.slice(from).flat()];
}

/** True for one row on a side, or one text at each. Rows of a table have more of them, and a single text belongs to the column below. */
function standsOnBothSides(fragments: readonly Fragment[], gutter: number): boolean {
  const sides = sidesOf(fragments, gutter).map(rowsOf);
  if (sides.some(({ length }) => length === 0)) return false;
  return sides.some(({ length }) => length === 1) || sides.flat().every(({ parted }) => !parted);
}
