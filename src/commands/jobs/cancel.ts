import type { Context } from '../../context.js';
import { extractCommand, quote, serviceFlags } from '../../contract/command-words.js';
import { isTerminal } from '../../contract/envelopes.js';
import { isGone, OcrError } from '../../contract/ocr-error.js';
import type { SubmissionRecord } from '../../ledger/record.js';
import { findServiceFlags } from '../../settings/find-service-flags.js';
import { cancelJob } from '../../submission-lifecycle/cancel-job.js';
import { isSelected } from '../../submission-lifecycle/choose-record.js';
import { findInterruptedJobs } from './find-interrupted.js';
import { removeEach } from './remove-each.js';
import { findUnfinishedJobs, type NamedJob } from './unfinished-jobs.js';

export interface CancelOptions {
  jobIds: string[];
  /** True for every unfinished job that this machine sent to the service in use. */
  isAll: boolean;
}

/** Cancels unfinished jobs. A job that has ended keeps its result; it is a failure, except with `isAll`. */
export async function cancel(context: Context, { jobIds, isAll }: CancelOptions): Promise<void> {
  const { jobs, unknown } = isAll
    ? await findUnfinished(context)
    : { jobs: [...new Set(jobIds)].map((jobId) => ({ jobId })), unknown: [] };
  if (jobs.length + unknown.length === 0) context.output.note('There are no unfinished jobs.');
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
  if (unknown.length > 0) await reportUnknown(context, unknown);
}

interface Unfinished {
  jobs: NamedJob[];
  /** Uploads that may have become jobs. */
  unknown: SubmissionRecord[];
}

/** Finds the jobs of the ledger that may be unfinished at the service in use, also those whose answers did not arrive. */
async function findUnfinished(context: Context): Promise<Unfinished> {
  const service = { ...(await context.activeService()), serverId: await context.serverId(), isNamed: true };
  const isWanted = (record: SubmissionRecord) => !isTerminal(record.status) && isSelected(record, service);
  const known = await findUnfinishedJobs(context, isWanted);
  const { jobs, unknown } = await findInterruptedJobs(context, isWanted);
  const found = jobs.map((record) => ({ jobId: record.jobId ?? '', known: record }));
  return { jobs: [...known, ...found], unknown };
}

/** Commands that the advice prints; more would fill the screen. */
const MAX_COMMANDS = 10;

/** Says which uploads may have become jobs, and how to find those. */
async function reportUnknown(
  { output, flags, settings }: Context,
  unknown: readonly SubmissionRecord[],
): Promise<void> {
  const active = await settings();
  const commands = unknown.map((record) =>
    extractCommand({ ...record, input: record.input.name, flags: findServiceFlags(record, active), isAsync: true }),
  );
  if (output.isJson) {
    for (const [i, { input }] of unknown.entries())
      await output.json({ input: input.name, cancelled: false, next: commands[i] }, { compact: true });
    return;
  }
  const shown = commands.slice(0, MAX_COMMANDS).map((command) => `  ${command}`);
  if (commands.length > shown.length) shown.push(`  and ${commands.length - shown.length} more`);
  const one = unknown.length === 1;
  output.note(
    `${one ? '1 upload was' : `${unknown.length} uploads were`} interrupted before the answer, and may go on as ${one ? 'a job' : 'jobs'}. To find ${one ? 'it' : 'them'}, then cancel once more:`,
  );
  for (const line of shown) output.note(line);
  output.note(`Or leave what was interrupted as it is: ocr requests forget --interrupted${serviceFlags(flags)}`);
}
