import type { ApiClient } from '../api/client.js';
import type { JobView } from '../api/jobs/read-job.js';
import { isTerminal } from '../contract/envelopes.js';
import { OcrError } from '../contract/ocr-error.js';
import type { Ledger } from '../ledger/ledger.js';
import { isFinished, type SubmissionRecord } from '../ledger/record.js';
import { noteStatus } from './note-state.js';

/**
 * Cancels a job and ends it in the ledger. A finished job keeps its result: the service is asked for its state first, and told
 * to leave it alone in case it ends at that moment.
 * @throws OcrError UNSUPPORTED; JOB_FINISHED for a job that has ended in another way
 */
export async function cancelJob(
  api: ApiClient,
  ledger: Ledger,
  jobId: string,
  record: SubmissionRecord | undefined,
): Promise<JobView> {
  await api.requireJobRemoval('cancel jobs');
  const found = await api.getJob(jobId);
  const job = isTerminal(found.status) ? found : await api.removeJob(jobId, { unfinishedOnly: true });
  const open = record === undefined || isFinished(record) ? undefined : record;
  if (job.status === 'failed' && job.error?.code === 'CANCELLED') {
    if (open !== undefined) await ledger.finish(open, { status: 'failed', error: job.error });
    return job;
  }
  if (open !== undefined) await noteStatus(ledger, open, job.status);
  throw new OcrError('JOB_FINISHED', `Job ${jobId} has ended (${job.status}): there is nothing to cancel`);
}
