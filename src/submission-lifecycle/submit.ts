import type { ApiClient } from '../api/client.js';
import type { FileToSend } from '../api/http/multipart.js';
import type { Pace } from '../api/http/pace.js';
import type { SubmitRequest } from '../api/jobs/submit.js';
import { isTerminal } from '../contract/envelopes.js';
import { EXIT } from '../contract/exit-codes.js';
import { OcrError } from '../contract/ocr-error.js';
import { jobPath, type Outcome, type Pending, UNKNOWN_STATUS } from '../contract/outcome.js';
import type { Ledger } from '../ledger/ledger.js';
import { keyTagOf, type Submission, type SubmissionRecord } from '../ledger/record.js';
import { completionOf, endIfGone, endOf } from './note-state.js';

export interface SubmitOptions {
  file: FileToSend & { sha256: string };
  /** Its name on the command line. */
  input: string;
  function: string;
  args: Record<string, unknown>;
  /** The arguments without the values of secrets. */
  recordedArgs: Record<string, unknown>;
  profile: string;
  /** Name of the command that sends it; `extract` if absent. */
  command?: string;
  /** Sends again even when an equal submission is unfinished. */
  isFresh: boolean;
  isAsync: boolean;
  /** Shared by the whole batch. */
  pace: Pace;
  onRetry?: SubmitRequest['onRetry'];
  onSend?: SubmitRequest['onSend'];
  onSent?: SubmitRequest['onSent'];
}

export interface SubmittedDocument {
  record: SubmissionRecord;
  outcome: Outcome;
  /** `Retry-After` of the 202. */
  retryAfterMs: number | undefined;
  /** True when the job is an earlier command's. */
  isJoined: boolean;
}

/** A document that is in the ledger and may be sent. */
export interface RecordedDocument {
  submission: Submission;
  record: SubmissionRecord;
  /** True when the record is an equal, unfinished submission of an earlier command. */
  isJoined: boolean;
}

type LedgerEntry = Pick<RecordedDocument, 'record' | 'isJoined'>;

/** Records a document in the ledger, or finds its equal, unfinished submission. Nothing is sent. @throws OcrError */
export async function recordDocument(
  api: ApiClient,
  ledger: Ledger,
  options: SubmitOptions,
): Promise<RecordedDocument> {
  const { file, input } = options;
  const { serverId, apiKey, isOnThisMachine } = await api.endpoint();
  const submission: Submission = {
    input: { name: input, sha256: file.sha256, sizeBytes: file.sizeBytes },
    function: options.function,
    args: options.recordedArgs,
    serverId,
    profile: options.profile,
    ...(isOnThisMachine ? {} : { keyTag: keyTagOf(apiKey) }),
    command: options.command ?? 'extract',
  };
  return { submission, ...(await ledger.begin(submission, { isFresh: options.isFresh })) };
}

/**
 * Sends a recorded document; or joins the unfinished job of an equal submission; or repeats an interrupted upload under
 * its first Idempotency-Key. A job id is on disk when this resolves. With `isAsync` the repeated upload may be answered with
 * the result of the first one, which has no job: the document is then sent as a new one.
 * @throws OcrError
 */
export async function submit(
  api: ApiClient,
  ledger: Ledger,
  recorded: RecordedDocument,
  options: SubmitOptions,
): Promise<SubmittedDocument> {
  const { submission } = recorded;
  let current: LedgerEntry = recorded;
  // With --no-wait no command noted the end of the earlier job. If it has ended, the document is sent as a new one.
  if (options.isAsync && (await hasEnded(api, ledger, recorded.record, options))) {
    current = await ledger.begin(submission, { isFresh: isOfOtherProfile(recorded.record, submission) });
  }
  const { record, isJoined } = current;
  if (record.jobId !== undefined) {
    return { record, outcome: pendingOf(record, record.jobId), retryAfterMs: undefined, isJoined: true };
  }
  const sendAnew = async () => await upload(api, ledger, await ledger.begin(submission, { isFresh: true }), options);
  let sent: SubmittedDocument;
  try {
    sent = await upload(api, ledger, current, options);
  } catch (error) {
    // The service knows the key with another request: the first one may have had another password.
    if (!isJoined || !(error instanceof OcrError) || error.code !== 'IDEMPOTENCY_CONFLICT') throw error;
    return await sendAnew();
  }
  if (!options.isAsync || !isJoined || sent.outcome.state === 'pending') return sent;
  await ledger.finish(sent.record, { status: sent.outcome.state });
  return await sendAnew();
}

async function upload(
  api: ApiClient,
  ledger: Ledger,
  { record, isJoined }: LedgerEntry,
  options: SubmitOptions,
): Promise<SubmittedDocument> {
  const { file, args, isAsync, pace, onRetry, onSend } = options;
  const { idempotencyKey } = record;
  let hasArrived = false;
  const onSent = () => {
    hasArrived = true;
    options.onSent?.();
  };
  const request = { file, function: options.function, args, idempotencyKey, isAsync, pace, onRetry, onSend, onSent };
  const { retryAfterMs, ...outcome } = await api.submit(request).catch(async (error: unknown) => {
    if (error instanceof OcrError && isRefusal(error, isJoined)) {
      await ledger.finish(record, { status: 'failed', ...endOf(error) });
    } else if (error instanceof OcrError) {
      // The record stays open to be sent again; the error is kept for `ocr requests`. One that was not sent stays as it is, to
      // be withdrawn.
      const isKept = error.requestId !== undefined || error.exitCode === EXIT.unreachable;
      const changes = { ...(isKept ? endOf(error) : {}), ...(hasArrived ? { hasArrived } : {}) };
      if (Object.keys(changes).length > 0) await ledger.update(record, changes).catch(() => {});
    }
    throw error;
  });
  if (outcome.state === 'completed') {
    // Noted before the delivery, which may fail: support can look up a request by its id.
    const answered = { httpStatus: 200, hasArrived: undefined, ...completionOf(outcome) };
    const noted = await ledger.update(record, answered, { isSynced: false }).catch(() => record);
    return { record: noted, outcome, retryAfterMs, isJoined: false };
  }
  const { jobId, requestId, status, statusUrl } = outcome;
  const reference = requestId === undefined ? {} : { requestId };
  const changes = { jobId, status, statusUrl, httpStatus: 202, error: undefined, hasArrived: undefined, ...reference };
  return { record: await ledger.update(record, changes), outcome, retryAfterMs, isJoined: false };
}

async function hasEnded(
  api: ApiClient,
  ledger: Ledger,
  record: SubmissionRecord,
  { onRetry, profile }: SubmitOptions,
): Promise<boolean> {
  if (record.jobId === undefined) return false;
  try {
    const { status } = await api.getJob(record.jobId, { onRetry });
    if (!isTerminal(status)) return false;
    await ledger.finish(record, { status });
    return true;
  } catch (error) {
    return await endIfGone(api, ledger, record, error, profile);
  }
}

/** True when an equal, unfinished submission is another profile's: this profile's own then stands beside it. */
export function isOfOtherProfile(found: SubmissionRecord, { profile }: Pick<Submission, 'profile'>): boolean {
  return found.profile !== profile;
}

/** Returns what the ledger knows of a job that was submitted before; of a job without a record only its id. */
export function pendingOf(record: SubmissionRecord | undefined, jobId: string): Pending {
  const { requestId, status = UNKNOWN_STATUS, statusUrl = jobPath(jobId) }: Partial<SubmissionRecord> = record ?? {};
  return { state: 'pending', jobId, requestId, status, statusUrl };
}

/**
 * True when the service answered that it does not accept the document; after any other error it may have it. An earlier
 * attempt may have been accepted: an answer about the key or the rate says nothing about that.
 */
function isRefusal({ code, status, retryable }: OcrError, wasTriedBefore: boolean): boolean {
  if (code === 'FILE_CHANGED') return !wasTriedBefore;
  if (status === undefined || status === 408 || code === 'BAD_RESPONSE') return false;
  if (wasTriedBefore && [401, 402, 403, 429].includes(status)) return false;
  return status < 500 || (status === 500 && !retryable);
}
