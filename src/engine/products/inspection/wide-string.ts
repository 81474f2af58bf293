import type { Pdfium } from '../../pdf-files/pdfium/pdfium.js';

const MAX_BYTES = 64 * 1024;

/**
 * The beginning of a text that a function of PDFium writes as UTF-16; without room the function returns the size that
 * it needs, with a final zero.
 */
export function readWideString(pdfium: Pdfium, write: (buffer: number, sizeBytes: number) => number): string {
  const size = write(0, 0);
  if (size <= 2) return '';
  // PDFium writes nothing into too little room.
  const buffer = pdfium._malloc(size);
  if (buffer === 0) return '';
  pdfium.HEAPU8.fill(0, buffer, buffer + size);
  write(buffer, size);
  const end = buffer + Math.min(size - 2, MAX_BYTES);
  const text = Buffer.from(pdfium.HEAPU8.subarray(buffer, end)).toString('utf16le');
  pdfium._free(buffer);
  return text;
}
