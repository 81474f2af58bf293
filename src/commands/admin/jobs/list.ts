import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { ageCell } from '../../../io/output/age-cell.js';
import type { Cell, Column } from '../../../io/output/table.js';
import { explainNothing } from '../../../service/administration/explain-nothing.js';
import { type JobAdminView, listAllJobs } from '../../../service/administration/jobs.js';
import { withAdministration } from '../../../service/administration/open.js';

export type ListOptions = ServiceLocation & Parameters<typeof listAllJobs>[1];

/** Lists the jobs of a service, newest first. @throws OcrError NOT_FOUND */
export async function list({ env, output, clock }: Context, options: ListOptions): Promise<void> {
  const found = await withAdministration(options, env, ({ store }) => listAllJobs(store, options));
  if (output.isJson) return await output.json(found);
  if (found.length === 0) output.note(explainNothing('jobs', options.function));
  else {
    const nowMs = clock.now();
    await output.table(
      COLUMNS,
      found.map((job) => rowOf(job, nowMs)),
    );
  }
}

const COLUMNS: readonly Column[] = [
  'Job',
  'Status',
  { name: 'Organisation', omitWhen: 'narrow' },
  { name: 'Function', omitWhen: 'narrowest' },
  'Created',
  { name: 'Ended', omitWhen: 'narrow' },
  { name: 'Pages', omitWhen: 'narrow' },
  { name: 'Attempts', omitWhen: 'narrow' },
  { name: 'Error', omitWhen: 'empty' },
  { name: 'Organisation name', omitWhen: 'early' },
];

function rowOf(job: JobAdminView, nowMs: number): Cell[] {
  const pages = job.pageCount === null ? null : `${job.pagesDone ?? 0}/${job.pageCount}`;
  const { jobId, status, orgId, createdAt, finishedAt, attempts, error } = job;
  const [created, ended] = [createdAt, finishedAt].map((time) => ageCell(time, nowMs));
  const organisation = { prose: job.orgName ?? '' };
  const cells = [
    jobId,
    { state: job.deletedAt === null ? status : 'deleted' },
    orgId,
    job.function,
    created,
    ended,
    pages,
    String(attempts),
    error?.code,
    organisation,
  ];
  return cells.map((cell) => cell ?? '');
}
