import { existsSync } from 'node:fs';
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { OcrDocument, Page, PageWarning } from './model/document.js';
import { DocumentError } from './model/document-error.js';
import { pagesConfidence } from './model/mean-confidence.js';
import { placePictures } from './place-pictures.js';
import { readImagePages } from './reading/read-image.js';
import { readPdfPages } from './reading/read-pdf.js';
import type { ReadOptions, ReadPage } from './reading/reading.js';
import { createRecognitionPool } from './reading/recognition-pool.js';
import { PDF_TYPE } from './sniff.js';
import { layOutDocument } from './stages/layout/lay-out-document.js';
import { refineRecognised } from './stages/recognise/refine/refine-pages.js';
import { boundPageWorkers } from './workers/bound-by-copies.js';
import { PAGE_TIMEOUT_MS } from './workers/page-pool.js';

export interface ReadOutcome {
  document: OcrDocument;
  provider: string;
  /** Number of pages that were read. */
  pageCount: number;
  /** Mean over all recognised words, 0-1; null when none was recognised. */
  confidence: number | null;
  /** True when the time limit of a page cut it short, or ended it. */
  ranOutOfTime: boolean;
}

/** The event loop sends progress; reading text would block it. */
const YIELD_AFTER_MS = 40;

/**
 * Reads a document: pages by their text layer or by recognition, in the document's order.
 * Throws DocumentError: encrypted, wrong-password, damaged (no page could be read), timeout (none in time), no-pages,
 * too-large, invalid-argument; another error where the file was removed meanwhile.
 */
export async function readDocument(path: string, mimeType: string, options: ReadOptions): Promise<ReadOutcome> {
  const isPdf = mimeType === PDF_TYPE;
  const parallelism = await boundPageWorkers(options.parallelism, path, mimeType);
  const pool = createRecognitionPool(parallelism, options.pageTimeoutMs ?? PAGE_TIMEOUT_MS);
  const warnings: PageWarning[] = [];
  let yieldedAt = performance.now();
  const report = async (pagesDone: number, pageCount: number) => {
    options.onProgress?.(pagesDone, pageCount);
    if (performance.now() - yieldedAt < YIELD_AFTER_MS) return;
    await yieldToEvents();
    yieldedAt = performance.now();
  };
  try {
    const reading = { path, mimeType, options, pool, warnings, report };
    const pages = isPdf ? await readPdfPages(reading) : await readImagePages(reading);
    // Pages that failed because the file was removed say nothing of the document.
    if (warnings.length > 0 && !existsSync(path)) throw new Error('the document was removed while it was read');
    if (pages.length === 0)
      throw new DocumentError(pool.timeoutCount > 0 ? 'timeout' : 'damaged', describeFailure(warnings));
    warnings.sort((a, b) => a.page - b.page);
    const document = { pages: finishPages(pages), warnings };
    return {
      document,
      provider: nameProviders(pages),
      pageCount: pages.length,
      confidence: pagesConfidence(document.pages),
      ranOutOfTime: pool.timeoutCount > 0,
    };
  } finally {
    await pool.close();
  }
}

function finishPages(pages: readonly ReadPage[]): Page[] {
  const refined = refineRecognised(pages.map(({ content }) => content));
  const blocks = layOutDocument(refined.map((content, index) => ({ content, number: pages[index]?.number ?? 0 })));
  return pages.map(({ number, content, rotation, source, textLayer, recogniser, pictures = [] }, index) => {
    const { width, height } = content;
    const page: Page = { number, width, height, rotation, source, textLayer, blocks: blocks[index] ?? [] };
    if (recogniser !== undefined) page.recogniser = recogniser;
    return placePictures(page, pictures);
  });
}

function nameProviders(pages: readonly ReadPage[]): string {
  const names = new Set<string>();
  if (pages.some(({ source }) => source !== 'ocr')) names.add('pdf-text');
  for (const { recogniser } of pages) if (recogniser !== undefined) names.add(recogniser);
  return [...names].join('+');
}

function describeFailure(warnings: readonly PageWarning[]): string {
  const [first] = warnings;
  if (first === undefined) return 'no page of the document can be read';
  return warnings.length === 1
    ? first.message
    : `none of the ${warnings.length} pages can be read; page ${first.page}: ${first.message}`;
}
