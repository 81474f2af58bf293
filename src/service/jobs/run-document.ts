import { availableParallelism } from 'node:os';
import { findFunction } from '../../functions/catalog.js';
import { PAGE_BYTES } from '../../functions/function.js';
import type { Blobs } from '../../store/blobs/blobs.js';
import { LANES, type Lane } from '../../store/lanes.js';
import type { Plan } from '../../store/plans.js';
import type { ClaimedJob, Queue } from '../../store/queue.js';
import { MAX_TIMER_MS } from '../config/parse-values.js';
import type { ServiceRecognition } from '../config/recognition.js';
import type { ServiceConfig } from '../config/service-config.js';
import type { DocumentPool } from '../documents/pool.js';
import type { Outcome, Task } from '../documents/protocol.js';
import type { TaskLimits } from '../documents/watch-limits.js';
import { describeLackOfResources } from '../http/service-error.js';
import { describeOverlong, estimateEffort, isLaneOfCalls, isLookWorthwhile } from '../page-counts/estimate-effort.js';
import { explainUncounted } from '../page-counts/explain-uncounted.js';
import { describeExcessPages } from '../page-counts/page-cap.js';
import type { PageCounter } from '../page-counts/page-counter.js';
import type { RecentEntries } from '../recent-entries.js';
import type { ArgsVault } from '../secrets/args-vault.js';
import type { RunningDocument } from './running-slots.js';
import { watchLane } from './watch-lane.js';

/** Bound on a result, which the service holds in memory while it writes it: some 60 KiB for each page that a function takes. */
const MAX_RESULT_BYTES = 128 * 1024 * 1024;
/** Pages that `documentTimeoutMs` covers: its default is then 30 s a page, while a single page may take 45. */
const PAGES_PER_TIMEOUT = 20;

/** CPU time from which a document counts as long. Most take less than a second, a poor receipt two to four. */
const LONG_AFTER_CPU_MS = 6_000;

export interface RunComponents {
  config: ServiceConfig;
  blobs: Pick<Blobs, 'handOver' | 'takeBack'>;
  vault: Pick<ArgsVault, 'open'>;
  recognition: Pick<ServiceRecognition, 'native' | 'identify'>;
  pool: Pick<DocumentPool, 'perform'>;
  pageCounter: Pick<PageCounter, 'countIn'>;
  queue: Pick<Queue, 'noteCount' | 'correctEffort'>;
  /** Organisations whose documents posed as brief lately. */
  posers: Pick<RecentEntries<true>, 'add' | 'find'>;
  /** Finds the plan of an organisation. */
  findPlan(organisationId: string): Promise<Plan | undefined>;
}

/** The slot of a document. */
export interface RunSlot extends Readonly<RunningDocument> {
  /** Counts the documents that share the cores with this one. */
  countSharers(): number;
  /** Moves the document to a longer lane without leaving its slot. Shorter ones then get slots beside it. */
  moveTo(lane: Lane): void;
}

/**
 * Runs a job's function on its document, in a document process. An aborted `signal` ends the process. So does a run that takes
 * longer than the slot's lane is for; a worker's document goes on, in a longer lane. After a document that posed as brief, others
 * of its sender are not taken for brief for a while.
 */
export async function runDocument(
  components: RunComponents,
  job: ClaimedJob,
  slot: RunSlot,
  onProgress: (pagesDone: number, pageCount: number) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  const { posers } = components;
  if (slot.lane === LANES.brief && posers.find(job.organisationId)) {
    const effort = describeOverlong(slot.lane);
    if (slot.kind === 'lane') return { type: 'postponed', effort };
    slot.moveTo(effort.lane);
  }
  const postponement = new AbortController();
  let postponed: Outcome | undefined;
  const watch = watchLane(slot, job.documentPageCount ?? 1, (effort) => {
    if (slot.lane === LANES.brief) posers.add(job.organisationId, true);
    if (slot.kind === 'lane') {
      postponed = { type: 'postponed', effort };
      postponement.abort();
    } else {
      slot.moveTo(effort.lane);
      // If this fails, the job keeps its old lane, where a later run is corrected again.
      components.queue.correctEffort(job, effort).catch(() => {});
    }
  });
  try {
    const listener: RunListener = {
      onStart: watch.noteStart,
      onProgress: (pagesDone, pageCount) => {
        watch.noteProgress(pagesDone, pageCount);
        onProgress(pagesDone, pageCount);
      },
    };
    const outcome = await perform(components, job, slot, listener, AbortSignal.any([signal, postponement.signal]));
    return outcome.type === 'cancelled' && !signal.aborted ? (postponed ?? outcome) : outcome;
  } finally {
    watch.stop();
  }
}

interface RunListener {
  onStart(readLostMs: () => number): void;
  onProgress(pagesDone: number, pageCount: number): void;
}

async function perform(
  components: RunComponents,
  job: ClaimedJob,
  slot: RunSlot,
  { onStart, onProgress }: RunListener,
  signal: AbortSignal,
): Promise<Outcome> {
  const { config, blobs, vault, recognition, pool } = components;
  try {
    const pageCount = job.documentPageCount ?? (await countFirst(components, job, slot, signal));
    if (typeof pageCount !== 'number') return pageCount;
    if (job.documentPageCount === null) onProgress(0, pageCount);
    return await lendDocument(blobs, job, async (handOver) => {
      const prepare = async (directory: string): Promise<Task> => ({
        type: 'run',
        function: job.function,
        path: await handOver(directory),
        mimeType: job.mimeType,
        args: vault.open(job.args, job.id),
        maxPixels: config.maxPixels,
        maxResultBytes: MAX_RESULT_BYTES,
        parallelism: countPagesAtOnce(job.function, config.documentMemoryBytes, slot.countSharers()),
        ...(recognition.native === undefined ? {} : { native: recognition.native }),
      });
      const limits = { ...limitsOf(config, pageCount, slot), onStart };
      return await pool.perform(job.organisationId, prepare, limits, onProgress, signal);
    });
  } catch (error) {
    // The document of a cancelled job is removed at once, also while it is being handed over.
    if (signal.aborted) return { type: 'cancelled' };
    const lack = describeLackOfResources(error);
    if (lack !== undefined) return { type: 'unavailable', message: lack };
    return { type: 'fault', message: error instanceof Error ? error.message : String(error) };
  }
}

/** Counts the pages of a document that was accepted without a count, and checks them as a call does. */
async function countFirst(
  { blobs, vault, pool, pageCounter, queue, findPlan }: RunComponents,
  job: ClaimedJob,
  slot: RunSlot,
  signal: AbortSignal,
): Promise<number | Outcome> {
  const args = vault.open(job.args, job.id);
  const target = findFunction(job.function);
  const looksAtPages = isLookWorthwhile(target, args);
  const outcome = await lendDocument(blobs, job, (handOver) =>
    pageCounter.countIn(pool, { ...job, args, looksAtPages, handOver }, signal),
  );
  if (outcome.type === 'refused' || outcome.type === 'died') return { type: 'rejected', ...explainUncounted(outcome) };
  if (outcome.type !== 'counted') return outcome;
  const { pageCount, sample } = outcome;
  const effort = estimateEffort(target, { args, pageCount, sample });
  await queue.noteCount(job, pageCount, effort);
  const excess = target && describeExcessPages(pageCount, target, await findPlan(job.organisationId));
  if (excess !== undefined) return { type: 'rejected', code: 'PAGE_LIMIT_EXCEEDED', message: excess };
  if (effort.lane > slot.lane) {
    if (slot.kind === 'lane') return { type: 'postponed', effort };
    slot.moveTo(effort.lane);
  }
  return pageCount;
}

/** Lets `use` hand the document over to a process, also to one after the other, and takes it back at the end. */
async function lendDocument<T>(
  blobs: RunComponents['blobs'],
  { documentId: id, sizeBytes, sha256 }: ClaimedJob,
  use: (handOver: (directory: string) => Promise<string>) => Promise<T>,
): Promise<T> {
  let path: string | undefined;
  // A file that cannot be removed now is removed at the next start.
  const takeBack = async () => {
    if (path !== undefined) await blobs.takeBack(path).catch(() => {});
    path = undefined;
  };
  try {
    return await use(async (directory) => {
      await takeBack();
      path = await blobs.handOver({ id, sizeBytes, sha256 }, directory);
      return path;
    });
  } finally {
    await takeBack();
  }
}

/** Returns how many pages may be read at once: a single document gets every core, within its memory limit. */
function countPagesAtOnce(functionId: string, memoryBytes: number, sharers: number): number {
  const { pageBytes = PAGE_BYTES } = findFunction(functionId) ?? {};
  return Math.max(1, Math.floor(Math.min(availableParallelism() / sharers, memoryBytes / pageBytes)));
}

/** A recognition takes longer than the start of a process, which it spoils for other organisations; a brief document does not. */
function leaveReady(lane: Lane): Pick<TaskLimits, 'leavesReadyTo'> {
  if (lane === LANES.brief) return {};
  return { leavesReadyTo: isLaneOfCalls(lane) ? 'its-user' : 'anybody' };
}

/** The time limit grows with the pages. The page cap, checked before, bounds it. */
function limitsOf(config: ServiceConfig, pageCount: number, { lane, isExtra }: RunSlot): TaskLimits {
  const spans = Math.ceil(Math.max(1, pageCount) / PAGES_PER_TIMEOUT);
  return {
    timeoutMs: Math.min(MAX_TIMER_MS, config.documentTimeoutMs * spans),
    idleTimeoutMs: config.documentIdleTimeoutMs,
    memoryBytes: config.documentMemoryBytes,
    longAfterCpuMs: LONG_AFTER_CPU_MS,
    mayGiveWay: isExtra,
    ...leaveReady(lane),
  };
}
