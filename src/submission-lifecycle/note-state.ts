import { isGone, OcrError } from '../contract/ocr-error.js';
import type { Completed } from '../contract/outcome.js';
import type { Ledger } from '../ledger/ledger.js';
import type { SubmissionRecord } from '../ledger/record.js';

/** What the ledger keeps of a result. */
export function completionOf({ body: { requestId, meta } }: Completed): Partial<SubmissionRecord> & { status: string } {
  return {
    status: 'completed',
    error: undefined,
    ...(typeof requestId === 'string' ? { requestId } : {}),
    ...(typeof meta === 'object' && meta !== null ? { meta: meta as Record<string, unknown> } : {}),
  };
}

/** What the ledger keeps of an error. */
export function endOf(error: OcrError): Pick<SubmissionRecord, 'error' | 'requestId' | 'httpStatus'> {
  const { code, message, retryable, requestId, status } = error;
  return {
    error: { code, message, retryable },
    ...(requestId === undefined ? {} : { requestId }),
    ...(status === undefined ? {} : { httpStatus: status }),
  };
}

/**
 * Notes what the service said of a job. An end stays to be delivered: only then does the ledger take it for one. What was
 * asked for is told also where it cannot be noted.
 */
export async function hear(ledger: Ledger, record: SubmissionRecord, status: string): Promise<SubmissionRecord> {
  return await ledger.update(record, { status }, { isSynced: false }).catch(() => ({ ...record, status }));
}

/**
 * Ends in the ledger a job that the service no longer knows. Whether that is what the error says. Who asked as another
 * profile than the record's learned nothing of the job: it may be another organisation's, which is told the same.
 */
export async function endIfGone(
  ledger: Ledger,
  record: SubmissionRecord,
  error: unknown,
  askedAs = record.profile,
): Promise<boolean> {
  if (!(error instanceof OcrError) || !isGone(error)) return false;
  if (askedAs !== record.profile) return true;
  // The reference stays that of the upload, not of the poll.
  await ledger.finish(record, { status: 'gone', error: endOf(error).error });
  return true;
}
