import { serviceFlags } from '../../contract/command-words.js';
import { busy, heldUp } from '../../contract/document-state.js';
import { hasReaderGone, isGone, OcrError } from '../../contract/ocr-error.js';
import { formatClock } from '../../contract/time.js';
import type { InputFile } from '../../io/input/input-file.js';
import { openInput } from '../../io/input/open-input.js';
import {
  type RecordedDocument,
  recordDocument,
  type SubmitOptions,
  type SubmittedDocument,
  submit,
} from '../../submission-lifecycle/submit.js';
import type { Batch, BatchItem, Connections } from './request.js';

/** A document that is read and recorded. */
export interface PreparedDocument {
  options: SubmitOptions;
  recorded: RecordedDocument;
  /** Lets an equal document go on. */
  releaseUpload(): void;
  /** Also removes temporary copies of the document. */
  dispose(): Promise<void>;
}

type ReadDocument = SubmitOptions & { file: InputFile };

/** Reads and records a document. Documents begin in order: of equal ones the earlier gets its slot first. */
export async function prepare(batch: Batch, item: BatchItem): Promise<PreparedDocument> {
  const { connections, state } = batch;
  const options = await state.readInOrder(read(batch, item));
  const { file } = options;
  const { earlier, release: releaseUpload } = state.claimUpload(file.sha256);
  const dispose = async () => {
    releaseUpload();
    await file.dispose();
  };
  try {
    await earlier;
    state.throwIfStopped();
    const recorded = await recordDocument(connections.api, connections.ledger, options);
    if (!recorded.isJoined) state.markUnsent(recorded.record);
    return { options, recorded, releaseUpload, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function read({ request, connections, state }: Batch, item: BatchItem): Promise<ReadDocument> {
  const { io, signal } = connections;
  const { onState } = item;
  return {
    file: await openInput(item, { stdin: io.stdin, signal }),
    input: item.input,
    function: request.functionId,
    args: request.args,
    recordedArgs: request.recordedArgs,
    profile: request.profile,
    isFresh: request.isFresh,
    isAsync: !request.isAwaited,
    onRetry: ({ message }, untilMs) => onState(heldUp(`sending again at ${formatClock(untilMs)}: ${message}`)),
    pace: {
      ...state.pace,
      async waitTurn() {
        await state.pace.waitTurn((untilMs) => {
          const words = `waiting for the rate limit until ${formatClock(untilMs)}`;
          onState(heldUp(words));
          item.onRateLimit(words);
        });
        onState(busy('sending'));
      },
    },
  };
}

/** Sends a prepared document, or joins its unfinished job. @throws OcrError */
export async function send(
  batch: Batch,
  { options, recorded, releaseUpload }: PreparedDocument,
): Promise<SubmittedDocument> {
  const { connections, state } = batch;
  const { api, ledger } = connections;
  let isSent = false;
  let hasArrived = false;
  const onSend = () => {
    isSent = true;
  };
  const onSent = () => {
    hasArrived = true;
  };
  try {
    state.throwIfStopped();
    state.markSending(recorded.record);
    const submitted = await submit(api, ledger, recorded, { ...options, onSend, onSent }).catch(
      async (error: unknown) => {
        if (!isSent && !recorded.isJoined) state.markUnsent(recorded.record);
        if (isSent && connections.signal.aborted) state.hasCutUpload = true;
        const interrupted = hasArrived ? await findInterrupted(batch, recorded, options) : undefined;
        if (interrupted !== undefined) return interrupted;
        if (!(error instanceof OcrError)) throw error;
        if (error.code === 'UNSUPPORTED_MEDIA_TYPE') throw await advise(connections, error, options);
        if (error.status !== 404 || !isGone(error)) throw error;
        throw error.with({ hint: await hintAtPath(connections) });
      },
    );
    if (!submitted.isJoined) state.noteAnswer();
    return submitted;
  } finally {
    releaseUpload();
  }
}

/**
 * Finds the job of a document that was sent whole when the command was interrupted, so that it can be cancelled. Of an upload
 * that was cut there is none: the service drops what it has when the connection ends.
 */
async function findInterrupted(
  { request, connections }: Batch,
  { record, isJoined }: RecordedDocument,
  options: SubmitOptions,
): Promise<SubmittedDocument | undefined> {
  const { signal, ledger, lastCalls } = connections;
  if (!request.cancelsOnInterrupt || !signal.aborted || hasReaderGone(signal) || isJoined) return undefined;
  const { findSentJob } = await import('../../submission-lifecycle/find-sent-job.js');
  const found = await findSentJob(lastCalls(), ledger, record, options).catch(() => undefined);
  if (found?.outcome.state !== 'pending') return undefined;
  return { ...found, retryAfterMs: undefined, isJoined: false };
}

async function advise({ output }: Connections, error: OcrError, { file, input }: SubmitOptions): Promise<OcrError> {
  const { adviseOnType } = await import('../../io/input/advise-on-type.js');
  return await adviseOnType(error, { path: file.path, input, isJson: output.isJson });
}

/** Sends a document once more. It does not wait for an equal document, which may wait for the slot that this one has. */
export async function sendAgain({ connections }: Batch, options: SubmitOptions): Promise<SubmittedDocument> {
  const { api, ledger } = connections;
  return await submit(api, ledger, await recordDocument(api, ledger, options), options);
}

/** Returns the next step when the service has nothing at the function's path. */
async function hintAtPath({ api, flags }: Connections): Promise<string> {
  const { baseUrl } = await api.endpoint();
  const [, root] = /^(.+?[^/])\/v1(?:\/.*)?$/.exec(baseUrl) ?? [];
  return root === undefined
    ? `ocr functions list${serviceFlags(flags)}`
    : `The address of the service ends before /v1: ${root}`;
}
