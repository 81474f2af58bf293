import { setTimeout as sleep } from 'node:timers/promises';
import type { Bell } from '../../store/bell.js';
import type { Blobs } from '../../store/blobs/blobs.js';
import type { ClaimedJob, Queue, Removal, RemovalRequest } from '../../store/queue.js';
import { explainMissingLanguage } from '../documents/explain-missing-language.js';
import type { DocumentPool } from '../documents/pool.js';
import type { Outcome } from '../documents/protocol.js';
import type { Log } from '../log.js';
import { noteFailure, noteTrouble } from '../note-trouble.js';
import { RecentEntries } from '../recent-entries.js';
import { createSingleFlight } from '../single-flight.js';
import { decideConclusion } from './decide-conclusion.js';
import { describeRun } from './describe-run.js';
import { createJobWaiters } from './job-waiters.js';
import { createLeases } from './leases.js';
import { createRetryingWrites } from './retrying-writes.js';
import { type RunComponents, type RunSlot, runDocument } from './run-document.js';
import { type FreeSlots, type RunningDocument, RunningSlots } from './running-slots.js';
import { writeConclusion } from './write-conclusion.js';

const RETRY_CLAIM_MS = 1_000;
const RETRY_START_MS = 1_000;
/**
 * Interval of looks without a call or an end: the recent use of a waiting organisation fades, and then it may start; and hints of
 * other processes may be lost.
 */
const LOOK_INTERVAL_MS = 1_000;
/** Time that a result waits in memory for a store without room. After it the document is read again. */
const MAX_RESULT_WAIT_MS = 600_000;
/** Time for which a document that posed as brief counts against the next ones of its organisation. */
const POSER_TTL_MS = 60_000;

export interface JobRunner {
  /** Starts a look for queued jobs. */
  wake(): void;
  /**
   * Resolves true when the job has ended, false after `timeoutMs` or when `signal` is aborted. Call it before the job is
   * accepted or looked up, so that no end is missed.
   */
  waitFor(jobId: string, timeoutMs: number, signal?: AbortSignal): Promise<boolean>;
  /** Cancels an unfinished job, whose run is ended at once, or deletes a finished one. */
  remove(request: RemovalRequest): Promise<Removal>;
  /** Count of the documents that run. */
  readonly runningCount: number;
  /** The resource that the store lacks, in words, while jobs cannot be claimed or ended; else undefined. */
  readonly blockedReason: string | undefined;
  /** Ends the document processes. Their jobs stay queued for the next start. */
  stop(): Promise<void>;
}

export interface JobRunnerOptions extends Omit<RunComponents, 'posers'> {
  queue: Queue;
  blobs: Blobs;
  pool: DocumentPool;
  log: Log;
  /** Tells the other processes of the store what happened here, and hears them. */
  bell: Bell;
  onJobEnded(): void;
  /** Reports the outcome of one run of a document. */
  onRun(outcome: string, durationMs: number): void;
  maxResultWaitMs?: number;
}

/** Claims jobs while document processes are free, runs them and records their ends. */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { config, queue, blobs, pool, bell, log } = options;
  const mayClaim = config.role !== 'api';
  let isStopping = false;
  const writes = createRetryingWrites({
    log,
    maxWaitMs: options.maxResultWaitMs ?? MAX_RESULT_WAIT_MS,
    isStopping: () => isStopping,
  });
  const leases = createLeases({ queue, writes, leaseMs: config.jobLeaseMs, log, onExpired: wakeAll });
  const claims = createSingleFlight(claimJobs);
  const slots = new RunningSlots(config.workers);
  const posers = new RecentEntries<true>({ ttlMs: POSER_TTL_MS });
  const waiters = createJobWaiters();
  const runs = new Set<Promise<void>>();
  const endLooks = createSingleFlight(() =>
    lookForEnds().catch((error: unknown) => noteTrouble(log, error, 'ended jobs could not be looked up')),
  );
  const looks = setInterval(() => {
    wake();
    endLooks.wake();
  }, LOOK_INTERVAL_MS);
  looks.unref();
  bell.listen('job', wake);
  bell.listen('ended', (jobIds) => {
    for (const jobId of jobIds) noteEnd(jobId);
    // Without ids hints were lost, and any job may have ended.
    if (jobIds.length === 0) endLooks.wake();
  });

  function wake(): void {
    if (mayClaim) claims.wake();
  }

  /** Jobs wait: for this process, or for one that reads documents. */
  function wakeAll(): void {
    wake();
    bell.ring('job');
  }

  /** Finds jobs that another process ended (`ocr admin jobs cancel`): their runs end, and their callers wait no longer. */
  async function lookForEnds(): Promise<void> {
    const jobIds = [...new Set([...leases.listJobs(), ...waiters.listJobs()])];
    for (const jobId of await queue.listEnded(jobIds)) noteEnd(jobId);
  }

  function noteEnd(jobId: string): void {
    leases.endRuns(jobId);
    waiters.noteEnd(jobId);
  }

  async function remove(request: RemovalRequest): Promise<Removal> {
    const removal = await queue.remove(request);
    if (removal.kind !== 'cancelled' && removal.kind !== 'deleted') return removal;
    if (removal.kind === 'cancelled') {
      noteEnd(request.jobId);
      bell.ring('ended', request.jobId);
    }
    // A document that cannot be removed now is removed by a later sweep.
    await blobs.remove(removal.documentId).catch(() => {});
    if (removal.kind === 'cancelled') options.onJobEnded();
    return removal;
  }

  async function claimJobs(): Promise<void> {
    while (!isStopping) {
      const { jobs, slot } = await findJobs();
      if (slot === undefined || jobs.length === 0) return;
      for (const job of jobs) {
        const run = runJob(job, slots.take(job.lane, slot)).finally(() => runs.delete(run));
        runs.add(run);
      }
    }
  }

  /** Claims jobs for the first free slots that any are there for. */
  async function findJobs(): Promise<{ jobs: ClaimedJob[]; slot?: FreeSlots }> {
    for (const slot of slots.listFree(() => pool.hasRoom)) {
      const jobs = await claimFor(slot);
      if (jobs.length > 0) return { jobs, slot };
    }
    return { jobs: [] };
  }

  async function claimFor(slot: FreeSlots): Promise<ClaimedJob[]> {
    try {
      return await writes.attempt(
        () => queue.claim(config.jobLeaseMs, slot, slot.count),
        (claimed) => claimed.length > 0,
      );
    } catch (error) {
      noteTrouble(log, error, 'no job could be claimed');
      await sleep(RETRY_CLAIM_MS);
      wake();
      return [];
    }
  }

  async function runJob(job: ClaimedJob, running: RunningDocument): Promise<void> {
    const startedAtMs = performance.now();
    const lease = leases.hold(job);
    const { kind, isExtra } = running;
    const slot: RunSlot = {
      kind,
      isExtra,
      get lane() {
        return running.lane;
      },
      // Documents in lanes are gone soon, so a worker's document does not leave cores to them.
      countSharers: () => (kind === 'worker' ? slots.workerCount : slots.size),
      moveTo: (lane) => {
        running.lane = lane;
        wake();
      },
    };
    const engine = options.recognition.identify();
    const outcome = explainMissingLanguage(
      await runDocument({ ...options, posers }, job, slot, lease.noteProgress, lease.signal),
      config.idleExitMs !== undefined,
    );
    lease.noteConclusion();
    const durationMs = Math.round(performance.now() - startedAtMs);
    log.info({ ...describeRun(job, outcome), durationMs }, 'document');
    options.onRun(outcome.type, durationMs);
    await conclude(job, outcome, { durationMs, engine }).catch((error: unknown) =>
      noteFailure(log, error, 'the end of a job could not be written', { jobId: job.id }),
    );
    lease.drop();
    slots.free(running);
    wake();
  }

  async function conclude(
    job: ClaimedJob,
    outcome: Outcome,
    run: { durationMs: number; engine: string },
  ): Promise<void> {
    const attempts = { count: job.attempts, max: config.jobMaxAttempts };
    const conclusion = decideConclusion(outcome, attempts, isStopping);
    const isWritten = await writes.writeUntilDone(() => writeConclusion(queue, job, conclusion, run));
    if (conclusion.kind === 'release' || conclusion.kind === 'postpone') {
      // A machine without resources would fail again at once.
      if (outcome.type === 'unavailable' && !isStopping) await sleep(RETRY_START_MS);
      bell.ring('job');
      return;
    }
    // The present holder of the job still needs its document.
    if (!isWritten) {
      if (conclusion.kind === 'discard') await blobs.remove(job.documentId).catch(() => {});
      else log.warn({ jobId: job.id }, 'the lease of a job was lost: how it ended here is discarded');
      return await queue.noteDiscardedRun(job, run);
    }
    options.onJobEnded();
    waiters.noteEnd(job.id);
    bell.ring('ended', job.id);
  }

  return {
    wake: wakeAll,
    waitFor: waiters.waitFor,
    remove,
    get runningCount() {
      return slots.size;
    },
    get blockedReason() {
      return writes.blockedReason;
    },
    stop: async () => {
      isStopping = true;
      clearInterval(looks);
      await Promise.all([claims.stop(), endLooks.stop()]);
      await pool.stop();
      await Promise.all(runs);
      await leases.stop();
    },
  };
}
