import type { Area } from '../../../model/geometry.js';
import type { PageContent } from '../../../model/page.js';

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
