import { append } from '../../../model/append.js';
import { type Area, extentOf, middleOf } from '../../../model/geometry.js';
import { gatherAlike, splitWhere } from '../../../model/groups.js';
import { splitAmong } from './close-heads.js';
import { type Column, stretchOf } from './table-columns.js';
import {
  filled,
  isNumeric,
  isPlain,
  joinRow,
  MAX_WRAP_STEP_EM,
  type RowCell,
  type TableRow,
  textOf,
} from './table-rows.js';

/**
 * Returns the rows of a head in which cells over the heads of several columns span all of those. Such a cell stands
 * over a rule that is drawn under it, or else about the middle of the columns ("Top-20" over the third of five).
 * Without such a cell there are no rows. `lines` have a place for each of `columns`; `rules` are all horizontal ones
 * of the page.
 */
export function spanHeads(lines: readonly TableRow[], columns: readonly Column[], rules: readonly Area[]): TableRow[] {
  const headed = columns.map((column, index) => {
    const own = lines.at(-1)?.cells[index];
    return own?.columnSpan === 1 ? extentOf([column, ...own.lines.flat()]) : column;
  });
  return spanRules(lines, headed, rules) ?? spanMiddles(lines, headed) ?? [];
}

/**
 * Returns the rows of a head with cells over several columns. Beside these, the words of a column are one cell, as high
 * as the head is there.
 */
export function spanRows(rows: readonly TableRow[]): TableRow[] {
  const last = rows.at(-1);
  if (last === undefined || !isPlain(last) || rows.every(isPlain)) return [...rows];
  const spanned = rows.map((row) => ({ ...row, cells: [...row.cells] }));
  for (let column = 0; column < (rows[0]?.cells.length ?? 0); column++) {
    const from =
      rows.findLastIndex((row) => filled(row).some((cell) => cell.columnSpan > 1 && spans(cell, column))) + 1;
    const [first, ...others] = rows.slice(from).flatMap((row) => row.cells[column] ?? []);
    if (first === undefined || others.some((cell) => isNumeric(textOf(first)) || !/^\p{Ll}/u.test(textOf(cell))))
      continue;
    const whole = { ...first, rowSpan: rows.length - from, lines: [first, ...others].flatMap(({ lines }) => lines) };
    for (const [index, row] of spanned.entries()) {
      if (index >= from) row.cells[column] = index === from ? whole : undefined;
    }
  }
  return spanned;
}

const spans = (cell: RowCell, column: number): boolean =>
  column >= cell.column && column < cell.column + cell.columnSpan;

/** A rule within a head, and the columns it is drawn over. */
interface Span {
  column: number;
  columnSpan: number;
  rule: Area;
  /** True when the rule is drawn below the labels too: it separates the lines above it from those below. */
  whole: boolean;
}

/** Spans cells by the rules under heads of several columns. Cells without a rule under them are one row, the last. */
function spanRules(lines: readonly TableRow[], columns: readonly Column[], rules: readonly Area[]) {
  const last = lines.at(-1);
  let spans = spansOf(lines, columns, rules);
  while (last !== undefined && spans.some(({ whole, columnSpan }) => !whole && columnSpan > 1)) {
    const over = new Map(spans.map((span): [Span, RowCell[][]] => [span, []]));
    const rest = lines.flatMap((line) => takeOver(line, over));
    const heads = spans.map((span) => ({ span, cells: headsOver(span, over.get(span) ?? [], columns, last.fontSize) }));
    spans = heads.flatMap(({ span, cells }) => (cells === undefined ? [] : [span]));
    if (spans.length < heads.length) continue;
    const parts = rest.flatMap((cell) => (cell.columnSpan === 1 ? [cell] : (splitAmong(cell, columns) ?? [cell])));
    const lowest = { y: last.baseline, cells: stack(parts) };
    return [...levelsOf(heads, last.fontSize), lowest].map(({ y, cells }): TableRow => {
      const placed = columns.map((_, column) => cells.find((cell) => cell.column === column));
      return { ...last, cells: placed, baseline: y };
    });
  }
  return undefined;
}

/** Returns the rules between the first line and the last, from the top. */
function spansOf(lines: readonly TableRow[], columns: readonly Column[], rules: readonly Area[]): Span[] {
  const [first, last, label] = [lines[0], lines.at(-1), columns[0]];
  if (first === undefined || last === undefined || label === undefined) return [];
  return rules
    .filter(({ y0 }) => y0 > first.baseline && y0 < last.baseline)
    .sort((a, b) => a.y0 - b.y0)
    .flatMap((rule): Span[] => {
      const over = columns.flatMap((column, index) => (isOver(column, rule) ? [index] : []));
      const whole = over[0] === 0;
      return over[0] === undefined ? [] : [{ column: over[0], columnSpan: over.length, rule, whole }];
    });
}

/** Gives the cells of the line to the rules that they stand over, those of a rule together, and returns the others. */
function takeOver(line: TableRow, over: ReadonlyMap<Span, RowCell[][]>): RowCell[] {
  const taken = new Map<Span, RowCell[]>();
  const rest = filled(line).filter((cell) => {
    const words = cell.lines.flat();
    // A line may hold labels that stand a little lower than the heads beside them.
    const baseline = words[0]?.baseline ?? line.baseline;
    const span = [...over.keys()].find(({ rule }) => rule.y0 > baseline && isOver(stretchOf(words), rule));
    if (span !== undefined) append(taken, span, cell);
    return span === undefined;
  });
  for (const [span, cells] of taken) over.get(span)?.push(cells);
  return rest;
}

/** Tolerance of a head about the middle of its rule, as a share of the rule's width. */
const RULE_MIDDLE_TOLERANCE_SHARE = 0.15;

/**
 * Returns the heads over a rule: one head of all its columns, or several, each about the middle of its own columns.
 * Undefined when the rule is only a border.
 */
function headsOver(
  { column, columnSpan, rule, whole }: Span,
  lines: readonly RowCell[][],
  columns: readonly Column[],
  fontSize: number,
): RowCell[] | undefined {
  const cells = stack(lines.flat());
  if (whole || cells.length === 0) return cells;
  if (lines.some(({ length }) => length > 1)) {
    const under = Array.from({ length: columnSpan }, (_, index) => column + index);
    return spread(cells, under, columns, fontSize * COLUMN_MIDDLE_TOLERANCE_EM);
  }
  const words = lines.flatMap(([cell]) => cell?.lines ?? []);
  const over = extentOf(words.flat());
  const isAtSide = Math.min(Math.abs(over.x0 - rule.x0), Math.abs(over.x1 - rule.x1)) < fontSize;
  const off = Math.max(fontSize, (rule.x1 - rule.x0) * RULE_MIDDLE_TOLERANCE_SHARE);
  const isInMiddle = Math.abs(middleOf(over) - middleOf(rule)) < off;
  return isAtSide || isInMiddle ? [{ column, columnSpan, lines: words }] : undefined;
}

/** Groups the heads over rules of one height as a row. */
function levelsOf(
  heads: readonly { span: Span; cells: RowCell[] | undefined }[],
  fontSize: number,
): { y: number; cells: RowCell[] }[] {
  const over = heads.flatMap(({ span, cells = [] }) => (cells.length === 0 ? [] : [{ y: span.rule.y0, cells }]));
  const levels = splitWhere(over, ({ y }, _, [first]) => y - first.y >= fontSize * 0.3);
  return levels.map((level) => ({ y: level[0].y, cells: level.flatMap(({ cells }) => cells) }));
}

/** Joins the cells of lines that stand in one column. */
function stack(cells: readonly RowCell[]): RowCell[] {
  const stacks = gatherAlike(cells, (above, cell) => above.column === cell.column);
  return stacks
    .map((alike) => ({ ...alike[0], lines: alike.flatMap(({ lines }) => lines) }))
    .sort((a, b) => a.column - b.column);
}

const isOver = (words: Column, { x0, x1 }: Column): boolean => middleOf(words) > x0 && middleOf(words) < x1;

/** Spans cells about the middles of the columns of the lines below, which are one row. */
function spanMiddles(lines: readonly TableRow[], columns: readonly Column[]): TableRow[] | undefined {
  for (let index = 1; index < lines.length; index++) {
    const [over, under] = [joinAll(lines.slice(0, index)), joinAll(lines.slice(index))];
    const widened = over && under && (widen(joinPhrases(over), under, columns) ?? widen(over, under, columns));
    if (under !== undefined && widened !== undefined) return [widened, under];
  }
  return undefined;
}

/** Joins lines that follow each other closely to one row. */
function joinAll(lines: readonly TableRow[]): TableRow | undefined {
  const [first, ...others] = lines;
  const areClose = others.every(
    (line, index) => isPlain(line) && line.baseline - (lines[index]?.baseline ?? 0) < line.fontSize * MAX_WRAP_STEP_EM,
  );
  if (first === undefined || !areClose) return undefined;
  return others.length === 0 ? first : isPlain(first) ? others.reduce(joinRow, first) : undefined;
}

/** Words of one phrase stand closer, in ems. */
const MAX_PHRASE_GAP_EM = 0.8;

/** Joins heads that stand as close as words do: the space between their columns may fall on the one between two words. */
function joinPhrases(line: TableRow): TableRow {
  const phrases = splitWhere(filled(line), (cell, before) => {
    const [word, last] = [cell.lines[0]?.[0], before.lines.at(-1)?.at(-1)];
    const isNext = cell.column === before.column + before.columnSpan;
    return !isNext || (word?.x0 ?? 0) - (last?.x1 ?? 0) > line.fontSize * MAX_PHRASE_GAP_EM;
  });
  const cells = phrases.map((parts): RowCell => {
    const columnSpan = parts.reduce((sum, part) => sum + part.columnSpan, 0);
    return { column: parts[0].column, columnSpan, lines: [parts.flatMap(({ lines }) => lines.flat())] };
  });
  return { ...line, cells: line.cells.map((_, column) => cells.find((cell) => cell.column === column)) };
}

/** Tolerance of a head about the middle of its columns, in ems. */
const COLUMN_MIDDLE_TOLERANCE_EM = 1;
/** The same, as a share of their width. */
const COLUMN_MIDDLE_TOLERANCE_SHARE = 0.15;

function widen(line: TableRow, under: TableRow, columns: readonly Column[]): TableRow | undefined {
  const headed = under.cells.flatMap((cell) => (cell?.columnSpan === 1 ? [cell.column] : []));
  const over = filled(line).filter((cell) => headed.some((index) => spans(cell, index)));
  const off = line.fontSize * COLUMN_MIDDLE_TOLERANCE_EM;
  // Heads with nothing below them would stand level with the last line of a head, not with the first.
  const isAboveAll = over.length > 0 && over.length < filled(line).length;
  // The first column may be one of labels, whose head stands beside those that the others share.
  const spreadOver = (among: readonly Column[]) =>
    spread(over, headed, among, off, isAboveAll) ?? spread(over, headed.slice(1), among, off, isAboveAll);
  const spanning = spreadOver(columns) ?? spreadOver(withGaps(columns));
  if (spanning === undefined) return undefined;
  const cells = line.cells.map((cell) => (cell === undefined || over.includes(cell) ? undefined : cell));
  for (const cell of spanning) cells[cell.column] = cell;
  return { ...line, cells };
}

/** Widens columns by the space left of them: a head stands about the middle of their cells, whose figures are set right. */
const withGaps = (columns: readonly Column[]): Column[] =>
  columns.map((column, index) => ({ ...column, x0: columns[index - 1]?.x1 ?? column.x0 }));

/**
 * Returns the cells, each as wide as the columns about whose middle it stands. Undefined when they leave a column
 * over, or only one of them spans several. A single cell may be the first line of the head of the middle column,
 * unless `isSpanning`.
 */
function spread(
  cells: readonly RowCell[],
  headed: readonly number[],
  columns: readonly Column[],
  off: number,
  isSpanning = false,
): RowCell[] | undefined {
  const spanning: RowCell[] = [];
  let from = 0;
  for (const cell of cells) {
    const middle = middleOf(stretchOf(cell.lines.flat()));
    const x0 = columns[headed[from] ?? -1]?.x0 ?? 0;
    const ends = headed.slice(from).map((index) => columns[index]?.x1 ?? 0);
    const distances = ends.map((x1) => Math.abs(middleOf({ x0, x1 }) - middle));
    const nearest = Math.min(...distances);
    const to = from + distances.indexOf(nearest);
    const width = (ends[to - from] ?? x0) - x0;
    if (!(nearest < Math.max(off, width * COLUMN_MIDDLE_TOLERANCE_SHARE))) return undefined;
    const column = headed[from] ?? 0;
    spanning.push({ ...cell, column, columnSpan: (headed[to] ?? column) - column + 1 });
    from = to + 1;
  }
  if (from < headed.length) return undefined;
  // A head over its own column alone may stand beside two that are over several.
  const wide = spanning.filter(({ columnSpan }) => columnSpan > 1).length;
  if (wide < spanning.length && wide < 2) return undefined;
  // A first line does not stand over the space between two columns.
  const isOverOne = ({ columnSpan, lines }: RowCell) =>
    columnSpan === 1 && columns.some((column) => isOver(stretchOf(lines.flat()), column));
  return isSpanning || spanning.length > 1 || !cells.every(isOverOne) ? spanning : undefined;
}
