import type { Context } from '../../context.js';
import { quote } from '../../contract/command-words.js';
import { isTerminal } from '../../contract/envelopes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { isFinished, type SubmissionRecord } from '../../ledger/record.js';
import { findServiceFlags } from '../../settings/find-service-flags.js';
import { cancelCommand } from '../../submission-lifecycle/follow.js';
import { findRecord } from './find-job.js';

export interface ForgetOptions {
  jobIds: string[];
}

/** Removes jobs from this machine's ledger. The service keeps them as long as it does without this. */
export async function forget(context: Context, { jobIds }: ForgetOptions): Promise<void> {
  const ledger = await context.ledger();
  const records = [];
  for (const jobId of jobIds) {
    const record = await findRecord(context, jobId);
    if (record === undefined) {
      throw new OcrError('JOB_NOT_FOUND', `Job ${jobId} was not submitted from this machine; nothing was removed`, {
        hint: 'List its jobs: ocr jobs list',
      });
    }
    records.push(record);
  }
  const settings = await context.settings().catch(() => undefined);
  for (const record of records) {
    await ledger.forget(record);
    context.output.note(`Removed ${record.jobId} from the record of this machine`);
    if (isUnfinished(record)) {
      const cancel = cancelCommand(findServiceFlags(record, settings), quote(record.jobId ?? ''));
      context.output.note(
        `Job ${record.jobId} was ${record.status} when it was last heard of, and goes on. Cancel it: ${cancel}`,
      );
    }
  }
  if (context.output.isJson)
    await context.output.json(
      records.map((record) => ({
        jobId: record.jobId,
        forgotten: true,
        ...(isUnfinished(record) ? { unfinished: true } : {}),
      })),
    );
}

/** True when the job has not ended as far as this machine knows. */
function isUnfinished(record: SubmissionRecord): boolean {
  return !isFinished(record) && !isTerminal(record.status);
}
