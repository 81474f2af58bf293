import type { LaidBlock, LaidLine, PlacedWord } from '../layout/laid.js';
import { countCharacters } from '../layout/lines/lines.js';
import { weighedMedian } from '../median.js';
import type { Raster } from '../raster/raster.js';
import { measureStrokes } from '../raster/strokes.js';

/** Strokes of bold type are so many times as wide as those of most of the page. */
const LEAST_BOLDER = 1.3;
const LEAST_LINES = 4;
const SAME_SIZE = 1.15;

/** Words of a line that stand together: a cell, or all of them. */
interface Part {
  words: PlacedWord[];
  characters: number;
  /** Of its strokes, by the size of the type. */
  weight: number;
}

/** Marks what is set in bold type on a page, line by line and cell by cell: a recogniser tells nothing of it. */
export function markBold(raster: Raster, blocks: readonly LaidBlock[]): LaidBlock[] {
  const lines = blocks.flatMap((block) => block.lines);
  const usualSize = weighedMedian(lines.map((line) => [line.fontSize, countCharacters(line)]));
  const sizeOf = ({ fontSize }: LaidLine) =>
    fontSize > usualSize * SAME_SIZE || fontSize * SAME_SIZE < usualSize ? fontSize : usualSize;
  const measured = lines.map((line) => weighParts(raster, line, sizeOf(line)));
  if (measured.filter((parts) => parts.length > 0).length < LEAST_LINES) return [...blocks];
  const parts = measured.flat();
  const usual = weighedMedian(parts.map(({ weight, characters }) => [weight, characters]));
  const bold = new Set(parts.flatMap(({ words, weight }) => (weight < usual * LEAST_BOLDER ? [] : words)));
  const mark = (word: PlacedWord) => (bold.has(word) ? { ...word, bold: true } : word);
  return blocks.map((block) => ({
    ...block,
    lines: block.lines.map((line) => ({ ...line, words: line.words.map(mark) })),
  }));
}

/** The parts of a line; what is too short to be measured is as the whole line, which may be too short as well. */
function weighParts(raster: Raster, line: LaidLine, size: number): Part[] {
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
    };
  });
}
