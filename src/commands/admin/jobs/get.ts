import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { countOf } from '../../../contract/count-of.js';
import { nameWithId } from '../../../io/output/name-with-id.js';
import { getAnyJob } from '../../../service/administration/jobs.js';
import { withAdministration } from '../../../service/administration/open.js';

export interface GetOptions extends ServiceLocation {
  jobId: string;
}

/** Prints one job of any organisation. @throws OcrError NOT_FOUND */
export async function get({ env, output }: Context, options: GetOptions): Promise<void> {
  const job = await withAdministration(options, env, async ({ store }) => getAnyJob(store, options.jobId));
  if (output.isJson) return await output.json(job);
  await output.properties([
    ['Job', job.jobId],
    ['Status', job.status],
    ['Organisation', { line: nameWithId(job.orgName, job.orgId) }],
    ['Request', job.requestId],
    ['Function', job.function],
    ['Created', job.createdAt],
    ['Started', job.startedAt],
    ['Ended', job.finishedAt],
    ['Pages', job.pageCount === null ? null : `${job.pagesDone ?? 0} of ${job.pageCount}`],
    ['Attempts', job.attempts],
    ['Interruptions', job.interruptions],
    ['Heard of until', job.leaseUntil],
    ['Error', job.error?.code],
    ['Message', { prose: job.error?.message }],
    ['File', job.fileName],
    ['Size', countOf(job.sizeBytes, 'byte')],
    ['SHA-256', job.sha256],
    ['Type', job.mimeType],
    ['Result', job.deletedAt === null ? (job.hasResult ? 'kept' : null) : `deleted ${job.deletedAt}`],
  ]);
}
