import type { PdfDocument } from '../../pdf-files/pdfium/pdfium.js';
import { readPdfPage } from './read-page.js';
import { judgeTextLayer, mayHoldText, needsRecognition } from './text-layer-verdict.js';

/** Pages that are looked at, spread over the document. Most take a few milliseconds. */
const MAX_SAMPLES = 8;
const MIN_SAMPLES = 2;
/** CPU time after which no further page is looked at: a map or a drawing can take that long alone. */
const MAX_SAMPLING_MS = 50;

/** Returns the share of pages that need recognition, by reading the text layers of some of them. `numbers` count from 1. */
export function samplePictureShare(pdf: PdfDocument, numbers: readonly number[]): number {
  const before = process.cpuUsage();
  const hasTime = () => process.cpuUsage(before).user < MAX_SAMPLING_MS * 1_000;
  const count = Math.min(MAX_SAMPLES, numbers.length);
  let [seen, pictures] = [0, 0];
  for (let i = 0; i < count && (i < MIN_SAMPLES || hasTime()); i++) {
    const number = numbers[Math.floor((i * numbers.length) / count)] ?? 1;
    const isPicture = isToBeRecognised(pdf, number - 1);
    if (isPicture === undefined) continue;
    seen++;
    if (isPicture) pictures++;
  }
  return seen === 0 ? 0 : pictures / seen;
}

/** True for a page that reading recognises; undefined for one that cannot be loaded. */
function isToBeRecognised(pdf: PdfDocument, index: number): boolean | undefined {
  const page = readPdfPage(pdf, index);
  if (page === undefined) return undefined;
  const { ink } = page.drawing;
  return needsRecognition(judgeTextLayer(page.layer, ink), mayHoldText(ink));
}
