import { lineText } from '../lines/lines.js';
import {
  BULLET,
  type EdgeItem,
  type EdgePage,
  type EdgeRow,
  isBoldItem,
  isNote,
  noteNumberOf,
  PARAGRAPH_GAP,
  ZONE,
} from './edge-rows.js';
import type { RepeatsTitle } from './repeated-titles.js';

/** A row at an edge, with what the page says of it. */
interface LoneRow {
  row: EdgeRow<EdgeItem>;
  /** Rows of its edge that stand further out. */
  rank: number;
  /** Size of the row's type, in sizes of the body's. */
  scale: number;
  /** Distance from the text of the block of rows that it belongs to, in ems. */
  gap: number;
  kind: 'number' | 'numbered' | 'marked' | 'sourced' | 'titled' | 'plain';
}

/** The document that a row stands in. */
interface Surroundings {
  /** Size of the body's type. */
  bodySize: number;
  isOnlyPage: boolean;
  repeatsTitle: RepeatsTitle;
}

interface Evidence {
  name: string;
  weight: number;
  holds(row: LoneRow): boolean;
}

/**
 * Evidence that a row of a page alone is a running head, in log-odds: fitted to the pages of public documents whose
 * other pages show their heads, then rounded. That of a title's words came later, and is set by hand.
 */
const EVIDENCE: readonly Evidence[] = [
  { name: 'a mark of the PDF', weight: 4, holds: ({ row }) => isMarked(row) },
  { name: 'a page number', weight: 2.5, holds: ({ kind }) => kind === 'number' || kind === 'numbered' },
  { name: 'a source', weight: 1, holds: ({ row }) => SOURCE.test(row.text) },
  { name: 'the words of a title', weight: 1, holds: ({ kind }) => kind === 'titled' },
  { name: 'a rule between it and the text', weight: 1, holds: isRuledOff },
  { name: 'the middle of the page', weight: 1, holds: isCentred },
  { name: 'parts at both ends and in the middle', weight: 2.5, holds: isSpread },
  { name: 'small print', weight: 0.5, holds: ({ scale }) => scale < SMALL },
  { name: 'large type, as of a title', weight: -1.5, holds: ({ scale }) => scale > LARGE },
  { name: 'capitals, as of a title', weight: -1, holds: ({ row, kind }) => kind === 'plain' && !LOWER.test(row.text) },
  { name: 'the width of a line', weight: -1, holds: (lone) => isPlain(lone) && isWide(lone) },
  { name: 'no space before the text', weight: -2, holds: ({ gap }) => gap < PARAGRAPH_GAP },
  { name: 'a line that it is raised above', weight: -3, holds: ({ row }) => row.gap < RAISED_EM },
  { name: 'the beginning or end of a sentence', weight: -1, holds: isSentence },
  { name: 'a row before it', weight: -0.5, holds: ({ rank }) => rank > 0 },
];
/** For each twentieth of the page's height that the row stands nearer to the edge. */
const DEPTH_WEIGHT = 1.5;
const DEPTH_UNIT = 0.05;
/** For each em of space between the row's block and the text. */
const GAP_WEIGHT = 0.2;
const MAX_GAP_EM = 8;
/** Sum from which a row counts as a head. */
const MIN_SUM = 3.5;

/** Type smaller than this share of the body's is small print. */
const SMALL = 0.92;
const LARGE = 1.08;
const RAISED_EM = 0.95;
const LOWER = /\p{Ll}/u;
/** Shares of the page's width. */
const WIDE = 0.6;
const CENTRED_TOLERANCE = 0.02;
const MIN_RULE_WIDTH = 0.3;
/** Lines of text are wider, in ems. */
const LINE_WIDTH = 15;
const MIN_PAGE_LINES = 15;
const MAX_PARTS = 4;
/** Higher numbers are years. */
const MAX_PAGE_NUMBER = 1900;
/** Signs of a note, and names of figures and their sources. */
const NOTE = /^(?:[*†‡§∗]|(?:notes?|sources?|figure|fig\.|table)\b)|^[^\p{L}\p{N}]+$/iu;
const SENTENCE_END = /[.;:,]$/;
/** An address, an owner, an edition, a journal's volume and pages, or the time of printing. */
const SOURCE = new RegExp(
  [
    /https?:\/\/|www\.|\bdoi\b|©|\(c\) ?\d{4}|\bet al\b|\bvol(?:ume)?\b|\bproceedings of\b|\d ?\(\d+\): ?\d+[-–]\d|\bform [\dA-Z-]+ \(\d{4}\)|\d{1,2}[./]\d{1,2}[./]\d{2,4},? +\d{1,2}:\d\d/,
    /\bcopyright (?:©|\(c\)|\d{4}|by)|\b(?:download(?:ed)?|digiti[sz]ed|all rights|rev(?:ision)?|version|issn|printed|published)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);
/** Numbers of an account or a telephone, and addresses, are content of a letter. */
const LONG_NUMBER = /\d[\d ]{6,}\d/;
const CONTACT = /@|\b(?:tel|phone|fax|iban)\b/i;

/**
 * True when a page shows by itself that a row is no text of its own; `rank` is its place in `rows`, from the edge. Rows
 * without a number or a source show it only where there are no other pages to be compared with.
 */
export function isLoneHead(rows: readonly EdgeRow<EdgeItem>[], rank: number, document: Surroundings): boolean {
  const row = rows[rank];
  if (row === undefined || row.page.recognised || NOTE.test(row.text)) return false;
  if (noteNumberOf(row) !== undefined || (BULLET.test(row.text) && !isNote(row))) return false;
  const lone = describe(rows, rank, row, document);
  if ((row.depth > ZONE && lone.kind !== 'number') || !mayBeHead(lone, document.isOnlyPage)) return false;
  let sum = ((ZONE - row.depth) / DEPTH_UNIT) * DEPTH_WEIGHT + Math.min(lone.gap, MAX_GAP_EM) * GAP_WEIGHT;
  for (const { weight, holds } of EVIDENCE) if (holds(lone)) sum += weight;
  return sum >= MIN_SUM;
}

function mayBeHead({ row, kind, scale }: LoneRow, isOnlyPage: boolean): boolean {
  const { text, page } = row;
  if (kind === 'number') return true;
  // Programs put the letterhead of a letter where running heads stand.
  if (kind === 'marked' && row.edge === 'header' && scale >= SMALL) return isOnlyPage ? isText(page) : page.number > 1;
  if (kind === 'marked') return true;
  // A table's row has more parts.
  if ((row.parts > MAX_PARTS && !SOURCE.test(text)) || CONTACT.test(text)) return false;
  if (kind === 'sourced' && isPrinted(row)) return true;
  if (kind === 'sourced') return text.search(SOURCE) === 0 || scale < SMALL || isText(page);
  if (LONG_NUMBER.test(text)) return false;
  return kind === 'numbered' || kind === 'titled' || (isOnlyPage && isText(page) && !SENTENCE_END.test(text));
}

/** A part that browsers print at one end of the edge: the address, or the day and time. */
const PRINTED = /^(?:(?:https?|file):\/\/\S+|\d{1,2}[./]\d{1,2}[./]\d{2,4}(?:,? \d{1,2}:\d\d(?: ?[AP]M)?)?)$/;
/** Share of the page's height in which browsers print. */
const MAX_PRINTED_DEPTH = 0.045;

const isPrinted = ({ items, depth }: EdgeRow<EdgeItem>): boolean =>
  depth < MAX_PRINTED_DEPTH && items.length > 1 && items.some((item) => PRINTED.test(lineText(item)));

function describe(
  rows: readonly EdgeRow<EdgeItem>[],
  rank: number,
  row: EdgeRow<EdgeItem>,
  { bodySize, repeatsTitle }: Surroundings,
): LoneRow {
  // Rows of one block are as far from the text as its last one.
  const end = rows.slice(rank).find(({ gap }) => gap > PARAGRAPH_GAP) ?? rows.at(-1) ?? row;
  const scale = row.size / bodySize;
  const kind = kindOf(row, rows[rank + 1]);
  const isOutermost = rank === 0 && row.edge === 'header' && row.gap > PARAGRAPH_GAP && row.depth < MAX_TITLED_DEPTH;
  const isTitled = kind === 'plain' && isOutermost && scale < LARGE && repeatsTitle(row);
  return { row, rank, kind: isTitled ? 'titled' : kind, gap: end.gap, scale };
}

/** Share of the page's height above a running head that repeats a title: a page's first title stands lower. */
const MAX_TITLED_DEPTH = 0.1;

/** A page's number among all, in some languages. */
const PAGE_OF_ALL = /^(?:\p{L}+[.:]* )?\d{1,4} ?(?:[/／]|of|de|di|von|sur|van|av|из) ?\d{1,4}$|^第 ?\d+ ?页/iu;

/** A page's number among all within other words, as courts stamp it. */
const NAMES_PAGE = /\bpage \d{1,4} of \d{1,4}\b/i;

function kindOf(row: EdgeRow<EdgeItem>, inner: EdgeRow<EdgeItem> | undefined): LoneRow['kind'] {
  const { items, number, key, parts, isNumberApart, text } = row;
  if (PAGE_OF_ALL.test(text)) return 'number';
  if (NAMES_PAGE.test(text)) return 'numbered';
  if (number !== undefined && number < MAX_PAGE_NUMBER) {
    if (key === '' && parts === 1) return 'number';
    // A number before a title in larger or bold type counts sections.
    const isSection = /^\d{1,2} /.test(text) && items.every(isBoldItem);
    if (key !== '' && isNumberApart && !isSection && !isTableRow(inner)) return 'numbered';
  }
  if (isMarked(row)) return 'marked';
  return SOURCE.test(text) || isPrinted(row) ? 'sourced' : 'plain';
}

/** True for a row with a number among others, as tables and contents have them. */
const isTableRow = (row: EdgeRow<EdgeItem> | undefined): boolean =>
  row?.number !== undefined && row.key !== '' && (row.isNumberApart || row.parts > 2);

/** True for words that the PDF marks as no content, unless it marks most of the page so. */
function isMarked({ items, page }: EdgeRow<EdgeItem>): boolean {
  const isArtifact = ({ words }: EdgeItem) => words.every(({ artifact }) => artifact);
  return items.every(isArtifact) && page.items.filter(isArtifact).length * 2 < page.items.length;
}

/** True when the page has lines of text: letters, forms and drawings have few. */
const isText = ({ items }: EdgePage<EdgeItem>): boolean =>
  items.filter(({ x0, x1, fontSize }) => x1 - x0 > fontSize * LINE_WIDTH).length >= MIN_PAGE_LINES;

function isRuledOff({ row: { edge, baseline: outer, gap, size, page } }: LoneRow): boolean {
  const inner = edge === 'header' ? outer + (gap - 0.7) * size : outer - gap * size;
  const [from, to] = edge === 'header' ? [outer, inner] : [inner, outer - 0.7 * size];
  return page.rules.some(
    (rule) => rule.x1 - rule.x0 > page.width * MIN_RULE_WIDTH && rule.y0 >= from - 1 && rule.y1 <= to + 0.3 * size,
  );
}

const endOf = ({ items }: EdgeRow<EdgeItem>): number => Math.max(...items.map(({ x1 }) => x1));

/** True for words without a number; those of one line name a source in sentences too. */
const isPlain = ({ row, kind }: LoneRow): boolean =>
  kind === 'plain' || (kind === 'sourced' && row.parts === 1 && row.text.search(SOURCE) > 0);

const isWide = ({ row }: LoneRow): boolean => endOf(row) - row.x0 > row.page.width * WIDE;

/** True for a place as far from the left side of the page as from the right. */
const isCentre = (x0: number, x1: number, { width }: EdgePage<EdgeItem>): boolean =>
  Math.abs(x0 + x1 - width) < width * CENTRED_TOLERANCE * 2;

function isCentred(lone: LoneRow): boolean {
  return !isWide(lone) && isCentre(lone.row.x0, endOf(lone.row), lone.row.page);
}

/** True for three parts, as programs place them in heads: at the left end of the lines, in the middle of the page, and as far to the right. */
function isSpread({ row: { items, page } }: LoneRow): boolean {
  const [left, middle, right, ...others] = items;
  if (left === undefined || middle === undefined || right === undefined || others.length > 0) return false;
  const isAtEnd = page.items.every(({ x0 }) => left.x0 - x0 < page.width * CENTRED_TOLERANCE);
  return isAtEnd && isCentre(left.x0, right.x1, page) && isCentre(middle.x0, middle.x1, page);
}

function isSentence({ row, kind }: LoneRow): boolean {
  if (kind === 'sourced') return SENTENCE_END.test(row.text);
  return (kind === 'plain' || kind === 'numbered') && /^[\p{Ll}(]/u.test(row.text);
}
