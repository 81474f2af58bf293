import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { Barcode, BarcodeFormat } from './barcodes/barcode.js';
import { describeBarcode } from './barcodes/describe-barcode.js';
import { findBarcodes } from './barcodes/zxing.js';
import { DocumentError } from './document-error.js';
import type { PageWarning } from './model.js';
import { readPdfPage } from './pdf/read-page.js';
import { renderPage } from './pdf/render-page.js';
import { openSturdyPdf } from './pdf/sturdy-pdf.js';
import { readImageHeader } from './raster/image-header.js';
import { loadImage } from './raster/load-image.js';
import { type Raster, RECOGNITION_LONG_SIDE } from './raster/raster.js';
import { selectPages } from './select-pages.js';
import { PDF_TYPE } from './sniff.js';

export interface BarcodeOptions {
  /** All when absent. */
  formats?: readonly BarcodeFormat[];
  /** "1-3,7,-1"; all when absent. */
  pages?: string;
  password?: string;
  maxPixels: number;
  onProgress?(pagesDone: number, pageCount: number): void;
}

export interface BarcodeReading {
  /** Page by page. */
  barcodes: Barcode[];
  warnings: PageWarning[];
  /** Pages that were read. */
  pageCount: number;
}

/** One way to look at a page. */
interface Look {
  longSide: number;
  formats: readonly BarcodeFormat[];
  /** Degrees, clockwise. */
  turn: number;
}
/** What is read along lines that cross all of it: where it is wide and low, only when it is nearly level or upright. */
const READ_BY_LINES: readonly BarcodeFormat[] = [
  ...(['Codabar', 'Code128', 'Code39', 'Code93', 'DataBar', 'EAN13', 'EAN8', 'PDF417', 'UPCA', 'UPCE'] as const),
];
const ASLANT_DEGREES = 45;

/** Most codes are found at the first look, and quickly; small ones on a large page need the second (0.4 s of CPU), wide ones that lie aslant the third (0.25). */
function listLooks(formats: readonly BarcodeFormat[]): Look[] {
  const aslant = READ_BY_LINES.filter((format) => formats.length === 0 || formats.includes(format));
  const looks: Look[] = [
    { longSide: RECOGNITION_LONG_SIDE, formats, turn: 0 },
    { longSide: 2 * RECOGNITION_LONG_SIDE, formats, turn: 0 },
  ];
  return aslant.length === 0
    ? looks
    : [...looks, { longSide: RECOGNITION_LONG_SIDE, formats: aslant, turn: ASLANT_DEGREES }];
}

/** Shapes that a page has to have for a code to be drawn of them: the smallest codes have dozens of bars or dots. */
const LEAST_PATHS = 15;

/** Pictures of one page; undefined where there is nothing more to be seen. */
type TakePicture = (longSide: number, isFirst: boolean) => Promise<{ raster: Raster; isDamaged: boolean } | undefined>;

/**
 * Finds and reads the barcodes of a document. Pages that cannot be read become warnings.
 * Throws DocumentError: encrypted, wrong-password, damaged (no page can be read), no-pages, too-large, invalid-argument.
 */
export async function readBarcodes(path: string, mimeType: string, options: BarcodeOptions): Promise<BarcodeReading> {
  if (mimeType === PDF_TYPE) {
    const pdf = await openSturdyPdf(path, options.password);
    try {
      return await readPages(pdf.pageCount, options, (number) => async (longSide, isFirst) => {
        const rendered = await pdf.use((opened) => {
          // Further looks are for drawings: the letters of a page of text are not small barcodes.
          if (!isFirst && !holdsPictures(readPdfPage(opened, number - 1))) return 'nothing';
          return { ...renderPage(opened, number - 1, longSide), isDamaged: false };
        });
        if (rendered === undefined) throw new DocumentError('damaged', 'the page is damaged and was left out');
        return rendered === 'nothing' ? undefined : rendered;
      });
    } finally {
      pdf.close();
    }
  }
  const { pageCount } = await readImageHeader(path, mimeType, options.maxPixels);
  if (pageCount < 1) throw new DocumentError('no-pages', 'the image has no pages');
  return readPages(pageCount, options, (page) => {
    return async (longSide, isFirst) => {
      // A picture that was small is looked at once more at twice its size.
      const scale = { longSide, mostEnlarged: isFirst ? 1 : 2 };
      const { raster, damaged } = await loadImage({ path, mimeType, page, maxPixels: options.maxPixels }, scale);
      return { raster, isDamaged: damaged };
    };
  });
}

async function readPages(
  pageCount: number,
  options: BarcodeOptions,
  pageOf: (number: number) => TakePicture,
): Promise<BarcodeReading> {
  const numbers = selectPages(options.pages, pageCount);
  const barcodes: Barcode[] = [];
  const warnings: PageWarning[] = [];
  let read = 0;
  for (const [index, number] of numbers.entries()) {
    try {
      const found = await readPage(pageOf(number), options.formats ?? [], async () => {
        options.onProgress?.(index, numbers.length);
        await yieldToEvents();
      });
      barcodes.push(...found.barcodes.map((barcode) => ({ page: number, ...barcode })));
      if (found.isDamaged)
        warnings.push({ page: number, message: 'the image is damaged: it was read as far as it goes' });
      read++;
    } catch (error) {
      if (error instanceof DocumentError && error.reason === 'too-large' && numbers.length === 1) throw error;
      warnings.push({ page: number, message: error instanceof Error ? error.message : String(error) });
    }
    options.onProgress?.(index + 1, numbers.length);
    // Progress is sent by the event loop.
    await yieldToEvents();
  }
  const [first] = warnings;
  if (read === 0) throw new DocumentError('damaged', first?.message ?? 'no page of the document can be read');
  return { barcodes, warnings, pageCount: read };
}

async function readPage(
  takePicture: TakePicture,
  formats: readonly BarcodeFormat[],
  /** Called between two looks, each of which may keep the thread busy for seconds: it goes on. */
  onLook: () => Promise<void>,
): Promise<{ barcodes: FoundOnPage[]; isDamaged: boolean }> {
  let isDamaged = false;
  const barcodes: FoundOnPage[] = [];
  for (const [index, look] of listLooks(formats).entries()) {
    const picture = await takePicture(look.longSide, index === 0);
    if (picture === undefined) break;
    isDamaged = picture.isDamaged;
    if (isDamaged && isBlank(picture.raster))
      throw new DocumentError('damaged', 'the image is damaged: nothing in it can be read');
    for (const found of await findBarcodes(picture.raster, look.formats, look.turn)) {
      const barcode = describeBarcode(found, picture.raster, formats);
      if (!barcodes.some((known) => isSame(known, barcode))) barcodes.push(barcode);
    }
    await onLook();
  }
  return { barcodes, isDamaged };
}

const isBlank = ({ data }: Raster): boolean => data.every((shade) => shade === data[0]);

type FoundOnPage = Omit<Barcode, 'page'>;

/** Two looks at one code: it says the same, and its middle is within the other. */
function isSame(known: FoundOnPage, other: FoundOnPage): boolean {
  const [x0, y0, x1, y1] = known.box;
  const [x, y] = [(other.box[0] + other.box[2]) / 2, (other.box[1] + other.box[3]) / 2];
  return known.format === other.format && known.bytes === other.bytes && x >= x0 && x <= x1 && y >= y0 && y <= y1;
}

function holdsPictures(page: ReturnType<typeof readPdfPage>): boolean {
  if (page === undefined) return false;
  const { imageCoverage, paths } = page.drawing.ink;
  return imageCoverage > 0 || paths >= LEAST_PATHS;
}
