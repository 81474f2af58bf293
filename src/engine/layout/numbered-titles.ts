import { hasCells, isBold, type LaidBlock } from './blocks.js';
import type { LaidLine } from './lines.js';

/** Numbers go on where a title was not made out. */
const MOST_SKIPPED = 2;
const MOST_LINES = 3;
const MOST_CHARACTERS = 120;
const ROMAN = /^X{0,2}(?:IX|IV|V?I{0,3})$/;

/**
 * The section titles of a document that counts them in Roman numerals ("II. METHOD"), the letters below those ("A.
 * Samples"), and what is set as they are without a number ("REFERENCES"): often in the body's size, and told by their
 * numbers following each other and by standing out. Each with its depth: 1 for numerals, 2 for letters. Empty for
 * other documents. `pages` are blocks in reading order.
 */
export function findNumberedTitles(pages: readonly (readonly LaidBlock[])[]): Map<LaidBlock, number> {
  const titles = new Map<LaidBlock, number>();
  let [section, letter] = [0, 0];
  let like: LaidBlock | undefined;
  for (const blocks of pages) {
    blocks.forEach((block, index) => {
      const first = block.lines[0]?.words[0];
      const number = /^([A-Z]+)\.$/.exec(first?.text ?? '')?.[1];
      if (number === undefined && like === undefined) return;
      if (!standsOut(block, blocks[index + 1])) return;
      if (number === undefined) {
        if (like !== undefined && looksLike(block, like)) titles.set(block, 1);
        return;
      }
      const value = ROMAN.test(number) ? romanValue(number) : 0;
      if (value > section && value <= section + 1 + (section > 0 ? MOST_SKIPPED : 0)) {
        [section, letter, like] = [value, 0, block];
        titles.set(block, 1);
      } else if (section > 0 && number.length === 1 && number.charCodeAt(0) === 65 + letter) {
        letter++;
        titles.set(block, 2);
      }
    });
  }
  // One alone may be an initial, or the first words of a list.
  return section > 1 ? titles : new Map();
}

const romanValue = (roman: string): number =>
  [...roman].reduce((sum, sign, index) => {
    const value = { I: 1, V: 5, X: 10 }[sign] ?? 0;
    return sum + (sign === 'I' && /[VX]/.test(roman[index + 1] ?? '') ? -value : value);
  }, 0);

/** A few words that are no sentence, over other text, and in capitals, italics, bold type or the middle of its column. */
function standsOut({ kind, lines }: LaidBlock, next: LaidBlock | undefined): boolean {
  if (kind !== undefined || lines.length > MOST_LINES || next === undefined) return false;
  // The number may stand apart.
  if (lines.some((line, index) => hasCells(line) && !(index === 0 && line.apart.size === 1 && line.apart.has(1))))
    return false;
  const text = textOf(lines);
  if (text.length > MOST_CHARACTERS || !/\p{Lu}.*\p{L}{2}/u.test(text) || /[,;:]$/.test(text)) return false;
  return isCapitals(text) || lines.every(isBold) || lines.every(isItalic) || isCentred(lines, next.lines);
}

function looksLike(block: LaidBlock, title: LaidBlock): boolean {
  const [line, second] = block.lines;
  const [other] = title.lines;
  if (line === undefined || second !== undefined || other === undefined) return false;
  if (Math.abs(line.fontSize - other.fontSize) > 0.6 || isBold(line) !== isBold(other)) return false;
  return isCapitals(textOf(block.lines)) && isCapitals(textOf([other])) && line.words.length <= 3;
}

const textOf = (lines: readonly LaidLine[]): string =>
  lines.flatMap(({ words }) => words.map(({ text }) => text)).join(' ');
const isCapitals = (text: string): boolean => !/\p{Ll}/u.test(text) && /\p{Lu}{4}/u.test(text);
/** The number and what stands in brackets may be upright. */
const isItalic = ({ words }: LaidLine): boolean =>
  words.every(({ italic, text }, index) => italic || index === 0 || /^\(.*\)$/.test(text));

function isCentred(lines: readonly LaidLine[], below: readonly LaidLine[]): boolean {
  const [x0, x1] = [Math.min(...below.map((line) => line.x0)), Math.max(...below.map((line) => line.x1))];
  return lines.every(
    (line) => line.x0 > x0 + line.fontSize * 2 && Math.abs(line.x0 + line.x1 - x0 - x1) < line.fontSize * 2,
  );
}
