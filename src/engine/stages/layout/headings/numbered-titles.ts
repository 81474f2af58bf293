import { extentOf } from '../../../model/geometry.js';
import type { PageBlock, PageLine } from '../../../model/page.js';
import { hasCells } from '../lines/line-cells.js';
import { isBold, lineText } from '../lines/lines.js';
import { follows, partsOfNumber, romanValue } from '../section-numbers.js';

const MAX_LINES = 3;
const MAX_CHARACTERS = 120;
/** Bold type and italics tell longer titles from sentences. */
const MAX_EMPHASISED_CHARACTERS = 160;
const ROMAN = /^X{0,2}(?:IX|IV|V?I{0,3})$/;

/**
 * Finds the section titles that their numbers tell, though they are often set in the body's type; each with its depth,
 * from 1. `pages` are blocks in reading order.
 */
export const findNumberedTitles = (pages: readonly (readonly PageBlock[])[]): Map<PageBlock, number> =>
  new Map([...findDecimalTitles(pages.flat()), ...findRomanTitles(pages)]);

/** Two sentences: an abbreviation is shorter than a word of this length. */
const SENTENCES = /\p{Ll}{4}[.!?] \p{Lu}/u;

/** The parts of the number that a block begins with: 2 and 1 of "2.1 Samples". The raised number of a note is none. */
const numberOf = (block: PageBlock | undefined): number[] => {
  const { text = '', raised } = block?.lines[0]?.words[0] ?? {};
  return raised ? [] : partsOfNumber(text);
};

/** Titles such as "2.1 Samples" that follow each other over text; those without a point ("2 Methods") stand out too. */
function findDecimalTitles(blocks: readonly PageBlock[]): Map<PageBlock, number> {
  const titles = new Map<PageBlock, number>();
  let last: number[] = [];
  blocks.forEach((block, index) => {
    const number = numberOf(block);
    if (number.length === 0) return;
    // The first number may be any in a part of a document.
    const isFirst = titles.size === 0 && number.length > 1 && number.at(-1) !== 1;
    if (!follows(number, last) && number.at(-1) !== 1 && !isFirst) return;
    const next = blocks[index + 1];
    const after = numberOf(next);
    // Numbers right after each other are a table of contents, or a list.
    if (after.length > 0 && after.length <= number.length && follows(after, number)) return;
    // A title that runs into its paragraph ends in a point.
    const text = textOf(block.lines);
    if ((/[.:]$/.test(text) && (number.length === 1 || !isEmphasised(block.lines))) || SENTENCES.test(text)) return;
    const isTitle =
      number.length > 1 ? isShort(block, isEmphasised(block.lines)) : standsOut(block, next, blocks[index - 1]);
    if (!isTitle) return;
    last = number;
    titles.set(block, number.length);
  });
  return titles.size > 1 ? titles : new Map();
}

/**
 * Finds the titles of a document that counts them in Roman numerals ("II. METHOD"), the letters below those ("A.
 * Samples"), and titles in the same type without a number ("REFERENCES"). Their numbers follow each other, and they
 * stand out. Empty for other documents.
 */
function findRomanTitles(pages: readonly (readonly PageBlock[])[]): Map<PageBlock, number> {
  const titles = new Map<PageBlock, number>();
  let [section, letter, numbered] = [0, 0, 0];
  let like: PageBlock | undefined;
  for (const blocks of pages) {
    blocks.forEach((block, index) => {
      const first = block.lines[0]?.words[0];
      const number = /^([A-Z]+)\.$/.exec(first?.text ?? '')?.[1];
      if (number === undefined && like === undefined) return;
      if (!standsOut(block, blocks[index + 1], blocks[index - 1])) return;
      if (number === undefined) {
        if (like !== undefined && looksLike(block, like)) titles.set(block, 1);
        return;
      }
      const value = ROMAN.test(number) ? romanValue(number) : 0;
      if (value > section) {
        [section, letter, like] = [value, 0, block];
        numbered++;
        titles.set(block, 1);
      } else if (section > 0 && number.length === 1 && number.charCodeAt(0) === 65 + letter) {
        letter++;
        numbered++;
        titles.set(block, 2);
      }
    });
  }
  // A single one may be an initial, or the first words of a list.
  return numbered > 1 ? titles : new Map();
}

/** True for a few words that are no sentence, over other text, and in capitals, italics, bold type or the middle of its column. */
function standsOut(block: PageBlock, next: PageBlock | undefined, before: PageBlock | undefined): boolean {
  const { lines } = block;
  if (next === undefined || !isShort(block) || /:$/.test(textOf(lines))) return false;
  if (isCapitals(textOf(lines)) || lines.every(isBold) || lines.every(isItalic)) return true;
  // The text below may be one short line: then the text above tells how wide the column is.
  return isCentred(lines, next.lines) || isCentred(lines, [...next.lines, ...(before?.lines ?? [])]);
}

/** Titles in italics or bold type may begin with a name in small letters. */
function isShort({ kind, lines }: PageBlock, emphasised = false): boolean {
  if (kind !== undefined || lines.length > MAX_LINES) return false;
  // The number may stand apart.
  if (lines.some((line, index) => hasCells(line) && !(index === 0 && line.apart.size === 1 && line.apart.has(1))))
    return false;
  const text = textOf(lines);
  if (text.length > (emphasised ? MAX_EMPHASISED_CHARACTERS : MAX_CHARACTERS) || /[,;]$/.test(text)) return false;
  return emphasised ? /\p{L}\p{M}*\p{L}/u.test(text) : /\p{Lu}.*\p{L}\p{M}*\p{L}/u.test(text);
}

function looksLike(block: PageBlock, title: PageBlock): boolean {
  const [line, second] = block.lines;
  const [other] = title.lines;
  if (line === undefined || second !== undefined || other === undefined) return false;
  if (Math.abs(line.fontSize - other.fontSize) > 0.6 || isBold(line) !== isBold(other)) return false;
  return isCapitals(textOf(block.lines)) && isCapitals(textOf([other])) && line.words.length <= 3;
}

const textOf = (lines: readonly PageLine[]): string => lines.map(lineText).join(' ');
const isCapitals = (text: string): boolean => !/\p{Ll}/u.test(text) && /\p{Lu}{4}/u.test(text);
/** The number may be upright. */
const isItalic = ({ words }: PageLine): boolean => words.every(({ italic }, index) => italic || index === 0);

/** True for bold or italics, the number aside. */
function isEmphasised(lines: readonly PageLine[]): boolean {
  const [, ...words] = lines.flatMap((line) => line.words);
  return words.every(({ bold }) => bold) || words.every(({ italic }) => italic);
}

function isCentred(lines: readonly PageLine[], below: readonly PageLine[]): boolean {
  const { x0, x1 } = extentOf(below);
  return lines.every(
    (line) => line.x0 > x0 + line.fontSize * 2 && Math.abs(line.x0 + line.x1 - x0 - x1) < line.fontSize * 2,
  );
}
