import { END_COLUMNS, type EndedJob, FROM_START, findPageCount, recordFailure } from './job-events.js';
import type { JobFailure } from './queue.js';
import { all, exists, now, run, type SqlValues, steadyNow, type Unit } from './unit.js';
import { giveDocumentBack } from './usage.js';

/** Bound on how often the service may die over one document. The document is rarely the cause, so it exceeds the attempts. */
const MAX_INTERRUPTIONS = 20;

/** Queues all running jobs again. */
export function* releaseAll(): Unit<number> {
  return yield* releaseInterrupted(`status = 'processing'`, {});
}

const EXPIRED = `status = 'processing' AND lease_until < :steadyMs`;

export function* hasExpired(): Unit<boolean> {
  return yield* exists(`SELECT 1 AS found FROM job WHERE ${EXPIRED} LIMIT 1`, { steadyMs: yield* steadyNow() });
}

export function* releaseExpired(): Unit<number> {
  return yield* releaseInterrupted(EXPIRED, { steadyMs: yield* steadyNow() });
}

/** Queues one running job of an organisation again; false for that of another, and for one that does not run. */
export function* releaseLeaseOf(organisationId: string, jobId: string): Unit<boolean> {
  const condition = `status = 'processing' AND organisation_id = :organisationId AND id = :jobId`;
  const isRunning = yield* exists(`SELECT 1 AS found FROM job WHERE ${condition}`, { organisationId, jobId });
  if (isRunning) yield* releaseInterrupted(condition, { organisationId, jobId });
  return isRunning;
}

/** Changes the jobs of a condition, besides those that another process is changing: these are not left alone by their holders. */
const changeAll = (change: string, condition: string) => `
  WITH picked AS MATERIALIZED (SELECT id FROM job WHERE ${condition} FOR UPDATE SKIP LOCKED)
  UPDATE job SET ${change} WHERE id IN (SELECT id FROM picked)`;

/** Queues jobs again whose process has ended or was cut off. That is no attempt, which would count against the document. */
function* releaseInterrupted(condition: string, values: SqlValues): Unit<number> {
  yield* giveUpInterrupted(condition, values);
  const change = `${FROM_START}, attempts = attempts - 1, interruptions = interruptions + 1`;
  return yield* run(changeAll(change, condition), values);
}

function* giveUpInterrupted(condition: string, values: SqlValues): Unit<void> {
  const failure: JobFailure = {
    code: 'INTERNAL',
    message: `The service stopped ${MAX_INTERRUPTIONS} times while reading this document`,
  };
  const jobs = yield* all<EndedJob & { documentId: string }>(
    `${changeAll(`status = 'failed', token = NULL, ${END_COLUMNS}`, `${condition} AND interruptions >= :maxInterruptions`)}
     RETURNING id, organisation_id AS "organisationId", request_id AS "requestId", function,
       document_id AS "documentId"`,
    {
      ...values,
      nowMs: yield* now(),
      errorCode: failure.code,
      errorMessage: failure.message,
      maxInterruptions: MAX_INTERRUPTIONS,
    },
  );
  // Everybody locks organisations in one order.
  jobs.sort((a, b) => (a.organisationId < b.organisationId ? -1 : 1));
  for (const job of jobs) yield* recordFailure(job, yield* findPageCount(job.documentId), failure);
  for (const job of jobs) yield* giveDocumentBack(job.id);
}
