import type { Line, Word } from '../../model/document.js';
import { median } from '../../model/median.js';

/** The base line of a line in points, on the page as it is read: y = offset + slope · x, from the top left, downwards. */
export interface BaseLine {
  slope: number;
  offset: number;
}

interface Size {
  width: number;
  height: number;
}

/** Lines of a skewed page are less steep. */
const MAX_SLOPE = 0.2;
/** A slope of 0.2 degrees: boxes of whole pixels give it by chance. */
const MIN_SLOPE = 0.0035;
const MIN_SLOPE_WORDS = 4;
/** Depth of letters with a tail below the base line, as a share of the type size. */
const TAIL_EM = 0.2;

/** Measures how much the lines of a page lean, by the lower edges of words without tails: skewed scans have boxes that climb or fall. */
export function measureSlope(lines: readonly Line[], page: Size): number {
  const slopes = lines.flatMap((line) => {
    const points = pointsOf(line, page);
    if (points.length < MIN_SLOPE_WORDS) return [];
    return points.slice(1).flatMap(([x, y], index) => {
      const [firstX, firstY] = points[0] as Point;
      const [lastX, lastY] = points[index] as Point;
      // Slopes are measured from the line's first and last word: near words say little and are left out.
      return [slopeOf(firstX, firstY, x, y), slopeOf(lastX, lastY, x, y)].filter((slope) => slope !== undefined);
    });
  });
  const slope = median(slopes) ?? 0;
  return Math.abs(slope) < MIN_SLOPE || Math.abs(slope) > MAX_SLOPE ? 0 : slope;

  function slopeOf(x0: number, y0: number, x1: number, y1: number): number | undefined {
    return x1 - x0 < page.width * 0.1 ? undefined : (y1 - y0) / (x1 - x0);
  }
}

/** The base line of a line, given the slope of the page's lines. */
export function findBaseLine(line: Line, page: Size, slope: number, fontSize: number): BaseLine {
  const offsets = pointsOf(line, page).map(([x, y]) => y - slope * x);
  const offset = median(offsets);
  if (offset !== undefined) return { slope, offset };
  // The lowest edge tells where every word has a tail or the line has only signs.
  const lowest = line.words.map(({ box: [x0, , x1, y1] }) => y1 * page.height - (slope * (x0 + x1) * page.width) / 2);
  return { slope, offset: (median(lowest) ?? 0) - (line.words.some(hasLetter) ? TAIL_EM * fontSize : 0) };
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
