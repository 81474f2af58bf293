import type { ApiClient } from '../api/client.js';
import { isGone, OcrError } from '../contract/ocr-error.js';
import type { Completed, Failed } from '../contract/outcome.js';
import type { Ledger } from '../ledger/ledger.js';
import { keyTagOf, type SubmissionRecord } from '../ledger/record.js';

/** Returns the fields of a result that the ledger keeps. */
export function completionOf({ body: { requestId, meta } }: Completed): Partial<SubmissionRecord> & { status: string } {
  return {
    status: 'completed',
    error: undefined,
    ...(typeof requestId === 'string' ? { requestId } : {}),
    ...(typeof meta === 'object' && meta !== null ? { meta: meta as Record<string, unknown> } : {}),
  };
}

/** Returns the fields of an error that the ledger keeps. */
export function endOf(error: OcrError): Pick<SubmissionRecord, 'error' | 'requestId' | 'httpStatus'> {
  const { code, message, retryable, requestId, status } = error;
  return {
    error: { code, message, retryable },
    ...(requestId === undefined ? {} : { requestId }),
    ...(status === undefined ? {} : { httpStatus: status }),
  };
}

/**
 * Notes a job's status. A job that has ended stays open in the ledger until its result is delivered. The record with the
 * new status is returned even when the ledger cannot be written.
 */
export async function noteStatus(ledger: Ledger, record: SubmissionRecord, status: string): Promise<SubmissionRecord> {
  return await ledger.update(record, { status }, { isSynced: false }).catch(() => ({ ...record, status }));
}

/**
 * Ends a job in the ledger when the error says that the service no longer knows it. Returns true for such an error. An
 * answer to another profile or key than the record's proves nothing: the job may be another organisation's, which gets the
 * same. `api` is the client that asked.
 */
export async function endIfGone(
  api: Pick<ApiClient, 'endpoint'>,
  ledger: Ledger,
  record: SubmissionRecord,
  error: unknown,
  askedAs = record.profile,
): Promise<boolean> {
  if (!(error instanceof OcrError) || !isGone(error)) return false;
  if (askedAs !== record.profile) return true;
  if (await isOfOtherKey(api, record)) return true;
  // The request id stays the upload's, not the poll's.
  await ledger.finish(record, { status: 'gone', error: endOf(error).error });
  return true;
}

/** True when the submission was sent with another key than the client's. */
export async function isOfOtherKey(api: Pick<ApiClient, 'endpoint'>, { keyTag }: SubmissionRecord): Promise<boolean> {
  return keyTag !== undefined && keyTag !== keyTagOf((await api.endpoint()).apiKey);
}

/** Notes the end of a submission. A result is settled after its delivery; until then the same command fetches it again. */
export async function settle(
  ledger: Ledger,
  record: SubmissionRecord,
  outcome: Completed | Failed,
  known: Pick<SubmissionRecord, 'wroteNothing'> = {},
): Promise<void> {
  const end = outcome.state === 'failed' ? { status: 'failed', ...endOf(outcome.error) } : completionOf(outcome);
  await ledger.finish(record, { ...end, ...known });
}
