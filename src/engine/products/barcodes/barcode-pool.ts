import { createPagePool, type PagePool } from '../../workers/page-pool.js';
import { createWarmWorkers } from '../../workers/warm-workers.js';
import type { BarcodeTask, PageBarcodes } from './read-page.js';

const workers = createWarmWorkers(new URL('./barcode-worker.js', import.meta.url));

/** Reads the barcodes of pages, `parallelism` at once. */
export function createBarcodePool(parallelism: number, pageTimeoutMs: number): PagePool<BarcodeTask, PageBarcodes> {
  return createPagePool({ workers, name: 'looking for barcodes' }, parallelism, pageTimeoutMs);
}
