import type { SharedProgress } from '../../api/jobs/wait-deadline.js';
import type { Context } from '../../context.js';
import type { DocumentState } from '../../contract/document-state.js';
import { EXIT, type ExitCode } from '../../contract/exit-codes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { findOutput } from '../../functions/find-output.js';
import { print, type Rendered, render } from '../../io/output/deliver.js';
import { createBatchProgress } from '../../io/terminal/batch-progress.js';
import { createProgress } from '../../io/terminal/progress.js';
import type { SubmissionRecord } from '../../ledger/record.js';
import { findServiceFlags } from '../../settings/find-service-flags.js';
import { isSelected } from '../../submission-lifecycle/choose-record.js';
import { combineExitCodes, isFailure } from '../../submission-lifecycle/combine-exit-codes.js';
import { follow, stillRunningError } from '../../submission-lifecycle/follow.js';
import { settle } from '../../submission-lifecycle/note-state.js';
import { HeldUpItems, runInOrder } from '../../submission-lifecycle/run-in-order.js';
import { createSilenceNotes } from '../../submission-lifecycle/silence-notes.js';
import { explainJob, findJob } from './find-job.js';
import { findUnfinishedJobs, type NamedJob } from './unfinished-jobs.js';

export interface WaitOptions {
  jobIds: string[];
  /** True for every unfinished job of this machine's ledger. */
  isAll: boolean;
  /** Longest time without progress, from the start of the command for all of them. */
  waitTimeoutMs?: number;
}

/** Jobs followed at once; a poll is small. */
const CONCURRENCY = 64;
/** Characters of results that wait for an earlier one. */
const MAX_WAITING_LENGTH = 32 * 1024 * 1024;
/** Estimated characters of an outcome that waits for its turn, without its text. */
const OUTCOME_LENGTH = 500;

interface JobOutcome {
  exitCode: ExitCode;
  /** Name in errors. */
  name: string;
  rendered?: Rendered;
  error?: OcrError;
  settle?: () => Promise<void>;
}

/**
 * Follows jobs to their end, each on its own schedule, and prints their results in the order given, as extract does. With
 * `isAll` nobody gave an order: a job whose service does not answer holds no other back.
 */
export async function wait(context: Context, options: WaitOptions): Promise<void> {
  const { io, output, clock } = context;
  const settings = await context.settings();
  const jobs: NamedJob[] = options.isAll
    ? await unfinishedJobs(context)
    : [...new Set(options.jobIds)].map((jobId) => ({ jobId }));
  if (jobs.length === 0) output.note('There are no unfinished jobs.');
  const waitTimeoutMs = options.waitTimeoutMs ?? settings.waitTimeoutMs.value;
  const shared: SharedProgress = { latestMs: clock.monotonicMs() };
  const codes: ExitCode[] = [];
  const settling: Array<Promise<void>> = [];
  const total = jobs.length;
  const compact = total > 1;
  const progress = createProgress(context);
  const batchProgress = createBatchProgress(progress, { total, clock });
  const heldUp = new HeldUpItems();
  context.endWithReader();
  const noteSilence = createSilenceNotes({
    isShown: progress.isShown,
    waitTimeoutMs,
    print: (line) => output.note(line),
  });
  const noteState = (index: number, name: string, state: DocumentState) => {
    batchProgress.note(index, name, state);
    if (state.phase !== 'held-up') return heldUp.delete(index);
    noteSilence(jobs[index]?.known?.serverId, name, state.words);
    if (options.isAll) heldUp.add(index);
  };
  try {
    await runInOrder<JobOutcome>({
      count: total,
      concurrency: CONCURRENCY,
      maxWaitingWeight: MAX_WAITING_LENGTH,
      async work(index) {
        const onState = (name: string, state: DocumentState) => noteState(index, name, state);
        const how = { shared, waitTimeoutMs, isOneOfSeveral: compact, onState };
        const outcome = await waitForOne(context, jobs[index] as NamedJob, how);
        batchProgress.countEnded(index, isFailure(outcome.exitCode));
        return outcome;
      },
      weigh: ({ rendered }) => OUTCOME_LENGTH + (rendered?.content.length ?? 0),
      async deliver({ exitCode, name, error, rendered, settle }) {
        codes.push(exitCode);
        if (codes.length === total) await progress.stop();
        if (error !== undefined) await progress.pauseFor(() => context.report(error, { input: name, compact }));
        else if (rendered !== undefined) await progress.pauseFor(() => print(rendered, output));
        // A reader that went away has had what it wanted: its results are settled too.
        if (settle !== undefined) settling.push(settle());
      },
      isAbandoned: () => io.stdout.isClosed,
      heldUp,
    });
  } finally {
    await progress.stop();
    await Promise.all(settling);
  }
  context.exitCode = combineExitCodes(codes);
}

interface WaitForOneOptions {
  shared: SharedProgress;
  waitTimeoutMs: number;
  isOneOfSeveral: boolean;
  onState: (name: string, state: DocumentState) => void;
}

/** Follows one job to its end. A failure of the job is its outcome. */
async function waitForOne(
  context: Context,
  { jobId, known }: NamedJob,
  options: WaitForOneOptions,
): Promise<JobOutcome> {
  const { io, output, signal } = context;
  const { waitTimeoutMs, isOneOfSeveral, shared, onState } = options;
  let name = jobId;
  let sent: SubmissionRecord | undefined;
  try {
    const { record, pending, api } = await findJob(context, jobId, known);
    sent = record;
    name = record?.input.name ?? jobId;
    const ledger = await context.ledger();
    const outcome = await follow(api, ledger, {
      pending,
      record,
      waitTimeoutMs,
      countsFromMs: shared.latestMs,
      shared,
      pollsAtOnce: true,
      signal,
      onState: (state) => onState(name, state),
    });
    const functionId = record?.function;
    const to = { output, stdout: io.stdout, input: name, isOneOfSeveral, file: undefined, functionId, findOutput };
    if (outcome.state === 'pending') {
      // A job of another machine has no record: this command's flags reach its service.
      const flags = record === undefined ? context.flags : findServiceFlags(record, await context.settings());
      const error = stillRunningError(outcome, { waitTimeoutMs, signal, flags });
      const { exitCode } = error;
      // The error names the job instead of the input.
      return output.isJson ? { exitCode, name, rendered: await render(outcome, to) } : { exitCode, name: jobId, error };
    }
    if (outcome.state === 'failed') {
      if (record !== undefined) await settle(ledger, record, outcome);
      throw outcome.error;
    }
    const rendered = await render(outcome, to);
    if (record === undefined) return { exitCode: EXIT.ok, name, rendered };
    return { exitCode: EXIT.ok, name, rendered, settle: async () => await settle(ledger, record, outcome) };
  } catch (error) {
    if (!(error instanceof OcrError)) throw error;
    return { exitCode: error.exitCode, name, error: await explainJob(context, error, sent) };
  }
}

/** Returns the oldest jobs first: they are the likeliest to be done. */
async function unfinishedJobs(context: Context): Promise<NamedJob[]> {
  const service = await context.activeService();
  return await findUnfinishedJobs(context, (record) => isSelected(record, service));
}
