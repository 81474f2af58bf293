import { setTimeout as sleep } from 'node:timers/promises';
import type { Blobs } from '../../store/blobs.js';
import type { ClaimedJob, JobFailure, Queue } from '../../store/queue.js';
import { explainRefusal } from '../documents/explain-refusal.js';
import type { DocumentPool } from '../documents/pool.js';
import type { Outcome } from '../documents/protocol.js';
import type { Log } from '../log.js';
import { createSingleFlight } from '../single-flight.js';
import { createJobWaiters } from './job-waiters.js';
import { createLeases } from './leases.js';
import { createRetryingWrites } from './retrying-writes.js';
import { type RunParts, runDocument } from './run-document.js';

const RETRY_CLAIM_MS = 1_000;
const RETRY_START_MS = 1_000;
/** How long a result is held for a store that has no room: then its memory is given back, and the document is read again. */
const RESULT_PATIENCE_MS = 600_000;

export interface JobRunner {
  /** There is, or may be, a job to run. */
  wake(): void;
  /**
   * Resolves true when the job has ended, false after `timeoutMs` or when `signal` is aborted. Ask before the job is
   * accepted, or looked at, so that no end is missed.
   */
  waitFor(jobId: string, timeoutMs: number, signal?: AbortSignal): Promise<boolean>;
  /** Why jobs cannot be taken or ended at the moment: what the store lacks, in words. */
  readonly blockedReason: string | undefined;
  /** Ends the document processes; their jobs wait for the next start. */
  stop(): Promise<void>;
}

export interface JobRunnerOptions extends RunParts {
  queue: Queue;
  blobs: Blobs;
  pool: DocumentPool;
  log: Log;
  onJobEnded(): void;
  /** What became of one run of a document. */
  onRun(outcome: string, durationMs: number): void;
  resultPatienceMs?: number;
}

/** Takes jobs from the queue as document processes are free, and writes down how they ended. */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { config, queue, blobs, pool, log } = options;
  let isStopping = false;
  const writes = createRetryingWrites({
    log,
    patienceMs: options.resultPatienceMs ?? RESULT_PATIENCE_MS,
    isStopping: () => isStopping,
  });
  const leases = createLeases({ queue, writes, leaseMs: config.jobLeaseMs, log, onExpired: wake });
  const claims = createSingleFlight(claimJobs);
  const waiters = createJobWaiters();
  const runs = new Set<Promise<void>>();

  function wake(): void {
    claims.wake();
  }

  /** As many as may run at once. */
  async function claimJobs(): Promise<void> {
    while (leases.count < config.workers && !isStopping) {
      const job = await claimJob();
      if (job === undefined) return;
      const run = runJob(job).finally(() => runs.delete(run));
      runs.add(run);
    }
  }

  async function claimJob(): Promise<ClaimedJob | undefined> {
    try {
      return await writes.attempt(
        () => queue.claim(config.jobLeaseMs),
        (claimed) => claimed !== undefined,
      );
    } catch (error) {
      log.error({ reason: describe(error) }, 'no job could be claimed');
      await sleep(RETRY_CLAIM_MS);
      wake();
      return undefined;
    }
  }

  async function runJob(job: ClaimedJob): Promise<void> {
    const startedAtMs = performance.now();
    const lease = leases.hold(job);
    const outcome = await runDocument(options, job, () => leases.count, lease.noteProgress);
    lease.noteEnding();
    const durationMs = Math.round(performance.now() - startedAtMs);
    log.info({ ...summarise(job), outcome: outcome.type, ...causeOf(outcome), durationMs }, 'document');
    options.onRun(outcome.type, durationMs);
    await conclude(job, outcome, durationMs).catch((error: unknown) =>
      log.error({ jobId: job.id, reason: describe(error) }, 'the end of a job could not be written'),
    );
    lease.drop();
    wake();
  }

  async function conclude(job: ClaimedJob, outcome: Outcome, durationMs: number): Promise<void> {
    if (outcome.type === 'unavailable' || (outcome.type === 'died' && isStopping)) {
      await writes.writeUntilDone(() => queue.release(job, 'service-stops'));
      if (!isStopping) await sleep(RETRY_START_MS);
      return;
    }
    if (outcome.type === 'died' && job.attempts < config.jobMaxAttempts) {
      await writes.writeUntilDone(() => queue.release(job, 'worker-died'));
      return;
    }
    const isOurs = await writes.writeUntilDone(() => {
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

  return {
    wake,
    waitFor: waiters.waitFor,
    get blockedReason() {
      return writes.blockedReason;
    },
    stop: async () => {
      isStopping = true;
      await claims.stop();
      await pool.stop();
      await Promise.all(runs);
      await leases.stop();
    },
  };
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
