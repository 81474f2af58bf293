import type { Area } from '../../../model/geometry.js';
import type { Fragment, PageLine } from '../../../model/page.js';
import {
  copyLines,
  haveCells,
  headAbove,
  isNoCell,
  MAX_HEAD_HEIGHT,
  reachOf,
  sharesEnds,
  within,
} from './table-area.js';

/** A head at which a table may begin, as wide as the table. */
export interface OpenHead extends Area {
  /** Evidence of the head: rules above and below it, a rule below it, or one above it with one that ends the table. */
  by: 'rules' | 'rule' | 'ends';
  /** Position of the rule that ends the table. */
  end?: number;
}

/** Finds the heads that rules show, from the top. */
export function findHeads(fragments: readonly Fragment[], horizontal: readonly Area[]): OpenHead[] {
  const rules = [...horizontal].sort((a, b) => a.y0 - b.y0);
  return rules
    .flatMap((rule) => headsAtRule(rule, rules, fragments))
    .filter(({ y0, ...head }) => !haveCells(within(fragments, { ...head, y0: y0 - reachOf(fragments), y1: y0 })));
}

function headsAtRule(rule: Area, rules: readonly Area[], fragments: readonly Fragment[]): OpenHead[] {
  const heads: OpenHead[] = [];
  const next = rules.find((other) => other.y0 > rule.y0 + 1 && sharesEnds(rule, other));
  if (next !== undefined && haveCells(within(fragments, { ...rule, y1: next.y0 }))) {
    if (next.y0 - rule.y0 < MAX_HEAD_HEIGHT) heads.push({ ...rule, y1: next.y0, by: 'rules' });
    const first = linesWithin(fragments, { ...rule, y1: next.y0 })[0];
    if (first !== undefined && first.apart.size > 0)
      heads.push({ ...rule, y1: first.baseline + 1, by: 'ends', end: next.y0 });
  }
  const above = headAbove(rule, fragments);
  return above === undefined ? heads : [...heads, { ...rule, y0: above, y1: rule.y0, by: 'rule' }];
}

export const linesWithin = (fragments: readonly Fragment[], area: Area): PageLine[] =>
  copyLines(within(fragments, area).filter((fragment) => !isNoCell(fragment)));
