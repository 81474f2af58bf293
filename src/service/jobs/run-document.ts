import { availableParallelism } from 'node:os';
import { findFunction } from '../../functions/catalog.js';
import { PAGE_BYTES } from '../../functions/function.js';
import type { Blobs } from '../../store/blobs.js';
import type { ClaimedJob } from '../../store/queue.js';
import { LONGEST_TIMER_MS } from '../config/parse-values.js';
import type { ServiceRecognition } from '../config/recognition.js';
import type { ServiceConfig } from '../config/service-config.js';
import type { DocumentPool } from '../documents/pool.js';
import type { Outcome, Task } from '../documents/protocol.js';
import type { TaskLimits } from '../documents/watch-limits.js';
import { explainLackOfResources } from '../http/service-error.js';
import type { ArgsVault } from '../secrets/args-vault.js';

/** Some 60 KiB for each page that a function takes; the service holds a result in memory while it writes it. */
const MAX_RESULT_BYTES = 128 * 1024 * 1024;
/** What `documentTimeoutMs` is enough for: its default is then 30 s a page, where one page alone may take 45. */
const PAGES_OF_TIMEOUT = 20;

export interface RunParts {
  config: ServiceConfig;
  blobs: Pick<Blobs, 'handOver' | 'takeBack'>;
  vault: Pick<ArgsVault, 'open'>;
  recognition: Pick<ServiceRecognition, 'native'>;
  pool: Pick<DocumentPool, 'perform'>;
}

/** Runs a job's function on its document, in a document process. `countSharers`: how many documents are read at this moment. */
export async function runDocument(
  { config, blobs, vault, recognition, pool }: RunParts,
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
    // What cannot be removed now goes at the next start.
    if (path !== undefined) await blobs.takeBack(path).catch(() => {});
  }
}

/** A document that is alone has every core, as far as its memory is enough for so many pages. */
function countPagesAtOnce(functionId: string, memoryBytes: number, sharers: number): number {
  const { pageBytes = PAGE_BYTES } = findFunction(functionId) ?? {};
  return Math.max(1, Math.floor(Math.min(availableParallelism() / sharers, memoryBytes / pageBytes)));
}

/** A scan of many pages may take as long as its parts would. The page cap, held when it was accepted, bounds it. */
function limitsOf(config: ServiceConfig, pageCount: number): TaskLimits {
  const parts = Math.ceil(Math.max(1, pageCount) / PAGES_OF_TIMEOUT);
  return {
    timeoutMs: Math.min(LONGEST_TIMER_MS, config.documentTimeoutMs * parts),
    idleTimeoutMs: config.documentIdleTimeoutMs,
    memoryBytes: config.documentMemoryBytes,
  };
}
