import type { Pdfium } from '../pdfium.js';

const MOST_BYTES = 64 * 1024;

/** What a function of PDFium writes as UTF-16, which gives its size, with a final zero, when it is given no room. */
export function readWideString(pdfium: Pdfium, write: (buffer: number, sizeBytes: number) => number): string {
  const size = Math.min(write(0, 0), MOST_BYTES);
  if (size <= 2) return '';
  const buffer = pdfium._malloc(size);
  pdfium.HEAPU8.fill(0, buffer, buffer + size);
  write(buffer, size);
  const text = Buffer.from(pdfium.HEAPU8.subarray(buffer, buffer + size - 2)).toString('utf16le');
  pdfium._free(buffer);
  return text;
}
