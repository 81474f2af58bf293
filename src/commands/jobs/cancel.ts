import type { Context } from '../../context.js';
import { quote } from '../../contract/command-words.js';
import { isTerminal } from '../../contract/envelopes.js';
import { isGone, OcrError } from '../../contract/ocr-error.js';
import { cancelJob } from '../../submission-lifecycle/cancel-job.js';
import { isSelected } from '../../submission-lifecycle/choose-record.js';
import { removeEach } from './remove-each.js';
import { findUnfinishedJobs, type NamedJob } from './unfinished-jobs.js';

export interface CancelOptions {
  jobIds: string[];
  /** True for every unfinished job that this machine sent to the service in use. */
  isAll: boolean;
}

/** Cancels unfinished jobs. A job that has ended keeps its result; it is a failure, except with `isAll`. */
export async function cancel(context: Context, { jobIds, isAll }: CancelOptions): Promise<void> {
  const jobs = isAll ? await findUnfinished(context) : [...new Set(jobIds)].map((jobId) => ({ jobId }));
  if (jobs.length === 0) context.output.note('There are no unfinished jobs.');
  const ledger = await context.ledger();
  await removeEach(context, jobs, {
    done: 'cancelled',
    remove: async ({ api, pending: { jobId }, record }) => {
      try {
        return await cancelJob(api, ledger, jobId, record);
      } catch (error) {
        if (!(error instanceof OcrError) || error.code !== 'JOB_FINISHED') throw error;
        throw error.with({ hint: `ocr jobs get ${quote(jobId)}` });
      }
    },
    describe: (_, jobId) => `Cancelled ${jobId}`,
    excuse: (error, jobId) =>
      isAll && (error.code === 'JOB_FINISHED' || isGone(error)) ? `${jobId} had ended before` : undefined,
  });
}

/** Finds the jobs of the ledger that may be unfinished at the service in use. */
async function findUnfinished(context: Context): Promise<NamedJob[]> {
  const service = { ...(await context.activeService()), serverId: await context.serverId(), isNamed: true };
  return await findUnfinishedJobs(context, (record) => !isTerminal(record.status) && isSelected(record, service));
}
