import { gapBetween, middleOf } from '../../../model/geometry.js';
import type { PageLine, PageWord } from '../../../model/page.js';
import { isLeader } from '../lines/fragment.js';
import { partsOf } from '../lines/line-cells.js';
import { beginsCell, type Column, stretchOf } from './table-columns.js';
import type { TableRow } from './table-rows.js';

/** Smallest gap between two phrases, in ems: words of one phrase stand closer. */
const MIN_PHRASE_GAP_EM = 0.55;
/** Tolerance of a word that begins or ends a column, in ems. */
const PHRASE_EDGE_TOLERANCE_EM = 0.1;

/** Places the phrases of a line in their columns. A phrase across a corridor spans the columns beside it. */
export function toRow(line: PageLine, columns: readonly Column[]): TableRow {
  const { words, baseline, fontSize, x0 } = line;
  const cells: TableRow['cells'] = columns.map(() => undefined);
  let last: { column: number; columnSpan: number; lines: [PageWord[]] } | undefined;
  const parts = partsInOrder(line, columns);
  const phrases = parts ?? phrasesOf(words, fontSize).flatMap((whole) => splitAtColumns(whole, columns));
  for (const [index, phrase] of phrases.entries()) {
    const [from, to] = parts === undefined ? reachOf(phrase, columns) : [index, index];
    if (last !== undefined && from < last.column + last.columnSpan) {
      last.lines[0].push(...phrase);
      last.columnSpan = Math.max(last.columnSpan, to - last.column + 1);
    } else {
      last = { column: from, columnSpan: to - from + 1, lines: [phrase] };
      cells[from] = last;
    }
  }
  return { cells, baseline, fontSize, x0, ...(words.some(isLeader) && { isEntry: true }) };
}

/**
 * Returns the parts between wide spaces when they are as many as the columns, and none is over the column of another:
 * heads set left over figures set right stand beside their columns.
 */
function partsInOrder(line: PageLine, columns: readonly Column[]): PageWord[][] | undefined {
  if (line.apart.size + 1 !== columns.length || line.words.some(isLeader)) return undefined;
  const parts = partsOf(line);
  const areOver = (part: readonly PageWord[], own: number) =>
    columns.every((column, index) => index === own || gapBetween(column, stretchOf(part)) >= 0);
  return parts.every(areOver) ? parts : undefined;
}

/** Returns the phrases without leaders: a word that follows a leader stands apart from the words before it. */
function phrasesOf(words: readonly PageWord[], fontSize: number): PageWord[][] {
  const phrases: PageWord[][] = [];
  let end = -Infinity;
  for (const [index, word] of words.entries()) {
    if (isLeader(word)) continue;
    const before = words[index - 1];
    const shown = before !== undefined && isLeader(before) ? { ...word, glued: false } : word;
    const phrase = phrases.at(-1);
    if (phrase !== undefined && !beginsCell(words, index) && word.x0 - end < fontSize * MIN_PHRASE_GAP_EM)
      phrase.push(shown);
    else phrases.push([shown]);
    end = word.x1;
  }
  return phrases;
}

/** Splits cells that stand as close as words: all of them begin or end where their columns do. */
function splitAtColumns(phrase: PageWord[], columns: readonly Column[]): PageWord[][] {
  const [from, to] = reachOf(phrase, columns);
  const parts: PageWord[][] = [];
  let rest = phrase;
  for (let index = from; index < to; index++) {
    const [left, right] = [columns[index], columns[index + 1]];
    const start = rest.findIndex(
      (word, at) => at > 0 && (isLevel(word.x0, right?.x0, word) || isLevel(rest[at - 1]?.x1, left?.x1, word)),
    );
    if (start === -1) return [phrase];
    parts.push(rest.slice(0, start));
    rest = rest.slice(start);
  }
  parts.push(rest);
  const stand = parts.every((part, index) => {
    const column = columns[from + index];
    const [first, last] = [part[0], part.at(-1)];
    return first !== undefined && (isLevel(first.x0, column?.x0, first) || isLevel(last?.x1, column?.x1, first));
  });
  return stand ? parts : [phrase];
}

const isLevel = (a = 0, b = 0, { fontSize }: PageWord): boolean =>
  Math.abs(a - b) < fontSize * PHRASE_EDGE_TOLERANCE_EM;

/** Returns the first and the last of the columns in which the words of the phrase stand, or next to which. */
function reachOf(phrase: readonly PageWord[], columns: readonly Column[]): [from: number, to: number] {
  const whole = stretchOf(phrase);
  const over = columns.filter((column) => gapBetween(column, whole) < 0);
  const near = over.length > 0 ? over : nearest(columns, whole);
  const at = phrase.flatMap((word) => {
    const middle = middleOf(word);
    return nearest(near, { x0: middle, x1: middle }).map((column) => columns.indexOf(column));
  });
  return [Math.min(...at), Math.max(...at)];
}

function nearest(columns: readonly Column[], stretch: Column): Column[] {
  const distances = columns.map((column) => gapBetween(column, stretch));
  const index = distances.indexOf(Math.min(...distances));
  return columns.slice(index, index + 1);
}
