import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDF_TYPE } from '../../engine/sniff.js';
import type { NativeTesseract } from '../../engine/stages/recognise/find-native-tesseract.js';
import type { Task } from './protocol.js';

const MAX_PIXELS = 1_000_000;
const MAX_RESULT_BYTES = 1_000_000;

/**
 * Puts a document of two small pages into a directory: one of text, and a picture. Who reads it has loaded and compiled what
 * almost every document needs.
 */
export async function makeWarmUpTask(directory: string, native: NativeTesseract | undefined): Promise<Task> {
  const path = join(directory, 'warm-up.pdf');
  await writeFile(path, composeWarmUpPdf());
  return {
    type: 'run',
    function: 'TEXT_EXTRACTION',
    path,
    mimeType: PDF_TYPE,
    args: {},
    maxPixels: MAX_PIXELS,
    maxResultBytes: MAX_RESULT_BYTES,
    parallelism: 1,
    ...(native === undefined ? {} : { native }),
  };
}

const LINES = 12;
/** Strokes of a letter "l" and the space beside it, eight pixels wide, for the line of the picture. */
const BARS = '18'.repeat(24);
const LETTER_ROWS = 24;
const EMPTY_ROWS = 16;

/** The cross-reference table is left out: readers rebuild it. */
function composeWarmUpPdf(): string {
  const lines = Array.from(
    { length: LINES },
    (_, line) => `1 0 0 1 40 ${360 - line * 24} Tm (Line ${line + 1}: the bell rings ten minutes before closing.) Tj`,
  );
  const rows = `${'00'.repeat(24)}\n`.repeat(EMPTY_ROWS) + `${BARS}\n`.repeat(LETTER_ROWS);
  const height = EMPTY_ROWS + LETTER_ROWS;
  const image =
    `<< /Type /XObject /Subtype /Image /Width 192 /Height ${height} /BitsPerComponent 1 /ColorSpace /DeviceGray ` +
    '/Decode [1 0] /Filter /ASCIIHexDecode';
  const page = (contents: number, resources: string) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 400] /Contents ${contents} 0 R /Resources << ${resources} >> >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    page(5, '/Font << /F1 7 0 R >>'),
    page(6, '/XObject << /I 8 0 R >>'),
    stream('<<', `BT /F1 12 Tf ${lines.join('\n')} ET`),
    stream('<<', 'q 340 0 0 280 40 60 cm /I Do Q'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    stream(image, `${rows}>`),
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return `%PDF-1.7\n${body}trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`;
}

function stream(dictionary: string, content: string): string {
  return `${dictionary} /Length ${content.length} >>\nstream\n${content}\nendstream`;
}
