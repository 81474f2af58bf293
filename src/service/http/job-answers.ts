import type { JobBody, JobError, QueuedBody } from '../../contract/envelopes.js';
import type { ServiceErrorCode } from '../../contract/error-codes.js';
import { formatTime } from '../../contract/time.js';
import { describeJobError } from '../../contract/webhook-event.js';
import { metaOf } from '../../store/job-events.js';
import type { JobOutcome, JobView } from '../../store/queue.js';
import type { Answer } from './send-answer.js';
import { ServiceError } from './service-error.js';

/** Retry-After of an answer with a queued job. */
const POLL_AFTER_S = '1';

export function answerSuccess(
  call: { requestId: string; function: string },
  outcome: JobOutcome,
  meta: { isCached: boolean; durationMs: number },
): Answer {
  const { requestId } = call;
  const head = JSON.stringify({ requestId, function: call.function });
  const { provider } = outcome;
  const text = JSON.stringify(metaOf(outcome, meta.isCached, meta.durationMs));
  // The document process already rendered the result as JSON text. Parsing it here would only cost time.
  return {
    status: 200,
    body: `${head.slice(0, -1)},"result":${outcome.body},"meta":${text}}`,
    requestId,
    meta: { provider, durationMs: meta.durationMs },
  };
}

export function answerQueued(requestId: string, jobId: string, status: JobView['status']): Answer {
  const body: QueuedBody = { requestId, jobId, status, statusUrl: `/v1/ocr/jobs/${jobId}` };
  return { status: 202, body: JSON.stringify(body), requestId, headers: { 'retry-after': POLL_AFTER_S } };
}

/** Converts the error of a failed job for a caller that waited for it. */
export function jobError(view: JobView): ServiceError {
  const { code, message } = errorOf(view);
  return new ServiceError(code, message);
}

export function answerJob(view: JobView, outcome: JobOutcome | undefined, requestId: string): Answer {
  const body: JobBody = {
    ...describeJob(view),
    ...(outcome === undefined ? {} : { meta: metaOf(outcome, false, outcome.durationMs) }),
  };
  if (view.status === 'failed') {
    body.error = errorOf(view);
  }
  const text = JSON.stringify(body);
  return answerState(view, outcome === undefined ? text : `${text.slice(0, -1)},"result":${outcome.body}}`, requestId);
}

/** Answers a support key: the state of the job and whose it is, without its result. */
export function answerSupport(view: JobView, organisationName: string, requestId: string): Answer {
  const body: JobBody = {
    ...describeJob(view),
    organisation: { id: view.organisationId, name: organisationName },
    ...(view.status === 'failed' ? { error: errorOf(view) } : {}),
  };
  return answerState(view, JSON.stringify(body), requestId);
}

function answerState({ finishedAtMs }: JobView, body: string, requestId: string): Answer {
  return { status: 200, body, requestId, headers: finishedAtMs === null ? { 'retry-after': POLL_AFTER_S } : {} };
}

function describeJob(view: JobView): JobBody {
  const { pagesDone, pageCount } = view;
  return {
    jobId: view.jobId,
    requestId: view.requestId,
    function: view.function,
    status: view.status,
    createdAt: formatTime(view.createdAtMs),
    ...(view.startedAtMs === null ? {} : { startedAt: formatTime(view.startedAtMs) }),
    ...(view.finishedAtMs === null ? {} : { finishedAt: formatTime(view.finishedAtMs) }),
    ...(pageCount === null ? {} : { progress: { pagesDone: pagesDone ?? 0, pageCount } }),
  };
}

function errorOf(view: JobView): JobError & { code: ServiceErrorCode } {
  return describeJobError(view.errorCode ?? 'INTERNAL', view.errorMessage ?? 'The job failed');
}
