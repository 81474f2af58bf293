import type { Pdfium } from '../../pdf-files/pdfium/pdfium.js';

const MOST_BYTES = 64 * 1024;

/** The beginning of what a function of PDFium writes as UTF-16; given no room it says how much it needs, with a final zero. */
export function readWideString(pdfium: Pdfium, write: (buffer: number, sizeBytes: number) => number): string {
  const size = write(0, 0);
  if (size <= 2) return '';
  // Into too little room it writes nothing.
  const buffer = pdfium._malloc(size);
  if (buffer === 0) return '';
  pdfium.HEAPU8.fill(0, buffer, buffer + size);
  write(buffer, size);
  const end = buffer + Math.min(size - 2, MOST_BYTES);
  const text = Buffer.from(pdfium.HEAPU8.subarray(buffer, end)).toString('utf16le');
  pdfium._free(buffer);
  return text;
}
