import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';
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
  for (const record of records) await ledger.forget(record);
  if (context.output.isJson) await context.output.json(records.map(({ jobId }) => ({ jobId, forgotten: true })));
}
