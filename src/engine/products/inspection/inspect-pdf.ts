import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { DocumentWarning } from '../../model/document.js';
import { DocumentError } from '../../model/document-error.js';
import type { PdfDocument } from '../../pdf-files/pdfium/pdfium.js';
import { openSturdyPdf } from '../../pdf-files/pdfium/sturdy-pdf.js';
import { selectPages } from '../../select-pages.js';
import { readPdfPage } from '../../stages/text-layer/read-page.js';
import { judgeTextLayer, mayHoldText, needsRecognition } from '../../stages/text-layer/text-layer-verdict.js';
import type { InspectionOptions, PageInspection } from './inspection.js';
import type { PdfFacts } from './pdf-facts.js';
import { readFacts } from './read-facts.js';

/** The event loop sends progress; reading text would block it. */
const YIELD_AFTER_MS = 40;

/** Throws DocumentError as openPdf and selectPages do, and `damaged` when no page can be read. */
export async function inspectPdf(
  path: string,
  options: InspectionOptions,
): Promise<{ pageCount: number; pages: PageInspection[]; pdf?: PdfFacts; warnings: DocumentWarning[] }> {
  const pdf = await openSturdyPdf(path, options.password);
  const { pageCount } = pdf;
  const pages: PageInspection[] = [];
  const warnings: DocumentWarning[] = [];
  try {
    const numbers = selectPages(options.pages, pageCount);
    let yieldedAt = performance.now();
    for (const [index, number] of numbers.entries()) {
      const page = await pdf.use((opened) => inspectPage(opened, number));
      if (page === undefined) warnings.push({ page: number, message: 'the page is damaged' });
      else pages.push(page);
      options.onProgress?.(index + 1, numbers.length);
      if (performance.now() - yieldedAt < YIELD_AFTER_MS) continue;
      await yieldToEvents();
      yieldedAt = performance.now();
    }
    if (pages.length === 0) throw new DocumentError('damaged', 'no page of the document can be read');
    const whole = await pdf.use((opened) => readFacts(opened, path, options.password));
    if (whole === undefined) {
      warnings.push({ message: 'its metadata, fonts and form cannot be read: it is damaged' });
      return { pageCount, pages, warnings };
    }
    warnings.push(...whole.warnings.map((message) => ({ message })));
    return { pageCount, pages, pdf: whole.facts, warnings };
  } finally {
    pdf.close();
  }
}

function inspectPage(pdf: PdfDocument, number: number): PageInspection | undefined {
  const page = readPdfPage(pdf, number - 1);
  if (page === undefined) return undefined;
  const { layer, drawing, width, height, rotation } = page;
  const textLayer = judgeTextLayer(layer, drawing.ink);
  return {
    page: number,
    width: round(width, 2),
    height: round(height, 2),
    unit: 'point',
    rotation,
    textLayer,
    words: layer.words.length,
    imageCoverage: round(drawing.ink.imageCoverage, 3),
    needsOcr: needsRecognition(textLayer, mayHoldText(drawing.ink)),
  };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
