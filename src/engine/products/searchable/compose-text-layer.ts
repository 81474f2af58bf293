import type { Line, Page, Word } from '../../model/document.js';
import { formatNumber } from '../../pdf-files/objects/values.js';
import { findBaseLine, measureSlope } from './base-lines.js';
import { DESCENT, GLYPH_WIDTH, type GlyphCodes, toGraphemes } from './glyphless-font.js';
import type { ReadFrame } from './page-geometry.js';
import { isRightToLeft, orderForPaper } from './right-to-left.js';

/** The lines of a page that recognition found, in reading order, without the words that the page's own text layer has. */
export function recognisedLines(page: Page): Line[] {
  return page.blocks
    .flatMap(({ lines }) => lines)
    .map((line) => ({ ...line, words: line.words.filter(({ confidence }) => confidence !== null) }))
    .filter(({ words }) => words.length > 0);
}

/** Least widths of a word and of a space, in ems: some readers ignore a narrower space. */
const MIN_WORD_WIDTH_EM = 0.02;
const MIN_SPACE_EM = 0.12;
const USUAL_SPACE = 0.25;

/**
 * Composes the PDF operators that write the lines invisibly: each word as wide as on the page and on the base line of
 * its letters, with a space up to the next word.
 */
export function composeTextLayer(
  lines: readonly Line[],
  page: Pick<Page, 'height'>,
  frame: ReadFrame,
  /** `name`: the font's name in the page's resources. */
  font: { codes: GlyphCodes; name: string },
): string {
  const slope = measureSlope(lines, frame);
  const scale = frame.height / page.height;
  const written = lines.map((line) => composeLine(line, scale * line.fontSize));
  // The graphics state is restored: the page's own drawing comes next.
  return `q BT 3 Tr\n${written.join('')}ET Q\n`;

  function composeLine(line: Line, nominalSize: number): string {
    const size = settleSize(line, nominalSize, frame.height);
    const base = findBaseLine(line, frame, slope, size);
    const words = orderWords(line);
    const pieces = [`/${font.name} ${number(size)} Tf\n`];
    words.forEach((word, index) => {
      const [x0, x1] = spanOf(word);
      const next = words[index + 1];
      const nextX0 = next === undefined ? Number.POSITIVE_INFINITY : spanOf(next)[0];
      // Boxes of leaning words overlap: the first one ends earlier, but not before it has begun.
      const end = Math.max(Math.min(x1, nextX0 - MIN_SPACE_EM * size), x0 + (x1 - x0) / 2);
      const graphemes = orderForPaper(toGraphemes(word.text));
      // A leaning line goes down or up in steps, word by word: poppler splits words that lean themselves.
      const y = base.offset + (base.slope * (x0 + x1)) / 2;
      pieces.push(`${matrixAt(x0, y)} Tm `, show(graphemes, end - x0, size));
      // A space follows the last word too: the next line may go on beside it, as the cells of a row do.
      const space = next === undefined ? USUAL_SPACE * size : nextX0 - end;
      pieces.push(' ', show([' '], space, size), '\n');
    });
    return pieces.join('');
  }

  function show(graphemes: readonly string[], width: number, size: number): string {
    const natural = graphemes.length * GLYPH_WIDTH * size;
    const percent = (100 * Math.max(width, MIN_WORD_WIDTH_EM * size)) / natural;
    return `${number(percent)} Tz <${font.codes.encode(graphemes)}> Tj`;
  }

  function spanOf({ box }: Word): [number, number] {
    return [box[0] * frame.width, box[2] * frame.width];
  }

  /** A place on the page as it is read, in PDF's coordinates, with the directions there. */
  function matrixAt(x: number, y: number): string {
    const { right, up, origin } = frame;
    const place = [origin[0] + x * right[0] - y * up[0], origin[1] + x * right[1] - y * up[1]];
    return [...right, ...up, ...place].map(number).join(' ');
  }
}

const number = formatNumber;

/** The type size that a line was recognised in, unless the heights of its words contradict it. */
function settleSize(line: Line, nominal: number, pageHeight: number): number {
  const tallest = Math.max(...line.words.map(({ box }) => (box[3] - box[1]) * pageHeight));
  const least = Math.max(tallest * (1 - DESCENT), 0.5);
  return Math.min(Math.max(nominal, least), least * 2.5);
}

/** Orders words from left to right: readers expect it, and reverse right-to-left text themselves. */
function orderWords({ words }: Line): Word[] {
  return words.some(({ text }) => isRightToLeft(text)) ? [...words].sort((a, b) => a.box[0] - b.box[0]) : words;
}
