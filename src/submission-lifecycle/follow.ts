import type { ApiClient } from '../api/client.js';
import { type ServiceFlags, serviceFlags } from '../contract/command-words.js';
import { countOf } from '../contract/count-of.js';
import { formatDuration } from '../contract/duration.js';
import { OcrError } from '../contract/ocr-error.js';
import { type Completed, type Failed, type Outcome, type Pending, UNHEARD_STATUS } from '../contract/outcome.js';
import type { Ledger } from '../ledger/ledger.js';
import type { SubmissionRecord } from '../ledger/record.js';
import { completionOf, endIfGone, endOf, hear } from './note-state.js';

export interface FollowSubmissionOptions {
  pending: Pending;
  /** None for a job that this machine did not submit. */
  record: SubmissionRecord | undefined;
  /** The profile whose key asks, where that may be another than the record's. */
  askedAs?: string;
  waitTimeoutMs: number;
  retryAfterMs?: number | undefined;
  /** It is an older one, of which this command was told nothing yet. */
  pollsAtOnce: boolean;
  signal: AbortSignal;
  /** How far it is, for a line of progress. */
  tell: (state: string) => void;
}

/**
 * Follows a job until it is done, the wait ends, or the command is to end: then with the last known status.
 * @throws OcrError where the service refuses to tell; a job that is not there any more is finished in the ledger
 */
export async function follow(api: ApiClient, ledger: Ledger, options: FollowSubmissionOptions): Promise<Outcome> {
  const { pending, record, signal } = options;
  const { jobId, requestId, statusUrl } = pending;
  let { status } = pending;
  let isHeard = false;
  const name = record?.function;
  /** How far it is goes into the record, since nobody follows it any more. */
  const leave = async (left: Pending): Promise<Pending> => {
    if (isHeard && record !== undefined) await hear(ledger, record, status);
    return left;
  };
  try {
    const outcome = await api.wait({
      jobId,
      waitTimeoutMs: options.waitTimeoutMs,
      retryAfterMs: options.retryAfterMs,
      pollsAtOnce: options.pollsAtOnce,
      known: {
        status,
        statusUrl,
        ...(requestId === undefined ? {} : { requestId }),
        ...(name === undefined ? {} : { function: name }),
      },
      onPoll(job) {
        status = job.status;
        isHeard = true;
        const { progress: pages } = job;
        options.tell(
          `${jobId} ${status}${pages === undefined ? '' : `, ${pages.pagesDone} of ${countOf(pages.pageCount, 'page')}`}`,
        );
      },
      onPollError: ({ message }) => options.tell(`${jobId} ${status} as last heard of, asking again: ${message}`),
    });
    return outcome.state === 'pending' ? await leave(outcome) : outcome;
  } catch (error) {
    if (signal.aborted) return await leave({ ...pending, status, isUnheard: options.pollsAtOnce && !isHeard });
    if (record !== undefined) await endIfGone(ledger, record, error, options.askedAs);
    throw error;
  }
}

/** Notes the end of a submission: of a result once it is delivered, so that until then the same command asks for it again. */
export async function settle(ledger: Ledger, record: SubmissionRecord, outcome: Completed | Failed): Promise<void> {
  const end = outcome.state === 'failed' ? { status: 'failed', ...endOf(outcome.error) } : completionOf(outcome);
  await ledger.finish(record, end);
}

export interface StillRunningOptions {
  waitTimeoutMs: number;
  signal: AbortSignal;
  /** Those that the next command needs to reach the service that has the job. */
  flags: ServiceFlags;
}

/** Says that a job goes on without this command, and how to come back to it. */
export function stillRunning(
  { jobId, status, pollError, isUnheard = false }: Pending,
  { waitTimeoutMs, signal, flags }: StillRunningOptions,
): OcrError {
  const resume = `Resume: ocr jobs wait${serviceFlags(flags)} ${jobId}`;
  const lastHeard =
    status === UNHEARD_STATUS
      ? `Nothing was heard of job ${jobId}`
      : `Job ${jobId} was ${status} when it was last heard of`;
  if (signal.aborted) {
    const known = isUnheard ? lastHeard : `Job ${jobId} is still running`;
    return new OcrError((signal.reason as OcrError).code, `${known}. ${resume}`);
  }
  const waited = formatDuration(waitTimeoutMs);
  const known =
    pollError === undefined
      ? `Job ${jobId} is still ${status} after ${waited}.`
      : `${lastHeard}. The wait of ${waited} is over, and the last poll failed: ${pollError.message}.`;
  return new OcrError('JOB_PENDING', `${known} ${resume}`);
}
