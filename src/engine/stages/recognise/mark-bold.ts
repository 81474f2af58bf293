import { countCharacters } from '../../model/fragment.js';
import { weighedMedian } from '../../model/median.js';
import type { PageBlock, PageLine, PageWord } from '../../model/page.js';
import { measureStrokes } from '../picture/find/strokes.js';
import type { Raster } from '../picture/raster.js';

/** Strokes of bold type are so many times as wide as those of most of the page. */
const LEAST_BOLDER = 1.3;
const LEAST_LINES = 4;
const SAME_SIZE = 1.15;

/** A line's first words may be bold alone: those are so much bolder, the others as usual but for so much, and fewer letters tell too little. */
const LEAST_BOLDER_START = 1.4;
const MOST_USUAL = 1.15;
const LEAST_START_LETTERS = 6;
/** Such a line as a whole is bolder than usual by more than this. */
const LEAST_MIXED = 1.08;

/** Words of a line that stand together: a cell, or all of them. */
interface Part {
  words: PageWord[];
  characters: number;
  /** Of its strokes, by the size of the type. */
  weight: number;
  size: number;
}

/** Marks what is set in bold type on a page, line by line and cell by cell: a recogniser tells nothing of it. */
export function markBold(raster: Raster, blocks: readonly PageBlock[]): PageBlock[] {
  const lines = blocks.flatMap((block) => block.lines);
  const usualSize = weighedMedian(lines.map((line) => [line.fontSize, countCharacters(line)]));
  const sizeOf = ({ fontSize }: PageLine) =>
    fontSize > usualSize * SAME_SIZE || fontSize * SAME_SIZE < usualSize ? fontSize : usualSize;
  const measured = lines.map((line) => weighParts(raster, line, sizeOf(line)));
  if (measured.filter((parts) => parts.length > 0).length < LEAST_LINES) return [...blocks];
  const parts = measured.flat();
  const usual = weighedMedian(parts.map(({ weight, characters }) => [weight, characters]));
  const bold = new Set(parts.flatMap((part) => boldOf(raster, part, usual)));
  const mark = (word: PageWord) => (bold.has(word) ? { ...word, bold: true } : word);
  return blocks.map((block) => ({
    ...block,
    lines: block.lines.map((line) => ({ ...line, words: line.words.map(mark) })),
  }));
}

/** The parts of a line; what is too short to be measured is as the whole line, which may be too short as well. */
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

/** The words of a part that are set in bold type: none, all, or those that it begins with. */
function boldOf(raster: Raster, { words, weight, size }: Part, usual: number): readonly PageWord[] {
  if (weight < usual * LEAST_MIXED) return [];
  // Not a number where there is too little ink, which is no part then.
  const weigh = (some: readonly PageWord[]) => (measureStrokes(raster, some) ?? Number.NaN) / size / usual;
  let [most, start] = [0, 0];
  for (let index = 1; index < words.length; index++) {
    const bolder = weigh(words.slice(0, index));
    // Of most places: the rest is not measured then.
    if (!(bolder >= LEAST_BOLDER_START)) continue;
    const others = weigh(words.slice(index));
    if (others <= MOST_USUAL && bolder - others > most) [most, start] = [bolder - others, index];
  }
  if (countLetters(words.slice(0, start)) >= LEAST_START_LETTERS) return words.slice(0, start);
  return weight < usual * LEAST_BOLDER ? [] : words;
}

const countLetters = (words: readonly PageWord[]): number =>
  words.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0);
