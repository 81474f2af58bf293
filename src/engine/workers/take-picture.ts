import { DocumentError } from '../model/document-error.js';
import { lengthsOf, scaleSeen } from '../model/projection.js';
import type { Sheet } from '../model/sheet.js';
import { PDF_TYPE } from '../sniff.js';
import { flattenSheet } from '../stages/picture/correct/flatten-sheet.js';
import { findSheet } from '../stages/picture/correct/sheet.js';
import { type LoadedImage, loadImage, RECOGNITION_SCALE } from '../stages/picture/decode/load-image.js';
import { renderPage } from '../stages/picture/decode/render-page.js';
import { RECOGNITION_LONG_SIDE } from '../stages/picture/raster.js';
import { isLong } from '../stages/picture/recognition-scale.js';
import { openOnce } from './open-once.js';
import type { PageTask } from './page-task.js';

/** A page as it is read; its size is that of the page as it was given. */
export interface Picture extends LoadedImage {
  /** Where the picture is a photograph of a sheet. */
  sheet?: Sheet;
}

/** A sheet that is smaller in its photograph is taken from a larger picture, at most so many times. */
const MOST_ENLARGED = 2;
const LEAST_ENLARGED = 1.1;

/** The picture of a page; of a sheet that was photographed on a desk, the sheet alone, seen from above. Throws DocumentError: damaged, too-large. */
export async function takePicture(task: PageTask): Promise<Picture> {
  const picture = await drawPage(task, RECOGNITION_LONG_SIDE);
  // No camera makes pictures of such a shape.
  const seen = isLong(picture.raster) ? undefined : findSheet(picture.raster);
  if (seen === undefined) return picture;
  const longest = Math.max(...Object.values(lengthsOf(seen.corners)));
  const factor = Math.min(MOST_ENLARGED, RECOGNITION_LONG_SIDE / longest);
  const larger = factor < LEAST_ENLARGED ? picture : await drawPage(task, Math.round(RECOGNITION_LONG_SIDE * factor));
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
