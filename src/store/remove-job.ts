import { END_COLUMNS, findPageCount, recordFailure } from './job-events.js';
import { readJobView } from './jobs.js';
import type { JobFailure, JobView, Removal, RemovalRequest } from './queue.js';
import { ids, now, one, run, type Unit } from './unit.js';
import { giveDocumentBack } from './usage.js';

const CANCELLED: JobFailure = { code: 'CANCELLED', message: 'The job was cancelled' };

/**
 * Cancels an unfinished job, or deletes a finished one. Part of one transaction, as every end of a job is: of a removal and a
 * completion at the same time one is first. A second removal of a cancelled job finds nothing left to remove. `blobId` names a
 * result that was not in its row.
 */
export function* removeJob(request: RemovalRequest): Unit<Removal & { blobId?: string | null }> {
  const { jobId, organisationId, unfinishedOnly = false, resultTtlMs } = request;
  // A worker's end of the job waits, or was first.
  const documentId = yield* lockJob(jobId);
  const view = yield* readJobView(jobId);
  if (view === undefined || documentId === undefined) return { kind: 'unknown' };
  if (organisationId !== undefined && view.organisationId !== organisationId) return { kind: 'unknown' };
  const nowMs = yield* now();
  if (view.finishedAtMs === null) {
    yield* cancel(view, documentId, nowMs);
    return { kind: 'cancelled', view: (yield* readJobView(jobId)) ?? view, documentId };
  }
  if (view.deletedAtMs !== null || view.finishedAtMs + resultTtlMs <= nowMs) return { kind: 'expired' };
  if (view.errorCode === CANCELLED.code) return { kind: 'cancelled', view, documentId };
  if (unfinishedOnly) return { kind: 'kept', view, documentId };
  yield* run('DELETE FROM result_cache WHERE job_id = :jobId', { jobId });
  const result = yield* one<{ blobId: string | null }>(
    'DELETE FROM result WHERE job_id = :jobId RETURNING blob_id AS "blobId"',
    { jobId },
  );
  if (view.status === 'completed' && result === undefined) return { kind: 'expired' };
  yield* run('UPDATE job SET deleted_at = :nowMs WHERE id = :jobId', { jobId, nowMs });
  return { kind: 'deleted', view, documentId, blobId: result?.blobId ?? null };
}

/** Locks a job; returns the id of its document. */
function* lockJob(jobId: string): Unit<string | undefined> {
  return (yield* ids('SELECT document_id AS id FROM job WHERE id = :jobId FOR UPDATE', { jobId }))[0];
}

/** A job that has begun is billed: it took the time of the workers. */
function* cancel(view: JobView, documentId: string, nowMs: number): Unit<void> {
  const { jobId, organisationId, requestId, function: name } = view;
  const { code: errorCode, message: errorMessage } = CANCELLED;
  yield* run(`UPDATE job SET status = 'failed', token = NULL, ${END_COLUMNS} WHERE id = :jobId`, {
    jobId,
    nowMs,
    errorCode,
    errorMessage,
  });
  yield* recordFailure(
    { id: jobId, organisationId, requestId, function: name },
    yield* findPageCount(documentId),
    CANCELLED,
  );
  if (view.startedAtMs === null) yield* giveDocumentBack(jobId);
}
