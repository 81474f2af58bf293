import { meanConfidence } from '../../../model/mean-confidence.js';
import type { PageBlock, PageLine } from '../../../model/page.js';
import { labelLength } from '../field-labels.js';
import { hasCells } from '../lines/line-cells.js';
import { isBold, lineText } from '../lines/lines.js';
import { parseMarker } from '../markers.js';
import { isSectionNumber } from '../section-numbers.js';
import { findNumberedTitles } from './numbered-titles.js';
import { findQuietTitles } from './quiet-titles.js';
import { findTerms } from './terms.js';

/** What tells the headings of a document: the type that most of its text is set in, and the types of its headings. */
export interface HeadingScale {
  bodySize: number;
  bodyBold: boolean;
  /** By type (numbered titles are one): the level of its headings, the least depth of their numbers (1 for "3", 2 for "3.1"). */
  levels: Map<string, { level: number; leastDepth: number }>;
  /** Types that paragraphs are set in, the body's and others: what is short in them is no heading. */
  proseTypes: ReadonlySet<string>;
  /** Titles that their type does not tell, by how deep their numbers say that they stand; 0 without a number. */
  placedTitles: ReadonlyMap<PageBlock, number>;
  /** Bold words that are explained below them, and no titles. */
  terms: ReadonlySet<PageBlock>;
}

const MOST_CHARACTERS = 200;
/** As a share of the body's size: type that is larger makes a heading without being bold. */
const LEAST_OF_LARGE = 1.15;
/** The measured size of recognised lines varies: below this it may be that of the text. */
const LEAST_OF_SURE = 1.4;
/** A logo, handwriting or the edge of a picture is recognised with less. */
const LEAST_CONFIDENCE = 0.7;
const MOST_LEVEL = 6;
/** The words of a drawing may be larger than the text around it. */
const LEAST_IN_FRAME = 1.4;
/** So many blocks of one type with nothing between them are a list of something, not headings. */
const MOST_IN_A_ROW = 2;

/** Finds the body's type and the types of headings over all pages; `pages` are blocks in reading order. */
export function measureType(pages: readonly (readonly PageBlock[])[]): HeadingScale {
  const characters = new Map<number, { size: number; bold: boolean; count: number }>();
  // However much code there is, it is not what headings stand over.
  const text = pages.flatMap((blocks) => blocks.filter(({ code }) => !code));
  for (const line of text.flatMap(({ lines }) => lines)) {
    const size = roundSize(line.fontSize);
    const bold = isBold(line);
    const key = bold ? -size : size;
    let entry = characters.get(key);
    if (entry === undefined) {
      entry = { size, bold, count: 0 };
      characters.set(key, entry);
    }
    // Headings may be more than what stands below them; a body in bold type is more than twice the rest.
    for (const { text } of line.words) entry.count += bold ? (text.length + 1) / 2 : text.length + 1;
  }
  const body = [...characters.values()].reduce((a, b) => (b.count > a.count ? b : a), {
    size: 10,
    bold: false,
    count: 0,
  });
  const scale: HeadingScale = {
    bodySize: body.size,
    bodyBold: body.bold,
    levels: new Map(),
    proseTypes: new Set(),
    placedTitles: new Map(),
    terms: findTerms(pages.flat()),
  };
  rankTypes(pages, scale);
  return scale;
}

/** Types of which most characters stand in blocks that are too long for headings. */
function findProseTypes(blocks: readonly PageBlock[]): Set<string> {
  const types = new Map<string, { all: number; long: number }>();
  for (const block of blocks) {
    if (block.kind !== undefined) continue;
    const key = typeOf(block);
    const type = types.get(key) ?? { all: 0, long: 0 };
    types.set(key, type);
    const count = block.lines.reduce(
      (sum, { words }) => words.reduce((all, { text }) => all + text.length + 1, sum),
      0,
    );
    type.all += count;
    if (count > MOST_CHARACTERS) type.long += count;
  }
  return new Set([...types].flatMap(([key, { all, long }]) => (long > all * 0.5 ? [key] : [])));
}

/**
 * Larger type ranks higher, bold before plain; where one type has numbers of several depths, each depth is a level. A
 * type that is used once (on a cover, say) takes no level of its own, except the title's.
 */
function rankTypes(pages: readonly (readonly PageBlock[])[], scale: HeadingScale): void {
  const types = new Map<string, { size: number; bold: boolean; depths: number[]; count: number }>();
  scale.proseTypes = findProseTypes(pages.flat());
  const quiet = findQuietTitles(pages, scale.bodySize)
    .filter((block) => !isNoTitle(block, block.lines.map(lineText).join(' '), false))
    .map((block) => [block, 0] as const);
  scale.placedTitles = new Map([...quiet, ...findNumberedTitles(pages)]);
  const headings = pages.map((blocks) => pickHeadings(blocks, scale));
  for (const block of headings.flat()) {
    const key = rankOf(block, scale);
    const type = types.get(key) ?? { size: blockSize(block), bold: block.lines.every(isBold), depths: [], count: 0 };
    type.count++;
    const depth = numberDepth(block, scale);
    if (depth > 0) type.depths.push(depth);
    types.set(key, type);
  }
  let level = 1;
  const title = titleType(headings.find((ofPage) => ofPage.length > 0) ?? [], types);
  const ranked = [...types].sort(
    ([one, a], [other, b]) =>
      Number(other === title) - Number(one === title) || b.size - a.size || Number(b.bold) - Number(a.bold),
  );
  const few = ranked.length <= 3;
  let shared = level;
  ranked.forEach(([key, { size, bold, depths, count }], index) => {
    const before = ranked[index - 1]?.[1];
    // Numbered titles and others of one type are of one level; bold lines of the text's size are below them.
    const alike = before?.size === size && before.bold === bold && size >= scale.bodySize * LEAST_OF_LARGE;
    if (!alike) shared = level;
    const leastDepth = Math.min(...depths, MOST_LEVEL);
    scale.levels.set(key, { level: shared, leastDepth });
    if (few || index === 0 || count > 1)
      level = Math.max(level, shared + 1 + Math.max(0, Math.max(...depths, 0) - leastDepth));
  });
}

/** The type of the title, though chapters may be set larger: the largest of the first page with a heading, if nothing else has it. */
function titleType(headings: readonly PageBlock[], types: ReadonlyMap<string, { count: number }>): string | undefined {
  const size = Math.max(...headings.map(blockSize));
  const [type, another] = headings.filter((block) => blockSize(block) === size).map(typeOf);
  return type !== undefined && another === undefined && types.get(type)?.count === 1 ? type : undefined;
}

/** Which blocks of a page are headings, with their levels. */
export function findHeadings(blocks: readonly PageBlock[], scale: HeadingScale): Map<PageBlock, number> {
  return new Map(pickHeadings(blocks, scale).map((block) => [block, levelOf(block, scale)]));
}

function pickHeadings(blocks: readonly PageBlock[], scale: HeadingScale): PageBlock[] {
  const headings: PageBlock[] = [];
  const isFront = findFrontMatter(blocks, scale);
  let row: PageBlock[] = [];
  const finish = () => {
    if (row.length <= MOST_IN_A_ROW)
      headings.push(...row.filter((block) => !hasBullet(block) && !isFront(block) && !isSentence(block)));
    row = [];
  };
  for (const [index, block] of blocks.entries()) {
    if ((scale.placedTitles.get(block) ?? 0) > 0) {
      finish();
      headings.push(block);
      continue;
    }
    // Items with bullets are none, but what stands among them in their type is one of the list too.
    const inRow = block.kind === undefined && (hasBullet(block) || looksLikeHeading(block, scale));
    const [last] = row;
    if (last !== undefined && (!inRow || typeOf(last) !== typeOf(block))) finish();
    const goesOn = last === undefined && itemNumber(block) === itemNumber(blocks[index - 1]) + 1;
    if (inRow && !goesOn) row.push(block);
  }
  finish();
  return headings;
}

const OPENING = /^(abstract|a b s t r a c t|résumé|zusammenfassung|(1|i)\.? introduction)[.:—–-]?$/i;

const isOpening = ({ lines: [line, second] }: PageBlock): boolean =>
  line !== undefined && second === undefined && line.words.length < 14 && OPENING.test(lineText(line));

/** "Abstract—We report" */
const opensAbstract = ({ lines: [line] }: PageBlock): boolean =>
  line !== undefined && /^(abstract|résumé|zusammenfassung) ?[.:—–-]/i.test(lineText(line));

/** Tells what stands above an article's abstract or introduction, the title aside: authors, addresses, dates. */
function findFrontMatter(blocks: readonly PageBlock[], scale: HeadingScale): (block: PageBlock) => boolean {
  const end = blocks.find((block) => block.kind === undefined && (isOpening(block) || opensAbstract(block)))?.lines[0]
    ?.baseline;
  if (end === undefined) return () => false;
  const isAbove = ({ kind, lines: [line] }: PageBlock) =>
    kind === undefined && line !== undefined && line.baseline < end && line.words.length > 0;
  const largest = Math.max(
    ...blocks.filter((block) => isAbove(block) && looksLikeHeading(block, scale)).map(blockSize),
  );
  return (block) => isAbove(block) && blockSize(block) < largest;
}

/** One ideograph is a word. */
const HAS_WORD = /\p{L}\p{M}*\p{L}|\p{Script=Han}/u;

function looksLikeHeading(block: PageBlock, scale: HeadingScale): boolean {
  const { bodySize, bodyBold, proseTypes, placedTitles, terms } = scale;
  if (placedTitles.has(block)) return true;
  if (terms.has(block)) return false;
  if (proseTypes.has(typeOf(block)) && !isOpening(block)) return false;
  if (block.lines.length > 4 || block.lines.some(hasCells)) return false;
  // Most blocks are text of the body's size: told without putting their words together.
  const size = blockSize(block);
  if (size < bodySize * 0.95 || (size < bodySize * 1.1 && !block.lines.every(isBold))) return false;
  const text = block.lines.map(lineText).join(' ');
  if (text.length > MOST_CHARACTERS || !HAS_WORD.test(text)) return false;
  const isLarge = size >= bodySize * LEAST_OF_LARGE;
  if (isNoTitle(block, text, isLarge)) return false;
  if (!isLarge && isInText(block, text)) return false;
  if (isRecognised(block)) {
    // The rest of a sentence, a whole one, signs of a picture.
    if (size < bodySize * LEAST_OF_SURE && /^\p{Ll}|[,;(]$|[<>{}=;|]|(?: \S+){6}[.!]$/u.test(text)) return false;
    if ((meanConfidence(block.lines.flatMap(({ words }) => words)) ?? 1) < LEAST_CONFIDENCE) return false;
  }
  if (block.framed) return size >= bodySize * LEAST_IN_FRAME;
  if (isLarge) return true;
  if (block.lines.length > 2) return false;
  if (!bodyBold && size >= bodySize * 0.95 && block.lines.every(isBold)) {
    if (text.length >= 120 || /[,;:!]$/.test(text)) return false;
    return !/\.$/.test(text) || text.split(' ').length <= 6;
  }
  return size >= bodySize * 1.1;
}

/** However large it is set: an item with a bullet, a caption, a line of a table of contents or of a form, an address, figures. */
function isNoTitle(block: PageBlock, text: string, isLarge: boolean): boolean {
  if (hasBullet(block)) return true;
  if (/^(table|figure|fig\.|tabelle|abbildung|tableau)\s+(?:[\divx]|[a-z]{1,3}[-.]?\d)/i.test(text)) return true;
  if (/\.{4}|(?:\. ){4}|…{2}|_{3}\P{L}*$/u.test(text) || /https?:\/\/|^www\.|\S@\S+\.\w/.test(text)) return true;
  if (block.lines.some(isLabelled)) return true;
  // The number of a row, before that of the question in it.
  if (/^\d{1,3} (?:\d{1,3} )?\(?(?:[A-Z]|\d{1,2})[.)] /.test(text)) return true;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const figures = text.match(/\p{N}/gu)?.length ?? 0;
  // In large type the number of an invoice may be longer than its name.
  const isNamed = isLarge && /\p{L}{4}/u.test(text);
  if (letters < (isNamed ? figures / 2 : figures)) return true;
  // The marks of several affiliations stand behind the names of authors.
  return block.lines.flatMap(({ words }) => words).filter(({ raised }) => raised).length > 1;
}

/** Begins the line with a label in bold type, and what it labels is not? */
function isLabelled(line: PageLine): boolean {
  const label = labelLength(line);
  return label > 0 && line.words[0]?.bold === true && line.words[label]?.bold === false;
}

const LEAST_SENTENCE = 10;

/** Are these the words of a whole sentence, most of them in small letters? */
function isSentence({ lines }: PageBlock): boolean {
  const words = lines.flatMap((line) => line.words);
  if (words.length < LEAST_SENTENCE || !/\p{L}[.:]$/u.test(words.at(-1)?.text ?? '')) return false;
  return words.filter(({ text }) => /^\p{Ll}/u.test(text)).length * 2 > words.length;
}

/** Signs that an option, a line of a program or the rest of a sentence begins with. */
const BEGINS_NO_TITLE = /^(?:[-\u2212$\\|<>{}~%@=+,;:)]|# )/;

/** Bold words of the body's size within the text: the rest of a sentence, a keyword of code, which a title may begin with. */
function isInText({ lines }: PageBlock, text: string): boolean {
  return (
    BEGINS_NO_TITLE.test(text) ||
    (/^\p{Ll}/u.test(text) && !lines[0]?.words[0]?.monospaced) ||
    lines.every(({ words }) => words.every(({ monospaced }) => monospaced))
  );
}

function levelOf(block: PageBlock, scale: HeadingScale): number {
  const type = scale.levels.get(rankOf(block, scale));
  if (type === undefined) return MOST_LEVEL;
  const depth = numberDepth(block, scale);
  return Math.min(MOST_LEVEL, type.level + (depth > 0 ? depth - type.leastDepth : 0));
}

/** How deep a heading's number says that it stands: 1 for "3. Title", 2 for "3.1 Title"; 0 without a number. */
function numberDepth(block: PageBlock, { placedTitles }: HeadingScale): number {
  const placed = placedTitles.get(block);
  if (placed !== undefined && placed > 0) return placed;
  const first = block.lines[0]?.words[0]?.text ?? '';
  if (block.lines[0]?.words[1] === undefined || !isSectionNumber(first)) return 0;
  return first.replace(/\.$/, '').split('.').length;
}

/** NaN when the block is no numbered item. */
const itemNumber = (block: PageBlock | undefined): number =>
  Number(/^(\d{1,2})[.)]$/.exec(block?.lines[0]?.words[0]?.text ?? '')?.[1] ?? Number.NaN);

const isRecognised = ({ lines: [first] }: PageBlock): boolean => typeof first?.words[0]?.confidence === 'number';

const hasBullet = ({ lines: [first] }: PageBlock): boolean => parseMarker(first?.words ?? [])?.ordered === false;
const typeOf = (block: PageBlock): string => `${blockSize(block)}/${block.lines.every(isBold)}`;
/** Titles that their numbers tell are of one kind, however small their capitals are. */
const rankOf = (block: PageBlock, { placedTitles }: HeadingScale): string =>
  (placedTitles.get(block) ?? 0) > 0 ? 'numbered' : typeOf(block);
const roundSize = (size: number): number => Math.round(size * 2) / 2;
const blockSize = ({ lines }: PageBlock): number =>
  roundSize(lines.reduce((most, { fontSize }) => Math.max(most, fontSize), -Infinity));
