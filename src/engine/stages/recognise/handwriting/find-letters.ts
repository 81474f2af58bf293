import type { Area } from '../../../model/geometry.js';
import { findShade } from '../../picture/find/paper.js';
import { type Part, PartCollector } from '../../picture/find/parts.js';
import type { Raster } from '../../picture/raster.js';

/** Paper around the box of a word that is searched as well, by its height: boxes cut handwriting short. */
const MARGIN_SHARE = 0.16;
/** Shares of the pixels of a word that are darker than its ink, and than its paper, and the difference of both. */
const INK_SHARE = 0.02;
const PAPER_SHARE = 0.8;
const MIN_CONTRAST = 30;
/** Sides of a letter by the height of the word. Smaller ones are dots and signs. */
const MIN_HEIGHT_SHARE = 1 / 3;
const MIN_WIDTH_SHARE = 0.05;
/** Share of its box that a letter fills. Frames, and loops around other ink, fill less. */
const MIN_FILLED_SHARE = 0.12;
/** Sides of a rule by the height of the word. */
const MIN_RULE_WIDTH_SHARE = 2;
const MAX_RULE_HEIGHT_SHARE = 0.27;

/** Finds the letters of a word, or the pieces of connected writing. */
export function findLetters({ data, width, height }: Raster, word: Area): Part[] {
  const high = word.y1 - word.y0;
  const margin = high * MARGIN_SHARE;
  const [x0, x1] = [Math.max(0, Math.round(word.x0 - margin)), Math.min(width, Math.round(word.x1 + margin))];
  const [y0, y1] = [Math.max(0, Math.round(word.y0 - margin)), Math.min(height, Math.round(word.y1 + margin))];
  const counts = new Uint32Array(256);
  for (let y = y0; y < y1; y++) {
    for (let at = y * width + x0; at < y * width + x1; at++) {
      const shade = data[at] ?? 0;
      counts[shade] = (counts[shade] ?? 0) + 1;
    }
  }
  const pixels = (x1 - x0) * (y1 - y0);
  const [ink, paper] = [findShade(counts, pixels * INK_SHARE), findShade(counts, pixels * PAPER_SHARE)];
  if (paper - ink < MIN_CONTRAST) return [];
  const dark = (ink + paper) / 2;
  const collector = new PartCollector(1);
  for (let y = y0; y < y1; y++) {
    const row = y * width;
    for (let x = x0; x < x1; x++) {
      if ((data[row + x] ?? 255) >= dark) continue;
      const from = x;
      while (x < x1 && (data[row + x] ?? 255) < dark) x++;
      collector.addRun(from, x, y);
    }
    collector.endRow();
  }
  return collector.parts().filter((part) => isLetter(part, high));
}

function isLetter({ x0, x1, y0, y1, area }: Part, high: number): boolean {
  const [width, height] = [x1 - x0, y1 - y0];
  if (height < high * MIN_HEIGHT_SHARE || width < high * MIN_WIDTH_SHARE) return false;
  const isRule = width > high * MIN_RULE_WIDTH_SHARE && height < high * MAX_RULE_HEIGHT_SHARE;
  return !isRule && area >= width * height * MIN_FILLED_SHARE;
}
