import type { Pdfium } from '../../../pdf-files/pdfium/pdfium.js';

/** Name of the marks around what is no content of a page: running heads, page numbers, backgrounds (ISO 32000-1, 14.8.2.2). */
const ARTIFACT = Buffer.from('Artifact\0', 'utf16le');
const LENGTH_AT = 20;

/** True for an object of a page that the PDF marks as no content; writes to 24 bytes of `scratch`. */
export function isArtifact(pdfium: Pdfium, object: number, scratch: number): boolean {
  const count = pdfium._FPDFPageObj_CountMarks(object);
  for (let index = 0; index < count; index++) {
    const mark = pdfium._FPDFPageObj_GetMark(object, index);
    if (pdfium._FPDFPageObjMark_GetName(mark, scratch, ARTIFACT.length, scratch + LENGTH_AT) === 0) continue;
    if (pdfium.HEAP32[(scratch + LENGTH_AT) >> 2] !== ARTIFACT.length) continue;
    if (ARTIFACT.equals(pdfium.HEAPU8.subarray(scratch, scratch + ARTIFACT.length))) return true;
  }
  return false;
}
