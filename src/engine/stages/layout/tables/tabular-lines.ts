import type { Area } from '../../../model/geometry.js';
import type { PageLine } from '../../../model/page.js';
import { isLeader } from '../lines/fragment.js';
import { hasCells } from '../lines/line-cells.js';
import { isBold } from '../lines/lines.js';
import { isAmount } from './table-rows.js';

/** True when the line has cells or leaders. */
export function isTabular(line: PageLine | undefined): boolean {
  if (line === undefined || line.block !== undefined || line.direction === 'rtl') return false;
  return line.words.some(isLeader) || hasCells(line);
}

export const MIN_HEAD_CELLS = 3;

export const hasAmount = ({ words }: PageLine): boolean => words.some(({ text }) => isAmount(text));

/** True when the first line has several cells and is a head by its bold type or by a rule below it. */
export function isHeaded(lines: readonly PageLine[], rules: readonly Area[]): boolean {
  const [first, second] = lines;
  if (first === undefined || second === undefined || first.apart.size + 1 < MIN_HEAD_CELLS) return false;
  const rows = lines.slice(1).filter(isTabular);
  // A row may lack its label, but not when it is the only one.
  const least = first.apart.size - (rows.length > 1 ? 1 : 0);
  if (!rows.some(({ apart }) => apart.size >= least) || hasAmount(first)) return false;
  if (isBold(first) && !isBold(second)) return true;
  return rules.some(({ y0 }) => y0 > first.baseline && y0 < second.baseline - second.fontSize * 0.5);
}
