import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Blobs } from '../../store/blobs.js';
import type { ClaimedJob, JobFailure, Queue } from '../../store/queue.js';
import type { ServiceConfig } from '../config.js';
import { LONGEST_TIMER_MS } from '../config-values.js';
import { explainRefusal } from '../documents/explain-refusal.js';
import type { DocumentPool } from '../documents/pool.js';
import type { Outcome } from '../documents/protocol.js';
import { explainLackOfResources } from '../http/service-error.js';
import type { Log } from '../log.js';
import type { ServiceRecognition } from '../recognition.js';
import type { ArgsVault } from '../sealed-args.js';
import { createJobWaiters } from './job-waiters.js';
import { createPatientWrites } from './patient-writes.js';

const BEAT_INTERVAL_MS = 1_000;
const RETRY_CLAIM_MS = 1_000;
const RETRY_START_MS = 1_000;
/** How long a result is held for a store that has no room: then its memory is given back, and the document is read again. */
const RESULT_PATIENCE_MS = 600_000;
/** Some 60 KiB for each page that a function takes; the service holds a result in memory while it writes it. */
const MAX_RESULT_BYTES = 128 * 1024 * 1024;
/** What `documentTimeoutMs` is enough for: its default is then 30 s a page, where one page alone may take 45. */
const PAGES_OF_TIMEOUT = 20;

export interface JobRunner {
  /** There is, or may be, a job to run. */
  wake(): void;
  /**
   * Resolves true when the job has ended, false after `timeoutMs` or when `signal` is aborted. Ask before the job is
   * accepted, or looked at, so that no end is missed.
   */
  waitFor(jobId: string, timeoutMs: number, signal?: AbortSignal): Promise<boolean>;
  /** Why jobs cannot be taken or ended at the moment: what the store lacks, in words. */
  readonly trouble: string | undefined;
  /** Ends the document processes; their jobs wait for the next start. */
  stop(): Promise<void>;
}

export interface JobRunnerOptions {
  config: ServiceConfig;
  queue: Queue;
  blobs: Blobs;
  vault: ArgsVault;
  recognition: Pick<ServiceRecognition, 'native'>;
  pool: DocumentPool;
  log: Log;
  onJobEnded(): void;
  /** What became of one run of a document. */
  onRun(outcome: string, durationMs: number): void;
  resultPatienceMs?: number;
}

interface RunningJob {
  job: ClaimedJob;
  pagesDone: number;
  pageCount: number;
  hasNews: boolean;
  lastBeatMs: number;
  /** It was read, and its end is being written. */
  isEnding: boolean;
}

/** Takes jobs from the queue as document processes are free, keeps their leases, and writes down how they ended. */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { config, queue, blobs, vault, recognition, pool, log } = options;
  const running = new Map<string, RunningJob>();
  const waiters = createJobWaiters();
  const ends = new Set<Promise<void>>();
  let isStopping = false;
  const writes = createPatientWrites({
    log,
    patienceMs: options.resultPatienceMs ?? RESULT_PATIENCE_MS,
    isStopping: () => isStopping,
  });
  let claiming: Promise<void> | undefined;
  let wasWoken = false;
  let beating: Promise<void> | undefined;

  const beatTimer = setInterval(
    () => {
      beating ??= beat()
        .catch((error: unknown) => log.error({ reason: describe(error) }, 'leases could not be extended'))
        .finally(() => {
          beating = undefined;
        });
    },
    Math.min(BEAT_INTERVAL_MS, config.jobLeaseMs / 3),
  );
  beatTimer.unref();

  function wake(): void {
    wasWoken = true;
    claiming ??= claimJobs().finally(() => {
      claiming = undefined;
      // Woken after its last look and before this.
      if (wasWoken && !isStopping) wake();
    });
  }

  async function claimJobs(): Promise<void> {
    while (wasWoken && !isStopping) {
      wasWoken = false;
      while (running.size < config.workers && !isStopping) {
        const claim = writes.attempt(
          () => queue.claim(config.jobLeaseMs),
          (claimed) => claimed !== undefined,
        );
        const job = await claim.catch(async (error: unknown) => {
          log.error({ reason: describe(error) }, 'no job could be claimed');
          await sleep(RETRY_CLAIM_MS);
          wasWoken = true;
          return undefined;
        });
        if (job === undefined) break;
        const end = runJob(job).finally(() => ends.delete(end));
        ends.add(end);
      }
    }
  }

  async function runJob(job: ClaimedJob): Promise<void> {
    const state: RunningJob = {
      job,
      pagesDone: 0,
      pageCount: job.documentPageCount,
      hasNews: true,
      lastBeatMs: Date.now(),
      isEnding: false,
    };
    running.set(job.id, state);
    const startedAtMs = Date.now();
    let outcome: Outcome;
    let path: string | undefined;
    try {
      outcome = await pool.perform(
        async (directory) => {
          path = await blobs.handOver(job.documentId, directory);
          return {
            type: 'run',
            function: job.function,
            path,
            mimeType: job.mimeType,
            args: vault.open(job.args, job.id),
            maxPixels: config.maxPixels,
            maxResultBytes: MAX_RESULT_BYTES,
            // A document that is alone has every core.
            parallelism: Math.max(1, Math.floor(availableParallelism() / running.size)),
            ...(recognition.native === undefined ? {} : { native: recognition.native }),
          };
        },
        {
          timeoutMs: boundWallTime(config.documentTimeoutMs, job.documentPageCount),
          idleTimeoutMs: config.documentIdleTimeoutMs,
          memoryBytes: config.documentMemoryBytes,
        },
        (pagesDone, pageCount) => Object.assign(state, { pagesDone, pageCount, hasNews: true }),
      );
    } catch (error) {
      const lack = explainLackOfResources(error);
      outcome =
        lack === undefined ? { type: 'fault', message: describe(error) } : { type: 'unavailable', message: lack };
    }
    // What cannot be removed now goes at the next start.
    if (path !== undefined) await blobs.takeBack(path).catch(() => {});
    state.isEnding = true;
    const durationMs = Date.now() - startedAtMs;
    await conclude(job, outcome, durationMs).catch((error: unknown) =>
      log.error({ jobId: job.id, reason: describe(error) }, 'the end of a job could not be written'),
    );
    running.delete(job.id);
    wake();
  }

  async function conclude(job: ClaimedJob, outcome: Outcome, durationMs: number): Promise<void> {
    log.info({ ...summarise(job), outcome: outcome.type, ...causeOf(outcome), durationMs }, 'document');
    options.onRun(outcome.type, durationMs);
    if (outcome.type === 'unavailable' || (outcome.type === 'died' && isStopping)) {
      await writes.insist(() => queue.release(job, 'service-stops'));
      if (!isStopping) await sleep(RETRY_START_MS);
      return;
    }
    if (outcome.type === 'died' && job.attempts < config.jobMaxAttempts) {
      await writes.insist(() => queue.release(job, 'worker-died'));
      return;
    }
    const isOurs = await writes.insist(() => {
      if (outcome.type !== 'done') return queue.fail(job, describeFailure(outcome, job.attempts));
      const { body, provider, pageCount } = outcome;
      return queue.complete(job, { body, provider, pageCount, durationMs });
    });
    // Whoever has the job by now needs its document, and ends it.
    if (!isOurs) return log.warn({ jobId: job.id }, 'the lease of a job was lost: how it ended here is discarded');
    // What cannot be removed now goes at the next start.
    await blobs.remove(job.documentId).catch(() => {});
    options.onJobEnded();
    waiters.ended(job.id);
  }

  async function beat(): Promise<void> {
    const nowMs = Date.now();
    const due = [...running.values()].filter(
      (state) => state.hasNews || nowMs - state.lastBeatMs >= config.jobLeaseMs / 3,
    );
    if (due.length > 0) {
      for (const state of due) Object.assign(state, { hasNews: false, lastBeatMs: nowMs });
      const beats = due.map(({ job, pagesDone, pageCount }) => ({
        jobId: job.id,
        token: job.token,
        pagesDone,
        pageCount,
      }));
      // One that ends gives its lease back itself, before this has heard of it.
      for (const jobId of await writes.attempt(() => queue.beat(beats, config.jobLeaseMs)))
        if (running.get(jobId)?.isEnding === false) log.warn({ jobId }, 'the lease of a job was lost');
    }
    if ((await queue.releaseExpired()) > 0) wake();
  }

  return {
    wake,
    waitFor: waiters.waitFor,
    get trouble() {
      return writes.trouble;
    },
    stop: async () => {
      isStopping = true;
      clearInterval(beatTimer);
      await claiming;
      await pool.stop();
      await Promise.all(ends);
      await beating;
    },
  };
}

/** A scan of many pages may take as long as its parts would. The page cap, held when it was accepted, bounds it. */
function boundWallTime(timeoutMs: number, pageCount: number): number {
  return Math.min(LONGEST_TIMER_MS, timeoutMs * Math.ceil(Math.max(1, pageCount) / PAGES_OF_TIMEOUT));
}

function describeFailure(outcome: Exclude<Outcome, { type: 'done' | 'unavailable' }>, attempts: number): JobFailure {
  if (outcome.type === 'refused') return explainRefusal(outcome);
  if (outcome.type === 'died')
    return { code: 'INTERNAL', message: `The document could not be read in ${attempts} attempts: ${outcome.message}` };
  return { code: 'INTERNAL', message: 'The service failed to read the document; quote the requestId to support' };
}

function summarise(job: ClaimedJob): Record<string, unknown> {
  return { jobId: job.id, requestId: job.requestId, function: job.function, attempts: job.attempts };
}

/** A fault's stack names our files and lines; a refusal's reason is for the caller. */
function causeOf(outcome: Outcome): Record<string, unknown> {
  if (outcome.type === 'died') return { cause: outcome.cause };
  if (outcome.type === 'refused') return { reason: outcome.reason };
  return outcome.type === 'fault' ? { fault: outcome.message } : {};
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
