import type { OcrError } from './ocr-error.js';

/** The outcome of one submitted document, the value that the client's parts exchange. */
export type Outcome = Completed | Pending | Failed;

export interface Completed {
  state: 'completed';
  /** The 200's shape (contract, section Success response), plus `jobId` where it was queued; other servers' extra fields stay. */
  body: Record<string, unknown>;
}

/** An accepted document that is not done yet: the 202's fields with the last known status. */
export interface Pending {
  state: 'pending';
  jobId: string;
  requestId: string | undefined;
  /** The last known status; UNKNOWN_STATUS where no service ever answered. */
  status: string;
  statusUrl: string;
  /** Error of the last poll: it is the reason why the status may be out of date. */
  pollError?: OcrError;
  /** True when the wait was longer than its time-out, because the job made progress. */
  hasProgressed?: boolean;
  /** True when the status comes from an earlier command, if from any. */
  isUnconfirmed?: boolean;
}

export const UNKNOWN_STATUS = 'unknown';

/** A job that ended as failed; a failure to poll it is thrown instead. */
export interface Failed {
  state: 'failed';
  jobId: string;
  error: OcrError;
}

/** Returns the object that `--json` prints for a document that is not done. */
export function pendingBody(pending: Pending): Record<string, unknown> {
  return {
    ...(pending.requestId === undefined ? {} : { requestId: pending.requestId }),
    jobId: pending.jobId,
    status: pending.status,
    statusUrl: pending.statusUrl,
  };
}

/** Returns the path under which a job is polled (contract, section POST /v1/ocr/{function}). */
export function jobPath(jobId: string): string {
  return `/v1/ocr/jobs/${encodeURIComponent(jobId)}`;
}
