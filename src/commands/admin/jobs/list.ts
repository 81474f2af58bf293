import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { type JobAdminView, listAllJobs } from '../../../service/administration/jobs.js';
import { withAdministration } from '../../../service/administration/open.js';

export type ListOptions = ServiceLocation & Parameters<typeof listAllJobs>[1];

/** The jobs of a service, newest first. @throws OcrError NOT_FOUND */
export async function list({ env, output }: Context, options: ListOptions): Promise<void> {
  const found = await withAdministration(options, env, ({ store }) => listAllJobs(store, options));
  if (output.isJson) return await output.json(found);
  if (found.length === 0) output.note('No such jobs.');
  else
    await output.table(
      ['Job', 'Status', 'Organisation', 'Function', 'Created', 'Ended', 'Pages', 'Attempts', 'Error'],
      found.map(rowOf),
    );
}

function rowOf(job: JobAdminView): string[] {
  const pages = job.pageCount === null ? null : `${job.pagesDone ?? 0}/${job.pageCount}`;
  const { jobId, status, orgId, createdAt, finishedAt, attempts, error } = job;
  const cells = [jobId, status, orgId, job.function, createdAt, finishedAt, pages, attempts, error?.code];
  return cells.map((cell) => String(cell ?? ''));
}
