import type { Subscription } from './subscription.js';

/** The bodies of the contract's answers, as our service sends them. Clients read other servers' more tolerantly (src/api). */

/** Job states of our own service: another server of the contract may have more that are not final. */
export const JOB_STATES = ['queued', 'processing', 'completed', 'failed'] as const;
export type JobStatus = (typeof JOB_STATES)[number];

/** Contract, section Success response. */
export interface Meta {
  /** Name of what processed the document. */
  provider: string;
  /** Number of pages that were read. */
  pageCount: number;
  /** Mean over all recognised words, 0-1; null where none was recognised. Our addition to the contract. */
  confidence: number | null;
  /** True when the result came from a cache. */
  cached: boolean;
  durationMs: number;
}

/** Contract, section Queued response. `statusUrl` is a path. */
export interface QueuedBody {
  requestId: string;
  jobId: string;
  status: JobStatus;
  statusUrl: string;
}

export interface JobError {
  code: string;
  message: string;
  retryable: boolean;
}

/** Contract, section Job. The fields beyond `jobId`, `status` and `error.code` are our additions. Times are RFC 3339 UTC. */
export interface JobBody {
  jobId: string;
  requestId: string;
  function: string;
  status: JobStatus;
  createdAt: string;
  startedAt?: string;
  finishedAt?: string;
  progress?: { pagesDone: number; pageCount: number };
  /** Only for a support key, which gets neither `result` nor `meta`. */
  organisation?: { id: string; name: string };
  result?: Record<string, unknown>;
  meta?: Meta;
  error?: JobError;
}

/** Contract, section Error envelope. */
export interface ErrorBody {
  error: { code: string; message: string; requestId: string; retryable: boolean };
}

/** An entry of the request log, our addition to the contract. Unknown values are null. Times are RFC 3339 UTC. */
export interface RequestBody {
  requestId: string;
  createdAt: string;
  /** Time of the answer; for a call that was answered with a job, the time at which the job ended. */
  finishedAt: string | null;
  /** Null where HTTP could not be parsed. */
  method: string | null;
  /** Path without its query. */
  path: string | null;
  function: string | null;
  /** Null while the call runs. */
  httpStatus: number | null;
  /** Error of the answer, or of the job that the answer named. */
  error: { code: string | null; message: string | null; retryable: boolean } | null;
  keyId: string | null;
  keyLastFour: string | null;
  fileName: string | null;
  sizeBytes: number | null;
  sha256: string | null;
  mimeType: string | null;
  pageCount: number | null;
  provider: string | null;
  cached: boolean;
  /** Processing time: meta.durationMs of the answer. */
  durationMs: number | null;
  /** Time from the call to its answer. */
  elapsedMs: number | null;
  jobId: string | null;
  jobStatus: JobStatus | null;
  /** Time when the job's result was deleted on request, only then: its status stays, and polls get 410. */
  jobDeletedAt?: string;
  /** The first request under the same Idempotency-Key: this one repeats its answer. */
  replayOf: string | null;
  /** Only for a support key; null for calls without a known key. */
  organisation?: { id: string; name: string } | null;
}

/** Usage of an organisation: limits of its plan, and documents of the period, our addition to the contract. Null is "no limit". */
export interface UsageBody {
  /** Null for a support key, as the plan and the subscription are. */
  organisation: { id: string; name: string } | null;
  plan: string | null;
  /** The present state: a trial past its end is `expired`. */
  subscription: Subscription | null;
  /** The span that documents count in: a month, or the trial. RFC 3339 UTC. */
  period: { start: string; end: string };
  documents: { used: number; limit: number | null; left: number | null };
  /** Calls of the organisation in a window. */
  rate: { limit: number | null; windowMs: number };
}

interface CatalogEntry {
  id: string;
  title: string;
  description: string;
  acceptedTypes: readonly string[];
  pageCap: number;
  /** JSON Schema 2020-12 of the function's arguments. */
  argsSchema: Record<string, unknown>;
  /** JSON Schema 2020-12 of `result`; our addition to the contract. */
  resultSchema: Record<string, unknown>;
  /** True when this key's plan and scope allow the function. */
  included: boolean;
}

export interface CatalogBody {
  functions: CatalogEntry[];
  /** Names of additions to the contract: clients use one only where it is named. */
  extensions?: string[];
}

/** True for `completed` and `failed` (contract, section States and transitions); any other word means: not yet. */
export function isTerminal(status: string): status is 'completed' | 'failed' {
  return status === 'completed' || status === 'failed';
}
