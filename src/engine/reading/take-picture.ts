import { DocumentError } from '../model/document-error.js';
import { lengthsOf, scaleSeen } from '../model/projection.js';
import type { Sheet } from '../model/sheet.js';
import { PDF_TYPE } from '../sniff.js';
import { flattenSheet } from '../stages/picture/correct/flatten-sheet.js';
import { findSheet } from '../stages/picture/correct/sheet.js';
import { type LoadedImage, loadImage, RECOGNITION_SCALE } from '../stages/picture/decode/load-image.js';
import { renderPage, renderPart } from '../stages/picture/decode/render-page.js';
import { RECOGNITION_LONG_SIDE } from '../stages/picture/raster.js';
import { isLong } from '../stages/picture/recognition-scale.js';
import { resolutionOf, type UnreadPicture } from '../stages/text-layer/unread-pictures.js';
import { openOnce } from '../workers/open-once.js';
import type { PageTask } from './page-task.js';

/** The picture of a page for recognition; width and height are those of the given page. */
export interface Picture extends LoadedImage {
  /** Place of the sheet, if the picture is a photograph of one. */
  sheet?: Sheet;
}

/** Enlargement of a photograph with a small sheet: the bound, and the factor from which it is worth its time. */
const MAX_ENLARGEMENT = 2;
const MIN_ENLARGEMENT = 1.1;

/** Draws the picture of a page; for a photograph of a sheet on a desk, the sheet alone, as seen from above. Throws DocumentError: damaged, too-large. */
export async function takePicture(task: PageTask): Promise<Picture> {
  if (task.picture !== undefined) return await drawPicture(task, task.picture);
  const picture = await drawPage(task, RECOGNITION_LONG_SIDE);
  // No camera takes such long pictures.
  const seen = isLong(picture.raster) ? undefined : findSheet(picture.raster);
  if (seen === undefined) return picture;
  const longest = Math.max(...Object.values(lengthsOf(seen.corners)));
  const factor = Math.min(MAX_ENLARGEMENT, RECOGNITION_LONG_SIDE / longest);
  const larger = factor < MIN_ENLARGEMENT ? picture : await drawPage(task, Math.round(RECOGNITION_LONG_SIDE * factor));
  const scale = larger.raster.width / picture.raster.width;
  return { ...picture, ...flattenSheet(larger.raster, scaleSeen(seen, scale, scale), Math.round(longest * factor)) };
}

async function drawPage(task: PageTask, longSide: number): Promise<LoadedImage> {
  if (task.mimeType !== PDF_TYPE) return loadImage(task, { ...RECOGNITION_SCALE, longSide });
  const pdf = await openOnce(task.path, task.password);
  const picture = await pdf.use((opened) => renderPage(opened, task.page - 1, longSide, true));
  if (picture === undefined) throw new DocumentError('damaged', 'the page is damaged');
  return { ...picture, damaged: false };
}

/** Resolution of scans, 300 pixels an inch, in pixels a point. A picture on a page is drawn with it, or with its own if that is higher. */
const SCAN_RESOLUTION = 300 / 72;

/** Draws a picture on a page, enlarged as one of its own size would be. */
async function drawPicture({ path, password, page }: PageTask, picture: UnreadPicture): Promise<Picture> {
  const [width, height] = [picture.x1 - picture.x0, picture.y1 - picture.y0];
  const { longSide, maxEnlargement } = RECOGNITION_SCALE;
  const own = resolutionOf(picture);
  const scale = Math.min(longSide / Math.max(width, height), own * maxEnlargement, Math.max(own, SCAN_RESOLUTION));
  const pdf = await openOnce(path, password);
  const raster = await pdf.use((opened) => renderPart(opened, page - 1, picture, scale));
  if (raster === undefined) throw new DocumentError('damaged', 'the picture is damaged');
  return { raster, width, height, damaged: false };
}
