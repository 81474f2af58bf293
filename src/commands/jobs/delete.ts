import type { Context } from '../../context.js';
import { removeEach } from './remove-each.js';

export interface DeleteOptions {
  jobIds: string[];
}

/** Deletes finished jobs with their results at the service. An unfinished job is cancelled. */
export async function deleteJobs(context: Context, { jobIds }: DeleteOptions): Promise<void> {
  const ledger = await context.ledger();
  const jobs = [...new Set(jobIds)].map((jobId) => ({ jobId }));
  await removeEach(context, jobs, {
    done: 'deleted',
    remove: async ({ api, pending, record }) => {
      const job = await api.removeJob(pending.jobId, { unfinishedOnly: false });
      if (record !== undefined)
        await ledger.finish(record, wasUnfinished(job) ? { status: 'failed', error: job.error } : { status: 'gone' });
      return job;
    },
    describe: (job, jobId) => `${wasUnfinished(job) ? 'Cancelled' : 'Deleted'} ${jobId}`,
    excuse: () => undefined,
  });
}

function wasUnfinished({ error }: { error: { code: string } | undefined }): boolean {
  return error?.code === 'CANCELLED';
}
