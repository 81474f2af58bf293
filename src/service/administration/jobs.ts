import { quote } from '../../contract/command-words.js';
import type { JobStatus } from '../../contract/envelopes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { formatTime, formatTimeOrNull } from '../../contract/time.js';
import { findJob, type JobFilter, type JobRow, listJobs } from '../../store/jobs.js';
import type { Store } from '../../store/store.js';
import { requireOrganisation } from './organisations.js';
import { withFunctionId } from './parse-functions.js';

/** A job as `ocr admin jobs` prints it, with null for unknown values. Times are RFC 3339 UTC. Never document text. */
export interface JobAdminView {
  jobId: string;
  orgId: string;
  requestId: string;
  function: string;
  status: JobStatus;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  pagesDone: number | null;
  pageCount: number | null;
  /** Count of started runs. */
  attempts: number;
  /** Count of runs that ended with the service. */
  interruptions: number;
  leaseUntil: string | null;
  error: { code: string | null; message: string | null } | null;
  fileName: string | null;
  sizeBytes: number;
  sha256: string;
  mimeType: string;
  /** True while the result is stored. */
  hasResult: boolean;
}

/** @throws OcrError NOT_FOUND for an organisation that does not exist */
export async function listAllJobs(store: Store, filter: JobFilter): Promise<JobAdminView[]> {
  // An empty list would look like "nothing happened".
  if (filter.organisationId !== undefined) await requireOrganisation(store, filter.organisationId);
  return listJobs(store, withFunctionId(filter)).map(toView);
}

/** @throws OcrError NOT_FOUND, USAGE for the id of a request */
export function getAnyJob(store: Store, jobId: string): JobAdminView {
  if (jobId.startsWith('req_'))
    throw new OcrError('USAGE', `${jobId} is a request, not a job`, { hint: `ocr admin requests get ${quote(jobId)}` });
  const row = findJob(store, jobId);
  if (row === undefined)
    throw new OcrError('NOT_FOUND', `The store has no job ${jobId}`, { status: 404, hint: 'ocr admin jobs list' });
  return toView(row);
}

function toView(row: JobRow): JobAdminView {
  return {
    jobId: row.jobId,
    orgId: row.organisationId,
    requestId: row.requestId,
    function: row.function,
    status: row.status,
    createdAt: formatTime(row.createdAtMs),
    startedAt: formatTimeOrNull(row.startedAtMs),
    finishedAt: formatTimeOrNull(row.finishedAtMs),
    pagesDone: row.pagesDone,
    pageCount: row.pageCount,
    attempts: row.attempts,
    interruptions: row.interruptions,
    leaseUntil: formatTimeOrNull(row.leaseUntilMs),
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage },
    fileName: row.fileName,
    sizeBytes: row.sizeBytes,
    sha256: row.sha256,
    mimeType: row.mimeType,
    hasResult: row.hasResult === 1,
  };
}
