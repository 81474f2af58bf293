import { busy, stateOfJob } from '../../contract/document-state.js';
import { EXIT } from '../../contract/exit-codes.js';
import { hasReaderGone, OcrError } from '../../contract/ocr-error.js';
import type { Completed, Pending } from '../../contract/outcome.js';
import { findOutput } from '../../functions/find-output.js';
import { type DeliverOptions, render } from '../../io/output/deliver.js';
import { settle } from '../../submission-lifecycle/note-state.js';
import type { SubmittedDocument } from '../../submission-lifecycle/submit.js';
import type { Batch, BatchItem, InputOutcome } from './request.js';

/** Follows a submitted document to its end and renders its result; writes the result's file. @throws OcrError */
export async function finish(batch: Batch, item: BatchItem, submitted: SubmittedDocument): Promise<InputOutcome> {
  const { request, connections } = batch;
  const { record } = submitted;
  let { outcome } = submitted;
  if (outcome.state === 'pending' && request.isAwaited) {
    const { follow } = await import('../../submission-lifecycle/follow.js');
    item.onState(stateOfJob(outcome.status));
    outcome = await follow(connections.api, connections.ledger, {
      pending: outcome,
      record,
      askedAs: request.profile,
      waitTimeoutMs: request.waitTimeoutMs,
      shared: batch.state.progress,
      retryAfterMs: submitted.retryAfterMs,
      pollsAtOnce: submitted.isJoined,
      signal: connections.signal,
      onState: item.onState,
      onSilence: item.onSilence,
    });
  }
  if (outcome.state === 'pending') return await concludePending(batch, item, submitted, outcome);
  if (outcome.state === 'failed') {
    await settle(connections.ledger, record, outcome);
    throw outcome.error;
  }
  return await concludeCompleted(batch, item, submitted, outcome);
}

async function concludePending(
  batch: Batch,
  item: BatchItem,
  { record }: SubmittedDocument,
  pending: Pending,
): Promise<InputOutcome> {
  const { request, connections } = batch;
  const { output, signal } = connections;
  const [{ findServiceFlags }, { stillRunningError }] = await Promise.all([
    import('../../settings/find-service-flags.js'),
    import('../../submission-lifecycle/follow.js'),
  ]);
  if (request.cancelsOnInterrupt && signal.aborted && !hasReaderGone(signal)) {
    const { cancelInterrupted } = await import('./cancel-interrupted.js');
    return await cancelInterrupted(connections, record, pending);
  }
  const flags = findServiceFlags(record, await connections.settings());
  const error = request.isAwaited
    ? stillRunningError(pending, {
        waitTimeoutMs: request.waitTimeoutMs,
        signal,
        flags,
        isOneOfSeveral: request.isOneOfSeveral,
      })
    : undefined;
  const exitCode = error?.exitCode ?? EXIT.ok;
  if (error !== undefined && !output.isJson) return { exitCode, error, resume: { jobId: pending.jobId, flags } };
  const rendered = await render(pending, deliverOptions(batch, item));
  return { exitCode, requestId: record.requestId, isQueued: true, rendered };
}

async function concludeCompleted(
  batch: Batch,
  item: BatchItem,
  { record }: SubmittedDocument,
  completed: Completed,
): Promise<InputOutcome> {
  const { ledger, signal } = batch.connections;
  const { file } = item;
  const { requestId } = record;
  const judged = judgeConfidence(completed, batch.request.minConfidence, item.input);
  if (judged instanceof OcrError) batch.state.noteComplaint(judged);
  const complaint = judged instanceof OcrError ? judged : undefined;
  const pageCount = pageCountOf(completed);
  const printed = await render(completed, { ...deliverOptions(batch, item), complaint });
  const rendered = typeof judged === 'string' ? { ...printed, notes: [...printed.notes, judged] } : printed;
  const { fileContent } = rendered;
  // --skip-existing finds no file of such a document.
  const known = Array.isArray(fileContent) && fileContent.length === 0 ? { wroteNothing: true } : {};
  const settled = async () => await settle(ledger, record, completed, known);
  const ended = complaint === undefined ? { exitCode: EXIT.ok } : { exitCode: complaint.exitCode, error: complaint };
  if (file === undefined || rendered.fileContent === undefined) {
    return { ...ended, requestId, pageCount, rendered, settle: settled };
  }
  item.onState(busy(`writing ${file.name}`));
  const { writeOutputFile } = await import('../../io/output/output-file.js');
  // The file need not wait for its turn, and its content need not be kept.
  await writeOutputFile(rendered.file ?? file, rendered.fileContent, signal).catch((error: unknown) => {
    throw addUploadReference(error, requestId);
  });
  await settled();
  return { ...ended, requestId, pageCount, rendered: { ...rendered, fileContent: undefined } };
}

/** Returns the number of pages that were read; 0 where the service does not say. */
function pageCountOf({ body }: Completed): number {
  const { pageCount } = (body.meta ?? {}) as { pageCount?: unknown };
  return typeof pageCount === 'number' ? pageCount : 0;
}

/** Returns the complaint about a document of low confidence, or a remark where the service says none. Null passes: nothing was recognised. */
function judgeConfidence({ body }: Completed, min: number | undefined, input: string): OcrError | string | undefined {
  if (min === undefined) return undefined;
  const { confidence } = (body.meta ?? {}) as { confidence?: unknown };
  if (confidence === undefined) return `${input}: the service gives no confidence, so --min-confidence was not applied`;
  if (typeof confidence !== 'number' || confidence >= min) return undefined;
  const { requestId } = body;
  return new OcrError('LOW_CONFIDENCE', `${input} was read with a confidence of ${confidence}, which is below ${min}`, {
    requestId: typeof requestId === 'string' ? requestId : undefined,
  });
}

function deliverOptions({ request, connections }: Batch, { input, file }: BatchItem): DeliverOptions {
  const { io, output } = connections;
  const { isOneOfSeveral, filesHoldJson, functionId } = request;
  return { output, stdout: io.stdout, input, isOneOfSeveral, file, filesHoldJson, functionId, findOutput };
}

/** Adds the upload's request id to the error of an output that cannot be written. */
export function addUploadReference(error: unknown, requestId: string | undefined): unknown {
  if (!(error instanceof OcrError) || error.code !== 'OUTPUT_UNWRITABLE') return error;
  return error.with({ hint: 'Run the same command again with an output that can be written.', requestId });
}
