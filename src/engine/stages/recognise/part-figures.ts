import type { Span } from '../../model/geometry.js';
import type { PageBlock, PageWord } from '../../model/page.js';
import { wordsOf } from '../../model/words-of.js';
import { findThreshold } from '../picture/find/paper.js';
import { pixelsOf, type Raster } from '../picture/raster.js';
import { toLine } from './hocr.js';

/** Digits, with a sign between two of them at most. */
const FIGURES = /^\d+(?:[.,:]?\d+)+$/;
/** Width of a digit with the space beside it, in heights of a digit, from which the digits may stand apart; monospaced ones have .9. */
const MIN_DIGIT_WIDTH = 1.05;
/** Space between two figures, and width of a digit, in heights of a digit. */
const MIN_GAP = 0.8;
const DIGIT_WIDTH = 0.68;
/** Share of a column's pixels up to which it is specks. */
const MAX_SPECKS_SHARE = 0.08;
/** Words above or below that stand in the column of one figure alone. */
const MIN_COLUMN_WORDS = 2;

/**
 * Parts figures of several columns that the recogniser took for one number ("12.9" for 12 and 9, "43" for 4 and 3): digits far
 * apart, each in the column of other words. The digits of one number in boxes have no such words above or below.
 */
export function partFigures(raster: Raster, blocks: readonly PageBlock[]): PageBlock[] {
  const words = wordsOf(blocks);
  let threshold: number | undefined;
  const partsOf = (word: PageWord): PageWord[] => {
    if (!standApart(word)) return [word];
    threshold ??= findThreshold(raster);
    const spans = findSpans(raster, word, threshold);
    const others = words.filter(({ y0, y1 }) => y1 < word.y0 || y0 > word.y1);
    return spans.every((span) => isOwnColumn(span, spans, others)) ? divide(word, spans) : [word];
  };
  return blocks.map((block) => ({
    ...block,
    lines: block.lines.map((line) => {
      const parts = line.words.flatMap(partsOf);
      return parts.length === line.words.length ? line : toLine(parts, line.order);
    }),
  }));
}

const digitsOf = ({ text }: PageWord): string => text.replace(/\D/g, '');

const standApart = (word: PageWord): boolean =>
  FIGURES.test(word.text) && word.x1 - word.x0 > digitsOf(word).length * (word.y1 - word.y0) * MIN_DIGIT_WIDTH;

/** The stretches of a word's print between wide spaces, in pixels. */
function findSpans(raster: Raster, word: PageWord, threshold: number): Span[] {
  const { data, width } = raster;
  const { x0, y0, x1, y1 } = pixelsOf(raster, word);
  const gap = (y1 - y0) * MIN_GAP;
  const spans: Span[] = [];
  for (let x = x0; x < x1; x++) {
    let ink = 0;
    for (let y = y0; y < y1; y++) if ((data[y * width + x] ?? 255) <= threshold) ink++;
    if (ink <= (y1 - y0) * MAX_SPECKS_SHARE) continue;
    const last = spans.at(-1);
    if (last !== undefined && x - last.x1 < gap) last.x1 = x + 1;
    else spans.push({ x0: x, x1: x + 1 });
  }
  return spans;
}

/** True when words above or below stand in the column of this span, and in that of no other one. */
function isOwnColumn(span: Span, spans: readonly Span[], words: readonly PageWord[]): boolean {
  const meets = (a: Span, b: Span) => a.x0 < b.x1 && b.x0 < a.x1;
  const own = words.filter(
    (word) => meets(word, span) && spans.every((other) => other === span || !meets(word, other)),
  );
  return own.length >= MIN_COLUMN_WORDS;
}

/** Gives each span its digits by its width; the word as it is where their number is not that of the word's. */
function divide(word: PageWord, spans: readonly Span[]): PageWord[] {
  const height = word.y1 - word.y0;
  const counts = spans.map(({ x0, x1 }) => Math.max(1, Math.round((x1 - x0) / (height * DIGIT_WIDTH))));
  const digits = digitsOf(word);
  if (spans.length < 2 || counts.reduce((sum, count) => sum + count, 0) !== digits.length) return [word];
  let at = 0;
  return spans.map((span, index) => {
    const text = digits.slice(at, at + (counts[index] ?? 0));
    at += text.length;
    return { ...word, ...span, text };
  });
}
