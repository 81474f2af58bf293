import type { ApiClient } from '../api/client.js';
import type { Context } from '../context.js';
import { EXIT, type ExitCode } from '../contract/exit-codes.js';
import { OcrError } from '../contract/ocr-error.js';
import { deliver } from '../io/deliver.js';
import { lookAtInput, openInput, openStandardInput } from '../io/input-file.js';
import { checkOutputFile, type OutputFile } from '../io/output-file.js';
import { createProgress, type Progress } from '../io/progress.js';
import type { Ledger } from '../ledger/ledger.js';
import { combineExitCodes } from '../submissions/combine-exit-codes.js';
import { follow, settle, stillRunning } from '../submissions/follow.js';
import { type SubmittedDocument, submit } from '../submissions/submit.js';
import { type ExtractArguments, readArguments } from './extract-arguments.js';

export interface ExtractOptions {
  /** Files, or `-` for standard input. */
  inputs: string[];
  function?: string;
  /** `key=value` each. */
  assignments: string[];
  /** A JSON object, or `@` and the name of a file that holds one. */
  argsJson?: string;
  format?: 'text' | 'markdown';
  outFile?: string;
  isForced: boolean;
  /** What standard input is called. */
  name?: string;
  isAwaited: boolean;
  waitTimeoutMs?: number;
  isFresh: boolean;
}

/** What every input of one command has in common. */
interface Work extends ExtractArguments {
  context: Context;
  options: ExtractOptions;
  api: ApiClient;
  ledger: Ledger;
  functionId: string;
  profile: string;
  waitTimeoutMs: number;
  outFile: OutputFile | undefined;
}

/** Sends documents, one after the other, and prints what came back. One that fails does not stop the others. */
export async function extract(context: Context, options: ExtractOptions): Promise<void> {
  const { inputs } = options;
  const compact = inputs.length > 1;
  let work: Work;
  try {
    work = await prepare(context, options);
  } catch (error) {
    // Nothing was sent; with --json each input has its line all the same.
    if (!(error instanceof OcrError) || !context.output.isJson) throw error;
    for (const input of inputs) await context.report(error, { input, compact });
    context.exitCode = error.exitCode;
    return;
  }
  const codes: ExitCode[] = [];
  let stopped: OcrError | undefined;
  for (const input of inputs) {
    if (context.io.stdout.isClosed) break;
    if (stopped !== undefined) {
      if (context.output.isJson) await context.report(notSent(stopped), { input, compact });
      codes.push(stopped.exitCode);
      continue;
    }
    try {
      const ended = await extractOne(work, input);
      codes.push(ended?.exitCode ?? EXIT.ok);
      if (context.signal.aborted) stopped = ended;
    } catch (error) {
      if (!(error instanceof OcrError)) throw error;
      await context.report(error, { input, compact });
      codes.push(error.exitCode);
      if (context.signal.aborted || error.exitCode === EXIT.auth) stopped = error;
    }
  }
  context.exitCode = combineExitCodes(codes);
}

async function prepare(context: Context, options: ExtractOptions): Promise<Work> {
  const { outFile, inputs, isForced } = options;
  if (outFile !== undefined && inputs.length > 1) {
    throw new OcrError('USAGE', '--output takes one input', { hint: 'Run the command once for each.' });
  }
  const settings = await context.settings();
  const file = outFile === undefined || outFile === '-' ? undefined : await checkOutputFile(outFile, { isForced });
  // A name with a slip in it is found before a service is started for it.
  if (inputs.length === 1 && inputs[0] !== '-') await lookAtInput(inputs[0] ?? '');
  const functionId = options.function ?? settings.function.value;
  const api = await context.api();
  const args = await readArguments(context, {
    api,
    functionId,
    assignments: options.assignments,
    argsJson: options.argsJson,
    isMarkdown: (options.format ?? settings.format.value) === 'markdown',
  });
  return {
    ...args,
    context,
    options,
    api,
    ledger: await context.ledger(),
    functionId,
    profile: settings.profile.value,
    waitTimeoutMs: options.waitTimeoutMs ?? settings.waitTimeoutMs.value,
    outFile: file,
  };
}

/** Returns how it ended where the job goes on without us. */
async function extractOne(work: Work, input: string): Promise<OcrError | undefined> {
  const { context, options } = work;
  const { io, output, signal } = context;
  const progress = createProgress({ isShown: io.stderr.isTerminal && !output.isQuiet && !output.isJson });
  progress.update(`${input}: reading`);
  try {
    const submitted = await send(work, input, progress);
    const { record } = submitted;
    const isOneOfSeveral = options.inputs.length > 1;
    const to = { output, stdout: io.stdout, input, isOneOfSeveral, file: work.outFile };
    let { outcome } = submitted;
    if (outcome.state === 'pending' && options.isAwaited) {
      const { jobId } = outcome;
      progress.update(`${input}: ${jobId} ${outcome.status}`);
      outcome = await follow(work.api, work.ledger, {
        pending: outcome,
        record,
        waitTimeoutMs: work.waitTimeoutMs,
        retryAfterMs: submitted.retryAfterMs,
        pollsAtOnce: submitted.isJoined,
        signal,
        onPoll({ status, progress: pages }) {
          const done = pages === undefined ? '' : `, ${pages.pagesDone} of ${pages.pageCount} pages`;
          progress.update(`${input}: ${jobId} ${status}${done}`);
        },
      });
    }
    await progress.stop();
    if (outcome.state === 'pending') {
      const ended = options.isAwaited ? stillRunning(outcome, work.waitTimeoutMs, signal) : undefined;
      if (ended === undefined || output.isJson) await deliver(outcome, to);
      else await context.report(ended);
      return ended;
    }
    if (outcome.state === 'completed') await deliver(outcome, to);
    await settle(work.ledger, record, outcome);
    if (outcome.state === 'failed') throw outcome.error;
    return undefined;
  } finally {
    await progress.stop();
  }
}

async function send(work: Work, input: string, progress: Progress): Promise<SubmittedDocument> {
  const { context, options, api, ledger } = work;
  const { io, signal } = context;
  const file = await (input === '-' ? openStandardInput(io.stdin, options.name, signal) : openInput(input, signal));
  try {
    progress.update(`${input}: sending`);
    return await submit(api, ledger, {
      file,
      input,
      function: work.functionId,
      args: work.args,
      recordedArgs: work.recordedArgs,
      profile: work.profile,
      isFresh: options.isFresh,
      isAsync: !options.isAwaited,
    });
  } finally {
    await file.dispose();
  }
}

function notSent(because: OcrError): OcrError {
  return new OcrError('NOT_SENT', `Not sent: ${because.message}`, { cause: because });
}
