import { type Area, sizeOfArea } from '../../../model/geometry.js';
import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';
import { type Matrix, mapBy } from './matrices.js';
import { type Point, spanOf } from './points.js';
import type { ObjectReader } from './read-object.js';

/** Share of the page that the largest ground of a part of it has. */
const COVERING_SHARE = 0.8;
/** A clip of more points is a picture's outline. */
const MAX_CLIP_POINTS = 40;

/** True when it fills the page, or nearly so. */
export const coversPage = (area: Area, { width, height }: PageFrame): boolean =>
  sizeOfArea(area) > width * height * COVERING_SHARE;

/** The visible corners of a rectangle: some programs fill a page for each ground and clip it to the wanted area. */
export function cutByClip(
  points: Point[],
  path: number,
  outer: Matrix | undefined,
  { pdfium, scratch }: ObjectReader,
): Point[] {
  const clip = pdfium._FPDFPageObj_GetClipPath(path);
  if (clip === 0) return points;
  const map = mapBy(outer ?? [1, 0, 0, 1, 0, 0]);
  const count = pdfium._FPDFClipPath_CountPaths(clip);
  let seen = spanOf(points);
  for (let part = 0; part < count; part++) {
    const segments = pdfium._FPDFClipPath_CountPathSegments(clip, part);
    if (segments < 3 || segments > MAX_CLIP_POINTS) return points;
    const corners = Array.from({ length: segments }, (_, index) => {
      const segment = pdfium._FPDFClipPath_GetPathSegment(clip, part, index);
      pdfium._FPDFPathSegment_GetPoint(segment, scratch, scratch + 4);
      return map(pdfium.HEAPF32[scratch >> 2] ?? 0, pdfium.HEAPF32[(scratch >> 2) + 1] ?? 0);
    });
    const { x0, x1, y0, y1 } = spanOf(corners);
    seen = {
      ...{ x0: Math.max(seen.x0, x0), x1: Math.min(seen.x1, x1) },
      ...{ y0: Math.max(seen.y0, y0), y1: Math.min(seen.y1, y1) },
    };
  }
  const { x0, x1, y0, y1 } = seen;
  if (x1 <= x0 || y1 <= y0) return [];
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
    [x0, y0],
  ].map(([x = 0, y = 0]) => ({ x, y }));
}
