import { BARCODE_FORMATS, type BarcodeFormat, CONTENT_TYPES } from '../engine/products/barcodes/barcode.js';
import { DOCUMENT_TYPES } from './accepted-types.js';
import type { OcrFunction, PrintedTable } from './function.js';
import { argsObject, readingProperties, toSelection } from './reading-args.js';
import { BOX, DIALECT, fromOne, list, object, type Schema, text, WARNINGS } from './result-schema.js';

const POINT: Schema = {
  type: 'array',
  items: { type: 'number', minimum: 0, maximum: 1 },
  minItems: 2,
  maxItems: 2,
};

const BARCODE = object(
  'A barcode.',
  {
    page: fromOne('As in the file.'),
    format: text('As ZXing names it: QRCode, Code128, EAN13, DataMatrix, PDF417 …'),
    value: {
      type: ['string', 'null'],
      description: 'Its text, GS1 with the identifiers in brackets; null if its bytes are not text.',
    },
    contentType: { type: 'string', enum: CONTENT_TYPES, description: 'What its bytes are.' },
    bytes: {
      type: 'string',
      contentEncoding: 'base64',
      description: 'Its content in base64: with GS1 separators, before any character set is applied.',
    },
    symbologyIdentifier: text('ISO/IEC 15424, like "]C1"; empty if there is none.'),
    box: { ...BOX, description: '[x0, y0, x1, y1], each 0-1, from the top left of the page as it is displayed.' },
    corners: {
      type: 'array',
      items: POINT,
      minItems: 4,
      maxItems: 4,
      description: 'Its own top left, top right, bottom right and bottom left, [x, y] on the page as it is displayed.',
    },
    rotation: { type: 'integer', minimum: 0, maximum: 359, description: 'Degrees, clockwise, by which it is turned.' },
    sequence: object('If several make up one message (structured append).', {
      index: { type: 'integer', description: 'From 0.' },
      size: { type: 'integer', minimum: 0, description: 'How many there are; 0 if unknown.' },
      id: text('The same for all of one message.'),
    }),
  },
  ['sequence'],
);

/** The barcodes of a document: content and position. */
export const barcodeReading: OcrFunction = {
  id: 'BARCODE_READING',
  alias: 'barcodes',
  title: 'Barcode reading',
  description:
    'Finds and reads barcodes on the pages of PDFs and images: QR codes, Data Matrix, PDF417, Aztec, Code 128, Code 39, EAN, UPC, ITF, GS1 DataBar and others, ' +
    'several on a page, turned by any angle, dark on light or light on dark. Their content is given as text and as bytes.',
  acceptedTypes: DOCUMENT_TYPES,
  pageCap: 1000,
  // Pictures of 4,400 pixels and their copies in ZXing's memory: 280 MiB.
  pageBytes: 320 * 1024 * 1024,
  unrecognisedPageMs: 200,
  argsSchema: argsObject({
    formats: {
      type: 'array',
      items: { type: 'string', enum: BARCODE_FORMATS },
      minItems: 1,
      maxItems: BARCODE_FORMATS.length,
      uniqueItems: true,
      description: 'Formats to look for; all unless given. Looking for fewer is quicker and avoids false finds.',
      examples: [['QRCode', 'Code128']],
    },
    pages: readingProperties.pages,
    password: readingProperties.password,
  }),
  resultSchema: {
    $schema: DIALECT,
    ...object('The barcodes of the document.', { barcodes: list('Page by page.', BARCODE), warnings: WARNINGS }, [
      'warnings',
    ]),
  },
  output: { extension: '.tsv', print: printBarcodes },
  async run({ path, mimeType, args, limits, onProgress }) {
    const { readBarcodes } = await import('../engine/products/barcodes/read-barcodes.js');
    const { formats } = args;
    const { barcodes, warnings, ...outcome } = await readBarcodes(path, mimeType, {
      ...(Array.isArray(formats) ? { formats: formats as BarcodeFormat[] } : {}),
      ...toSelection(args),
      ...limits,
      onProgress,
    });
    return { result: { barcodes, ...(warnings.length > 0 ? { warnings } : {}) }, provider: 'zxing', ...outcome };
  },
};

interface Printable {
  page: number;
  format: string;
  value?: unknown;
  bytes?: unknown;
}

function printBarcodes(result: unknown): PrintedTable | undefined {
  const { barcodes } = (result ?? {}) as { barcodes?: unknown };
  if (!Array.isArray(barcodes) || !barcodes.every(isPrintable)) return undefined;
  return {
    columns: ['Page', 'Format', 'Value'],
    rows: barcodes.map(({ page, format, value, bytes }) => [
      String(page),
      format,
      typeof value === 'string' ? value : `base64:${String(bytes)}`,
    ]),
  };
}

function isPrintable(barcode: unknown): barcode is Printable {
  const { page, format } = (barcode ?? {}) as Record<string, unknown>;
  return typeof page === 'number' && typeof format === 'string';
}
