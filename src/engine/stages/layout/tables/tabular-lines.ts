import { type Area, boundsOf, middleOf } from '../../../model/geometry.js';
import type { PageLine } from '../../../model/page.js';
import { isLeader } from '../lines/fragment.js';
import { hasCells, partsOf } from '../lines/line-cells.js';
import { isBold } from '../lines/lines.js';
import { isAmount } from './table-rows.js';

/** True when the line has cells or leaders. */
export function isTabular(line: PageLine | undefined): boolean {
  if (line === undefined || line.block !== undefined || line.direction === 'rtl') return false;
  return line.words.some(isLeader) || hasCells(line);
}

/** Cells of rows that wide space parts. */
const MIN_FAR_ROW_CELLS = 3;
/** Tolerance of cells that stand below each other, in ems. */
const FAR_ROW_TOLERANCE_EM = 0.1;

/** True when two lines have as many cells, each of which begins, ends or has its middle below another one: rows, also far from each other. */
export function areRows(above: PageLine, line: PageLine): boolean {
  if (line.apart.size !== above.apart.size || line.apart.size + 1 < MIN_FAR_ROW_CELLS) return false;
  const [upper = [], parts = []] = [above, line].map(partsOf);
  // The comma and the point of an amount's boxes are no cells.
  if (!parts.every((words) => words.some(({ text }) => /[\p{L}\p{N}]/u.test(text)))) return false;
  const tolerance = line.fontSize * FAR_ROW_TOLERANCE_EM;
  const isClose = (a: number, b: number) => Math.abs(a - b) < tolerance;
  return parts.every((words, index) => {
    const [cell, other] = [boundsOf(words), boundsOf(upper[index] ?? [])];
    return isClose(cell.x0, other.x0) || isClose(cell.x1, other.x1) || isClose(middleOf(cell), middleOf(other));
  });
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
