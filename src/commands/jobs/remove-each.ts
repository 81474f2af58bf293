import type { JobView } from '../../api/jobs/read-job.js';
import type { Context } from '../../context.js';
import { EXIT, type ExitCode } from '../../contract/exit-codes.js';
import { isGone, OcrError } from '../../contract/ocr-error.js';
import { isFinished } from '../../ledger/record.js';
import { combineExitCodes } from '../../submission-lifecycle/combine-exit-codes.js';
import { endIfGone } from '../../submission-lifecycle/note-state.js';
import { runInOrder } from '../../submission-lifecycle/run-in-order.js';
import { explainJob, type FoundJob, findJob } from './find-job.js';
import type { NamedJob } from './unfinished-jobs.js';

/** Jobs removed at once; a call is small. */
const CONCURRENCY = 16;

export interface RemoveOptions {
  /** Removes one job. @throws OcrError */
  remove(found: FoundJob): Promise<JobView>;
  /** Field of the JSON that says whether it was done. */
  done: 'cancelled' | 'deleted';
  /** Returns the note about it for people. */
  describe(job: JobView, jobId: string): string;
  /** Returns the note where a failure is none: the job had ended before. */
  excuse(error: OcrError, jobId: string): string | undefined;
}

interface Removed {
  jobId: string;
  job?: JobView | undefined;
  error?: OcrError | undefined;
}

/** Removes jobs and prints a line for each, in their order; the failure of one does not stop the others. */
export async function removeEach(context: Context, jobs: readonly NamedJob[], options: RemoveOptions): Promise<void> {
  const { output } = context;
  const compact = jobs.length > 1;
  const codes: ExitCode[] = [];
  await runInOrder<Removed>({
    count: jobs.length,
    concurrency: CONCURRENCY,
    maxWaitingWeight: Number.POSITIVE_INFINITY,
    work: async (index) => await removeOne(context, jobs[index] as NamedJob, options),
    weigh: () => 0,
    async deliver({ jobId, job, error }) {
      const excuse = error === undefined ? undefined : options.excuse(error, jobId);
      codes.push(error === undefined || excuse !== undefined ? EXIT.ok : error.exitCode);
      if (output.isJson)
        await output.json(await lineOf({ jobId, job, error: excuse === undefined ? error : undefined }, options.done), {
          compact,
        });
      else if (job !== undefined) output.note(options.describe(job, jobId));
      else if (excuse !== undefined) output.note(excuse);
      else if (error !== undefined) await context.report(error, { input: jobId, compact });
    },
    isAbandoned: () => false,
  });
  context.exitCode = combineExitCodes(codes);
}

async function removeOne(context: Context, { jobId, known }: NamedJob, options: RemoveOptions): Promise<Removed> {
  let found: FoundJob | undefined;
  try {
    found = await findJob(context, jobId, known);
    return { jobId, job: await options.remove(found) };
  } catch (error) {
    if (!(error instanceof OcrError) || context.signal.aborted) throw error;
    const record = found?.record ?? known;
    if (found?.record !== undefined && !isFinished(found.record))
      await endIfGone(found.api, await context.ledger(), found.record, error);
    // An id may be typed in part; scripts get it whole.
    return {
      jobId: found?.pending.jobId ?? jobId,
      error: isGone(error) ? await explainJob(context, error, record) : error,
    };
  }
}

async function lineOf({ jobId, job, error }: Removed, done: RemoveOptions['done']): Promise<Record<string, unknown>> {
  if (job !== undefined) {
    const { result: _, ...body } = job.body;
    return { jobId, ...body, [done]: true };
  }
  if (error === undefined) return { jobId, [done]: false };
  const { errorEnvelope } = await import('../../io/messages/error-text.js');
  return { jobId, ...errorEnvelope(error) };
}
