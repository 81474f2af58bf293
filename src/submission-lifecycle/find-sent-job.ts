import type { ApiClient } from '../api/client.js';
import type { SubmitRequest } from '../api/jobs/submit.js';
import type { Pending } from '../contract/outcome.js';

/**
 * Finds the job of a document that may have arrived although its answer did not: the same Idempotency-Key gets the job that it
 * became. Returns undefined for a document that is done. @throws OcrError
 */
export async function findSentJob(
  api: ApiClient,
  { file, function: id, args, idempotencyKey }: Pick<SubmitRequest, 'file' | 'function' | 'args' | 'idempotencyKey'>,
): Promise<Pending | undefined> {
  const outcome = await api.submit({ file, function: id, args, idempotencyKey, isAsync: true });
  return outcome.state === 'pending' ? outcome : undefined;
}
