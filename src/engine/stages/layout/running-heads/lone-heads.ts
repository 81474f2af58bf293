import { type EdgeItem, type EdgePage, type EdgeRow, isNote, PARAGRAPH_GAP } from './edge-rows.js';

const NARROW_ZONE = 0.13;
/** Type smaller than this share of the body's is small print. */
export const SMALL = 0.92;
/** Lines of text are wider, in ems. */
const LINE_WIDTH = 15;
/** Fewer lines do not make a full page of text: a letter's address and account are its content. */
const MIN_PAGE_LINES = 40;
/** The beginning or the end of a note, which are those of a sentence. */
const NOTE = /^(?:[*†‡§]|notes?\b)|[.;:,]$/i;
/** An address, the time of printing, or the owner of the text. */
const SOURCE =
  /^(https?:\/\/|www\.)\S+\s*(\d+\s*\/\s*\d+)?$|^\d{1,2}[./]\d{1,2}[./]\d{2,4},?\s+\d|^(©|copyright |\(c\) ?\d{4}\b)/i;

/** Distance of small print, and of print as large as the text, from the text. Depth: share of the page from its edge. Gap: in ems. */
const SMALL_PRINT = { depth: 0.09, gap: 2.5 };
const PLAIN_PRINT = { depth: 0.06, gap: 4 };

/** True when a page alone shows that the row is no text of its own: a number, or a source, apart at its edge. */
export function standsAlone(row: EdgeRow<unknown>, bodySize: number): boolean {
  // A number alone at the very edge, though larger than the text.
  const isNumber = row.key === '' && row.number !== undefined && row.parts === 1;
  if (isNumber && depthOf(row) < PLAIN_PRINT.depth && row.gap > PLAIN_PRINT.gap) return true;
  const inMargin = row.y < NARROW_ZONE || row.y > 1 - NARROW_ZONE;
  if (!inMargin || row.size > bodySize * 1.05) return false;
  // A document of one page has nothing that runs on.
  const isNamed = row.isNumberApart && /\bpage \d+ (of|\/) (?!1$)\d+$/i.test(row.text);
  if (!isNamed && row.gap < (row.size < bodySize * SMALL ? 1.6 : 1.9)) return false;
  if (row.number !== undefined && row.number < 1000 && (row.isNumberApart || row.parts > 2)) return true;
  return SOURCE.test(row.text);
}

/**
 * Counts the outermost rows of a full page of text, which has no others to be compared with, that stand so far off
 * that they are not part of it: small print at its very edge, and at the top print of the text's size that looks like
 * no title. Rows at the edges of letters, invoices, forms and slips are their own text.
 */
export function countFarOff(rows: readonly EdgeRow<EdgeItem>[], page: EdgePage<EdgeItem>, bodySize: number): number {
  const [first] = rows;
  if (first === undefined || page.recognised || !isPageOfText(page)) return 0;
  const isSmall = first.size <= bodySize * SMALL;
  if (!isSmall && !isPlain(first, bodySize)) return 0;
  const least = isSmall ? SMALL_PRINT : PLAIN_PRINT;
  const block = rows.slice(0, rows.findIndex(({ gap }) => gap > PARAGRAPH_GAP) + 1);
  if (depthOf(first) > least.depth || (block.at(-1)?.gap ?? 0) <= least.gap) return 0;
  // A number within the block is the mark of a note.
  if (block.slice(1).some(({ key }) => key === '')) return 0;
  return block.every((row) => row.size <= first.size && mayRunOn(row)) ? block.length : 0;
}

const depthOf = ({ edge, y }: EdgeRow<unknown>): number => (edge === 'header' ? y : 1 - y);

export const isPageOfText = ({ items }: EdgePage<EdgeItem>): boolean =>
  items.filter(({ x0, x1, fontSize }) => x1 - x0 > fontSize * LINE_WIDTH).length >= MIN_PAGE_LINES;

function isPlain({ edge, size, text, items }: EdgeRow<EdgeItem>, bodySize: number): boolean {
  if (edge === 'footer') return size <= bodySize * 1.2;
  const isBold = items.every(({ words }) => words.every(({ bold }) => bold));
  return size <= bodySize * 1.05 && !isBold && /\p{Ll}/u.test(text);
}

/** True for a row that may be a running head: a table's head has many parts; a page's number may stand beside two others. */
const mayRunOn = (row: EdgeRow<EdgeItem>): boolean =>
  row.parts <= (row.isNumberApart ? 3 : 2) && !NOTE.test(row.text) && !isNote(row);
