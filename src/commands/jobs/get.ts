import { isForSupport } from '../../api/jobs/outcome-of.js';
import type { JobView } from '../../api/jobs/read-job.js';
import type { Context } from '../../context.js';
import { type ServiceFlags, serviceFlags } from '../../contract/command-words.js';
import { countOf } from '../../contract/count-of.js';
import { nameWithId } from '../../io/output/name-with-id.js';
import { fetchJob, findJob } from './find-job.js';

export interface GetOptions {
  jobId: string;
}

/** Prints the state of a job as its service reports it; with --json the service's own body, with the job's id. */
export async function get(context: Context, options: GetOptions): Promise<void> {
  const { output } = context;
  const found = await findJob(context, options.jobId);
  const job = await fetchJob(context, found);
  const { record } = found;
  // The id may have been shortened.
  const jobId = textOf(job.body.jobId) ?? found.pending.jobId;
  // Some servers name the job only in the path that was asked.
  if (output.isJson) return await output.json('jobId' in job.body ? job.body : { jobId, ...job.body });
  const { progress, error, meta } = job;
  await output.properties([
    ['Job', jobId],
    ['Organisation', { line: organisationOf(job.body) }],
    ['Status', { state: job.status }],
    ['Progress', progress && `${progress.pagesDone} of ${countOf(progress.pageCount, 'page')}`],
    ['Function', job.function ?? record?.function],
    ['Input', { line: record?.input.name }],
    ['Request', job.requestId ?? record?.requestId],
    ['Submitted', textOf(job.body.createdAt) ?? record?.createdAt],
    ['Finished', textOf(job.body.finishedAt)],
    ['Pages', numberOf(meta?.pageCount)],
    ['Provider', textOf(meta?.provider)],
    ['Error', { prose: error && `${error.code}: ${error.message}` }],
    ['Next', nextCommand(job, jobId, record === undefined ? context.flags : {})],
  ]);
}

/** The service names it to a support key alone. */
function organisationOf({ organisation }: Record<string, unknown>): string | null {
  const { id, name } = (organisation ?? {}) as Record<string, unknown>;
  return nameWithId(textOf(name) ?? null, textOf(id) ?? null);
}

/** @param flags flags that the command needs to reach the same service */
function nextCommand(job: JobView, jobId: string, flags: ServiceFlags): string | undefined {
  const { status } = job;
  if (status === 'failed') return undefined;
  const isDone = status === 'completed';
  // A support key reads states, and gets no result to wait for.
  if (isForSupport(job)) return isDone ? undefined : `ocr jobs get ${jobId}${serviceFlags(flags)}`;
  return `ocr jobs ${isDone ? 'result' : 'wait'} ${jobId}${serviceFlags(flags)}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : undefined;
}
