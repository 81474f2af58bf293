import type { Context } from '../../context.js';
import type { SubmissionRecord } from '../../ledger/record.js';

export interface ListOptions {
  unfinishedOnly: boolean;
}

/** The jobs that this machine submitted, as the ledger knows them; no service is asked. */
export async function list(context: Context, { unfinishedOnly }: ListOptions): Promise<void> {
  const records = await (await context.ledger()).list({ unfinishedOnly });
  const jobs = records.flatMap((record) => (record.jobId === undefined ? [] : [describe(record, record.jobId)]));
  if (context.output.isJson) return await context.output.json(jobs);
  if (jobs.length === 0) context.output.note('No jobs. Queue a document: ocr extract --no-wait <file>');
  else {
    const rows = jobs.map((job) => [job.jobId, job.status, job.function, job.createdAt, job.input]);
    await context.output.table(['Job', 'Status', 'Function', 'Submitted', 'Input'], rows);
  }
}

function describe(record: SubmissionRecord, jobId: string) {
  const { status, input, serverId, profile, requestId, createdAt, finishedAt, error } = record;
  return {
    jobId,
    status,
    function: record.function,
    input: input.name,
    sha256: input.sha256,
    profile,
    server: serverId,
    requestId: requestId ?? null,
    createdAt,
    finishedAt: finishedAt ?? null,
    ...(error === undefined ? {} : { error }),
  };
}
