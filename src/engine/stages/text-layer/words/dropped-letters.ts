import { middleOf } from '../../../model/geometry.js';
import { boundsOfObject } from '../../../pdf-files/pdfium/object-bounds.js';
import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';
import type { Pdfium } from '../../../pdf-files/pdfium/pdfium.js';
import type { PageText } from './page-text.js';

/** Tells whether the letter at an index comes once more where the space before the glyph `next` is. */
export type DroppedLetterReader = (index: number, space: number, next: number) => boolean;

const MAX_OBJECTS = 50_000;
/** Tolerance of places, in ems. */
const TOLERANCE_EM = 0.03;

/**
 * Finds letters that PDFium leaves out. Some programs show each letter by a text object of its own; where two equal
 * ones overlap, as the f of italic type, PDFium takes the second for the first printed again, and puts a space into
 * the gap ("of ice").
 */
export function createDroppedLetterReader(
  pdfium: Pdfium,
  page: number,
  frame: PageFrame,
  text: PageText,
): DroppedLetterReader {
  let following: ReadonlyMap<number, number> | undefined;
  return (index, space, next) => {
    // PDFium's own spaces have no object.
    if (text.objectAt(space) !== 0) return false;
    const [object, last] = [text.objectAt(index), text.objectAt(next)];
    if (object === 0 || object === last) return false;
    const tolerance = text.styleAt(index).fontSize * TOLERANCE_EM;
    const isNear = (a: number, b: number) => Math.abs(a - b) < tolerance;
    const { originX, originY, x1 } = text.glyphAt(index);
    const advance = x1 - originX;
    const to = text.glyphAt(next);
    if (!isNear(to.originX, originX + advance * 2) || !isNear(to.originY, originY)) return false;
    following ??= readFollowing(pdfium, page);
    const between = following.get(object);
    if (between === undefined || following.get(between) !== last) return false;
    if (pdfium._FPDFTextObj_GetFont(between) !== pdfium._FPDFTextObj_GetFont(object)) return false;
    const [first, second] = [object, between].map((of) => {
      const bounds = boundsOfObject(pdfium, of);
      return bounds && frame.place(...bounds);
    });
    if (first === undefined || second === undefined) return false;
    return (
      isNear(second.x1 - second.x0, first.x1 - first.x0) &&
      isNear(second.y0, first.y0) &&
      isNear(second.y1, first.y1) &&
      isNear(middleOf(second), middleOf(first) + advance)
    );
  };
}

/** The object that comes behind each of the page's. */
function readFollowing(pdfium: Pdfium, page: number): Map<number, number> {
  const count = Math.min(pdfium._FPDFPage_CountObjects(page), MAX_OBJECTS);
  const objects = Array.from({ length: count }, (_, index) => pdfium._FPDFPage_GetObject(page, index));
  return new Map(objects.slice(1).map((object, index) => [objects[index] ?? 0, object]));
}
