import { DocumentError } from '../../model/document-error.js';
import { PDF_TYPE } from '../../sniff.js';
import { loadImage } from '../../stages/picture/decode/load-image.js';
import { renderPage } from '../../stages/picture/decode/render-page.js';
import { type Raster, RECOGNITION_LONG_SIDE } from '../../stages/picture/raster.js';
import { readPdfPage } from '../../stages/text-layer/read-page.js';
import { openOnce } from '../../workers/open-once.js';
import type { Barcode, BarcodeFormat } from './barcode.js';
import { readBlurredEan } from './blurred-ean/read-blurred-ean.js';
import { describeBarcode } from './describe-barcode.js';
import { gatherCodes, isOfGoods } from './gather-codes.js';
import { type FoundBarcode, findBarcodes, type HowToLook } from './zxing.js';

/** A page to look at. */
export interface BarcodeTask {
  path: string;
  mimeType: string;
  password: string | undefined;
  /** Page number, from 1. */
  page: number;
  /** Formats; all when empty. */
  formats: readonly BarcodeFormat[];
  maxPixels: number;
}

/** The barcodes of a page. */
export interface PageBarcodes {
  barcodes: Omit<Barcode, 'page'>[];
  /** A fault of the picture, for people, though it was looked at. */
  warning?: string;
}

/** One way to look at a page. */
interface Look extends HowToLook {
  longSide: number;
}

/** Formats that are read along lines across the whole code: a wide and low one only when it is nearly level or upright. */
const READ_BY_LINES: readonly BarcodeFormat[] = [
  ...(['Codabar', 'Code128', 'Code39', 'Code93', 'DataBar', 'EAN13', 'EAN8', 'PDF417', 'UPCA', 'UPCE'] as const),
];
const ASLANT_DEGREES = 45;
/** Paths that a page has at least where a code is drawn of them: the smallest codes have dozens of bars or dots. */
const MIN_PATHS = 15;

/**
 * Lists the looks at a page. Most codes are found at the first look, and quickly; small ones on a large page need the
 * second (0.4 s of CPU), wide slanted ones the third (0.25 s). The first look already saw all that a smaller picture
 * could show.
 */
function listLooks(formats: readonly BarcodeFormat[]): Look[] {
  const aslant = READ_BY_LINES.filter((format) => formats.length === 0 || formats.includes(format));
  const looks: Look[] = [
    { longSide: RECOGNITION_LONG_SIDE, formats, tryDownscale: true },
    { longSide: 2 * RECOGNITION_LONG_SIDE, formats, tryDownscale: false },
  ];
  return aslant.length === 0
    ? looks
    : [...looks, { longSide: RECOGNITION_LONG_SIDE, formats: aslant, turn: ASLANT_DEGREES, tryDownscale: false }];
}

/**
 * Looks for the barcodes of a page in the calling thread; the PDF stays open for the next page. `onInterim` gets the
 * codes found so far. Throws DocumentError: damaged, too-large, encrypted, wrong-password.
 */
export async function readPage(
  task: BarcodeTask,
  _deadline: number,
  onInterim: (found: PageBarcodes) => void,
): Promise<PageBarcodes> {
  const { formats } = task;
  const found: PageBarcodes = { barcodes: [] };
  const add = (codes: readonly FoundBarcode[], raster: Raster) => {
    gatherCodes(
      found.barcodes,
      codes.map((code) => describeBarcode(code, raster, formats)),
    );
    onInterim(found);
  };
  const pictures: Raster[] = [];
  for (const [index, look] of listLooks(formats).entries()) {
    const picture = await takePicture(task, look.longSide, index === 0);
    if (picture === undefined) break;
    if (picture.damaged) {
      if (isBlank(picture.raster))
        throw new DocumentError('damaged', 'the image is damaged: nothing in it can be read');
      found.warning = 'the image is damaged: it was read as far as it goes';
    }
    pictures.push(picture.raster);
    add(await findBarcodes(picture.raster, look), picture.raster);
  }
  // A page of text has no second look. Codes of other kinds tell that those of goods can be read as well.
  const [first, second] = pictures;
  if (first !== undefined && second !== undefined && found.barcodes.every(isOfGoods))
    add(readBlurredEan(first, formats), first);
  return found;
}

/** The picture for a look; undefined where a further look would show nothing more. */
async function takePicture(
  task: BarcodeTask,
  longSide: number,
  isFirst: boolean,
): Promise<{ raster: Raster; damaged: boolean } | undefined> {
  // A small picture is looked at once more at twice its size.
  if (task.mimeType !== PDF_TYPE) return loadImage(task, { longSide, maxEnlargement: isFirst ? 1 : 2 });
  const pdf = await openOnce(task.path, task.password);
  const rendered = await pdf.use((opened) => {
    // Further looks are for drawings: the letters of a page of text are not small barcodes.
    if (!isFirst && !holdsPictures(readPdfPage(opened, task.page - 1))) return 'nothing';
    return { ...renderPage(opened, task.page - 1, longSide), damaged: false };
  });
  if (rendered === undefined) throw new DocumentError('damaged', 'the page is damaged and was left out');
  return rendered === 'nothing' ? undefined : rendered;
}

const isBlank = ({ data }: Raster): boolean => data.every((shade) => shade === data[0]);

function holdsPictures(page: ReturnType<typeof readPdfPage>): boolean {
  if (page === undefined) return false;
  const { imageCoverage, paths } = page.drawing.ink;
  return imageCoverage > 0 || paths >= MIN_PATHS;
}
