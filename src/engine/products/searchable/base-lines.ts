import type { Line, Word } from '../../model/document.js';
import { median } from '../../model/median.js';

/** A line of a page in points, as it is read: y = offset + slope · x, from the top left, downwards. */
export interface BaseLine {
  slope: number;
  offset: number;
}

interface Size {
  width: number;
  height: number;
}

/** Steeper than a skewed page's lines are. */
const MOST_SLOPE = 0.2;
/** 0.2 degrees: what boxes of whole pixels give by chance. */
const LEAST_SLOPE = 0.0035;
const LEAST_WORDS_OF_SLOPE = 4;
/** Of the type size: how far letters with a tail reach below the base line. */
const TAIL = 0.2;

/** How much the lines of a page lean, by the lower edges of words without tails: skewed scans have boxes that climb or fall. */
export function measureSlope(lines: readonly Line[], page: Size): number {
  const slopes = lines.flatMap((line) => {
    const points = pointsOf(line, page);
    if (points.length < LEAST_WORDS_OF_SLOPE) return [];
    return points.slice(1).flatMap(([x, y], index) => {
      const [firstX, firstY] = points[0] as Point;
      const [lastX, lastY] = points[index] as Point;
      // From the line's beginning and from its last word: near ones say little, so they are left out.
      return [slopeOf(firstX, firstY, x, y), slopeOf(lastX, lastY, x, y)].filter((slope) => slope !== undefined);
    });
  });
  const slope = median(slopes) ?? 0;
  return Math.abs(slope) < LEAST_SLOPE || Math.abs(slope) > MOST_SLOPE ? 0 : slope;

  function slopeOf(x0: number, y0: number, x1: number, y1: number): number | undefined {
    return x1 - x0 < page.width * 0.1 ? undefined : (y1 - y0) / (x1 - x0);
  }
}

/** Where a line's letters stand, given how much the page's lines lean. */
export function findBaseLine(line: Line, page: Size, slope: number, fontSize: number): BaseLine {
  const offsets = pointsOf(line, page).map(([x, y]) => y - slope * x);
  const offset = median(offsets);
  if (offset !== undefined) return { slope, offset };
  // Tails in every word, or nothing but signs.
  const lowest = line.words.map(({ box: [x0, , x1, y1] }) => y1 * page.height - (slope * (x0 + x1) * page.width) / 2);
  return { slope, offset: (median(lowest) ?? 0) - (line.words.some(hasLetter) ? TAIL * fontSize : 0) };
}

type Point = readonly [number, number];

/** Middles of the lower edges of words that stand on the base line. */
function pointsOf(line: Line, page: Size): Point[] {
  return line.words
    .filter((word) => hasLetter(word) && !word.raised && !/[gjpqyQçşțµ,;()[\]{}|$§@/\\_]/.test(word.text))
    .map(({ box: [x0, , x1, y1] }): Point => [((x0 + x1) / 2) * page.width, y1 * page.height])
    .sort(([a], [b]) => a - b);
}

const hasLetter = ({ text }: Word): boolean => /[\p{L}\p{N}]/u.test(text);
