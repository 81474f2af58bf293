import { splitWhere } from '../../model/groups.js';
import { WIDE_GAP_EM } from '../../model/join-fragments.js';
import type { PageWord } from '../../model/page.js';
import { isSigns } from './words/word-ends.js';

/** Smallest gap before a cell, in ems. */
const MIN_GAP_EM = 0.1;
/** Largest step between rows, in ems. */
const MAX_STEP_EM = 3;
/** Words on one base line differ by less, in ems. */
const SAME_LINE_EM = 0.2;
/** Tolerance of cells that begin or end level, in ems. */
const LEVEL_EM = 0.07;
/** Least number of rows, and share of them, in which a cell is level: words of lines are so by chance. */
const MIN_ROWS = 3;
const MIN_ROW_SHARE = 0.4;
/** Least share of the cells that are level. */
const MIN_LEVEL_SHARE = 0.7;
/** Bullets, numbers and letters of items, behind which the text stands level. */
const MARKER = /^(?:[^\p{L}\p{N}]{1,2}|[([]?(?:\d{1,3}|\p{L}|[ivx]{1,5})[.)\]:]|\p{L})$/iu;
/** Numbers and letters of items within a line. */
const ITEM = /^(?:\p{L}|\d{1,3})[.)]$/u;
/** Labels of values, and leaders. */
const LABEL = /:$|\.\.$/;
/** Figures, which end level. */
const FIGURES = /^[^\p{L}\p{N}]?[\d.,]*\d%?$/u;

/** A word that the PDF has moved on to, and the word before it. */
interface Start {
  before: PageWord;
  word: PageWord;
  /** True for the only word of its cell. */
  isAlone: boolean;
}

/**
 * Marks the words that begin cells close to others: programs move on to each cell, with no space in between, and the
 * cells of several rows begin or end level. `placed`: those words of the page that the PDF has moved on to.
 */
export function markCellStarts(words: readonly PageWord[], placed: ReadonlySet<PageWord>): void {
  if (placed.size < MIN_ROWS) return;
  const sorted = [...words].sort((a, b) => a.baseline - b.baseline);
  const lines = splitWhere(
    sorted,
    (word, _, [first]) => word.baseline - first.baseline > first.fontSize * SAME_LINE_EM,
  );
  const rows = lines.map((line) => ({
    line,
    starts: startsOf(
      [...line].sort((a, b) => a.x0 - b.x0),
      placed,
    ),
  }));
  const runs = splitWhere(rows, (row, above) => {
    const [[word], [before]] = [row.line, above.line];
    if (row.starts.length === 0 || above.starts.length === 0) return true;
    return word.baseline - before.baseline > word.fontSize * MAX_STEP_EM;
  });
  for (const run of runs) {
    const starts = run.flatMap((row) => row.starts);
    const close = starts.filter(isClose);
    const least = Math.max(MIN_ROWS, run.length * MIN_ROW_SHARE);
    const level = close.filter((start) => isLevel(start, starts, least));
    if (level.length === 0 || level.length < close.length * MIN_LEVEL_SHARE) continue;
    // Words of a title or a sentence above the rows are placed one by one, too. Sums in bold type need not be level.
    const isRow = (own: readonly Start[]) =>
      own.some((start) => isLevel(start, starts, least)) ||
      (own.length > 2 && own.every(({ word }) => FIGURES.test(word.text)));
    for (const row of run) if (isRow(row.starts)) for (const { word } of row.starts) word.beginsCell = true;
  }
}

function startsOf(row: readonly PageWord[], placed: ReadonlySet<PageWord>): Start[] {
  return row.flatMap((word, index) => {
    const before = row[index - 1];
    if (before === undefined || !placed.has(word) || word.glued || isSigns(word.text) || isSigns(before.text))
      return [];
    if ((index === 1 && MARKER.test(before.text)) || ITEM.test(word.text)) return [];
    if (LABEL.test(before.text) || (placed.has(before) && ITEM.test(before.text))) return [];
    if (word.x0 - before.x1 <= word.fontSize * MIN_GAP_EM) return [];
    const next = row[index + 1];
    return [{ before, word, isAlone: next === undefined || placed.has(next) }];
  });
}

const isClose = ({ word, before }: Start): boolean => word.x0 - before.x1 < word.fontSize * WIDE_GAP_EM;

/** True when it begins, or the word before it ends, level with so many, or figures end so. The same words begin and end level in any text. */
function isLevel(start: Start, starts: readonly Start[], least: number): boolean {
  const off = start.word.fontSize * LEVEL_EM;
  return EDGES.some((edgeOf) => {
    const edge = edgeOf(start);
    const level = starts.filter((other) => Math.abs(edgeOf(other) - edge) < off);
    return level.length >= least && level.some(({ before }) => before.text !== start.before.text);
  });
}

/** The edges of two cells side by side, of which one is level; NaN where it is none. */
const EDGES: readonly ((start: Start) => number)[] = [
  ({ word }) => word.x0,
  ({ before }) => before.x1,
  ({ word, isAlone }) => (isAlone && FIGURES.test(word.text) ? word.x1 : Number.NaN),
];
