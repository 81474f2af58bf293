import type { ApiClient, SubmitRequest } from '../api/client.js';
import type { FileToSend } from '../api/http/multipart.js';
import type { Pace } from '../api/http/pace.js';
import { isTerminal } from '../contract/envelopes.js';
import { EXIT } from '../contract/exit-codes.js';
import { OcrError } from '../contract/ocr-error.js';
import { jobPath, type Outcome, type Pending } from '../contract/outcome.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Submission, SubmissionRecord } from '../ledger/record.js';
import { completionOf, endIfGone, endOf } from './note-state.js';

export interface SubmitOptions {
  file: FileToSend & { sha256: string };
  /** As it was named on the command line. */
  input: string;
  function: string;
  args: Record<string, unknown>;
  /** Without the values of secrets. */
  recordedArgs: Record<string, unknown>;
  profile: string;
  /** Sends anew even where the same submission is unfinished. */
  isFresh: boolean;
  isAsync: boolean;
  /** Of the batch. */
  pace: Pace;
  onRetry?: SubmitRequest['onRetry'];
  onSend?: SubmitRequest['onSend'];
}

export interface SubmittedDocument {
  record: SubmissionRecord;
  outcome: Outcome;
  /** `Retry-After` of the 202. */
  retryAfterMs: number | undefined;
  /** The job of an earlier command. */
  isJoined: boolean;
}

/** A document that is written down, and may be sent. */
export interface BegunDocument {
  submission: Submission;
  record: SubmissionRecord;
  /** An unfinished submission of an earlier command asks for the same. */
  isJoined: boolean;
}

/** What the ledger says of it. */
type Begun = Pick<BegunDocument, 'record' | 'isJoined'>;

/** Writes a document down, or finds the unfinished submission of the same. Nothing is sent. @throws OcrError */
export async function begin(api: ApiClient, ledger: Ledger, options: SubmitOptions): Promise<BegunDocument> {
  const { file, input } = options;
  const { serverId } = await api.endpoint();
  const submission: Submission = {
    input: { name: input, sha256: file.sha256, sizeBytes: file.sizeBytes },
    function: options.function,
    args: options.recordedArgs,
    serverId,
    profile: options.profile,
    command: 'extract',
  };
  return { submission, ...(await ledger.begin(submission, { isFresh: options.isFresh })) };
}

/**
 * Sends a document that is written down; or joins the unfinished job of an equal submission; or sends one whose upload
 * was interrupted again under its first Idempotency-Key. A job id is on disk when this resolves.
 * @throws OcrError
 */
export async function submit(
  api: ApiClient,
  ledger: Ledger,
  begun: BegunDocument,
  options: SubmitOptions,
): Promise<SubmittedDocument> {
  const { submission } = begun;
  let current: Begun = begun;
  // Nobody follows a job that is not awaited, so nobody has noted its end either: what is done is sent anew.
  if (options.isAsync && (await hasEnded(api, ledger, begun.record, options))) {
    current = await ledger.begin(submission, { isFresh: isOfOther(begun.record, submission) });
  }
  const { record, isJoined } = current;
  if (record.jobId !== undefined) {
    return { record, outcome: pendingOf(record, record.jobId), retryAfterMs: undefined, isJoined: true };
  }
  try {
    return await upload(api, ledger, current, options);
  } catch (error) {
    // The service knows that key with something else: a password that was another one the first time, say.
    if (!isJoined || !(error instanceof OcrError) || error.code !== 'IDEMPOTENCY_CONFLICT') throw error;
    return await upload(api, ledger, await ledger.begin(submission, { isFresh: true }), options);
  }
}

async function upload(
  api: ApiClient,
  ledger: Ledger,
  { record, isJoined }: Begun,
  options: SubmitOptions,
): Promise<SubmittedDocument> {
  const { file, args, isAsync, pace, onRetry, onSend } = options;
  const { idempotencyKey } = record;
  const request = { file, function: options.function, args, idempotencyKey, isAsync, pace, onRetry, onSend };
  const { retryAfterMs, ...outcome } = await api.submit(request).catch(async (error: unknown) => {
    if (error instanceof OcrError && isRefusal(error, isJoined)) {
      await ledger.finish(record, { status: 'failed', ...endOf(error) });
    } else if (error instanceof OcrError && (error.requestId !== undefined || error.exitCode === EXIT.unreachable)) {
      // It stays to be sent again; why is kept for whoever asks.
      await ledger.update(record, endOf(error)).catch(() => {});
    }
    throw error;
  });
  if (outcome.state === 'completed') {
    // Before the result is delivered, which may fail: support can look up what has a reference.
    const answered = { httpStatus: 200, ...completionOf(outcome) };
    const noted = await ledger.update(record, answered, { isSynced: false }).catch(() => record);
    return { record: noted, outcome, retryAfterMs, isJoined: false };
  }
  const { jobId, requestId, status, statusUrl } = outcome;
  const reference = requestId === undefined ? {} : { requestId };
  const changes = { jobId, status, statusUrl, httpStatus: 202, error: undefined, ...reference };
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
    return await endIfGone(ledger, record, error, profile);
  }
}

/** Whether an unfinished submission of the same is another profile's: then one of its own stands beside it. */
export function isOfOther(found: SubmissionRecord, { profile }: Pick<Submission, 'profile'>): boolean {
  return found.profile !== profile;
}

/** What the ledger knows of a job that was submitted before. */
export function pendingOf(record: SubmissionRecord, jobId: string): Pending {
  const { requestId, status, statusUrl = jobPath(jobId) } = record;
  return { state: 'pending', jobId, requestId, status, statusUrl };
}

/**
 * Whether the service answered that it will not take the document; of anything else it may have it all the same. An
 * upload that was tried before may have been taken then: an answer about the key or the rate says nothing about that.
 */
function isRefusal({ code, status, retryable }: OcrError, wasTriedBefore: boolean): boolean {
  if (code === 'FILE_CHANGED') return !wasTriedBefore;
  if (status === undefined || status === 408 || code === 'BAD_RESPONSE') return false;
  if (wasTriedBefore && [401, 402, 403, 429].includes(status)) return false;
  return status < 500 || (status === 500 && !retryable);
}
