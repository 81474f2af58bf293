import type { Context } from '../../context.js';
import type { DocumentState } from '../../contract/document-state.js';
import { EXIT, type ExitCode } from '../../contract/exit-codes.js';
import { CLIENT_ERRORS, hasReaderGone, OcrError } from '../../contract/ocr-error.js';
import type { ListedInput } from '../../io/input/listed-input.js';
import { print } from '../../io/output/deliver.js';
import type { BatchProgress } from '../../io/terminal/batch-progress.js';
import { createProgress, type Progress } from '../../io/terminal/progress.js';
import { combineExitCodes, isFailure } from '../../submission-lifecycle/combine-exit-codes.js';
import { runInOrder } from '../../submission-lifecycle/run-in-order.js';
import { createSilenceNotes } from '../../submission-lifecycle/silence-notes.js';
import { extractOne } from './extract-one.js';
import { addUploadReference } from './finish.js';
import { type ExtractPlan, isOneOfSeveral, loadSkippedLines } from './plan.js';
import type { Batch, InputOutcome } from './request.js';
import type { Tally } from './tally.js';

/** Characters of results that wait for an earlier one. */
const MAX_WAITING_LENGTH = 32 * 1024 * 1024;
/** Estimated characters of an outcome that waits for its turn, without its text. */
const OUTCOME_LENGTH = 500;
/** Exit codes of inputs whose job continues on the server. */
const STILL_RUNNING = new Set<ExitCode>([EXIT.pending, EXIT.interrupted, EXIT.terminated]);

/** Extracts every input of a plan and prints the outcomes in order. Without a batch every input has its error already. */
export async function runBatch(
  context: Context,
  plan: Pick<ExtractPlan, 'inputs' | 'skipped' | 'existingCount' | 'takesExisting' | 'files' | 'outputDir'>,
  batch: Batch | undefined,
  concurrency: number,
): Promise<ExitCode> {
  const { inputs, files } = plan;
  const { io, output } = context;
  const compact = isOneOfSeveral(plan, output);
  const skippedLines = await loadSkippedLines(plan, output, compact);
  const codes: ExitCode[] = [];
  const settling: Array<Promise<void>> = [];
  const unsent: OcrError[] = [];
  const resumable: Resumable[] = [];
  let isStillRunning = false;
  let hasResults = false;
  const progress = createProgress(context);
  const batchProgress = await showBatchProgress(context, progress, inputs.length);
  const tally = await openTally(context, plan);
  const onRateLimit = createRateLimitNote(progress, output);
  const noteSilence = createSilenceNotes({
    isShown: progress.isShown,
    waitTimeoutMs: batch?.request.waitTimeoutMs ?? 0,
    print: (line) => output.note(line),
  });
  // Files are written, and documents sent, for whoever comes later.
  if (files.length === 0 && batch?.request.isAwaited === true) context.endWithReader();
  try {
    await runInOrder<InputOutcome>({
      count: inputs.length,
      // Each slot has a second document, which is read and recorded while the first is sent.
      concurrency: concurrency * 2,
      maxWaitingWeight: MAX_WAITING_LENGTH,
      async work(index) {
        const item = inputs[index] as ListedInput;
        const onState = (state: DocumentState) => batchProgress?.note(index, item.input, state);
        const outcome =
          batch === undefined
            ? outcomeOf(item)
            : await extractOne(batch, {
                ...{ ...item, file: files[index], onState, onRateLimit },
                onSilence: (words) => noteSilence(batch.request.profile, item.input, words),
              });
        tally?.count(outcome);
        if (!STILL_RUNNING.has(outcome.exitCode)) batchProgress?.countEnded(index, isFailure(outcome.exitCode));
        return outcome;
      },
      weigh: ({ rendered }) => OUTCOME_LENGTH + (rendered?.content.length ?? 0),
      async deliver(
        { exitCode, error, requestId, isLeftUnsent, isCancelled, isQueued, rendered, settle, resume },
        index,
      ) {
        codes.push(exitCode);
        if (resume !== undefined) resumable.push(resume);
        if (isQueued === true || (STILL_RUNNING.has(exitCode) && !isLeftUnsent && !isCancelled)) isStillRunning = true;
        else if (exitCode === EXIT.ok) hasResults = true;
        const { input } = inputs[index] as ListedInput;
        if (index === inputs.length - 1) await progress.stop();
        await skippedLines?.printBefore(index);
        // For people one line speaks for all unsent inputs; a script gets the line of each.
        if (isLeftUnsent && error !== undefined && compact && !output.isJson) unsent.push(error);
        else {
          if (rendered !== undefined) {
            try {
              await progress.pauseFor(() => print(rendered, output));
            } catch (thrown) {
              if (thrown !== context.signal.reason) throw addUploadReference(thrown, requestId);
              // The same command prints it again: it does not count as printed.
              codes.push(context.signal.reason.exitCode);
              return await progress.pauseFor(() => context.report(context.signal.reason, { input, compact }));
            }
          }
          // With --json the line of a result has its error.
          if (error !== undefined && !(output.isJson && rendered !== undefined))
            await progress.pauseFor(() => context.report(error, { input, compact }));
        }
        // A reader that went away has had what it wanted: its results are settled too.
        if (settle !== undefined) settling.push(settle());
      },
      isAbandoned: () => io.stdout.isClosed,
    });
    await skippedLines?.printBefore();
  } finally {
    await progress.stop();
    if (batch !== undefined) {
      // The reader of the results went away: documents that wait for their turn must not be sent.
      if (io.stdout.isClosed) batch.state.stop(new OcrError('NOT_SENT', CLIENT_ERRORS.READER_GONE.meaning));
      await batch.state.withdrawUnsent(batch.connections.ledger);
    }
    await Promise.all(settling);
  }
  if (hasReaderGone(context.signal)) return EXIT.ok;
  tally?.print(plan);
  const [first] = unsent;
  const cancel = context.signal.aborted && inputs.length > 1 ? await adviseOnCancelling(resumable) : undefined;
  if (first !== undefined) {
    const because = batch?.state.stopReason ?? first;
    const how = batch?.state.hasCutUpload === true ? 'unsent or without an answer' : 'unsent';
    await context.report(
      leftUnsent(because, `${unsent.length} of ${inputs.length} inputs were left ${how}`, plan, cancel),
    );
  } else if (files.length > 0 && isStillRunning) {
    // `jobs wait` prints the result of a job; only the same command knows its file.
    if (cancel !== undefined) output.note(cancel);
    output.note(adviseOnFiles(hasResults && !plan.takesExisting, batch?.request.isAwaited !== false));
  } else if (inputs.length > 1 && resumable.length > 0) await context.report(await stillRunning(resumable, cancel));
  return codes.length === 0 && plan.existingCount === 0 ? EXIT.usage : combineExitCodes(codes);
}

type Resumable = NonNullable<InputOutcome['resume']>;

/** Ids that a line names; a command with more is hard to copy. */
const MAX_RESUMED = 8;

/** Says once for all jobs how to come back to them. */
async function stillRunning(jobs: readonly Resumable[], cancel: string | undefined): Promise<OcrError> {
  const { resumeLine } = await import('../../submission-lifecycle/follow.js');
  const flags = findCommonFlags(jobs);
  const resume =
    flags === undefined ? 'Run the same command again to go on.' : resumeLine(flags, ...jobs.map(({ jobId }) => jobId));
  return new OcrError('JOB_PENDING', `${jobs.length === 1 ? '1 job is' : `${jobs.length} jobs are`} still running`, {
    hint: cancel === undefined ? resume : `${resume}\n${cancel}`,
  });
}

/** Says how to cancel the jobs that go on after an interrupt; undefined when there are none. */
async function adviseOnCancelling(jobs: readonly Resumable[]): Promise<string | undefined> {
  if (jobs.length === 0) return undefined;
  const { cancelCommand, cancelLine } = await import('../../submission-lifecycle/follow.js');
  const flags = findCommonFlags(jobs);
  if (flags !== undefined) return cancelLine(flags, ...jobs.map(({ jobId }) => jobId));
  return `Cancel every unfinished job of this machine: ${cancelCommand(jobs[0]?.flags ?? {}, '--all')}`;
}

/** Returns the flags of the one command that can name all jobs, if there is one. */
function findCommonFlags(jobs: readonly Resumable[]): Resumable['flags'] | undefined {
  const [first] = jobs;
  const isOneCommand =
    jobs.length <= MAX_RESUMED && jobs.every(({ flags }) => JSON.stringify(flags) === JSON.stringify(first?.flags));
  return isOneCommand ? first?.flags : undefined;
}

/** @param needsForce some of the files exist already, and the command would refuse them */
function adviseOnFiles(needsForce: boolean, isAwaited: boolean): string {
  const how = [...(isAwaited ? [] : ['without --no-wait']), ...(needsForce ? ['with --force'] : [])];
  return `For results in files, run the same command again${how.map((word) => ` ${word}`).join(' and')}.`;
}

function leftUnsent(
  because: OcrError,
  what: string,
  { files, takesExisting }: Pick<ExtractPlan, 'files' | 'takesExisting'>,
  cancel: string | undefined,
): OcrError {
  // The files of finished inputs exist.
  const how = files.length > 0 && !takesExisting ? ' with --force' : '';
  const goOn = `Run the same command again${how} to go on.`;
  return new OcrError('NOT_SENT', `${what}: ${because.message}`, {
    hint: cancel === undefined ? goOn : `${cancel}\n${goOn}`,
  });
}

function outcomeOf({ error }: ListedInput): InputOutcome {
  const fault = error ?? new OcrError('BUG', 'An input without a service to send it to');
  return { exitCode: fault.exitCode, error: fault };
}

/** Shows the documents on the line of progress; loaded only where there is one. */
async function showBatchProgress(
  { clock }: Context,
  progress: Progress,
  total: number,
): Promise<BatchProgress | undefined> {
  if (!progress.isShown) return undefined;
  const { createBatchProgress } = await import('../../io/terminal/batch-progress.js');
  return createBatchProgress(progress, { total, clock });
}

/** Counts for the summary of several inputs on a terminal. A script counts lines and reads the exit code. */
async function openTally(
  context: Context,
  { inputs, skipped }: Pick<ExtractPlan, 'inputs' | 'skipped'>,
): Promise<Tally | undefined> {
  const { io, output } = context;
  if (!io.stderr.isTerminal || output.isQuiet || output.isJson || inputs.length + skipped.length < 2) return undefined;
  return (await import('./tally.js')).createTally(context);
}

/** Says once, where no line of progress does, that the service limits the rate: a silent command looks stuck. */
function createRateLimitNote(progress: Progress, output: Context['output']): (words: string) => void {
  let isSaid = progress.isShown;
  return (words) => {
    if (!isSaid) output.note(`${words.charAt(0).toUpperCase()}${words.slice(1)}`);
    isSaid = true;
  };
}
