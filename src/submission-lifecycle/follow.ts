import type { ApiClient } from '../api/client.js';
import type { SharedProgress } from '../api/jobs/wait-deadline.js';
import { type ServiceFlags, serviceFlags } from '../contract/command-words.js';
import { type DocumentState, heldUp, stateOfJob } from '../contract/document-state.js';
import { formatDuration } from '../contract/duration.js';
import { OcrError } from '../contract/ocr-error.js';
import { type Outcome, type Pending, UNKNOWN_STATUS } from '../contract/outcome.js';
import type { Ledger } from '../ledger/ledger.js';
import type { SubmissionRecord } from '../ledger/record.js';
import { endIfGone, noteStatus } from './note-state.js';

export interface FollowSubmissionOptions {
  pending: Pending;
  /** Undefined for a job that this machine did not submit. */
  record: SubmissionRecord | undefined;
  /** The profile whose key is used, when it may differ from the record's. */
  askedAs?: string;
  /** Longest time without progress. */
  waitTimeoutMs: number;
  /** Monotonic milliseconds from which it counts at first; now if absent. */
  countsFromMs?: number;
  /** The progress of the command's jobs together. */
  shared: SharedProgress;
  retryAfterMs?: number | undefined;
  /** True for a job of an earlier command: its state is unknown until the first poll. */
  pollsAtOnce: boolean;
  signal: AbortSignal;
  /** Receives the job's state for the progress line. */
  onState: (state: DocumentState) => void;
  /** Receives what to say of a service that does not answer several polls in a row. */
  onSilence?: (words: string) => void;
}

/** Failed polls in a row after which a person wants to know: one or two are soon made up for. */
const MAX_UNANSWERED = 3;

/**
 * Follows a job until it is done, the wait ends, or the command ends; in the last two cases with the last known status.
 * @throws OcrError when the service refuses to answer; a job that no longer exists is finished in the ledger
 */
export async function follow(api: ApiClient, ledger: Ledger, options: FollowSubmissionOptions): Promise<Outcome> {
  const { pending, record, signal } = options;
  const { jobId, requestId, statusUrl } = pending;
  let { status } = pending;
  let hasPolled = false;
  let unanswered = 0;
  const name = record?.function;
  /** Notes the last status in the record, since nobody follows the job any more. */
  const leave = async (left: Pending): Promise<Pending> => {
    if (hasPolled && record !== undefined) await noteStatus(ledger, record, status);
    return left;
  };
  try {
    const outcome = await api.wait({
      jobId,
      waitTimeoutMs: options.waitTimeoutMs,
      countsFromMs: options.countsFromMs,
      shared: options.shared,
      retryAfterMs: options.retryAfterMs,
      pollsImmediately: options.pollsAtOnce,
      known: {
        status,
        statusUrl,
        ...(requestId === undefined ? {} : { requestId }),
        ...(name === undefined ? {} : { function: name }),
      },
      onPoll(job) {
        status = job.status;
        hasPolled = true;
        unanswered = 0;
        options.onState(stateOfJob(status, job.progress));
      },
      onPollError({ message }) {
        const words = `${status} as last heard of, asking again: ${message}`;
        options.onState(heldUp(words));
        unanswered++;
        if (unanswered === MAX_UNANSWERED) options.onSilence?.(words);
      },
    });
    return outcome.state === 'pending' ? await leave(outcome) : outcome;
  } catch (error) {
    if (signal.aborted) return await leave({ ...pending, status, isUnconfirmed: options.pollsAtOnce && !hasPolled });
    if (record !== undefined) await endIfGone(api, ledger, record, error, options.askedAs);
    throw error;
  }
}

export interface StillRunningOptions {
  waitTimeoutMs: number;
  signal: AbortSignal;
  /** Flags that the next command needs to reach the job's service. */
  flags: ServiceFlags;
  /** True when the caller says for several jobs together how to come back to them. */
  isOneOfSeveral?: boolean;
}

/** Returns the line that says how to come back to jobs. */
export function resumeLine(flags: ServiceFlags, ...jobIds: readonly string[]): string {
  return `Resume: ocr jobs wait${serviceFlags(flags)} ${jobIds.join(' ')}`;
}

/** Returns the line that says how to cancel jobs. */
export function cancelLine(flags: ServiceFlags, ...jobIds: readonly string[]): string {
  return `Cancel: ${cancelCommand(flags, ...jobIds)}`;
}

/** Returns the command that cancels jobs, by their ids or by `--all`. */
export function cancelCommand(flags: ServiceFlags, ...jobs: readonly string[]): string {
  return `ocr jobs cancel${serviceFlags(flags)} ${jobs.join(' ')}`;
}

/** Returns the error that says the job continues without this command, and how to come back to it. */
export function stillRunningError(
  { jobId, status, pollError, hasProgressed = false, isUnconfirmed: isUnheard = false }: Pending,
  { waitTimeoutMs, signal, flags, isOneOfSeveral = false }: StillRunningOptions,
): OcrError {
  const resume = isOneOfSeveral ? '' : ` ${resumeLine(flags, jobId)}`;
  const lastKnown =
    status === UNKNOWN_STATUS
      ? `Nothing was heard of job ${jobId}`
      : `Job ${jobId} was ${status} when it was last heard of`;
  if (signal.aborted) {
    const known = isUnheard ? lastKnown : `Job ${jobId} is still running`;
    const hint = isOneOfSeveral ? undefined : cancelLine(flags, jobId);
    return new OcrError((signal.reason as OcrError).code, `${known}.${resume}`, { hint });
  }
  const waited = formatDuration(waitTimeoutMs);
  const over = hasProgressed
    ? `No progress was seen for ${waited}, and the last poll failed`
    : `The wait of ${waited} is over, and the last poll failed`;
  const still = hasProgressed ? `and has made no progress for ${waited}` : `after ${waited}`;
  const known =
    pollError === undefined
      ? `Job ${jobId} is still ${status} ${still}.`
      : `${lastKnown}. ${over}: ${pollError.message}.`;
  return new OcrError('JOB_PENDING', `${known}${resume}`);
}
