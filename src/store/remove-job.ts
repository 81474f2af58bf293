import type { Database } from './database.js';
import { END_COLUMNS, findPageCount, recordFailure } from './job-events.js';
import { readJobView } from './jobs.js';
import type { JobFailure, JobView, Removal, RemovalRequest } from './queue.js';
import { giveDocumentBack } from './usage.js';

const CANCELLED: JobFailure = { code: 'CANCELLED', message: 'The job was cancelled' };

/**
 * Cancels an unfinished job, or deletes a finished one. Part of one transaction, as every end of a job is: of a removal and a
 * completion at the same time one is first. A second removal of a cancelled job finds nothing left to remove.
 */
export function removeJob(db: Database, request: RemovalRequest): Removal {
  const { jobId, organisationId, unfinishedOnly = false, resultTtlMs } = request;
  const view = readJobView(db, jobId);
  const documentId = findDocument(db, jobId);
  if (view === undefined || documentId === undefined) return { kind: 'unknown' };
  if (organisationId !== undefined && view.organisationId !== organisationId) return { kind: 'unknown' };
  const nowMs = Date.now();
  if (view.finishedAtMs === null) {
    cancel(db, view, documentId, nowMs);
    return { kind: 'cancelled', view: readJobView(db, jobId) ?? view, documentId };
  }
  if (view.deletedAtMs !== null || view.finishedAtMs + resultTtlMs <= nowMs) return { kind: 'expired' };
  if (view.errorCode === CANCELLED.code) return { kind: 'cancelled', view, documentId };
  if (unfinishedOnly) return { kind: 'kept', view, documentId };
  db.run('DELETE FROM result_cache WHERE job_id = :jobId', { jobId });
  const hadResult = db.run('DELETE FROM result WHERE job_id = :jobId', { jobId }) === 1;
  if (view.status === 'completed' && !hadResult) return { kind: 'expired' };
  db.run('UPDATE job SET deleted_at = :nowMs WHERE id = :jobId', { jobId, nowMs });
  return { kind: 'deleted', view, documentId };
}

function findDocument(db: Database, jobId: string): string | undefined {
  return db.get<{ id: string }>('SELECT document_id AS id FROM job WHERE id = :jobId', { jobId })?.id;
}

/** A job that has begun is billed: it took the time of the workers. */
function cancel(db: Database, view: JobView, documentId: string, nowMs: number): void {
  const { jobId, organisationId, requestId, function: name } = view;
  const { code: errorCode, message: errorMessage } = CANCELLED;
  db.run(`UPDATE job SET status = 'failed', ${END_COLUMNS} WHERE id = :jobId`, {
    jobId,
    nowMs,
    errorCode,
    errorMessage,
  });
  if (view.startedAtMs === null) giveDocumentBack(db, jobId);
  recordFailure(db, { id: jobId, organisationId, requestId, function: name }, findPageCount(db, documentId), CANCELLED);
}
