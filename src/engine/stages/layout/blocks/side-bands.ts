import type { Area } from '../../../model/geometry.js';
import type { Fragment, PageContent } from '../../../model/page.js';
import { lineText } from '../lines/lines.js';
import { isWithin } from './boxed-text.js';

/** Shares of the page's height and width: a band runs down most of the page, and leaves most of its width to the text. */
const LEAST_HIGH = 0.7;
const LEAST_WIDE = 0.04;
const MOST_WIDE = 0.4;
/** Of the width, between a band and the edge of the page. */
const MOST_APART = 0.01;

/**
 * Grounds and pictures that run down one side of a slide, on which navigation stands, or what is beside the text. On upright
 * pages labels stand on such bands, level with what they are labels of.
 */
export function findSideBands({ width, height, shades, images }: PageContent): Area[] {
  if (width <= height) return [];
  return [...shades, ...images].filter(({ x0, y0, x1, y1 }) => {
    const wide = Math.min(x1, width) - Math.max(x0, 0);
    const isAtEdge = x0 < width * MOST_APART || x1 > width * (1 - MOST_APART);
    return isAtEdge && y1 - y0 > height * LEAST_HIGH && wide > width * LEAST_WIDE && wide < width * MOST_WIDE;
  });
}

/** Pages that have the same. */
const LEAST_PAGES = 2;
const LEAST_OF_MANY = 3;
const MANY = 6;

/**
 * For each page what stands on the bands down its sides and comes again on other pages there, where most of a band does:
 * the sections of a presentation, which are no part of the slide beside them.
 */
export function findRunningBands(
  pages: readonly { content: PageContent; fragments: readonly Fragment[] }[],
): Fragment[][] {
  const bands = pages.map(({ content, fragments }) =>
    findSideBands(content).map((area) => fragments.filter((fragment) => isWithin(fragment, area))),
  );
  const counts = new Map<string, number>();
  for (const ofPage of bands)
    for (const key of new Set(ofPage.flat().map(placeOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  const least = pages.length > MANY ? LEAST_OF_MANY : LEAST_PAGES;
  const comesAgain = (fragment: Fragment) => (counts.get(placeOf(fragment)) ?? 0) >= least;
  return bands.map((ofPage) => [
    ...new Set(
      ofPage.flatMap((band) => {
        const again = band.filter(comesAgain);
        return again.length * 2 > band.length ? again : [];
      }),
    ),
  ]);
}

const placeOf = (fragment: Fragment): string =>
  `${lineText(fragment)} ${Math.round(fragment.x0)} ${Math.round(fragment.baseline)}`;
