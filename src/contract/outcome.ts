import type { OcrError } from './ocr-error.js';

/** What became of one document that was sent, as the client's parts hand it to each other. */
export type Outcome = Completed | Pending | Failed;

export interface Completed {
  state: 'completed';
  /** The 200's shape (contract, section Success response), plus `jobId` where it was queued; other servers' extra fields stay. */
  body: Record<string, unknown>;
}

/** Accepted and not yet done: the 202's fields with the last known status. */
export interface Pending {
  state: 'pending';
  jobId: string;
  requestId: string | undefined;
  /** UNHEARD_STATUS where no service ever told it. */
  status: string;
  statusUrl: string;
  /** Why the status is not the job's latest: what the last poll ended with. */
  pollError?: OcrError;
  /** Nothing was heard of it since an earlier command, if that. */
  isUnconfirmed?: boolean;
}

export const UNKNOWN_STATUS = 'unknown';

/** The job ended as failed; a failure to ask for it is thrown instead. */
export interface Failed {
  state: 'failed';
  jobId: string;
  error: OcrError;
}

/** What `--json` prints of a document that is not done. */
export function pendingBody(pending: Pending): Record<string, unknown> {
  return {
    ...(pending.requestId === undefined ? {} : { requestId: pending.requestId }),
    jobId: pending.jobId,
    status: pending.status,
    statusUrl: pending.statusUrl,
  };
}

/** Contract, section POST /v1/ocr/{function}: the path under which a job is polled. */
export function jobPath(jobId: string): string {
  return `/v1/ocr/jobs/${encodeURIComponent(jobId)}`;
}
