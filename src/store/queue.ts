import type { JobStatus } from '../contract/envelopes.js';
import type { Effort, Lane } from './lanes.js';
import type { Opening } from './turns.js';
import type { Unit } from './unit.js';
import type { Allowance } from './usage.js';

/** Lifetime of an Idempotency-Key, from the first call with it. */
export const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1000;

/** A document that passed every check, with its bytes on disk unless it is small. */
export interface Acceptance {
  requestId: string;
  jobId: string;
  organisationId: string;
  keyId: string;
  keyLastFour: string;
  function: string;
  /** Arguments of the job. The caller has sealed secrets. */
  args: string;
  cacheKey: string;
  /** Digest of what the cache key says of the engine: the result is kept for other calls where the same engine makes it. */
  engine: string;
  fileName: string | undefined;
  document: {
    id: string;
    sha256: string;
    sizeBytes: number;
    mimeType: string;
    pageCount: number | undefined;
    /** The bytes of a small document, which is stored in the same transaction. */
    bytes?: Uint8Array | undefined;
  };
  /** True when a caller waits for the result. Urgent jobs of an organisation run first, unless another is much older. */
  isUrgent: boolean;
  effort: Effort;
  idempotency: { key: string; contentHash: string } | undefined;
  /** Period that the document counts in, and its limit. */
  allowance: Allowance;
  nowMs: number;
  /** Writes more in the same transaction, for a document that becomes a job. */
  alsoWrite?: (() => Unit<void>) | undefined;
}

export type Accepted =
  | { kind: 'accepted' }
  /** The key was used for the same content before, by this request. */
  | { kind: 'replay'; requestId: string }
  | { kind: 'conflict' }
  /** The period has no documents left. */
  | { kind: 'exhausted' };

/** A job that this process may run until its lease ends. Every later report about it carries the token. */
export interface ClaimedJob {
  id: string;
  token: string;
  organisationId: string;
  requestId: string;
  documentId: string;
  function: string;
  args: string;
  cacheKey: string;
  /** Null for jobs of earlier versions. */
  engine: string | null;
  mimeType: string;
  sha256: string;
  sizeBytes: number;
  /** Null until the pages are counted, which the job does when no counter was free for its call. */
  documentPageCount: number | null;
  lane: Lane;
  attempts: number;
  /** Pages that a postponed run had done. Callers have seen them. */
  pagesDone: number;
}

export interface JobOutcome {
  /** JSON text of the result. */
  body: string;
  provider: string;
  pageCount: number;
  /** Mean over all recognised words, 0-1; null or absent when none was recognised. */
  confidence?: number | null;
  durationMs: number;
}

export interface JobFailure {
  code: string;
  message: string;
}

/** One run of a job that did not complete it. */
export interface Run {
  durationMs: number;
}

export interface FailedRun extends Run {
  /** True when the document counts in its period all the same: it failed by itself, and took what a good one takes. */
  isBilled: boolean;
}

export interface JobView {
  jobId: string;
  requestId: string;
  organisationId: string;
  function: string;
  status: JobStatus;
  createdAtMs: number;
  startedAtMs: number | null;
  finishedAtMs: number | null;
  pagesDone: number | null;
  pageCount: number | null;
  errorCode: string | null;
  errorMessage: string | null;
  /** 1 when the first call was answered 202, so that replays are answered 202 too. */
  deferred: 0 | 1;
  /** Time when the finished job was deleted, with its result. */
  deletedAtMs: number | null;
}

/** A call that wants a job to be gone. */
export interface RemovalRequest {
  jobId: string;
  /** Undefined for an operator, who may remove the jobs of every organisation. */
  organisationId?: string;
  /** True when a finished job is to be kept. */
  unfinishedOnly?: boolean;
  /** Time after which a finished job counts as expired. */
  resultTtlMs: number;
}

/**
 * How a removal ended. `cancelled`: the job was unfinished, and has failed as CANCELLED now or by an earlier removal. `deleted`:
 * it was finished, and its result is gone now. `kept`: it was finished, and the removal was for unfinished jobs only. `expired`:
 * it was deleted before, or its result was no longer kept.
 */
export type Removal =
  | { kind: 'unknown' }
  | { kind: 'expired' }
  | { kind: 'cancelled' | 'deleted' | 'kept'; view: JobView; documentId: string };

export interface Beat {
  jobId: string;
  token: string;
  pagesDone: number;
  pageCount: number | null;
}

/**
 * The queue of accepted documents. The `job` row is the truth: a document is acknowledged only once that row is on disk, and
 * only the holder of the newest token ends the job, once.
 */
export interface Queue {
  /** Writes document, request, job, idempotency key and usage in one transaction, or nothing. */
  accept(acceptance: Acceptance): Promise<Accepted>;
  /** Marks a job as answered with 202, before that answer is sent. A finished job stays as it is. */
  defer(jobId: string): Promise<void>;
  /** Takes up to `count` jobs (one by default) of the organisations whose turn it is (turns.ts), and counts the attempts. */
  claim(leaseMs: number, opening?: Opening, count?: number): Promise<ClaimedJob[]>;
  /** Records the pages of a document that was accepted without them; false when the token is no longer the newest. */
  noteCount(job: ClaimedJob, pageCount: number, effort: Effort): Promise<boolean>;
  /** Moves a running job to a longer lane, never to a shorter one; false when the token is no longer the newest. */
  correctEffort(job: ClaimedJob, effort: Effort): Promise<boolean>;
  /** Extends leases and records progress; returns the ids whose token is no longer the newest. */
  beat(beats: readonly Beat[], leaseMs: number): Promise<string[]>;
  /**
   * Stores the outcome; false when the token is no longer the newest, and then nothing is stored. It answers other calls too,
   * unless `isCacheable` is false.
   */
  complete(job: ClaimedJob, outcome: JobOutcome, isCacheable?: boolean): Promise<boolean>;
  /** Like `complete`, for a failure. A document that is not billed no longer counts in its period. */
  fail(job: ClaimedJob, failure: JobFailure, run: FailedRun): Promise<boolean>;
  /** Queues the job again: after its worker died (the attempt counts), or because this service stops (it does not count). */
  release(job: ClaimedJob, reason: 'worker-died' | 'service-stops', run: Run): Promise<boolean>;
  /** Queues the job again in a longer lane. The attempt does not count, and the pages that it did stay its progress. */
  postpone(job: ClaimedJob, effort: Effort, run: Run): Promise<boolean>;
  /** Cancels an unfinished job or deletes a finished one. A run that ends at the same time is first, or its end is discarded. */
  remove(request: RemovalRequest): Promise<Removal>;
  /** Adds the time of a run whose end was discarded to the recent use of its organisation. */
  noteDiscardedRun(job: ClaimedJob, run: Run): Promise<void>;
  /** Queues all jobs of an earlier process again. For the only holder of the store, at start. Returns how many. */
  releaseAll(): Promise<number>;
  /** True when a running job has an expired lease. */
  hasExpired(): Promise<boolean>;
  /** Queues jobs with an expired lease again, as after an interruption. Returns how many. */
  releaseExpired(): Promise<number>;
  /** Finds a job. A job that has ended is returned once its end is on disk. */
  find(jobId: string): Promise<JobView | undefined>;
  /** Returns those of the jobs that have ended. */
  listEnded(jobIds: readonly string[]): Promise<string[]>;
  /** Returns the stored result; undefined when the job is not completed, or the result was removed. */
  findOutcome(jobId: string): Promise<JobOutcome | undefined>;
  countUnfinished(): Promise<number>;
}
