import type { PdfDocument } from '../pdf-files/pdfium/pdfium.js';
import { renderPart } from '../stages/picture/decode/render-page.js';
import { holdsPrint, JUDGED_LONG_SIDE } from '../stages/picture/find/holds-print.js';
import { turnRaster } from '../stages/picture/raster.js';
import { resolutionOf, type UnreadPicture } from '../stages/text-layer/unread-pictures.js';

/** Resolution to which a smaller picture is enlarged, in pixels a point, and bound of that: letters of 5 pixels touch each other. */
const MIN_RESOLUTION = 2;
const MAX_ENLARGEMENT = 2;

/** Returns those of a page's pictures that show lines of print, upright as the page is read. `rotation`: as in UprightPage. Throws DocumentError `damaged`. */
export function findPrinted(
  pdf: PdfDocument,
  { number, rotation }: { number: number; rotation: number },
  pictures: readonly UnreadPicture[],
): UnreadPicture[] {
  return pictures.filter((picture) => {
    const longSide = Math.max(picture.x1 - picture.x0, picture.y1 - picture.y0);
    const own = resolutionOf(picture);
    const enlarged = Math.max(own, Math.min(own * MAX_ENLARGEMENT, MIN_RESOLUTION));
    const scale = Math.min(JUDGED_LONG_SIDE / longSide, enlarged);
    return holdsPrint(turnRaster(renderPart(pdf, number - 1, picture, scale), rotation));
  });
}
