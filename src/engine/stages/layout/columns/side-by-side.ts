import { isAddress } from '../../../model/addresses.js';
import { splitWhere } from '../../../model/groups.js';
import type { Fragment } from '../../../model/page.js';
import { isBold, lineText } from '../lines/lines.js';
import { columnsOf, sizeOf, spaceAbove, toStrips } from '../lines/strips.js';
import {
  areClose,
  NEARLY_LEVEL_EM,
  type Row,
  rowsOf,
  standBelowEachOther,
  standInOwnRows,
  unlevelShare,
  unpartedShare,
} from './column-rows.js';

/** Largest space between the lines of a band, in ems. */
const MAX_LINE_SPACE_EM = 1.4;
/** Bounds of the lines of a block: columns of prose have more. */
const MIN_LINES = 3;
const MAX_LINES = 12;
/** Lower bounds of the lines of a block that is not level with those beside it, and of the characters of one of them: bullets have fewer. */
const MIN_UNLEVEL_LINES = 2;
const MIN_CHARACTERS = 3;
/** Ratio to the smallest type from which one line at the left is a block: the name in a letterhead. */
const MIN_NAME_RATIO = 1.5;

/**
 * Finds the first band of a page in which an address stands beside another one, or beside the data of a letter or an
 * invoice: each of these blocks is read by itself, though their lines are level like the cells of rows. Outside of
 * columns, blocks whose lines are not level are found too. Returns the text above the band, its blocks and the text
 * below it.
 */
export function findSideBySide(fragments: readonly Fragment[], inColumns: boolean): Fragment[][] | undefined {
  const strips = toStrips(fragments);
  for (const band of splitWhere([...strips.keys()], (index) => beginsBand(strips, index))) {
    const [from, to] = [band[0], band[0] + band.length];
    const [first, ...others] = blocksOf(strips.slice(from, to).flat(), inColumns) ?? [];
    if (first === undefined) continue;
    const [address, below] = endAddress(first);
    return [strips.slice(0, from).flat(), address, ...others, [...below, ...strips.slice(to).flat()]];
  }
  return undefined;
}

/** True when wide space parts a strip from the one above it, or when it is the bold head of a table. */
function beginsBand(strips: Fragment[][], index: number): boolean {
  const [above = [], strip = []] = [strips[index - 1], strips[index]];
  return (strip.length > 1 && strip.every(isBold) && !above.every(isBold)) || isApart(strips, index);
}

const isApart = (strips: Fragment[][], index: number): boolean =>
  spaceAbove(strips, index) > MAX_LINE_SPACE_EM * sizeOf(strips[index]);

/** Returns the blocks of a band: each column that is an address or one of several authors, and what stands beside these. */
function blocksOf(band: readonly Fragment[], inColumns: boolean): Fragment[][] | undefined {
  if (band.some(({ block, direction }) => block !== undefined || direction === 'rtl')) return undefined;
  const columns = columnsOf(band);
  if (columns.length < 2) return undefined;
  if (!inColumns && areUnlevel(columns)) return columns;
  const authors = columns.filter(holdsMail);
  const addresses = new Set([...(authors.length > 1 ? authors : []), ...columns.filter(holdsAddress)]);
  const parts = splitWhere(columns, (column, previous) => addresses.has(column) || addresses.has(previous));
  const last = parts.findLastIndex(([column]) => addresses.has(column));
  const areBlocks = parts.every((part, index) => {
    const block = part.flat();
    const lines = rowsOf(block).length;
    // Words without figures at the left of an address are the labels of its lines.
    const mayBeLabels = index < last && !addresses.has(part[0]);
    const isLabels = mayBeLabels && block.filter((piece) => /\d/.test(lineText(piece))).length < 2;
    return lines >= MIN_LINES && lines <= MAX_LINES && !isLabels;
  });
  return addresses.size > 0 && areBlocks ? parts.map((part) => part.flat()) : undefined;
}

/** Share of the lines of each block that are level with none of the one beside it: cells of rows are. */
const MIN_UNLEVEL_SHARE = 0.5;

/** True for blocks of close lines that are not level with those beside them. */
function areUnlevel(columns: readonly Fragment[][]): boolean {
  const blocks = columns.map(rowsOf);
  const least = Math.min(...blocks.flat().map(({ size }) => size)) * MIN_NAME_RATIO;
  const isBlock = (rows: readonly Row[], index: number) =>
    (rows.length >= MIN_UNLEVEL_LINES || (index === 0 && rows.every(({ size }) => size >= least))) &&
    unpartedShare(rows) === 1 &&
    rows.some(({ characters }) => characters >= MIN_CHARACTERS) &&
    areClose(rows, 1 - 1 / rows.length);
  const shareOf = (left: readonly Row[], right: readonly Row[]) =>
    standBelowEachOther(left, right)
      ? 0
      : Math.min(unlevelShare(left, right, NEARLY_LEVEL_EM), unlevelShare(right, left, NEARLY_LEVEL_EM));
  const shares = blocks.slice(1).map((block, index) => shareOf(blocks[index] ?? [], block));
  return blocks.every(isBlock) && Math.min(...shares) >= MIN_UNLEVEL_SHARE;
}

/**
 * Divides the first column from the text below its address that wide space parts from it, as the subject of a letter and
 * the greeting: other columns go on beside these.
 */
function endAddress(column: readonly Fragment[]): [address: Fragment[], below: Fragment[]] {
  const strips = toStrips(column);
  const end = strips.findIndex((_, index) => isApart(strips, index) && holdsAddress(strips.slice(0, index).flat()));
  return end === -1 ? [[...column], []] : [strips.slice(0, end).flat(), strips.slice(end).flat()];
}

/** The last line of an author of a paper, below the name and the place of work. */
const MAIL = /^\S+@\S+\.\p{L}+$/u;

const holdsMail = (column: readonly Fragment[]): boolean =>
  standInOwnRows(column) && column.some((line) => MAIL.test(lineText(line)));

/** True when each of its lines is one part, and some of them are an address. */
function holdsAddress(column: readonly Fragment[]): boolean {
  const lines = [...column].sort((a, b) => a.baseline - b.baseline);
  return standInOwnRows(lines) && isAddress(lines.map(lineText));
}
