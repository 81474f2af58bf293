import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { DocumentError } from './document-error.js';
import { classifyBlocks, type LaidPage, measureType } from './layout/classify.js';
import type { OcrDocument, Page, PageSource, PageWarning, TextLayerVerdict } from './model.js';
import { createPagePool, type PagePool } from './pages/page-pool.js';
import { readImagePages } from './pages/read-image.js';
import { readPdfPages } from './pages/read-pdf.js';
import { PDF_TYPE } from './sniff.js';

export interface ReadOptions {
  /** "1-3,7,-1"; all when absent. */
  pages?: string;
  /** Recognise: where the text layer does not do, always, or never. */
  ocr: 'auto' | 'force' | 'never';
  /** Tesseract's codes: eng, deu, …; English when absent. */
  languages?: readonly string[];
  password?: string;
  maxPixels: number;
  /** Pages recognised at once. */
  parallelism: number;
  /** For the recognition of one page; a page that takes longer becomes a warning. */
  pageTimeoutMs?: number;
  onProgress?(pagesDone: number, pageCount: number): void;
}

export interface ReadOutcome {
  document: OcrDocument;
  provider: string;
  /** Pages that were read. */
  pageCount: number;
}

/** A page that has been read, before the type of the whole document tells headings from text. */
export interface ReadPage {
  number: number;
  laid: LaidPage;
  rotation: number;
  source: PageSource;
  textLayer: TextLayerVerdict;
  recogniser?: string;
}

/** What the readers of PDFs and images are given. */
export interface Reading {
  path: string;
  mimeType: string;
  options: ReadOptions;
  pool: PagePool;
  warnings: PageWarning[];
  /** To be called before the first page and after each one. */
  report(pagesDone: number, pageCount: number): Promise<void>;
}

/** Shorter than the time that a document may go without progress (60 s), which would end all of it. */
const PAGE_TIMEOUT_MS = 45_000;
/** Progress is sent by the event loop, which reading text would block. */
const YIELD_AFTER_MS = 40;

/**
 * Reads a document: pages by their text layer or by recognition, in the document's order.
 * Throws DocumentError: encrypted, wrong-password, damaged (no page could be read), no-pages, too-large, invalid-argument.
 */
export async function readDocument(path: string, mimeType: string, options: ReadOptions): Promise<ReadOutcome> {
  const pool = createPagePool(options.parallelism, options.pageTimeoutMs ?? PAGE_TIMEOUT_MS);
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
    const pages = mimeType === PDF_TYPE ? await readPdfPages(reading) : await readImagePages(reading);
    if (pages.length === 0) throw new DocumentError('damaged', describeFailure(warnings));
    warnings.sort((a, b) => a.page - b.page);
    return {
      document: { pages: finishPages(pages), warnings },
      provider: nameProviders(pages),
      pageCount: pages.length,
    };
  } finally {
    await pool.close();
  }
}

function finishPages(pages: readonly ReadPage[]): Page[] {
  const scale = measureType(pages.map(({ laid }) => laid));
  return pages.map(({ number, laid, rotation, source, textLayer, recogniser }) => ({
    number,
    width: laid.width,
    height: laid.height,
    rotation,
    source,
    textLayer,
    blocks: classifyBlocks(laid, scale),
    ...(recogniser === undefined ? {} : { recogniser }),
  }));
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
