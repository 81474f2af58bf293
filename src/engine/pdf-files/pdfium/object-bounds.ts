import type { Pdfium } from './pdfium.js';

/** Left, top, right and bottom of an object, in points from the bottom left; undefined where it has no box. */
export function boundsOfObject(pdfium: Pdfium, object: number): [number, number, number, number] | undefined {
  const scratch = pdfium._malloc(16);
  try {
    if (pdfium._FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return undefined;
    const at = scratch >> 2;
    const [left = 0, bottom = 0, right = 0, top = 0] = pdfium.HEAPF32.subarray(at, at + 4);
    return [left, top, right, bottom];
  } finally {
    pdfium._free(scratch);
  }
}
