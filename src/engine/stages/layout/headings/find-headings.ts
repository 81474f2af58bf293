import { append } from '../../../model/append.js';
import { countBy, mostCounted } from '../../../model/counts.js';
import { countWithSpaces, lengthOf } from '../../../model/fragment.js';
import type { PageBlock } from '../../../model/page.js';
import { roundSize } from '../lines/line-pitch.js';
import { countSmall, lastText } from '../lines/line-room.js';
import { isBold, lineText } from '../lines/lines.js';
import { isSectionNumber } from '../section-numbers.js';
import { blockSize, type HeadingScale, hasBullet, isOpening, MAX_HEADING_CHARACTERS, typeOf } from './block-type.js';
import { isDay, isNoTitle, looksLikeHeading, MIN_LARGER } from './heading-rules.js';
import { findNumberedTitles } from './numbered-titles.js';
import { findQuietTitles } from './quiet-titles.js';

const MAX_LEVEL = 6;
/** More blocks of one type with nothing between them are a list of something, not headings. */
const MAX_HEADINGS_IN_A_ROW = 2;

/** The size of the body's type, and the headings of a document with their levels, 1 to 6. */
interface Headings {
  bodySize: number;
  levels: ReadonlyMap<PageBlock, number>;
}

/** Finds the body's type and by it the headings of all pages; `pages` are blocks in reading order. */
export function findHeadings(pages: readonly (readonly PageBlock[])[]): Headings {
  // Headings do not stand over code, however much of it there is.
  const text = pages.flatMap((blocks) => blocks.filter(({ code }) => !code));
  /** Sizes, those of bold type below 0. */
  const sizes = countBy(
    text.flatMap(({ lines }) => lines),
    (line) => (isBold(line) ? -1 : 1) * roundSize(line.fontSize),
    // Headings may be more than the text below them; a body in bold type is more than twice the rest.
    (line) => countWithSpaces(line) / (isBold(line) ? 2 : 1),
  );
  const body = mostCounted(sizes, 10);
  const bodySize = Math.abs(body);
  const quiet = findQuietTitles(pages, bodySize)
    .filter((block) => !isNoTitle(block, block.lines.map(lineText).join(' '), false))
    .map((block) => [block, 0] as const);
  const scale: HeadingScale = {
    ...{ bodySize, bodyBold: body < 0 },
    proseTypes: findProseTypes(pages.flat()),
    placedTitles: new Map([...quiet, ...findNumberedTitles(pages)]),
    hasDays: text.filter(isDayAlone).length > 1,
  };
  return { bodySize, levels: rankHeadings(pages, scale) };
}

const isDayAlone = ({ lines: [line, second] }: PageBlock): boolean =>
  line !== undefined && second === undefined && /^\d{4}$/.test(lastText(line)) && isDay(lineText(line));

/** Finds the types of which most characters stand in blocks that are too long for headings. */
function findProseTypes(blocks: readonly PageBlock[]): Set<string> {
  const text = blocks
    .filter(({ kind }) => kind === undefined)
    .map((block) => ({
      type: typeOf(block),
      length: lengthOf(block.lines),
    }));
  const count = (among: typeof text) =>
    countBy(
      among,
      ({ type }) => type,
      ({ length }) => length,
    );
  const [all, long] = [count(text), count(text.filter(({ length }) => length > MAX_HEADING_CHARACTERS))];
  return new Set([...long.keys()].filter((type) => (long.get(type) ?? 0) > (all.get(type) ?? 0) * 0.5));
}

/**
 * Finds the headings and ranks their types: larger type higher, bold before plain; where one type has numbers of several depths, each depth
 * is a level. A type that is used once (on a cover, say) takes no level of its own, except the title's.
 */
function rankHeadings(pages: readonly (readonly PageBlock[])[], scale: HeadingScale): Map<PageBlock, number> {
  const headings = pages.map((blocks) => pickHeadings(blocks, scale));
  const byRank = new Map<string, [PageBlock, ...PageBlock[]]>();
  for (const block of headings.flat()) append(byRank, rankOf(block, scale), block);
  const types = [...byRank].map(([key, blocks]) => ({
    ...{ key, count: blocks.length, size: blockSize(blocks[0]), bold: blocks[0].lines.every(isBold) },
    depths: blocks.map((block) => numberDepth(block, scale)).filter((depth) => depth > 0),
  }));
  let level = 1;
  const title = titleType(headings.find((ofPage) => ofPage.length > 0) ?? [], byRank);
  const ranked = types.sort(
    (a, b) => Number(b.key === title) - Number(a.key === title) || b.size - a.size || Number(b.bold) - Number(a.bold),
  );
  const few = ranked.length <= 3;
  let shared = level;
  const levels = new Map<PageBlock, number>();
  ranked.forEach(({ key, size, bold, depths, count }, index) => {
    const before = ranked[index - 1];
    // Numbered titles and others of one type are of one level; bold lines of the text's size are below them.
    const alike = before?.size === size && before.bold === bold && size > scale.bodySize;
    if (!alike) shared = level;
    const leastDepth = Math.min(...depths, MAX_LEVEL);
    for (const block of byRank.get(key) ?? []) {
      const depth = numberDepth(block, scale);
      levels.set(block, Math.min(MAX_LEVEL, shared + (depth > 0 ? depth - leastDepth : 0)));
    }
    if (few || index === 0 || count > 1)
      level = Math.max(level, shared + 1 + Math.max(0, Math.max(...depths, 0) - leastDepth));
  });
  return levels;
}

/** The type of the document's title, though chapters may be set larger: the largest of the first page with a heading, if nothing else has it. */
function titleType(headings: readonly PageBlock[], byRank: ReadonlyMap<string, PageBlock[]>): string | undefined {
  const size = Math.max(...headings.map(blockSize));
  const [type, another] = headings.filter((block) => blockSize(block) === size).map(typeOf);
  return type !== undefined && another === undefined && byRank.get(type)?.length === 1 ? type : undefined;
}

function pickHeadings(blocks: readonly PageBlock[], scale: HeadingScale): PageBlock[] {
  const headings: PageBlock[] = [];
  const isFront = findFrontMatter(blocks, scale);
  let row: PageBlock[] = [];
  const finish = () => {
    if (row.length <= MAX_HEADINGS_IN_A_ROW)
      headings.push(...row.filter((block) => !hasBullet(block) && !isFront(block) && !isSentence(block)));
    row = [];
  };
  for (const [index, block] of blocks.entries()) {
    if ((scale.placedTitles.get(block) ?? 0) > 0) {
      finish();
      headings.push(block);
      continue;
    }
    // Items with bullets are no headings, and neither is a block among them that is set in their type.
    const isTitle = () => looksLikeHeading(block, scale) && (!mayBeLabel(block, scale) || isText(blocks[index + 1]));
    const inRow = block.kind === undefined && (hasBullet(block) || isTitle());
    const [last] = row;
    if (last !== undefined && (!inRow || typeOf(last) !== typeOf(block))) finish();
    const continuesList = last === undefined && itemNumber(block) === itemNumber(blocks[index - 1]) + 1;
    if (inRow && !continuesList) row.push(block);
  }
  finish();
  return headings;
}

/** True for words with a colon that are not larger than the text. */
const mayBeLabel = (block: PageBlock, { bodySize }: HeadingScale): boolean =>
  blockSize(block) < bodySize * MIN_LARGER && /[:：]$/.test(lastText(block.lines.at(-1) ?? { words: [] }));

/** Least characters of a text below a title: the value of a field is shorter. */
const MIN_TEXT_CHARACTERS = 60;

/** True for what stands below a title, and not behind the label of a field: a text or a list. */
const isText = (block: PageBlock | undefined): boolean =>
  block !== undefined && block.kind === undefined && (hasBullet(block) || lengthOf(block.lines) >= MIN_TEXT_CHARACTERS);

/** True for an abstract whose title runs into it: "Abstract—We report". */
const opensAbstract = ({ lines: [line] }: PageBlock): boolean =>
  line !== undefined && /^(abstract|résumé|zusammenfassung) ?[.:—–-]/i.test(lineText(line));

/** Returns what tells the blocks above an article's abstract or introduction, the title aside: authors, addresses, dates. */
function findFrontMatter(blocks: readonly PageBlock[], scale: HeadingScale): (block: PageBlock) => boolean {
  const end = blocks.find((block) => block.kind === undefined && (isOpening(block) || opensAbstract(block)))?.lines[0]
    ?.baseline;
  if (end === undefined) return () => false;
  const isAbove = ({ kind, lines: [line] }: PageBlock) =>
    kind === undefined && line !== undefined && line.baseline < end && line.words.length > 0;
  const titles = blocks.filter((block) => isAbove(block) && looksLikeHeading(block, scale));
  // The name of the journal may be set larger than the title.
  const long = titles.filter(
    (block) => countWords(block) >= MIN_TITLE_WORDS && blockSize(block) >= scale.bodySize * MIN_TITLE_SIZE,
  );
  const largest = Math.max(...(long.length > 0 ? long : titles).map(blockSize));
  return (block) => isAbove(block) && blockSize(block) < largest;
}

/** Words of a title, and its size by that of the text: the name of a journal has fewer, and addresses are smaller. */
const MIN_TITLE_WORDS = 5;
const MIN_TITLE_SIZE = 1.4;

const countWords = ({ lines }: PageBlock): number => lines.reduce((sum, { words }) => sum + words.length, 0);

const MIN_SENTENCE_WORDS = 10;

/** True when the block is a whole sentence, most of its words in small letters. */
function isSentence({ lines }: PageBlock): boolean {
  const words = lines.flatMap((line) => line.words);
  if (/。$/.test(words.at(-1)?.text ?? '')) return true;
  if (words.length < MIN_SENTENCE_WORDS || !/\p{L}[.:]$/u.test(words.at(-1)?.text ?? '')) return false;
  return countSmall(words) * 2 > words.length;
}

/** The depth of a heading by its number: 1 for "3. Title", 2 for "3.1 Title"; 0 without a number. */
function numberDepth(block: PageBlock, { placedTitles }: HeadingScale): number {
  const placed = placedTitles.get(block);
  if (placed !== undefined && placed > 0) return placed;
  const first = block.lines[0]?.words[0]?.text ?? '';
  if (block.lines[0]?.words[1] === undefined || !isSectionNumber(first)) return 0;
  return first.replace(/\.$/, '').split('.').length;
}

/** The number of an item; NaN when the block is no numbered item. */
const itemNumber = (block: PageBlock | undefined): number =>
  Number(/^(\d{1,2})[.)]$/.exec(block?.lines[0]?.words[0]?.text ?? '')?.[1] ?? Number.NaN);

/** The type that a heading is ranked by. Titles that their numbers tell are of one kind, however small their capitals are. */
const rankOf = (block: PageBlock, { placedTitles }: HeadingScale): string =>
  (placedTitles.get(block) ?? 0) > 0 ? 'numbered' : typeOf(block);
