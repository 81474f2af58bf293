import { countPages } from '../../count-pages.js';
import type { PageWarning } from '../../model/document.js';
import { DocumentError } from '../../model/document-error.js';
import { selectPages } from '../../select-pages.js';
import { boundPageWorkers } from '../../workers/bound-by-copies.js';
import { PAGE_TIMEOUT_MS } from '../../workers/page-pool.js';
import type { Barcode, BarcodeFormat } from './barcode.js';
import { createBarcodePool } from './barcode-pool.js';
import type { PageBarcodes } from './read-page.js';

export interface BarcodeOptions {
  /** All formats when absent. */
  formats?: readonly BarcodeFormat[];
  /** Pages as "1-3,7,-1"; all when absent. */
  pages?: string;
  password?: string;
  maxPixels: number;
  /** Pages looked at in parallel. */
  parallelism: number;
  onProgress?(pagesDone: number, pageCount: number): void;
}

export interface BarcodeReading {
  /** Barcodes page by page. */
  barcodes: Barcode[];
  warnings: PageWarning[];
  /** Number of pages that were read. */
  pageCount: number;
  /** True when the time limit of a page ended it. */
  ranOutOfTime: boolean;
}

/**
 * Finds and reads the barcodes of a document. Pages that cannot be read become warnings.
 * Throws DocumentError: encrypted, wrong-password, damaged (no page can be read), no-pages, too-large,
 * invalid-argument.
 */
export async function readBarcodes(path: string, mimeType: string, options: BarcodeOptions): Promise<BarcodeReading> {
  const { password, formats = [], maxPixels } = options;
  const numbers = selectPages(options.pages, await countPages(path, mimeType, options));
  const pool = createBarcodePool(await boundPageWorkers(options.parallelism, path, mimeType), PAGE_TIMEOUT_MS);
  const warnings: PageWarning[] = [];
  let done = 0;
  options.onProgress?.(done, numbers.length);
  const readPage = async (page: number): Promise<PageBarcodes | undefined> => {
    try {
      const found = await pool.read({ path, mimeType, password, page, formats, maxPixels });
      if (found.warning !== undefined) warnings.push({ page, message: found.warning });
      return found;
    } catch (error) {
      if (error instanceof DocumentError && error.reason === 'too-large' && numbers.length === 1) throw error;
      warnings.push({ page, message: error instanceof Error ? error.message : String(error) });
      return undefined;
    } finally {
      options.onProgress?.(++done, numbers.length);
    }
  };
  try {
    const pages = await Promise.all(numbers.map(readPage));
    warnings.sort((a, b) => a.page - b.page);
    const pagesRead = pages.filter((found) => found !== undefined).length;
    if (pagesRead === 0)
      throw new DocumentError(
        pool.timeoutCount > 0 ? 'timeout' : 'damaged',
        warnings[0]?.message ?? 'no page of the document can be read',
      );
    const barcodes = pages.flatMap((found, index) =>
      (found?.barcodes ?? []).map((barcode) => ({ page: numbers[index] ?? 0, ...barcode })),
    );
    return { barcodes, warnings, pageCount: pagesRead, ranOutOfTime: pool.timeoutCount > 0 };
  } finally {
    await pool.close();
  }
}
