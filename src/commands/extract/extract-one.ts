import type { ApiClient } from '../../api/client.js';
import type { Pace } from '../../api/http/pace.js';
import type { Context } from '../../context.js';
import { serviceFlags } from '../../contract/command-words.js';
import { EXIT, type ExitCode } from '../../contract/exit-codes.js';
import { isGone, OcrError } from '../../contract/ocr-error.js';
import { formatClock } from '../../contract/time.js';
import { findOutput } from '../../functions/find-output.js';
import type { InputFile } from '../../io/input/input-file.js';
import { openInput } from '../../io/input/open-input.js';
import type { PlannedInput } from '../../io/input/planned-input.js';
import { type Rendered, render } from '../../io/output/deliver.js';
import { type OutputFile, writeOutputFile } from '../../io/output/output-file.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { SubmissionRecord } from '../../ledger/record.js';
import { findServiceFlags } from '../../settings/find-service-flags.js';
import { addHint } from '../../submission-lifecycle/add-hint.js';
import { follow, settle, stillRunning } from '../../submission-lifecycle/follow.js';
import type { Semaphore } from '../../submission-lifecycle/semaphore.js';
import {
  type BegunDocument,
  begin,
  isOfOther,
  type SubmitOptions,
  type SubmittedDocument,
  submit,
} from '../../submission-lifecycle/submit.js';
import type { ExtractArguments } from './arguments.js';
import { notSent, type Stop } from './stop.js';

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);
/** One document alone may be what breaks its connections: a large one that a proxy refuses, say. */
const UNHEARD_UNTIL_STOP = 3;

/** What every input of one command has in common. */
export interface Work extends ExtractArguments {
  context: Context;
  api: ApiClient;
  ledger: Ledger;
  functionId: string;
  profile: string;
  isAwaited: boolean;
  isFresh: boolean;
  waitTimeoutMs: number;
  isOneOfSeveral: boolean;
  /** With --json a line on standard output also for what is written to a file. */
  hasLines: boolean;
  failsFast: boolean;
  /** Why nothing more is sent. */
  stop: Stop;
  pace: Pace;
  semaphore: Semaphore;
  /** Settles when every document begun so far has been read, or could not be. */
  reading: Promise<void>;
  /** Uploads to come or under way by SHA-256: equal documents of one command are sent one after the other. */
  sending: Map<string, Promise<void>>;
  /** Records of documents of which nothing was sent yet. */
  unsent: Set<SubmissionRecord>;
  /** Whether the service has answered any upload. */
  isHeard: boolean;
  /** How many documents ended, after all retries, without an answer. */
  unheard: number;
}

export interface WorkItem extends PlannedInput {
  file: OutputFile | undefined;
  /** For a line of progress. */
  tell: (state: string) => void;
}

/** How one input ended, as small as it can be kept until its turn comes. */
export interface Ended {
  exitCode: ExitCode;
  /** What is still to be printed: a result, or a job that goes on. */
  rendered?: Rendered;
  /** To be reported. */
  error?: OcrError;
  /** Of the upload. */
  requestId?: string | undefined;
  /** The command ended before it was sent, or while it was. */
  isLeft?: boolean;
  /** Its job goes on, and nothing says so as a fault: nobody asked to wait for it, or its envelope says it. */
  isQueued?: boolean;
  /** Notes the end in the ledger, once what is printed is printed. */
  settle?: () => Promise<void>;
}

/**
 * Sends one document and follows it to its end. What goes wrong with it is how it ended. While it waits for its slot it
 * is read and written down, so that slots wait for the network alone.
 */
export async function extractOne(work: Work, item: WorkItem): Promise<Ended> {
  const turn = work.semaphore.acquire();
  const isHopeless = item.error !== undefined || work.stop.because !== undefined;
  const prepared = isHopeless ? undefined : prepare(work, item);
  // Thrown where it is awaited, in its turn.
  prepared?.catch(() => {});
  const release = await turn;
  try {
    if (work.stop.because !== undefined) throw notSent(work.stop.because);
    if (prepared === undefined) throw item.error;
    item.tell(item.pipeName === undefined ? 'reading' : 'waiting for the program that writes into this pipe to end');
    const ready = await prepared;
    const submitted = await send(work, ready);
    return await finish(work, item, submitted).catch(async (error: unknown) => {
      // The job of an earlier command is gone, its service's store lost perhaps; the document is still here.
      if (!submitted.isJoined || !(error instanceof OcrError) || !isGone(error)) throw error;
      const isFresh = isOfOther(submitted.record, work);
      return await finish(work, item, await sendAgain(work, { ...ready.options, isFresh }));
    });
  } catch (thrown) {
    if (!(thrown instanceof OcrError)) throw thrown;
    const { because } = work.stop;
    // Of several that were under way at once one says it.
    const error = because !== undefined && isSameForAll(thrown, because) ? notSent(because) : thrown;
    const isUnsent = error.code === 'NOT_SENT';
    // What was left unsent failed for the reason that stopped the others.
    const exitCode = isUnsent ? (because?.exitCode ?? error.exitCode) : error.exitCode;
    if (!isUnsent) {
      noteAnswer(work, error);
      if (work.failsFast || endsAll(work, error)) work.stop.call(error);
    }
    const isLeft = isUnsent || error === work.context.signal.reason;
    const { functionId, recordedArgs: args, context } = work;
    const sent = { input: item.input, function: functionId, args, flags: context.flags };
    return { exitCode, error: addHint(error, sent), isLeft };
  } finally {
    await prepared?.then(
      ({ dispose }) => dispose(),
      () => {},
    );
    release();
  }
}

/** A document that was read and written down. */
interface Prepared {
  options: SubmitOptions;
  begun: BegunDocument;
  /** Lets an equal document go on. */
  letGo(): void;
  /** Also removes what was made to read this one. */
  dispose(): Promise<void>;
}

/** Documents begin in order: of equal ones the later waits for the earlier, which gets its slot first. */
async function prepare(work: Work, item: WorkItem): Promise<Prepared> {
  const earlier = work.reading;
  const reading = read(work, item);
  work.reading = Promise.allSettled([earlier, reading]).then(() => {});
  const options = await reading;
  await earlier;
  const { file } = options;
  const before = work.sending.get(file.sha256);
  let end = () => {};
  const sent = new Promise<void>((resolve) => {
    end = resolve;
  });
  work.sending.set(file.sha256, sent);
  const letGo = () => {
    end();
    if (work.sending.get(file.sha256) === sent) work.sending.delete(file.sha256);
  };
  const dispose = async () => {
    letGo();
    await file.dispose();
  };
  try {
    await before;
    if (work.stop.because !== undefined) throw notSent(work.stop.because);
    const begun = await begin(work.api, work.ledger, options);
    if (!begun.isJoined) work.unsent.add(begun.record);
    return { options, begun, letGo, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function read(work: Work, item: WorkItem): Promise<ReadDocument> {
  const { io, signal } = work.context;
  const { tell } = item;
  return {
    file: await openInput(item, { stdin: io.stdin, signal }),
    input: item.input,
    function: work.functionId,
    args: work.args,
    recordedArgs: work.recordedArgs,
    profile: work.profile,
    isFresh: work.isFresh,
    isAsync: !work.isAwaited,
    onRetry: ({ message }, untilMs) => tell(`sending again at ${formatClock(untilMs)}: ${message}`),
    pace: {
      ...work.pace,
      async turn() {
        await work.pace.turn((untilMs) => tell(`waiting for the rate limit until ${formatClock(untilMs)}`));
        tell('sending');
      },
    },
  };
}

type ReadDocument = SubmitOptions & { file: InputFile };

async function send(work: Work, { options, begun, letGo }: Prepared): Promise<SubmittedDocument> {
  let isSent = false;
  const onSend = () => {
    isSent = true;
  };
  try {
    if (work.stop.because !== undefined) throw notSent(work.stop.because);
    work.unsent.delete(begun.record);
    const submitted = await submit(work.api, work.ledger, begun, { ...options, onSend }).catch(
      async (error: unknown) => {
        if (!isSent && !begun.isJoined) work.unsent.add(begun.record);
        if (!(error instanceof OcrError) || error.status !== 404 || !isGone(error)) throw error;
        throw error.with({ hint: await hintAtPath(work) });
      },
    );
    if (!submitted.isJoined) work.isHeard = true;
    return submitted;
  } finally {
    letGo();
  }
}

/** What to do where the service has nothing at the path of the function. */
async function hintAtPath({ api, context }: Work): Promise<string> {
  const { baseUrl } = await api.endpoint();
  const [, before] = /^(.+?[^/])\/v1(?:\/.*)?$/.exec(baseUrl) ?? [];
  return before === undefined
    ? `ocr functions list${serviceFlags(context.flags)}`
    : `The address of the service ends before /v1: ${before}`;
}

/** Without waiting for an equal document, which may wait for the slot that this one has. */
async function sendAgain({ api, ledger }: Work, options: SubmitOptions): Promise<SubmittedDocument> {
  return await submit(api, ledger, await begin(api, ledger, options), options);
}

/** Removes the records of documents that were prepared and will not be sent. `work` must have been stopped. */
export async function withdrawUnsent(work: Work): Promise<void> {
  for (const record of work.unsent) await work.ledger.withdraw(record).catch(() => {});
}

async function finish(work: Work, item: WorkItem, submitted: SubmittedDocument): Promise<Ended> {
  const { context, api, ledger } = work;
  const { io, output, signal } = context;
  const { input, file } = item;
  const { record } = submitted;
  const { requestId } = record;
  const { isOneOfSeveral } = work;
  const { functionId, hasLines: hasLine } = work;
  const to = { output, stdout: io.stdout, input, isOneOfSeveral, file, hasLine, functionId, findOutput };
  let { outcome } = submitted;
  if (outcome.state === 'pending' && work.isAwaited) {
    const { jobId } = outcome;
    item.tell(`${jobId} ${outcome.status}`);
    outcome = await follow(api, ledger, {
      pending: outcome,
      record,
      askedAs: work.profile,
      waitTimeoutMs: work.waitTimeoutMs,
      retryAfterMs: submitted.retryAfterMs,
      pollsAtOnce: submitted.isJoined,
      signal,
      tell: item.tell,
    });
  }
  if (outcome.state === 'pending') {
    const flags = findServiceFlags(record, await context.settings());
    const ended = work.isAwaited
      ? stillRunning(outcome, { waitTimeoutMs: work.waitTimeoutMs, signal, flags })
      : undefined;
    const exitCode = ended?.exitCode ?? EXIT.ok;
    if (ended !== undefined && !output.isJson) return { exitCode, error: ended };
    return { exitCode, requestId, isQueued: true, rendered: await render(outcome, to) };
  }
  const end = outcome;
  if (end.state === 'failed') {
    await settle(ledger, record, end);
    throw end.error;
  }
  const rendered = await render(end, to);
  const settled = async () => await settle(ledger, record, end);
  if (file === undefined || rendered.fileContent === undefined) {
    return { exitCode: EXIT.ok, requestId, rendered, settle: settled };
  }
  item.tell(`writing ${file.name}`);
  // It need not wait for its turn, and its content need not be kept.
  await writeOutputFile(file, rendered.fileContent, signal).catch((error: unknown) => {
    throw undelivered(error, requestId);
  });
  await settled();
  return { exitCode: EXIT.ok, requestId, rendered: { ...rendered, fileContent: undefined } };
}

/** Adds the reference of the upload to an output that could not be written. */
export function undelivered(error: unknown, requestId: string | undefined): unknown {
  if (!(error instanceof OcrError) || error.code !== 'OUTPUT_UNWRITABLE') return error;
  return error.with({ hint: 'Run the same command again with an output that can be written.', requestId });
}

/** Whether the service answered at all. */
function noteAnswer(work: Work, { status, exitCode }: OcrError): void {
  if (status !== undefined) work.isHeard = true;
  else if (exitCode === EXIT.unreachable) work.unheard++;
}

/** Whether every further document would end so too. */
function endsAll({ isHeard, unheard }: Work, error: OcrError): boolean {
  if (error.exitCode === EXIT.auth || isOfThisMachine(error) || isPermanent(error)) return true;
  return !isHeard && unheard >= UNHEARD_UNTIL_STOP;
}

/** What this machine cannot do for one document it can do for none: write its records, start its service, use a full disk. */
function isOfThisMachine({ code, cause }: OcrError): boolean {
  if (['STATE_UNWRITABLE', 'DATA_DIR_UNWRITABLE', 'LOCAL_UNAVAILABLE'].includes(code)) return true;
  return code === 'OUTPUT_UNWRITABLE' && FULL.has((cause as NodeJS.ErrnoException | undefined)?.code ?? '');
}

/** A name that no host has, a certificate, a redirect: nothing is sent by that way. */
function isPermanent({ code, status, retryable }: OcrError): boolean {
  if (code === 'UNREACHABLE') return !retryable;
  return code === 'BAD_RESPONSE' && status !== undefined && status >= 300 && status < 400;
}

function isSameForAll(error: OcrError, because: OcrError): boolean {
  const isOfAll = isOfThisMachine(error) || isPermanent(error);
  return isOfAll && error.code === because.code && error.message === because.message;
}
