import type { JobStatus } from '../contract/envelopes.js';
import type { Allowance } from './usage.js';

/** How long an Idempotency-Key answers for the call that it was first used with. */
export const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1000;

/** A document that passed every check and whose bytes are on disk. */
export interface Acceptance {
  requestId: string;
  jobId: string;
  organisationId: string;
  keyId: string;
  keyLastFour: string;
  function: string;
  /** What the job runs with; secrets sealed by the caller. */
  args: string;
  cacheKey: string;
  fileName: string | undefined;
  document: { id: string; sha256: string; sizeBytes: number; mimeType: string; pageCount: number };
  /** Somebody waits for it: taken before jobs that nobody waits for, which are answered 202 from the start, unless they wait much longer. */
  isUrgent: boolean;
  idempotency: { key: string; contentHash: string } | undefined;
  /** Where the document counts. */
  allowance: Allowance;
  nowMs: number;
}

export type Accepted =
  | { kind: 'accepted' }
  /** The key was used before for the same content: the request that it started. */
  | { kind: 'replay'; requestId: string }
  | { kind: 'conflict' }
  /** Others took the last documents of the period meanwhile. */
  | { kind: 'exhausted' };

/** A job that this process may run until its lease ends; every later word about it carries the token. */
export interface ClaimedJob {
  id: string;
  token: string;
  organisationId: string;
  requestId: string;
  documentId: string;
  function: string;
  args: string;
  cacheKey: string;
  mimeType: string;
  documentPageCount: number;
  attempts: number;
}

export interface JobOutcome {
  /** JSON text of the result. */
  body: string;
  provider: string;
  pageCount: number;
  durationMs: number;
}

export interface JobFailure {
  code: string;
  message: string;
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
  /** 1 where the call that made it was answered 202: it is answered so again. */
  deferred: 0 | 1;
}

export interface Beat {
  jobId: string;
  token: string;
  pagesDone: number;
  pageCount: number;
}

/**
 * Where accepted documents wait for a worker. The `job` row is the truth: nothing is acknowledged before it is on disk,
 * and a job ends once, by whoever holds its newest token.
 */
export interface Queue {
  /** Document, request, job, idempotency key and what the document counts, in one transaction; or nothing at all. */
  accept(acceptance: Acceptance): Promise<Accepted>;
  /** Before the caller who waited is answered 202 after all. A job that has ended stays as it is. */
  defer(jobId: string): Promise<void>;
  /** Takes the next waiting job, counting the attempt. */
  claim(leaseMs: number): Promise<ClaimedJob | undefined>;
  /** Extends leases and records progress; returns the ids whose token is no longer the newest. */
  beat(beats: readonly Beat[], leaseMs: number): Promise<string[]>;
  /** False when the token is no longer the newest: the outcome is discarded. */
  complete(job: ClaimedJob, outcome: JobOutcome): Promise<boolean>;
  /** As `complete`; what the document counted is given back. */
  fail(job: ClaimedJob, failure: JobFailure): Promise<boolean>;
  /** Back to the waiting ones: after a worker died (the attempt counts), or because this service stops (it does not). */
  release(job: ClaimedJob, reason: 'worker-died' | 'service-stops'): Promise<boolean>;
  /** At start, by the only holder of the store: jobs of the previous holder go on at once. Returns how many. */
  releaseAll(): Promise<number>;
  /** Jobs whose lease ran out wait again. Returns how many. */
  releaseExpired(): Promise<number>;
  find(jobId: string): Promise<JobView | undefined>;
  /** Undefined when it is not completed, or the result was removed. */
  findOutcome(jobId: string): Promise<JobOutcome | undefined>;
  countUnfinished(): Promise<number>;
  /** Documents that unfinished jobs still need. */
  listNeededDocuments(): Promise<Set<string>>;
}
