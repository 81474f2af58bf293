import { countCharacters } from '../../model/fragment.js';
import { weighedMedian } from '../../model/median.js';
import type { PageBlock, PageLine, PageWord } from '../../model/page.js';
import { measureStrokes } from '../picture/find/strokes.js';
import type { Raster } from '../picture/raster.js';

/** Stroke width of bold type by the usual one of the page. */
const MIN_BOLD_RATIO = 1.3;
/** Measured lines that a page needs. */
const MIN_LINES = 4;
/** Ratio of two sizes that count as one. */
const SAME_SIZE_RATIO = 1.15;

/** Bounds of a line with only its first words bold: stroke width of these and of the rest by the usual one, and letters of the bold words. */
const MIN_BOLD_START_RATIO = 1.4;
const MAX_USUAL_RATIO = 1.15;
const MIN_START_LETTERS = 6;
/** Stroke width of such a line as a whole by the usual one. */
const MIN_MIXED_RATIO = 1.08;

/** A cell of a line, or the whole line. */
interface Part {
  words: PageWord[];
  characters: number;
  /** Width of its strokes by the size of the type. */
  weight: number;
  size: number;
}

/** Marks the words in bold type, line by line and cell by cell: the recogniser does not report bold type. */
export function markBold(raster: Raster, blocks: readonly PageBlock[]): PageBlock[] {
  const lines = blocks.flatMap((block) => block.lines);
  const usualSize = weighedMedian(lines.map((line) => [line.fontSize, countCharacters(line)]));
  const sizeOf = ({ fontSize }: PageLine) =>
    fontSize > usualSize * SAME_SIZE_RATIO || fontSize * SAME_SIZE_RATIO < usualSize ? fontSize : usualSize;
  const measured = lines.map((line) => weighParts(raster, line, sizeOf(line)));
  if (measured.filter((parts) => parts.length > 0).length < MIN_LINES) return [...blocks];
  const parts = measured.flat();
  const usual = weighedMedian(parts.map(({ weight, characters }) => [weight, characters]));
  const bold = new Set(parts.flatMap((part) => boldOf(raster, part, usual)));
  const mark = (word: PageWord) => (bold.has(word) ? { ...word, bold: true } : word);
  return blocks.map((block) => ({
    ...block,
    lines: block.lines.map((line) => ({ ...line, words: line.words.map(mark) })),
  }));
}

/** Measures the parts of a line. A part that is too short gets the weight of the whole line; none if that is too short as well. */
function weighParts(raster: Raster, line: PageLine, size: number): Part[] {
  const whole = measureStrokes(raster, line.words);
  if (whole === undefined) return [];
  const starts = [0, ...line.apart];
  return starts.map((start, index) => {
    const words = line.words.slice(start, starts[index + 1]);
    const width = line.apart.size > 0 ? measureStrokes(raster, words) : whole;
    return {
      words,
      characters: countCharacters({ words }),
      weight: (width ?? whole) / size,
      size,
    };
  });
}

/** Returns the bold words of a part: none, all, or its first ones. */
function boldOf(raster: Raster, { words, weight, size }: Part, usual: number): readonly PageWord[] {
  if (weight < usual * MIN_MIXED_RATIO) return [];
  // Too little ink gives NaN, which fails every comparison below.
  const weigh = (some: readonly PageWord[]) => (measureStrokes(raster, some) ?? Number.NaN) / size / usual;
  let [largestDifference, start] = [0, 0];
  for (let index = 1; index < words.length; index++) {
    const bolder = weigh(words.slice(0, index));
    // Most splits end here, before the rest is measured.
    if (!(bolder >= MIN_BOLD_START_RATIO)) continue;
    const others = weigh(words.slice(index));
    if (others <= MAX_USUAL_RATIO && bolder - others > largestDifference)
      [largestDifference, start] = [bolder - others, index];
  }
  if (countLetters(words.slice(0, start)) >= MIN_START_LETTERS) return words.slice(0, start);
  return weight < usual * MIN_BOLD_RATIO ? [] : words;
}

const countLetters = (words: readonly PageWord[]): number =>
  words.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0);
