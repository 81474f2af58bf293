import type { ApiClient } from '../../api/client.js';
import { createPace } from '../../api/http/pace.js';
import type { Context } from '../../context.js';
import type { Completed } from '../../contract/outcome.js';
import { type InputFile, openFile } from '../../io/input/input-file.js';
import type { SubmissionRecord } from '../../ledger/record.js';
import { findSentJob } from '../../submission-lifecycle/find-sent-job.js';
import { stillRunningError } from '../../submission-lifecycle/follow.js';
import { endIfGone, settle } from '../../submission-lifecycle/note-state.js';
import { recordDocument, submit } from '../../submission-lifecycle/submit.js';

export interface ReadRequest {
  /** The path to read. */
  path: string;
  /** The document's name in the ledger: the path as it was given. */
  name: string;
  functionId: string;
  args: Record<string, unknown>;
  /** Aborted when the caller cancels: its job is cancelled then too. */
  signal: AbortSignal;
  onProgress: (pagesDone: number, pageCount: number) => void;
}

/** Time for the calls that cancel a job, after its caller has gone. */
const CANCEL_TIMEOUT_MS = 10_000;

/** Sends a document as `ocr extract` does, with a record in the ledger, and follows it to its end. @throws OcrError */
export async function readThrough(context: Context, request: ReadRequest): Promise<Completed['body']> {
  const { signal } = request;
  const shared = await context.api();
  const api = shared.withSignal(signal);
  const file = await openFile(request.path, signal);
  const job: StartedJob = { record: undefined, jobId: undefined, isSent: false, isJoined: false };
  try {
    return await sendAndFollow(context, api, file, request, job);
  } catch (error) {
    if (signal.aborted) await cancelStarted(context, shared, file, request, job);
    throw error;
  }
}

/** How far a submission came. */
interface StartedJob {
  record: SubmissionRecord | undefined;
  jobId: string | undefined;
  /** True once bytes of the document were sent. */
  isSent: boolean;
  /** True for the job of an earlier command, which goes on. */
  isJoined: boolean;
}

async function sendAndFollow(
  context: Context,
  api: ApiClient,
  file: InputFile,
  { name, functionId, args, signal, onProgress }: ReadRequest,
  job: StartedJob,
): Promise<Completed['body']> {
  const [ledger, settings] = await Promise.all([context.ledger(), context.settings()]);
  const profile = settings.profile.value;
  const waitTimeoutMs = settings.waitTimeoutMs.value;
  const options = {
    file,
    input: name,
    function: functionId,
    args,
    recordedArgs: args,
    profile,
    isFresh: false,
    isAsync: false,
    pace: createPace({ clock: context.clock, signal, onStop: () => {} }),
    onSend: () => {
      job.isSent = true;
    },
  };
  const recorded = await recordDocument(api, ledger, options);
  Object.assign(job, recorded);
  const submitted = await submit(api, ledger, recorded, options);
  const { record } = submitted;
  let { outcome } = submitted;
  Object.assign(job, { record, isJoined: submitted.isJoined });
  if (outcome.state === 'pending') {
    job.jobId = outcome.jobId;
    const { jobId, requestId, status, statusUrl } = outcome;
    outcome = await api
      .wait({
        jobId,
        waitTimeoutMs,
        retryAfterMs: submitted.retryAfterMs,
        pollsImmediately: submitted.isJoined,
        known: { status, statusUrl, function: functionId, ...(requestId === undefined ? {} : { requestId }) },
        onPoll: ({ progress }) => progress && onProgress(progress.pagesDone, progress.pageCount),
      })
      .catch(async (error: unknown) => {
        await endIfGone(api, ledger, record, error, profile);
        throw error;
      });
  }
  if (outcome.state === 'pending') throw stillRunningError(outcome, { waitTimeoutMs, signal, flags: context.flags });
  await settle(ledger, record, outcome);
  if (outcome.state === 'failed') throw outcome.error;
  return outcome.body;
}

/** Cancels the job of a call that was cancelled, where the service can. */
async function cancelStarted(
  context: Context,
  shared: ApiClient,
  file: InputFile,
  { args }: ReadRequest,
  { record, jobId, isSent, isJoined }: StartedJob,
): Promise<void> {
  if (record === undefined || isJoined || !isSent) return;
  const api = shared.withSignal(AbortSignal.timeout(CANCEL_TIMEOUT_MS));
  try {
    const ledger = await context.ledger();
    const started = jobId === undefined ? (await findSentJob(api, ledger, record, { file, args })).record : record;
    if (started.jobId === undefined) return;
    await api.removeJob(started.jobId, { unfinishedOnly: true });
    const error = { code: 'CANCELLED', message: 'The call was cancelled', retryable: false };
    await ledger.finish(started, { status: 'failed', error });
  } catch (error) {
    context.output.debug(`the job of a cancelled call goes on: ${(error as Error).message}`);
  }
}
