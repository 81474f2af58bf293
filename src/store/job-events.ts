import type { Meta } from '../contract/envelopes.js';
import { describeJobError } from '../contract/webhook-event.js';
import type { JobFailure, JobOutcome } from './queue.js';
import { now, one, type Unit } from './unit.js';
import { recordEvent } from './webhooks.js';

/** Columns of a job that ends. Its arguments are removed, because they may hold secrets or personal data. */
export const END_COLUMNS = `finished_at = :nowMs, lease_until = NULL, args = '{}', error_code = :errorCode,
  error_message = :errorMessage`;
/** Columns of a job that waits again, and of one that has no progress to show until its next run. */
export const QUEUED_AGAIN = `status = 'queued', token = NULL, lease_until = NULL`;
export const FROM_START = `${QUEUED_AGAIN}, pages_done = NULL`;
/** Stored in place of a document's pages until they are counted: its column allows no NULL. */
export const NOT_COUNTED = 0;
/** The pages of a document; NULL until they are counted. */
export const PAGES = `nullif(document.page_count, ${NOT_COUNTED})`;

/** Undefined until the pages are counted. */
export function* findPageCount(documentId: string): Unit<number | undefined> {
  const sql = `SELECT ${PAGES} AS "pageCount" FROM document WHERE id = :documentId`;
  return (yield* one<{ pageCount: number | null }>(sql, { documentId }))?.pageCount ?? undefined;
}

/** The facts of a finished job that its event carries. */
export interface EndedJob {
  id: string;
  organisationId: string;
  requestId: string;
  function: string;
}

export function* recordCompletion(job: EndedJob, outcome: JobOutcome, nowMs: number): Unit<void> {
  const meta = metaOf(outcome, false, outcome.durationMs);
  yield* recordEvent(
    job.organisationId,
    { ...headOf(job), status: 'completed', pageCount: meta.pageCount, meta },
    nowMs,
  );
}

/** Returns the facts of a result for an answer or an event; `durationMs` is that of the answer. */
export function metaOf(outcome: JobOutcome, cached: boolean, durationMs: number): Meta {
  const { provider, pageCount, confidence = null } = outcome;
  return { provider, pageCount, confidence, cached, durationMs };
}

/** `pageCount` is the page count of the document; undefined when the job ended before its pages were counted. */
export function* recordFailure(job: EndedJob, pageCount: number | undefined, failure: JobFailure): Unit<void> {
  const error = describeJobError(failure.code, failure.message);
  yield* recordEvent(job.organisationId, { ...headOf(job), status: 'failed', pageCount, error }, yield* now());
}

function headOf({ id, requestId, function: name }: EndedJob) {
  return { requestId, jobId: id, function: name };
}
