import { median } from '../../../model/median.js';
import type { PageLine, PageTable, PageWord } from '../../../model/page.js';
import { isDots, isPage, leadsToPage, PAGE } from '../../../model/page-references.js';
import { isLeader } from '../lines/fragment.js';
import { isEntryNumber } from '../section-numbers.js';
import { fromRows } from './from-rows.js';
import { tableLine } from './table.js';
import { type TableRow, WRAP_STEP } from './table-rows.js';

/** As many entries are no list of two amounts. */
const LEAST_ENTRIES = 3;
/** Lines of one entry. */
const MOST_LINES = 4;
/** In ems: the parts of a table of contents stand no further apart. */
const MOST_STEP = 4;
/** In ems: how far numbers end from each other where they are set to one edge. */
const OFF_EDGE = 0.5;
/** In ems: what an entry leaves free before the numbers of pages, where its next word had no room. */
const LEAST_ROOM = 2;
/** Titles of a part and of its part, between two entries: more lines are text. */
const MOST_TITLES = 2;
/** As a share: the lines of an entry are of one size. */
const OFF_SIZE = 0.15;

/** With the end of the leaders, where those leave no space. */
const LED_PAGE = new RegExp(`^[.·…]*(${PAGE})$`);
const LISTED_PAGE = new RegExp(`^${PAGE},$`);

/** One row of a table of contents. */
interface Entry {
  lines: readonly PageLine[];
  /** What stands at its end; undefined for the title of a part, which has none. */
  page: PageWord[] | undefined;
}

/**
 * Reads the tables of contents among the lines of one column: entries, over as many lines as they take, from which
 * leaders lead to the numbers of pages. Gives the lines with each such table as one of them, which stands for it.
 */
export function takeContents(lines: readonly PageLine[]): readonly PageLine[] {
  const entries = lines.filter(leadsToPage);
  const edge = median(entries.map(({ x1 }) => x1));
  if (edge === undefined || entries.length < LEAST_ENTRIES) return lines;
  const items: PageLine[] = [];
  for (let index = 0; index < lines.length; ) {
    const found = readContents(lines, index, edge);
    const used = found.reduce((sum, entry) => sum + entry.lines.length, 0);
    const own = lines.slice(index, index + Math.max(1, used));
    items.push(...(used === 0 ? own : [tableLine(toTable(found), own)]));
    index += own.length;
  }
  return items;
}

/** The entries from one line on; none where no table of contents begins there. */
function readContents(lines: readonly PageLine[], from: number, edge: number): Entry[] {
  const found: Entry[] = [];
  for (let at = from; at < lines.length; ) {
    const entry = readEntry(lines, at, edge, found.length === 0);
    if (entry === undefined || (isTitle(entry) && found.slice(-MOST_TITLES).every(isTitle))) break;
    found.push(entry);
    at += entry.lines.length;
  }
  const whole = found.slice(0, found.findLastIndex((entry) => !isTitle(entry)) + 1);
  return whole.filter((entry) => !isTitle(entry)).length >= LEAST_ENTRIES ? whole : [];
}

const isTitle = ({ page }: Entry): boolean => page === undefined;

function readEntry(lines: readonly PageLine[], from: number, edge: number, isFirst: boolean): Entry | undefined {
  const [first, above] = [lines[from], lines[from - 1]];
  if (first === undefined || !isFree(first)) return undefined;
  if (!isFirst && above !== undefined && first.baseline - above.baseline > first.fontSize * MOST_STEP) return undefined;
  let end = from;
  for (let line: PageLine | undefined = first; line !== undefined && end - from < MOST_LINES; line = lines[end]) {
    if (end > from && !goesOn(line, lines[end - 1] ?? line, edge)) break;
    end++;
    const page = pageOf(line, edge, end - from === 1, isFirst);
    if (page !== undefined) return { lines: lines.slice(from, end), page };
  }
  // The title of a part has no page; a row of cells is none, nor is a heading of the text, or a line of it.
  const isText =
    first.x1 > edge - first.fontSize * LEAST_ROOM || largestOf(first) > largestOf(above ?? first) * (1 + OFF_SIZE);
  return isFirst || isText || first.apart.size > 1 ? undefined : { lines: [first], page: undefined };
}

const isFree = ({ block, direction }: PageLine): boolean => block === undefined && direction !== 'rtl';

/** Of the words: small capitals are told by the large ones beside them. */
const largestOf = ({ words }: PageLine): number => Math.max(...words.map(({ fontSize }) => fontSize));

/** Runs the entry over into the line: had it no room before the numbers, or its leaders none? */
function goesOn(line: PageLine, above: PageLine, edge: number): boolean {
  const size = largestOf(above);
  const [word] = line.words;
  if (word === undefined || !isFree(line) || largestOf(line) > size * (1 + OFF_SIZE)) return false;
  if (line.baseline - above.baseline > size * WRAP_STEP) return false;
  if (isLeader(word) || (line.words.length === 1 && isPage(word.text))) return true;
  if (isEntryNumber(word.text)) return false;
  if (/^\p{Ll}/u.test(word.text) || /[.·…]{3}$/.test(above.words.at(-1)?.text ?? '')) return true;
  return above.x1 + (word.x1 - word.x0) > edge - size * LEAST_ROOM;
}

/** The number of the page at the end of an entry's line, or what is the head of all these at the end of the first one. */
function pageOf(line: PageLine, edge: number, isWhole: boolean, isFirst: boolean): PageWord[] | undefined {
  const last = line.words.at(-1);
  const number = LED_PAGE.exec(last?.text ?? '')?.[1];
  const isLevel = Math.abs(line.x1 - edge) < line.fontSize * OFF_EDGE;
  if (last !== undefined && number !== undefined) {
    const ends = leadsToPage(line) || (line.words.length === 1 ? !isWhole : isLevel);
    return ends ? [...pagesBefore(line.words), { ...last, text: number, glued: false }] : undefined;
  }
  const [start] = line.apart;
  return isFirst && isLevel && line.apart.size === 1 ? line.words.slice(start) : undefined;
}

/** The other pages of an entry in an index, from its leaders on: "…… 2, 24, 34". */
function pagesBefore(words: readonly PageWord[]): PageWord[] {
  const before = words.slice(0, -1);
  const start = before.findLastIndex(({ text }) => !LISTED_PAGE.test(text)) + 1;
  return isDots(before[start - 1]?.text ?? '') ? before.slice(start) : [];
}

const COLUMNS = [
  { x0: 0, x1: 0 },
  { x0: 0, x1: 0 },
];

const toTable = (entries: readonly Entry[]): PageTable => fromRows(entries.map(toRow), COLUMNS);

function toRow({ lines, page }: Entry): TableRow {
  const [first, last] = [lines[0], lines.at(-1)];
  const titles = lines.map(({ words }) => words.slice(0, words.length - (page?.length ?? 0)));
  for (const [index, line] of lines.entries()) if (line !== last) titles[index] = line.words;
  const shown = titles.map(withoutLeaders).filter(({ length }) => length > 0);
  return {
    cells: [{ column: 0, columnSpan: 1, lines: shown }, page && { column: 1, columnSpan: 1, lines: [page] }],
    ...{ baseline: first?.baseline ?? 0, fontSize: first?.fontSize ?? 0, x0: first?.x0 ?? 0 },
  };
}

/** Dots that leave no space to the title, or to the number, belong to the leaders too. */
function withoutLeaders(words: readonly PageWord[]): PageWord[] {
  const end = words.findLastIndex((word) => !isLeader(word) && !isDots(word.text)) + 1;
  return words.slice(0, end).map((word, index) => {
    const text = index === end - 1 ? word.text.replace(/[.·…]{3,}$/, '') : word.text;
    return text === word.text ? word : { ...word, text };
  });
}
