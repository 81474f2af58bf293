import { createPace } from '../../api/http/pace.js';
import type { Context } from '../../context.js';
import { EXIT, type ExitCode } from '../../contract/exit-codes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { findOutput } from '../../functions/find-output.js';
import type { PlannedInput } from '../../io/input/planned-input.js';
import { print } from '../../io/output/deliver.js';
import { checkOutputFile, type OutputFile } from '../../io/output/output-file.js';
import { createProgress, type Progress } from '../../io/terminal/progress.js';
import { combineExitCodes } from '../../submission-lifecycle/combine-exit-codes.js';
import { runInOrder } from '../../submission-lifecycle/run-in-order.js';
import { createSemaphore } from '../../submission-lifecycle/semaphore.js';
import type { ExtractArguments } from './arguments.js';
import { type Ended, extractOne, undelivered, type Work, withdrawUnsent } from './extract-one.js';
import { createFunctionFinder, type FindFunction } from './function.js';
import { nameInputs, planInputs } from './inputs.js';
import { createStop } from './stop.js';

export interface ExtractOptions {
  /** Files, directories, or `-` for standard input. */
  inputs: string[];
  /** A file that names more, one a line; `-` for standard input. */
  filesFrom?: string;
  /** Its names end with NUL. */
  isNulSeparated: boolean;
  function?: string;
  /** `key=value` each. */
  assignments: string[];
  /** A JSON object, or `@` and the name of a file that holds one, `-` for standard input. */
  argsJson?: string;
  format?: 'text' | 'markdown';
  outFile?: string;
  outputDir?: string;
  isForced: boolean;
  /** What standard input is called. */
  name?: string;
  isAwaited: boolean;
  waitTimeoutMs?: number;
  isFresh: boolean;
  concurrency?: number;
  /** Sends nothing more after the first failure. */
  failsFast: boolean;
  /** Says what would be sent, and sends nothing. */
  isDryRun: boolean;
}

/** What is known before anything is sent. */
interface Plan extends ExtractArguments {
  inputs: PlannedInput[];
  /** One for each input, or none for standard output. */
  files: OutputFile[];
  functionId: string;
  findFunction: FindFunction;
}

/** Characters of results that wait for an earlier one. */
const MAX_WAITING_LENGTH = 32 * 1024 * 1024;
/** Of inputs whose jobs nobody waits for any more. */
const GOES_ON = new Set<ExitCode>([EXIT.pending, EXIT.interrupted, EXIT.terminated]);
/** What is kept of an input that waits for its turn, beside its text. */
const ENDED_LENGTH = 500;

/** Sends documents, several at once, and prints what came back in their order. One that fails does not stop the others. */
export async function extract(context: Context, options: ExtractOptions): Promise<void> {
  const names = await nameInputs(context, options);
  let plan: Plan;
  let work: Work | undefined;
  try {
    plan = await prepare(context, options, names);
    // Where nothing can be sent, no service is looked for, or started.
    const isNeeded = !options.isDryRun && plan.inputs.some(({ error }) => error === undefined);
    if (isNeeded) work = await createWork(context, options, plan);
  } catch (error) {
    // Nothing was sent; with --json each input has its line all the same.
    if (!(error instanceof OcrError) || !context.output.isJson || names.length === 0) throw error;
    for (const input of names) await context.report(error, { input, compact: names.length > 1 });
    context.exitCode = error.exitCode;
    return;
  }
  if (options.isDryRun) {
    const { dryRun } = await import('./dry-run.js');
    context.exitCode = await dryRun(context, { ...plan, isFresh: options.isFresh });
    return;
  }
  const { concurrency } = await context.settings();
  context.exitCode = await extractAll(context, plan, work, options.concurrency ?? concurrency.value);
}

async function prepare(context: Context, options: ExtractOptions, names: string[]): Promise<Plan> {
  const { outFile, outputDir, isForced } = options;
  if (outFile !== undefined && outputDir !== undefined) {
    throw new OcrError('USAGE', '--output and --output-dir cannot be used together');
  }
  if (outFile !== undefined && names.length > 1) throw tooMany();
  if (options.name !== undefined && !names.includes('-')) {
    throw new OcrError('USAGE', '--name is what standard input is called, which is none of the inputs', {
      hint: 'Name it: ocr extract -',
    });
  }
  const settings = await context.settings();
  const isToFile = outFile !== undefined && outFile !== '-';
  const file = isToFile ? await checkOutputFile(outFile, { isForced, inputs: names }) : undefined;
  const functionId = options.function ?? settings.function.value;
  const findFunction = createFunctionFinder(context, functionId, { mayStart: !options.isDryRun });
  const inputs = await planInputs(context, names, options.name ?? 'stdin', findFunction);
  if (outFile !== undefined && inputs.length > 1) throw tooMany();
  // A name with a slip in it costs no request, and starts no service.
  const isHopeless = inputs.every(({ error }) => error !== undefined);
  const form = isHopeless ? undefined : await findOutput(functionId);
  // A name that is none of ours may be a slip, which is not to cost an upload.
  if (!isHopeless && form === undefined && !options.isDryRun) await findFunction();
  const { assignments, argsJson } = options;
  const isMarkdown = (options.format ?? settings.format.value) === 'markdown';
  const hasArguments = assignments.length > 0 || argsJson !== undefined || isMarkdown;
  const isMarkdownWish = options.format === undefined;
  const sources = { functionId, findFunction, assignments, argsJson, isMarkdown, isMarkdownWish };
  // Without arguments neither the catalog is asked for nor what reads them loaded.
  const args =
    isHopeless || !hasArguments
      ? { args: {}, recordedArgs: {} }
      : await (await import('./arguments.js')).readArguments(context, sources);
  if (form?.isBinary === true && options.isAwaited && !options.isDryRun) {
    checkPlaceForBytes(context, options, { functionId, extension: form.extension, count: inputs.length });
  }
  let files = file === undefined ? [] : [file];
  if (outputDir !== undefined && !isHopeless) {
    const own = args.args.format === 'markdown' ? '.md' : (form?.extension ?? '.txt');
    const extension = context.output.isJson ? '.json' : own;
    const { planOutputTree } = await import('../../io/output/output-tree.js');
    files = await planOutputTree(inputs, { directory: outputDir, extension, isForced });
  }
  return { ...args, inputs, files, functionId, findFunction };
}

/** What cannot be printed is not sent to be printed. @throws OcrError USAGE */
function checkPlaceForBytes(
  { output, io }: Context,
  { outFile, outputDir }: ExtractOptions,
  { functionId, extension, count }: { functionId: string; extension: string; count: number },
): void {
  if (output.isJson || outputDir !== undefined) return;
  const name = `a file (${extension})`;
  if (count > 1) {
    throw new OcrError('USAGE', `${functionId} gives ${name} for each input; nothing was sent`, {
      hint: 'Use --output-dir <dir>.',
    });
  }
  if ((outFile === undefined || outFile === '-') && io.stdout.isTerminal) {
    throw new OcrError('USAGE', `${functionId} gives ${name}, which a terminal cannot show; nothing was sent`, {
      hint: 'Write it to a file: -o <file>',
    });
  }
}

async function createWork(context: Context, options: ExtractOptions, plan: Plan): Promise<Work> {
  const settings = await context.settings();
  const { functionId, args, recordedArgs, inputs } = plan;
  const stop = createStop();
  const api = await context.api();
  // The service is looked for while the first document is read; what comes of it is told where it is needed.
  api.endpoint().catch(() => {});
  return {
    context,
    functionId,
    args,
    recordedArgs,
    api,
    ledger: await context.ledger(),
    profile: settings.profile.value,
    isAwaited: options.isAwaited,
    isFresh: options.isFresh,
    waitTimeoutMs: options.waitTimeoutMs ?? settings.waitTimeoutMs.value,
    isOneOfSeveral: inputs.length > 1,
    hasLines: options.outputDir !== undefined,
    failsFast: options.failsFast,
    stop,
    pace: createPace({
      clock: context.clock,
      signal: AbortSignal.any([context.signal, stop.signal]),
      onEnd: stop.call,
    }),
    semaphore: createSemaphore(options.concurrency ?? settings.concurrency.value),
    reading: Promise.resolve(),
    sending: new Map(),
    unsent: new Set(),
    isHeard: false,
    unheard: 0,
  };
}

/** Without `work` every input has its fault already. */
async function extractAll(
  context: Context,
  { inputs, files }: Plan,
  work: Work | undefined,
  concurrency: number,
): Promise<ExitCode> {
  const { io, output, signal } = context;
  const compact = inputs.length > 1;
  const codes: ExitCode[] = [];
  const settling: Array<Promise<void>> = [];
  const unfinished: OcrError[] = [];
  let goesOn = false;
  let hasResults = false;
  const progress = createProgress(context);
  const tell = createTeller(progress, inputs);
  const stop = () => {
    work?.stop.call(signal.reason as OcrError);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    await runInOrder<Ended>({
      count: inputs.length,
      // As many again are read and written down while those before them are sent.
      concurrency: concurrency * 2,
      maxWaitingWeight: MAX_WAITING_LENGTH,
      async work(index) {
        const item = inputs[index] as PlannedInput;
        const state = (text: string) => tell.about(item.input, text);
        const ended =
          work === undefined ? faultOf(item) : await extractOne(work, { ...item, file: files[index], tell: state });
        tell.ended(item.input, ended.exitCode);
        return ended;
      },
      weigh: ({ rendered }) => ENDED_LENGTH + (rendered?.content.length ?? 0),
      async deliver({ exitCode, error, requestId, isLeft, isQueued, rendered, settle }, index) {
        codes.push(exitCode);
        if (isQueued === true || (GOES_ON.has(exitCode) && !isLeft)) goesOn = true;
        else if (exitCode === EXIT.ok) hasResults = true;
        const { input } = inputs[index] as PlannedInput;
        if (index === inputs.length - 1) await progress.stop();
        // For people one line speaks for all that were left; a script gets the line of each.
        if (isLeft && error !== undefined && compact && !output.isJson) unfinished.push(error);
        else if (error !== undefined) await progress.aside(() => context.report(error, { input, compact }));
        else if (rendered !== undefined) {
          await progress
            .aside(() => print(rendered, output))
            .catch((thrown: unknown) => {
              throw undelivered(thrown, requestId);
            });
        }
        // Also where the reader went away: it has had what it wanted.
        if (settle !== undefined) settling.push(settle());
      },
      isOver: () => io.stdout.isClosed,
    });
  } finally {
    signal.removeEventListener('abort', stop);
    await progress.stop();
    if (work !== undefined) {
      // Whoever read the results went away: what waits for its turn is not to be sent.
      if (io.stdout.isClosed) work.stop.call(new OcrError('NOT_SENT', 'Nobody reads the results any more'));
      await withdrawUnsent(work);
    }
    await Promise.all(settling);
  }
  const [first] = unfinished;
  if (first !== undefined)
    await context.report(leftUnsent(work?.stop.because ?? first, unfinished.length, { inputs, files }));
  // What resumes a job prints its result; only the same command knows its file.
  else if (files.length > 0 && goesOn) output.note(adviseOnFiles(hasResults, work?.isAwaited !== false));
  return combineExitCodes(codes);
}

/** `hasResults`: files of some of them exist already. */
function adviseOnFiles(hasResults: boolean, isAwaited: boolean): string {
  const how = [...(isAwaited ? [] : ['without --no-wait']), ...(hasResults ? ['with --force'] : [])];
  return `For results in files, run the same command again${how.map((word) => ` ${word}`).join(' and')}.`;
}

function leftUnsent(because: OcrError, count: number, { inputs, files }: Pick<Plan, 'inputs' | 'files'>): OcrError {
  // Of what is done the files exist.
  const how = files.length > 0 ? ' with --force' : '';
  return new OcrError('NOT_SENT', `${count} of ${inputs.length} inputs were left unsent: ${because.message}`, {
    hint: `Run the same command again${how} to go on.`,
  });
}

function faultOf({ error }: PlannedInput): Ended {
  const fault = error ?? new OcrError('BUG', 'An input without a service to send it to');
  return { exitCode: fault.exitCode, error: fault };
}

interface Teller {
  about(input: string, state: string): void;
  ended(input: string, code: ExitCode): void;
}

/** Updates the progress line: the state of a single input, or how many of several are done. */
function createTeller(progress: Progress, inputs: readonly PlannedInput[]): Teller {
  let [done, failed] = [0, 0];
  const total = inputs.length;
  const show = (last: string) => {
    const count = `${done} of ${total} done${failed > 0 ? `, ${failed} failed` : ''}`;
    progress.update(total === 1 ? last : `${count} · ${last}`);
  };
  return {
    about: (input, state) => show(`${input}: ${state}`),
    ended(input, code) {
      done++;
      if (code !== EXIT.ok && code !== EXIT.pending) failed++;
      show(input);
    },
  };
}

function tooMany(): OcrError {
  return new OcrError('USAGE', '--output takes one input', { hint: 'Several results go to a directory: --output-dir' });
}
