import { quote } from '../../contract/command-words.js';
import { OcrError } from '../../contract/ocr-error.js';
import { jobPath, type Outcome } from '../../contract/outcome.js';
import { type JobView, toCompleted } from './read-job.js';

/** Facts about a job that the client has from elsewhere. */
export interface KnownJob {
  requestId?: string;
  function?: string;
  statusUrl?: string;
  status?: string;
}

/** True when the service says whose job it is, which it says to a support key alone. */
export function isForSupport({ body }: JobView): boolean {
  return 'organisation' in body;
}

/**
 * Decides what a job means to the client.
 * @param job undefined where no poll was answered
 * @throws OcrError BAD_RESPONSE for a job that completed without a result
 */
export function outcomeOf(job: JobView | undefined, jobId: string, known: KnownJob): Outcome {
  const requestId = job?.requestId ?? known.requestId;
  if (job?.status === 'completed') {
    if (job.result !== undefined) return toCompleted(job, { ...known, jobId });
    if (isForSupport(job)) {
      const hint = `What it reads: ocr jobs get ${quote(jobId)}`;
      throw new OcrError('FORBIDDEN', 'A support key reads no results', { requestId, status: 403, hint });
    }
    throw new OcrError('BAD_RESPONSE', `The job ${jobId} completed, but its answer holds no result`, { requestId });
  }
  if (job?.status === 'failed') {
    const { code, message, retryable } = job.error ?? {
      code: 'JOB_FAILED',
      message: `The job ${jobId} failed`,
      retryable: false,
    };
    return { state: 'failed', jobId, error: new OcrError(code, message, { requestId, retryable }) };
  }
  return {
    state: 'pending',
    jobId,
    requestId,
    status: job?.status ?? known.status ?? 'queued',
    statusUrl: known.statusUrl ?? jobPath(jobId),
  };
}
