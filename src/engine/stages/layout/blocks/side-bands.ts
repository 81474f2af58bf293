import { countBy } from '../../../model/counts.js';
import type { Area } from '../../../model/geometry.js';
import type { Fragment, PageContent } from '../../../model/page.js';
import { lineText } from '../lines/lines.js';
import { isWithin } from './boxed-text.js';

/** Shares of the page's height and width: a band runs down most of the page, and leaves most of its width to the text. */
const MIN_HEIGHT_SHARE = 0.7;
const MIN_WIDTH_SHARE = 0.04;
const MAX_WIDTH_SHARE = 0.4;
/** Distance of a band from the edge of the page, as a share of the width. */
const MAX_EDGE_SHARE = 0.01;

/**
 * Finds grounds and pictures that run down one side of a slide, under navigation or text beside the slide's. On
 * upright pages labels stand on such bands, level with the text that they label.
 */
export function findSideBands({ width, height, shades, images }: PageContent): Area[] {
  if (width <= height) return [];
  return [...shades, ...images].filter(({ x0, y0, x1, y1 }) => {
    const wide = Math.min(x1, width) - Math.max(x0, 0);
    const isAtEdge = x0 < width * MAX_EDGE_SHARE || x1 > width * (1 - MAX_EDGE_SHARE);
    return (
      isAtEdge &&
      y1 - y0 > height * MIN_HEIGHT_SHARE &&
      wide > width * MIN_WIDTH_SHARE &&
      wide < width * MAX_WIDTH_SHARE
    );
  });
}

/** Number of pages with the same band, among few pages and among many. */
const MIN_PAGES = 2;
const MIN_OF_MANY_PAGES = 3;
const MANY = 6;

/**
 * Finds, for each page, the text on the bands down its sides that comes again on other pages there, where most of a
 * band does: the sections of a presentation, which are no part of the slide beside them.
 */
export function findRunningBands(
  pages: readonly { content: PageContent; fragments: readonly Fragment[] }[],
): Fragment[][] {
  const bands = pages.map(({ content, fragments }) =>
    findSideBands(content).map((area) => fragments.filter((fragment) => isWithin(fragment, area))),
  );
  const counts = countBy(
    bands.flatMap((ofPage) => [...new Set(ofPage.flat().map(placeOf))]),
    (place) => place,
  );
  const least = pages.length > MANY ? MIN_OF_MANY_PAGES : MIN_PAGES;
  const comesAgain = (fragment: Fragment) => (counts.get(placeOf(fragment)) ?? 0) >= least;
  const mostly = (band: readonly Fragment[]) => {
    const again = band.filter(comesAgain);
    return again.length * 2 > band.length ? again : [];
  };
  return bands.map((ofPage) => [...new Set(ofPage.flatMap(mostly))]);
}

const placeOf = (fragment: Fragment): string =>
  `${lineText(fragment)} ${Math.round(fragment.x0)} ${Math.round(fragment.baseline)}`;
