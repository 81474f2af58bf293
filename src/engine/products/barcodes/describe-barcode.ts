import { shareOf } from '../../model/page-transform.js';
import type { Barcode, BarcodeFormat, Point } from './barcode.js';
import type { FoundBarcode } from './zxing.js';

const CONTENT_TYPE: Readonly<Record<FoundBarcode['contentType'], Barcode['contentType']>> = {
  Text: 'text',
  Binary: 'binary',
  Mixed: 'mixed',
  GS1: 'gs1',
  ISO15434: 'iso15434',
  UnknownECI: 'unknown-eci',
};

/** Describes a code that ZXing found in a picture of the page, looking for `formats`, in terms of the page. */
export function describeBarcode(
  result: FoundBarcode,
  { width, height }: { width: number; height: number },
  formats: readonly BarcodeFormat[],
): Omit<Barcode, 'page'> {
  const found = asPrinted(result, formats);
  const { topLeft, topRight, bottomRight, bottomLeft } = found.position;
  const corners = [topLeft, topRight, bottomRight, bottomLeft].map(
    ({ x, y }): Point => [shareOf(x, width), shareOf(y, height)],
  ) as Barcode['corners'];
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const contentType = CONTENT_TYPE[found.contentType];
  const { sequenceIndex, sequenceSize, sequenceId } = found;
  return {
    format: found.format,
    value: contentType === 'binary' || contentType === 'unknown-eci' ? null : found.text,
    contentType,
    bytes: Buffer.from(found.bytes).toString('base64'),
    symbologyIdentifier: found.symbologyIdentifier,
    box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
    corners,
    rotation: ((Math.round(found.rotation) % 360) + 360) % 360,
    ...(sequenceSize >= 0 ? { sequence: { index: sequenceIndex, size: sequenceSize, id: sequenceId } } : {}),
  };
}

/** UPC-E and UPC-A are found as the EAN-13 that they stand for: people expect the digits printed below them. */
function asPrinted(found: FoundBarcode, formats: readonly BarcodeFormat[]): FoundBarcode {
  const { format, text, extra } = found;
  if (format === 'UPCE') return { ...found, text: /"UPCE":\s*"(\d+)"/.exec(extra)?.[1] ?? text };
  const mayBeUpc = format === 'UPCA' || (format === 'EAN13' && (formats.length === 0 || formats.includes('UPCA')));
  return mayBeUpc && /^0\d{12}$/.test(text) ? { ...found, format: 'UPCA', text: text.slice(1) } : found;
}
