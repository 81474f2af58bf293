import type { PdfDocument } from '../../pdf-files/pdfium/pdfium.js';
import { type PdfPage, readPdfPage } from './read-page.js';
import { judgeTextLayer, mayHoldText, needsRecognition } from './text-layer-verdict.js';

/** Pages that are looked at, spread over the document. Most take a few milliseconds. */
const MAX_SAMPLES = 8;
const MIN_SAMPLES = 2;
/** CPU time after which no further page is looked at: a map or a drawing can take that long alone. */
const MAX_SAMPLING_MS = 50;

export interface TextLayerSample {
  /** Share of the pages that need recognition, 0-1. */
  pictureShare: number;
  /** Words and drawn paths of a page, on average. Reading takes longer the more there are. */
  elementsPerPage: number;
}

/**
 * Reads the text layers of some pages. `numbers` count from 1. A long document is divided into equal parts, and `random` chooses
 * a page of each: no document can have its quick pages where they are looked at.
 */
export function sampleTextLayers(
  pdf: PdfDocument,
  numbers: readonly number[],
  random: () => number = Math.random,
): TextLayerSample {
  const before = process.cpuUsage();
  const hasTime = () => process.cpuUsage(before).user < MAX_SAMPLING_MS * 1_000;
  const count = Math.min(MAX_SAMPLES, numbers.length);
  let [seen, pictures, elements] = [0, 0, 0];
  for (let i = 0; i < count && (i < MIN_SAMPLES || hasTime()); i++) {
    const number = numbers[Math.floor(((i + random()) * numbers.length) / count)] ?? 1;
    const page = readPdfPage(pdf, number - 1);
    if (page === undefined) continue;
    seen++;
    if (isToBeRecognised(page)) pictures++;
    elements += page.layer.words.length + page.drawing.ink.paths;
  }
  return seen === 0 ? NOTHING_SEEN : { pictureShare: pictures / seen, elementsPerPage: elements / seen };
}

const NOTHING_SEEN: TextLayerSample = { pictureShare: 0, elementsPerPage: 0 };

/** True for a page that reading recognises. */
function isToBeRecognised({ layer, drawing: { ink } }: PdfPage): boolean {
  return needsRecognition(judgeTextLayer(layer, ink), mayHoldText(ink));
}
