import { readPageFrame } from '../../pdf-files/pdfium/page-frame.js';
import { guard, type PdfDocument, type Pdfium } from '../../pdf-files/pdfium/pdfium.js';
import { readDrawing } from './read-drawing.js';
import { MIN_CHARACTERS_ON_IMAGE, mayHoldText } from './text-layer-verdict.js';

/** Pages that are looked at, spread over the document. A page takes a few milliseconds. */
const MAX_SAMPLES = 8;
const MIN_SAMPLES = 3;
/** CPU time after which no further page is looked at: a map or a drawing can take that long alone. */
const MAX_SAMPLING_MS = 100;

/** Returns the share of pages that seem to need recognition, by a quick look at some of them. `numbers` count from 1. */
export function samplePictureShare(pdf: PdfDocument, numbers: readonly number[]): number {
  const before = process.cpuUsage();
  const hasTime = () => process.cpuUsage(before).user < MAX_SAMPLING_MS * 1_000;
  const count = Math.min(MAX_SAMPLES, numbers.length);
  let [seen, pictures] = [0, 0];
  for (let i = 0; i < count && (i < MIN_SAMPLES || hasTime()); i++) {
    const number = numbers[Math.floor((i * numbers.length) / count)] ?? 1;
    const isPicture = looksLikePicture(pdf, number - 1);
    if (isPicture === undefined) continue;
    seen++;
    if (isPicture) pictures++;
  }
  return seen === 0 ? 0 : pictures / seen;
}

/** True for a page with little text that shows anything else; undefined for one that cannot be loaded. */
function looksLikePicture({ pdfium, handle }: PdfDocument, index: number): boolean | undefined {
  return guard(() => {
    const page = pdfium._FPDF_LoadPage(handle, index);
    if (page === 0) return undefined;
    try {
      if (countCharacters(pdfium, page) >= MIN_CHARACTERS_ON_IMAGE) return false;
      return mayHoldText(readDrawing(pdfium, page, readPageFrame(pdfium, page)).ink);
    } finally {
      pdfium._FPDF_ClosePage(page);
    }
  });
}

function countCharacters(pdfium: Pdfium, page: number): number {
  const text = pdfium._FPDFText_LoadPage(page);
  const count = pdfium._FPDFText_CountChars(text);
  pdfium._FPDFText_ClosePage(text);
  return count;
}
