import { splitWhere } from '../../../model/groups.js';
import { median } from '../../../model/median.js';
import type { PageLine, PageTable, PageWord } from '../../../model/page.js';
import { isDots, isPage, leadsToPage, PAGE } from '../../../model/page-references.js';
import { isLeader } from '../lines/fragment.js';
import { beginsSmall } from '../lines/line-room.js';
import { isEntryNumber } from '../section-numbers.js';
import { fromRows } from './from-rows.js';
import { tableLine } from './table.js';
import { MAX_WRAP_STEP_EM, type TableRow } from './table-rows.js';

/** Lower bound of the entries: fewer may be a list of amounts. Two titles are enough where no other line has leaders. */
const MIN_ENTRIES = 3;
const MIN_TITLES = 2;
/** Upper bound of the lines of one entry. */
const MAX_ENTRY_LINES = 4;
/** Largest step between the entries of a table of contents, in ems. */
const MAX_ENTRY_STEP_EM = 4;
/** Tolerance of page numbers that are set to one edge, in ems. */
const PAGE_EDGE_TOLERANCE_EM = 0.5;
/** Room before the page numbers in which the next word of an entry had no place, in ems. */
const MIN_ROOM_EM = 2;
/** Upper bound of the titles between two entries, of a part and of a part within it: more lines are text. */
const MAX_TITLES = 2;
/** Tolerance of the type size within an entry, as a share. */
const SIZE_TOLERANCE_SHARE = 0.15;

/** Number of a page, after the end of the leaders when those leave no space. */
const LED_PAGE = new RegExp(`^[.·…]*(${PAGE})$`);
const LISTED_PAGE = new RegExp(`^${PAGE},$`);

/** One row of a table of contents. */
interface Entry {
  lines: readonly PageLine[];
  /** Words at its end; undefined for the title of a part, which has no page. */
  page: PageWord[] | undefined;
}

/**
 * Reads the tables of contents among the lines of one column: entries of one or more lines, whose leaders end at page
 * numbers. Returns the lines, with one line in place of each such table.
 */
export function takeContents(lines: readonly PageLine[]): readonly PageLine[] {
  const entries = lines.filter(leadsToPage);
  const edge = median(entries.map(({ x1 }) => x1));
  if (edge === undefined || entries.length < MIN_TITLES) return lines;
  const least = areTwoTitles(lines) ? MIN_TITLES : MIN_ENTRIES;
  if (entries.length < least) return lines;
  const items: PageLine[] = [];
  for (let index = 0; index < lines.length; ) {
    const found = readContents(lines, index, { edge, least });
    const used = found.reduce((sum, entry) => sum + entry.lines.length, 0);
    const own = lines.slice(index, index + Math.max(1, used));
    items.push(...(used === 0 ? own : [tableLine(toTable(found), own)]));
    index += own.length;
  }
  return items;
}

/** True when two lines alone have leaders, and neither has cells or begins within a sentence. */
function areTwoTitles(lines: readonly PageLine[]): boolean {
  const led = lines.filter(({ words }) => words.some(isLeader));
  return led.length === MIN_TITLES && led.every((line) => line.apart.size <= 1 && !beginsSmall(line));
}

/** Returns the entries from one line on; none when no table of contents begins there. */
function readContents(
  lines: readonly PageLine[],
  from: number,
  { edge, least }: { edge: number; least: number },
): Entry[] {
  const found: Entry[] = [];
  for (let at = from; at < lines.length; ) {
    const entry = readEntry(lines, at, edge, found.length === 0);
    if (entry === undefined || (isTitle(entry) && found.slice(-MAX_TITLES).every(isTitle))) break;
    found.push(entry);
    at += entry.lines.length;
  }
  const whole = found.slice(0, found.findLastIndex((entry) => !isTitle(entry)) + 1);
  return whole.filter((entry) => !isTitle(entry)).length >= least ? whole : [];
}

const isTitle = ({ page }: Entry): boolean => page === undefined;

function readEntry(lines: readonly PageLine[], from: number, edge: number, isFirst: boolean): Entry | undefined {
  const [first, above] = [lines[from], lines[from - 1]];
  if (first === undefined || !isFree(first)) return undefined;
  if (!isFirst && above !== undefined && first.baseline - above.baseline > first.fontSize * MAX_ENTRY_STEP_EM)
    return undefined;
  let end = from;
  for (let line: PageLine | undefined = first; line !== undefined && end - from < MAX_ENTRY_LINES; line = lines[end]) {
    if (end > from && !continuesEntry(line, lines[end - 1] ?? line, edge)) break;
    end++;
    const page = pageOf(line, edge, end - from === 1, isFirst);
    if (page !== undefined) return { lines: lines.slice(from, end), page };
  }
  // The title of a part has no page. A row of cells, a heading or a line of the text is no title.
  const isText =
    first.x1 > edge - first.fontSize * MIN_ROOM_EM ||
    largestOf(first) > largestOf(above ?? first) * (1 + SIZE_TOLERANCE_SHARE);
  return isFirst || isText || first.apart.size > 1 ? undefined : { lines: [first], page: undefined };
}

const isFree = ({ block, direction }: PageLine): boolean => block === undefined && direction !== 'rtl';

/** Size of the largest word: small capitals stand beside large ones. */
const largestOf = ({ words }: PageLine): number => Math.max(...words.map(({ fontSize }) => fontSize));

/** True when the entry continues in the line: it had no room before the page numbers, or no room for its leaders. */
function continuesEntry(line: PageLine, above: PageLine, edge: number): boolean {
  const size = largestOf(above);
  const [word] = line.words;
  if (word === undefined || !isFree(line) || largestOf(line) > size * (1 + SIZE_TOLERANCE_SHARE)) return false;
  if (line.baseline - above.baseline > size * MAX_WRAP_STEP_EM) return false;
  if (isLeader(word) || (line.words.length === 1 && isPage(word.text))) return true;
  if (isEntryNumber(word.text)) return false;
  if (/^\p{Ll}/u.test(word.text) || /[.·…]{3}$/.test(above.words.at(-1)?.text ?? '')) return true;
  return above.x1 + (word.x1 - word.x0) > edge - size * MIN_ROOM_EM;
}

/** Returns the page number at the end of an entry's line, or, in the first line, the head of all page numbers. */
function pageOf(line: PageLine, edge: number, isWhole: boolean, isFirst: boolean): PageWord[] | undefined {
  const last = line.words.at(-1);
  const number = LED_PAGE.exec(last?.text ?? '')?.[1];
  const isLevel = Math.abs(line.x1 - edge) < line.fontSize * PAGE_EDGE_TOLERANCE_EM;
  if (last !== undefined && number !== undefined) {
    const ends = leadsToPage(line) || (line.words.length === 1 ? !isWhole : isLevel);
    return ends ? [...pagesBefore(line.words), { ...last, text: number, glued: false }] : undefined;
  }
  const [start] = line.apart;
  return isFirst && isLevel && line.apart.size === 1 ? line.words.slice(start) : undefined;
}

/** Returns the other pages of an entry in an index, from its leaders on: "…… 2, 24, 34". */
function pagesBefore(words: readonly PageWord[]): PageWord[] {
  const before = words.slice(0, -1);
  const start = before.findLastIndex(({ text }) => !LISTED_PAGE.test(text)) + 1;
  return isDots(before[start - 1]?.text ?? '') ? before.slice(start) : [];
}

/** Puts the titles into one column and the pages into another, or into several pairs of columns where lines hold several entries. */
function toTable(entries: readonly Entry[]): PageTable {
  const parted = entries.map(pairsOf);
  const areParted = parted.filter(({ length }) => length > 1).length >= MIN_ENTRIES;
  const pairs = areParted ? parted : entries.map((entry) => [pairOf(entry)]);
  const rows = entries.map((entry, index) => toRow(entry, pairs[index] ?? []));
  return fromRows(rows, 2 * Math.max(...pairs.map(({ length }) => length)));
}

/** A title, in lines, and the pages that its leaders lead to. */
interface Pair {
  titles: readonly PageWord[][];
  page: PageWord[] | undefined;
}

function pairOf({ lines, page }: Entry): Pair {
  const titles = lines.map(({ words }) => words);
  const last = titles.pop() ?? [];
  return { titles: [...titles, last.slice(0, last.length - (page?.length ?? 0))], page };
}

/** Parts a line behind each number that leaders lead to. */
function pairsOf(entry: Entry): Pair[] {
  const [line, ...others] = entry.lines;
  if (line === undefined || others.length > 0 || entry.page === undefined) return [pairOf(entry)];
  const isLed = (part: readonly PageWord[]) => {
    const [leader, number] = part.slice(-2);
    return leader !== undefined && number !== undefined && isLeader(leader) && isPage(number.text);
  };
  const parts = splitWhere(line.words, (_, __, part) => isLed(part));
  return parts.length > 1
    ? parts.map((words) => ({ titles: [words.slice(0, -1)], page: words.slice(-1) }))
    : [pairOf(entry)];
}

function toRow({ lines }: Entry, pairs: readonly Pair[]): TableRow {
  const [first] = lines;
  const cells = pairs.flatMap(({ titles, page }, index) => {
    const shown = titles.map(withoutLeaders).filter(({ length }) => length > 0);
    const [column, columnSpan] = [2 * index, 1];
    return [{ column, columnSpan, lines: shown }, page && { column: column + 1, columnSpan, lines: [page] }];
  });
  return { cells, baseline: first?.baseline ?? 0, fontSize: first?.fontSize ?? 0, x0: first?.x0 ?? 0 };
}

/** Drops the leaders, with dots that leave no space to the title or to the number. */
function withoutLeaders(words: readonly PageWord[]): PageWord[] {
  const end = words.findLastIndex((word) => !isLeader(word) && !isDots(word.text)) + 1;
  return words.slice(0, end).map((word, index) => {
    const dots = beginsLeader(word, words[end], words[end + 1]) ? /[.·…]+$/ : /[.·…]{3,}$/;
    const text = index === end - 1 ? word.text.replace(dots, '') : word.text;
    return text === word.text ? word : { ...word, text };
  });
}

/** Difference of the steps between dots of one leader, in ems. */
const SAME_STEP_EM = 0.05;

/** True for a word with a dot at the step of those behind it: a full stop stands anywhere. */
const beginsLeader = (word: PageWord, first?: PageWord, second?: PageWord): boolean =>
  first?.text === '.' &&
  second?.text === '.' &&
  Math.abs(second.x1 - 2 * first.x1 + word.x1) < word.fontSize * SAME_STEP_EM;
