import type { ExitCode } from '../../contract/exit-codes.js';
import { OcrError } from '../../contract/ocr-error.js';
import type { Pending } from '../../contract/outcome.js';
import type { SubmissionRecord } from '../../ledger/record.js';
import { findServiceFlags } from '../../settings/find-service-flags.js';
import { cancelJob } from '../../submission-lifecycle/cancel-job.js';
import { cancelLine, resumeLine } from '../../submission-lifecycle/follow.js';
import type { Connections, InputOutcome } from './request.js';

/** Cancels the job of an interrupted command. Where that fails, the job goes on, and the error says so. */
export async function cancelInterrupted(
  { lastCalls, ledger, signal, settings }: Connections,
  record: SubmissionRecord,
  { jobId }: Pending,
): Promise<InputOutcome> {
  const exitCode: ExitCode = (signal.reason as OcrError).exitCode;
  const { requestId } = record;
  try {
    await cancelJob(lastCalls(), ledger, jobId, record);
    const error = new OcrError('CANCELLED', `Job ${jobId} was cancelled`, { requestId, exitCode, retryable: false });
    return { exitCode, requestId, error, isCancelled: true };
  } catch (failure) {
    const flags = findServiceFlags(record, await settings());
    const { code } = signal.reason as OcrError;
    if (failure instanceof OcrError && failure.code === 'JOB_FINISHED') {
      const message = `Job ${jobId} had ended before it could be cancelled. ${resumeLine(flags, jobId)}`;
      return { exitCode, requestId, error: new OcrError(code, message, { requestId }), isCancelled: true };
    }
    const reason = failure instanceof OcrError ? failure.message : 'the service did not answer in time';
    const message = `Job ${jobId} could not be cancelled and goes on: ${reason}. ${resumeLine(flags, jobId)}`;
    const error = new OcrError(code, message, { requestId, hint: cancelLine(flags, jobId) });
    return { exitCode, requestId, error };
  }
}
