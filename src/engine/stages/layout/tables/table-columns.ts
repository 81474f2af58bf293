import { countBy } from '../../../model/counts.js';
import { middleOf, type Span } from '../../../model/geometry.js';
import { median, spreadOf } from '../../../model/median.js';
import type { PageLine, PageWord } from '../../../model/page.js';
import { isLeader } from '../lines/fragment.js';
import { lineText } from '../lines/lines.js';
import { isLoneMarker } from '../markers.js';
import { filled, isNumeric, type TableRow, textOf } from './table-rows.js';

export type Column = Span;

/** Smallest width of a corridor, in ems. Among few lines it is wider, because their white space may coincide by chance. */
const corridorWidth = (lines: number): number => (lines >= 6 ? MIN_CORRIDOR_EM : lines >= 4 ? 0.8 : 1.1);
export const MIN_CORRIDOR_EM = 0.6;
/** The same with words right of it in less than half of the lines: more than the space between monospaced words. */
const MIN_SPARSE_CORRIDOR_EM = 0.65;
/** Share of lines that may cross a corridor: heads that stand over several columns. */
export const MAX_CROSSING_SHARE = 0.15;
const MAX_COLUMNS = 40;

/**
 * Proposes columns between the corridors that tabular lines leave free. The corridors are those of the lines with the
 * usual number of parts, of all lines, of the lines below the first, and of all but a few, which may be heads over
 * several columns. When the first line is known to be a head, they are also those of the lines below it and of the
 * lines with about as many parts as it has, which leaves out the sums.
 */
export function proposeColumns(lines: readonly PageLine[], headed: boolean): Column[][] {
  const parts = lines.map((line) => line.apart.size + (line.words.some(isLeader) ? 1 : 0));
  const counts = countBy(parts, (count) => count);
  counts.delete(0);
  const [usual = 1] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [];
  const typical = lines.filter((_, index) => (parts[index] ?? 0) >= usual);
  const few = lines.length >= 5 ? Math.max(1, Math.floor(lines.length * MAX_CROSSING_SHARE)) : 0;
  const likeHead = headed ? lines.filter((_, index) => (parts[index] ?? 0) >= (parts[0] ?? 0) - 1) : [];
  const clear = [
    typical.length >= 2 && typical.length < lines.length ? columnsBetween(typical) : [],
    lines.length >= 4 || (headed && lines.length === 3) ? columnsBetween(lines.slice(1)) : [],
    columnsBetween(lines),
    likeHead.length >= 2 && likeHead.length < lines.length ? columnsBetween(likeHead) : [],
  ];
  // Proposals with more columns come first: a head over two columns hides the corridor between them. So those without
  // the first line come before those with it.
  const proposals = clear.sort((a, b) => b.length - a.length);
  if (few > 0) proposals.push(columnsBetween(lines, undefined, few));
  return proposals.filter((columns) => columns.length >= 2 && columns.length <= MAX_COLUMNS);
}

/**
 * Finds the columns between the corridors that all lines but `allowed` leave free and that are wide enough, or sharp;
 * `least` is the smallest width of those that are wide enough, in ems.
 */
export function columnsBetween(lines: readonly PageLine[], least = corridorWidth(lines.length), allowed = 0): Column[] {
  const size = Math.max(1, median(lines.map(({ fontSize }) => fontSize)) ?? 0);
  const rows = lines.map((line) => stretchesOf(line, size));
  const columns: Column[] = [];
  const stretches = rows.flat();
  for (const next of coveredBy(stretches, allowed)) {
    const last = columns.at(-1);
    const beside = stretches.filter(({ x0 }) => x0 >= next.x0 && x0 < next.x1).length;
    const wide = size * (beside * 2 < lines.length ? Math.max(least, MIN_SPARSE_CORRIDOR_EM) : least);
    if (last && next.x0 - last.x1 < wide && !areSharp(rows, last, next, wide)) last.x1 = next.x1;
    else columns.push(next);
  }
  return columns;
}

/** Returns the places where more stretches than `allowed` stand above each other. */
function coveredBy(stretches: readonly Column[], allowed: number): Column[] {
  const edges = stretches.flatMap(({ x0, x1 }) => [
    { x: x0, step: 1 },
    { x: x1, step: -1 },
  ]);
  edges.sort((a, b) => a.x - b.x || b.step - a.step);
  const covered: Column[] = [];
  let depth = 0;
  for (const { x, step } of edges) {
    depth += step;
    const last = covered.at(-1);
    if (step > 0 && depth === allowed + 1) covered.push({ x0: x, x1: x });
    else if (step < 0 && depth === allowed && last !== undefined) last.x1 = x;
  }
  return covered;
}

/** Lower bound of the cells on either side of a corridor that is narrower than others; one side has more. */
const MIN_SHARP_CELLS = 3;
/** Share of these that must be level with it. */
const MIN_SHARP_SHARE = 0.8;
/** Tolerance of cells that are level with such a corridor, in points. */
const SHARP_EDGE_TOLERANCE = 0.5;

/** Figures with decimals: two of them side by side are two cells. */
const DECIMAL = /^\p{Sc}?\d[\d.,]*[.,]\d\d$/u;

/**
 * True when cells are known to begin right of the corridor, or stand apart; when it parts figures with decimals; or when
 * those left of it end level and those right of it begin level: none of them all markers, nor nearly all the same unit or
 * word.
 */
function areSharp(rows: readonly Stretch[][], left: Column, right: Column, least: number): boolean {
  const sides = rows.map((row) => ({
    over: row.findLast(({ x0 }) => x0 >= left.x0 && x0 < left.x1),
    under: row.find(({ x0 }) => x0 >= right.x0 && x0 < right.x1),
  }));
  const [ending, beginning] = [sides.flatMap(({ over }) => over ?? []), sides.flatMap(({ under }) => under ?? [])];
  const known = beginning.filter(({ isStart }) => isStart);
  if (known.length > 0 && beginning.every(({ isStart, gap }) => isStart || gap > least)) return true;
  const pairs = sides.flatMap(({ over, under }) => (over && under ? [[over.last.text, under.first.text]] : []));
  if (pairs.length >= MIN_SHARP_CELLS && pairs.flat().every((text) => DECIMAL.test(text))) return true;
  const isLevel = (edges: readonly number[]) =>
    edges.filter((edge) => Math.abs(edge) < SHARP_EDGE_TOLERANCE).length >= edges.length * MIN_SHARP_SHARE;
  return (
    Math.min(ending.length, beginning.length) >= MIN_SHARP_CELLS &&
    Math.max(ending.length, beginning.length) > MIN_SHARP_CELLS &&
    isLevel(ending.map(({ x1 }) => x1 - left.x1)) &&
    isLevel(beginning.map(({ x0 }) => x0 - right.x0)) &&
    !ending.every(({ first }) => isLoneMarker(first.text)) &&
    Math.max(...countBy(beginning, ({ first }) => first.text).values()) < beginning.length * MIN_SHARP_SHARE
  );
}

interface Stretch extends Column {
  first: PageWord;
  last: PageWord;
  /** The space before it. */
  gap: number;
  /** True when it is known to begin a cell. */
  isStart: boolean;
}

/** True when a word is a currency sign before a figure. */
const isSignBeforeFigure = (words: readonly PageWord[], index: number): boolean =>
  /^\p{Sc}$/u.test(words[index]?.text ?? '') && /^\(?\d/.test(words[index + 1]?.text ?? '');

/** True when a word is known to begin a cell, or is the sign of a further amount: set at the left of its column, it stands close to the figure before. */
export const beginsCell = (words: readonly PageWord[], index: number): boolean =>
  words[index]?.beginsCell === true ||
  (isSignBeforeFigure(words, index) &&
    words.some(({ text }, at) => at < index && text === words[index]?.text && isSignBeforeFigure(words, at)));

/** Joins the words of one phrase to a stretch, so that the spaces within a line count for nothing. */
function stretchesOf(line: PageLine, size: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [index, word] of line.words.entries()) {
    if (isLeader(word)) continue;
    const last = stretches.at(-1);
    const gap = word.x0 - (last?.x1 ?? -Infinity);
    const isStart = beginsCell(line.words, index);
    if (last && !isStart && (gap < size * 0.35 || (last.isStart && isSignBeforeFigure(line.words, index - 1)))) {
      last.x1 = Math.max(last.x1, word.x1);
      last.last = word;
    } else stretches.push({ x0: word.x0, x1: word.x1, first: word, last: word, gap, isStart });
  }
  return stretches;
}

/** Tolerance of edges that are in line, in ems. */
const COLUMN_EDGE_TOLERANCE_EM = 0.5;

/** Tolerance of the middles of centred cells, in ems. */
const CENTRED_TOLERANCE_EM = 0.2;

/** Evidence of a table other than its columns: rules among its lines, and a first line that is known to be a head. */
interface TableEvidence {
  ruled: boolean;
  headed: boolean;
}

/** True when these are cells of a table, not the words of lines that have space in them by chance. */
export function isAligned(rows: readonly TableRow[], columns: readonly Column[], evidence: TableEvidence): boolean {
  const full = rows.filter((row) => filled(row).length >= 2);
  if (full.length < 2 || full.length * 2 < withoutContinuations(rows).length) return false;
  // Heads above the first label are set in ways of their own.
  const labelled = full.slice(full.findIndex(({ cells }) => cells[0] !== undefined));
  return (
    haveColumns(full, columns.length, evidence) ||
    (labelled.length >= 3 && haveColumns(labelled, columns.length, evidence))
  );
}

/** Drops lines that have nothing but words right of the labels, under the beginning of a cell in the line above. */
function withoutContinuations(rows: readonly TableRow[]): TableRow[] {
  return rows.filter((row, index) => {
    const [cell, ...others] = filled(row);
    if (cell === undefined || cell.column === 0 || others.length > 0 || isNumeric(textOf(cell))) return true;
    const [first, above] = [cell.lines[0]?.[0], rows[index - 1]?.cells[cell.column]?.lines[0]?.[0]];
    if (first === undefined || above === undefined) return true;
    return Math.abs(first.x0 - above.x0) >= first.fontSize * COLUMN_EDGE_TOLERANCE_EM;
  });
}

function haveColumns(full: readonly TableRow[], columns: number, { ruled, headed }: TableEvidence): boolean {
  const kinds = Array.from({ length: columns }, (_, column) => describeColumn(full, column));
  // Short lines and long ones do not share their middles by chance.
  if (kinds.every(({ centred }) => centred)) return true;
  if (full.length < (ruled || columns > 3 ? 2 : 3)) return false;
  // The first column may be empty below its head, if the next one has a head too. A head over another one stands beside its figures.
  const leastIn = (column: number) => (headed && column === 0 && full[0]?.cells[1] ? 1 : Math.min(2, full.length));
  if (kinds.some(({ count }, column) => count < leastIn(column))) return false;
  // Two columns of full lines are columns of text.
  if (kinds.filter(({ characters }) => characters > 28).length >= 2 && columns < 4 && !ruled) return false;
  if (kinds[0]?.markers === true) return columns > 2;
  const aligned = kinds.filter(({ edge }) => edge !== undefined).length;
  if (aligned < Math.max(columns === 2 ? 2 : 0, columns * 0.6)) return false;
  return ruled || kinds.some(({ edge }) => edge === 'left' || edge === 'right');
}

interface ColumnKind {
  count: number;
  /** Average per cell. */
  characters: number;
  edge: 'left' | 'right' | 'center' | undefined;
  /** True when all cells are about one middle and not equally long. */
  centred: boolean;
  /** True when there is nothing but list markers. */
  markers: boolean;
}

function describeColumn(rows: readonly TableRow[], column: number): ColumnKind {
  const cells = rows.flatMap((row) => {
    const cell = row.cells[column];
    return cell === undefined || cell.columnSpan > 1 ? [] : [{ words: cell.lines.flat(), size: row.fontSize }];
  });
  const texts = cells.map(lineText);
  const size = median(cells.map((cell) => cell.size)) ?? 0;
  const lefts = cells.map(({ words }) => words[0]?.x0 ?? 0);
  const rights = cells.map(({ words }) => figureEnd(words.at(-1)));
  const middles = lefts.map((left, index) => (left + (rights[index] ?? left)) / 2);
  const off = size * COLUMN_EDGE_TOLERANCE_EM;
  const share = (values: number[]) => {
    const middle = median(values) ?? 0;
    return values.filter((value) => Math.abs(value - middle) < off).length / Math.max(1, values.length);
  };
  const edges = [
    ['left', share(lefts)],
    ['right', share(rights)],
    ['center', share(middles)],
  ] as const;
  const best = edges.reduce((a, b) => (b[1] > a[1] ? b : a));
  return {
    count: cells.length,
    characters: texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length),
    edge: best[1] >= 0.65 ? best[0] : column === 0 && isIndented(lefts, size) ? 'left' : undefined,
    centred:
      spreadOf(middles) < size * CENTRED_TOLERANCE_EM &&
      spreadOf(lefts) > off &&
      !cells.some((cell) => hasWideSpace(cell.words, cell.size)),
    markers:
      cells.length > 0 && cells.every(({ words }, index) => words[0]?.pictorial || isLoneMarker(texts[index] ?? '')),
  };
}

/** Widths in ems, in most typefaces. */
const HANGING_WIDTHS_EM: Readonly<Record<string, number>> = { '%': 0.85, ')': 0.33 };

/** Returns where the figures of a word end: percent signs and brackets hang out of a column of figures. */
function figureEnd(word: PageWord | undefined): number {
  const hanging = /\d([%)]+)$/.exec(word?.text ?? '')?.[1] ?? '';
  const width = [...hanging].reduce((sum, sign) => sum + (HANGING_WIDTHS_EM[sign] ?? 0), 0);
  return word === undefined ? 0 : word.x1 - width * word.fontSize;
}

/** True when a space between two of the words is wider than `most`. */
export const hasWideSpace = (words: readonly PageWord[], most: number): boolean =>
  words.some(({ x0 }, index) => x0 - (words[index - 1]?.x1 ?? x0) > most);

/** True when the two begin, end or have their middles less than `off` points apart. */
export const areInLine = (a: Span, b: Span, off: number): boolean =>
  [a.x0 - b.x0, a.x1 - b.x1, middleOf(a) - middleOf(b)].some((by) => Math.abs(by) < off);

/** The stretch that the words of a line or a cell take. */
export const stretchOf = (words: readonly Span[]): Span => ({ x0: words[0]?.x0 ?? 0, x1: words.at(-1)?.x1 ?? 0 });

const TICK = /^[-–−]?[$€£]?[\d.,]+%?$/;

/** True when the figures, so many at least, fall by one and the same step, as upwards along an axis. Ranks and years fall by one, which does not count. */
export function isScale(texts: readonly string[], least: number): boolean {
  const ticks = texts.filter((text) => TICK.test(text));
  const figures = ticks.map((text) => Number(text.replace(/^[–−]/, '-').replace(/[^\d.-]/g, '')));
  const [first, second] = figures;
  if (figures.length < least || first === undefined || second === undefined) return false;
  const step = first - second;
  if (!(step > 0) || step === 1) return false;
  return figures.every((figure, index) => Math.abs(first - index * step - figure) < step * 0.01);
}

/** True when most labels stand at indents that are used more than once. */
function isIndented(lefts: readonly number[], size: number): boolean {
  if (lefts.length < 4) return false;
  const sorted = [...lefts].sort((a, b) => a - b);
  const isNear = (a = -Infinity, b = Infinity) => b - a < size * 0.2;
  const again = sorted.filter((left, index) => isNear(sorted[index - 1], left) || isNear(left, sorted[index + 1]));
  return again.length >= lefts.length * 0.75;
}
