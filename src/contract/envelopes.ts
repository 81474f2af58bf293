/** The bodies of the contract's answers, as our service sends them. Clients read other servers' more tolerantly (src/api). */

/** Of our own service: another server of the contract may have others that are not final. */
export const JOB_STATES = ['queued', 'processing', 'completed', 'failed'] as const;
export type JobStatus = (typeof JOB_STATES)[number];

/** Contract, section Success response. */
export interface Meta {
  /** Name of what processed the document. */
  provider: string;
  /** Number of pages that were read. */
  pageCount: number;
  /** Whether the result was served from a cache. */
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

/** Contract, section Job; the fields beyond `jobId`, `status` and `error.code` are ours. Times are RFC 3339 UTC. */
export interface JobBody {
  jobId: string;
  requestId: string;
  function: string;
  status: JobStatus;
  createdAt: string;
  startedAt?: string;
  finishedAt?: string;
  progress?: { pagesDone: number; pageCount: number };
  result?: Record<string, unknown>;
  meta?: Meta;
  error?: JobError;
}

/** Contract, section Error envelope. */
export interface ErrorBody {
  error: { code: string; message: string; requestId: string; retryable: boolean };
}

/** An entry of the request log, null where something is not known. An addition of ours to the contract. Times are RFC 3339 UTC. */
export interface RequestBody {
  requestId: string;
  createdAt: string;
  /** When it was answered; of a call that was answered with a job, when that ended. */
  finishedAt: string | null;
  /** Null where HTTP could not be parsed. */
  method: string | null;
  /** Without its query. */
  path: string | null;
  function: string | null;
  /** Null while the call runs. */
  httpStatus: number | null;
  /** Of the answer, or of the job that it named. */
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
  /** Processing time, as meta.durationMs said it. */
  durationMs: number | null;
  /** From the call to its answer. */
  elapsedMs: number | null;
  jobId: string | null;
  jobStatus: JobStatus | null;
  /** The request whose answer was given again under the same Idempotency-Key. */
  replayOf: string | null;
}

export interface CatalogEntry {
  id: string;
  title: string;
  description: string;
  acceptedTypes: readonly string[];
  pageCap: number;
  /** JSON Schema 2020-12 of the function's arguments. */
  argsSchema: Record<string, unknown>;
  /** The same of `result`; an addition of ours to the contract. */
  resultSchema: Record<string, unknown>;
  /** Whether this key's plan and scope allow the function. */
  included: boolean;
}

export interface CatalogBody {
  functions: CatalogEntry[];
  /** Names of additions that are no part of the contract, so that clients ask only where they exist. */
  extensions?: string[];
}

/** Only `completed` and `failed` are terminal (contract, section States and transitions); any other word means: not yet. */
export function isTerminal(status: string): status is 'completed' | 'failed' {
  return status === 'completed' || status === 'failed';
}
