import { availableParallelism } from 'node:os';
import { findFunction } from '../../functions/catalog.js';
import { PAGE_BYTES } from '../../functions/function.js';
import type { Blobs } from '../../store/blobs.js';
import type { ClaimedJob } from '../../store/queue.js';
import { MAX_TIMER_MS } from '../config/parse-values.js';
import type { ServiceRecognition } from '../config/recognition.js';
import type { ServiceConfig } from '../config/service-config.js';
import type { DocumentPool } from '../documents/pool.js';
import type { Outcome, Task } from '../documents/protocol.js';
import type { TaskLimits } from '../documents/watch-limits.js';
import { explainLackOfResources } from '../http/service-error.js';
import type { ArgsVault } from '../secrets/args-vault.js';

/** Bound on a result, which the service holds in memory while it writes it: some 60 KiB for each page that a function takes. */
const MAX_RESULT_BYTES = 128 * 1024 * 1024;
/** Pages that `documentTimeoutMs` covers: its default is then 30 s a page, while a single page may take 45. */
const PAGES_PER_TIMEOUT = 20;

export interface RunComponents {
  config: ServiceConfig;
  blobs: Pick<Blobs, 'handOver' | 'takeBack'>;
  vault: Pick<ArgsVault, 'open'>;
  recognition: Pick<ServiceRecognition, 'native'>;
  pool: Pick<DocumentPool, 'perform'>;
}

/** Runs a job's function on its document, in a document process. `countSharers` counts the documents that are read now. */
export async function runDocument(
  { config, blobs, vault, recognition, pool }: RunComponents,
  job: ClaimedJob,
  countSharers: () => number,
  onProgress: (pagesDone: number, pageCount: number) => void,
): Promise<Outcome> {
  let path: string | undefined;
  const prepare = async (directory: string): Promise<Task> => {
    path = await blobs.handOver(job.documentId, directory);
    return {
      type: 'run',
      function: job.function,
      path,
      mimeType: job.mimeType,
      args: vault.open(job.args, job.id),
      maxPixels: config.maxPixels,
      maxResultBytes: MAX_RESULT_BYTES,
      parallelism: countPagesAtOnce(job.function, config.documentMemoryBytes, countSharers()),
      ...(recognition.native === undefined ? {} : { native: recognition.native }),
    };
  };
  try {
    return await pool.perform(prepare, limitsOf(config, job.documentPageCount), onProgress);
  } catch (error) {
    const lack = explainLackOfResources(error);
    if (lack !== undefined) return { type: 'unavailable', message: lack };
    return { type: 'fault', message: error instanceof Error ? error.message : String(error) };
  } finally {
    // A file that cannot be removed now is removed at the next start.
    if (path !== undefined) await blobs.takeBack(path).catch(() => {});
  }
}

/** Returns how many pages may be read at once: a single document gets every core, within its memory limit. */
function countPagesAtOnce(functionId: string, memoryBytes: number, sharers: number): number {
  const { pageBytes = PAGE_BYTES } = findFunction(functionId) ?? {};
  return Math.max(1, Math.floor(Math.min(availableParallelism() / sharers, memoryBytes / pageBytes)));
}

/** The time limit grows with the pages. The page cap, checked at intake, bounds it. */
function limitsOf(config: ServiceConfig, pageCount: number): TaskLimits {
  const spans = Math.ceil(Math.max(1, pageCount) / PAGES_PER_TIMEOUT);
  return {
    timeoutMs: Math.min(MAX_TIMER_MS, config.documentTimeoutMs * spans),
    idleTimeoutMs: config.documentIdleTimeoutMs,
    memoryBytes: config.documentMemoryBytes,
  };
}
