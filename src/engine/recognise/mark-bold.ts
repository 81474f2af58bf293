import type { LaidBlock } from '../layout/laid.js';
import { countCharacters } from '../layout/lines.js';
import type { Raster } from '../raster/raster.js';
import { measureStrokes } from '../raster/strokes.js';

/** Strokes of bold type are so many times as wide as those of most of the page. */
const LEAST_BOLDER = 1.3;
const LEAST_LINES = 4;
const SAME_SIZE = 1.15;

/** Marks the lines of a page, in place, that are set in bold type: a recogniser tells nothing of it. */
export function markBold(raster: Raster, blocks: readonly LaidBlock[]): void {
  const lines = blocks.flatMap((block) => block.lines);
  const usualSize = weighedMedian(lines.map((line) => [line.fontSize, countCharacters(line)]));
  const weights = lines.flatMap((line) => {
    const width = measureStrokes(raster, line.words);
    if (width === undefined) return [];
    const size =
      line.fontSize > usualSize * SAME_SIZE || line.fontSize * SAME_SIZE < usualSize ? line.fontSize : usualSize;
    return [{ line, weight: width / size }];
  });
  if (weights.length < LEAST_LINES) return;
  const usual = weighedMedian(weights.map(({ line, weight }) => [weight, countCharacters(line)]));
  for (const { line, weight } of weights) {
    if (weight < usual * LEAST_BOLDER) continue;
    for (const word of line.words) word.bold = true;
  }
}

function weighedMedian(values: readonly (readonly [value: number, weight: number])[]): number {
  const sorted = [...values].sort(([a], [b]) => a - b);
  let left = sorted.reduce((sum, [, weight]) => sum + weight, 0) / 2;
  for (const [value, weight] of sorted) {
    left -= weight;
    if (left <= 0) return value;
  }
  return 0;
}
