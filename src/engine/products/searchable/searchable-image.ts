import type { DocumentWarning, OcrDocument, Page } from '../../model/document.js';
import { DocumentError } from '../../model/document-error.js';
import { formatNumber, makeDict, type PdfRef } from '../../pdf-files/objects/values.js';
import { createObjectWriter, type ObjectWriter, writeFile } from '../../pdf-files/objects/write-pdf.js';
import { readImageHeader } from '../../stages/picture/decode/image-header.js';
import { composeTextLayer, recognisedLines } from './compose-text-layer.js';
import { embedPicture, type Picture } from './embed-picture.js';
import { addGlyphlessFont, createGlyphCodes, type GlyphCodes } from './glyphless-font.js';
import { frameOfReading } from './page-geometry.js';
import type { SearchablePdf } from './searchable-pdf.js';

/** Base64 of a longer PDF would not fit into one string. */
const MAX_PDF_BYTES = 384 * 1024 * 1024;
/** Size of A4, in points. */
const [A4_WIDTH, A4_HEIGHT] = [595.28, 841.89];
/** PDF's own limits of a page's side, in points. */
const [MIN_SIDE, MAX_SIDE] = [3, 14_400];
const FONT_NAME = 'OcrTextLayer';

/**
 * Makes a PDF of a picture: each page shows the picture as it is in the file, at the size that its resolution says,
 * and carries the recognised words. Pages that were not read are in it too.
 * Throws DocumentError: damaged, too-large.
 */
export async function makeSearchableImage(
  path: string,
  mimeType: string,
  { pages }: OcrDocument,
  options: { maxPixels: number; onPage(): void },
): Promise<SearchablePdf> {
  const { pageCount } = await readImageHeader(path, mimeType, options.maxPixels);
  const writer = createObjectWriter(1);
  const codes = createGlyphCodes();
  const [root, tree, font] = [writer.reserve(), writer.reserve(), writer.reserve()];
  const warnings: DocumentWarning[] = [];
  const kids: PdfRef[] = [];
  const withLayer: number[] = [];
  for (let number = 1; number <= pageCount; number++) {
    let picture: Picture | undefined;
    try {
      picture = await embedPicture(writer, { path, mimeType, page: number, maxPixels: options.maxPixels });
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      warnings.push({ page: number, message: `${error.message}; its page in the PDF is empty` });
    }
    const page = pages.find((candidate) => candidate.number === number);
    if (page !== undefined && recognisedLines(page).length === 0) {
      warnings.push({ page: number, message: 'no text was found on the page: it has no text layer' });
    } else if (page !== undefined && picture !== undefined) withLayer.push(number);
    kids.push(addPage({ writer, tree, font, codes }, picture, page));
    if (writer.byteLength > MAX_PDF_BYTES) {
      throw new DocumentError('too-large', `the PDF would have more than ${MAX_PDF_BYTES / 1024 / 1024} MiB`);
    }
    options.onPage();
  }
  addGlyphlessFont(writer, codes, font);
  writer.put(tree, makeDict({ Type: '/Pages', Kids: kids, Count: kids.length }));
  writer.put(root, makeDict({ Type: '/Catalog', Pages: tree }));
  return { chunks: writeFile(writer, root), pages: withLayer, warnings };
}

/** The PDF that is being written. */
interface OpenPdf {
  writer: ObjectWriter;
  tree: PdfRef;
  font: PdfRef;
  codes: GlyphCodes;
}

function addPage({ writer, tree, font, codes }: OpenPdf, picture: Picture | undefined, page: Page | undefined): PdfRef {
  const { width, height } = picture === undefined ? { width: A4_WIDTH, height: A4_HEIGHT } : sizeOf(picture);
  // The page is as displayed; only its y counts up.
  const frame = { width, height, toDisplay: { ax: 1, bx: 0, cx: 0, ay: 0, by: -1, cy: height } };
  const lines = page === undefined ? [] : recognisedLines(page);
  const layer =
    page === undefined || lines.length === 0
      ? ''
      : composeTextLayer(lines, page, frameOfReading(frame, page.rotation), { codes, name: FONT_NAME });
  const drawing = picture === undefined ? '' : `q ${matrixOf(picture.orientation, width, height)} cm /Picture Do Q\n`;
  const resources = makeDict({
    XObject: picture === undefined ? undefined : makeDict({ Picture: picture.ref }),
    Font: makeDict({ [FONT_NAME]: font }),
  });
  return writer.add(
    makeDict({
      Type: '/Page',
      Parent: tree,
      MediaBox: ['0', '0', formatNumber(width), formatNumber(height)],
      Resources: resources,
      Contents: writer.addDeflated(layer + drawing),
    }),
  );
}

/** Size of the picture as it is displayed, in points. */
function sizeOf({ width, height, orientation, density }: Picture): { width: number; height: number } {
  const [wide, high] = orientation >= 5 ? [height, width] : [width, height];
  const nominal = isRealDensity(density) ? 72 / density : scaleToA4(wide, high);
  const scale = Math.min(nominal, MAX_SIDE / Math.max(wide, high));
  return { width: Math.max(MIN_SIDE, wide * scale), height: Math.max(MIN_SIDE, high * scale) };
}

/** True for a real density. Programs that know nothing of the resolution write 72. */
function isRealDensity(density: number | undefined): density is number {
  return density !== undefined && density !== 72 && density >= 30 && density <= 10_000;
}

/** The scale that fits a sheet of A4, upright or on its side. */
function scaleToA4(width: number, height: number): number {
  const [short, long] = width < height ? [width, height] : [height, width];
  return Math.min(A4_WIDTH / short, A4_HEIGHT / long);
}

/** Maps the unit square of a picture to the page, turned and mirrored as EXIF's orientation says. */
function matrixOf(orientation: number, width: number, height: number): string {
  const matrix = {
    2: [-width, 0, 0, height, width, 0],
    3: [-width, 0, 0, -height, width, height],
    4: [width, 0, 0, -height, 0, height],
    5: [0, -height, -width, 0, width, height],
    6: [0, -height, width, 0, 0, height],
    7: [0, height, width, 0, 0, 0],
    8: [0, height, -width, 0, width, 0],
  }[orientation] ?? [width, 0, 0, height, 0, 0];
  return matrix.map(formatNumber).join(' ');
}
