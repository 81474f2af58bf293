import type { ApiClient } from '../api/client.js';
import type { SubmitRequest } from '../api/jobs/submit.js';
import type { Completed, Pending } from '../contract/outcome.js';
import type { Ledger } from '../ledger/ledger.js';
import type { SubmissionRecord } from '../ledger/record.js';
import { completionOf } from './note-state.js';

/** The outcome of a document whose answer did not arrive, and its record with it. */
export interface FoundSubmission {
  record: SubmissionRecord;
  outcome: Completed | Pending;
}

/**
 * Finds what a document became that may have arrived although its answer did not, and notes it: the same Idempotency-Key gets
 * the same answer, the job or the result. @throws OcrError
 */
export async function findSentJob(
  api: ApiClient,
  ledger: Ledger,
  record: SubmissionRecord,
  { file, args }: Pick<SubmitRequest, 'file' | 'args'>,
): Promise<FoundSubmission> {
  const { function: id, idempotencyKey } = record;
  const outcome = await api.submit({ file, function: id, args, idempotencyKey, isAsync: true });
  if (outcome.state === 'completed') {
    const changes = { httpStatus: 200, hasArrived: undefined, ...completionOf(outcome) };
    return { record: await ledger.update(record, changes), outcome };
  }
  const { jobId, requestId, status, statusUrl } = outcome;
  const reference = requestId === undefined ? {} : { requestId };
  const changes = { jobId, status, statusUrl, httpStatus: 202, hasArrived: undefined, ...reference };
  return { record: await ledger.update(record, changes), outcome };
}
