import type { Area } from '../../../model/geometry.js';
import { splitWhere } from '../../../model/groups.js';
import type { Fragment, PageLine } from '../../../model/page.js';
import { isBold } from '../lines/lines.js';
import {
  copyLines,
  haveCells,
  headAbove,
  isBelowCells,
  isNoCell,
  MAX_HEAD_HEIGHT,
  sharesEnds,
  within,
} from './table-area.js';
import { MAX_WRAP_STEP_EM } from './table-rows.js';

/** A head at which a table may begin, as wide as the table. */
export interface OpenHead extends Area {
  /** Evidence of the head: rules above and below it, a rule below it, one above it with one that ends the table, or its type. */
  by: 'rules' | 'rule' | 'ends' | 'type';
  /** Position of the rule that ends the table. */
  end?: number;
}

const MAX_HEAD_LINES = 4;
/** Smallest width of a table, in points. */
const MIN_TABLE_WIDTH = 100;
/** Upper bound of the places across the page that are searched. */
const MAX_WIDTHS = 20;

/** Finds the heads that rules show, from the top, then those in bold type. */
export function findHeads(fragments: readonly Fragment[], horizontal: readonly Area[]): OpenHead[] {
  const rules = [...horizontal].sort((a, b) => a.y0 - b.y0);
  const widths = rules.filter(
    (rule, index) =>
      rule.x1 - rule.x0 > MIN_TABLE_WIDTH && !rules.slice(0, index).some((other) => sharesEnds(rule, other)),
  );
  const rulesOf = (width: Area) => rules.filter((rule) => sharesEnds(rule, width));
  const heads = [
    ...rules.flatMap((rule) => headsAtRule(rule, rules, fragments)),
    ...widths.slice(0, MAX_WIDTHS).flatMap((width) => boldHeads(width, rulesOf(width), fragments)),
  ];
  return heads.filter((head) => !isBelowCells(head, fragments));
}

function headsAtRule(rule: Area, rules: readonly Area[], fragments: readonly Fragment[]): OpenHead[] {
  const heads: OpenHead[] = [];
  const next = rules.find((other) => other.y0 > rule.y0 + 1 && sharesEnds(rule, other));
  if (next !== undefined && haveCells(within(fragments, { ...rule, y1: next.y0 }))) {
    if (next.y0 - rule.y0 < MAX_HEAD_HEIGHT) heads.push({ ...rule, y1: next.y0, by: 'rules' });
    const first = linesWithin(fragments, { ...rule, y1: next.y0 })[0];
    if (first !== undefined && first.apart.size > 0 && !isUnderHead(rule, rules, first.fontSize))
      heads.push({ ...rule, y1: first.baseline + 1, by: 'ends', end: next.y0 });
  }
  const above = headAbove(rule, fragments);
  return above === undefined ? heads : [...heads, { ...rule, y0: above, y1: rule.y0, by: 'rule' }];
}

/** Largest distance between the rules about a head of one line or two, in ems. */
const MAX_HEAD_RULE_DISTANCE_EM = 4;

/** True when the rule is the lower one of two about a head. */
const isUnderHead = (rule: Area, rules: readonly Area[], fontSize: number): boolean =>
  rules.some(
    (above) =>
      above.y0 < rule.y0 - 1 && above.y0 > rule.y0 - fontSize * MAX_HEAD_RULE_DISTANCE_EM && sharesEnds(above, rule),
  );

/** Finds lines in bold type, with cells in one of them and other text below. */
function boldHeads(width: Area, rules: readonly Area[], fragments: readonly Fragment[]): OpenHead[] {
  const lines = linesWithin(fragments, { ...width, y0: -Infinity, y1: Infinity });
  const groups = splitWhere(lines, (line, above) => !isBold(line) || !isBold(above) || !isClose(above, line));
  return groups.slice(0, -1).flatMap((own): OpenHead[] => {
    const [{ baseline, fontSize }, last] = [own[0], own.at(-1) ?? own[0]];
    if (!own.every(isBold) || own.length > MAX_HEAD_LINES || own.every(({ apart }) => apart.size === 0)) return [];
    const head = { ...width, y0: baseline - fontSize, y1: last.baseline + 1, by: 'type' as const };
    if (rules.some(({ y0 }) => y0 > head.y0 - fontSize && y0 < baseline)) return [head];
    const end = rules.find(({ y0 }) => y0 > head.y1)?.y0;
    return end === undefined ? [] : [{ ...head, end }];
  });
}

const isClose = (above: PageLine, line: PageLine): boolean =>
  line.baseline - above.baseline < line.fontSize * MAX_WRAP_STEP_EM;

export const linesWithin = (fragments: readonly Fragment[], area: Area): PageLine[] =>
  copyLines(within(fragments, area).filter((fragment) => !isNoCell(fragment)));
