import { isForSupport, outcomeOf } from '../../api/jobs/outcome-of.js';
import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';
import { findOutput } from '../../functions/find-output.js';
import { nameInput } from '../../io/messages/error-text.js';
import { deliver } from '../../io/output/deliver.js';
import { checkOutputFile } from '../../io/output/output-file.js';
import { settle } from '../../submission-lifecycle/note-state.js';
import { explainJob, fetchJob, findJob } from './find-job.js';

export interface ResultOptions {
  jobId: string;
  outFile?: string;
  isForced: boolean;
}

/** Prints the result of a job as extract does; a job that is not done ends with exit code 3. */
export async function result(context: Context, { jobId: askedJobId, outFile, isForced }: ResultOptions): Promise<void> {
  const { output, io, signal } = context;
  const file =
    outFile === undefined || outFile === '-' ? undefined : await checkOutputFile(outFile, { isForced, inputs: [] });
  const found = await findJob(context, askedJobId);
  const job = await fetchJob(context, found);
  const { record, pending } = found;
  const { jobId, requestId, statusUrl, status } = pending;
  const outcome = outcomeOf(job, jobId, {
    status,
    statusUrl,
    ...(requestId === undefined ? {} : { requestId }),
    ...(record === undefined ? {} : { function: record.function }),
  });
  const input = record?.input.name ?? jobId;
  const functionId = record?.function;
  const to = { output, stdout: io.stdout, input, isOneOfSeveral: false, file, functionId, findOutput };
  if (outcome.state === 'pending') {
    const wait = isForSupport(job) ? '' : `. Wait: ocr jobs wait ${jobId}`;
    const error = new OcrError('JOB_PENDING', `Job ${jobId} is still ${outcome.status}${wait}`);
    if (!output.isJson) throw error;
    await deliver(outcome, { ...to, file: undefined }, signal);
    context.exitCode = error.exitCode;
    return;
  }
  if (outcome.state === 'completed') await deliver(outcome, to, signal);
  const isUnfinished = record !== undefined && record.finishedAt === undefined;
  if (isUnfinished) await settle(await context.ledger(), record, outcome);
  if (outcome.state === 'failed') throw nameInput(await explainJob(context, outcome.error, record), record?.input.name);
}
