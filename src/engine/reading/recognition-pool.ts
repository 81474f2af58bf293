import { createPagePool, type PagePool } from '../workers/page-pool.js';
import { createWarmWorkers } from '../workers/warm-workers.js';
import type { PageTask, RecognisedPage } from './page-task.js';

const workers = createWarmWorkers(new URL('./recognition-worker.js', import.meta.url));

export type RecognitionPool = PagePool<PageTask, RecognisedPage>;

/** Creates a pool that recognises `parallelism` pages at once. */
export function createRecognitionPool(parallelism: number, pageTimeoutMs: number): RecognitionPool {
  return createPagePool({ workers, name: 'recognition' }, parallelism, pageTimeoutMs);
}
