import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';
import { checkInput, type InputFile, openFile } from '../../io/input/input-file.js';
import type { Ledger } from '../../ledger/ledger.js';
import { inputNamesOf, type SubmissionRecord, statusOf } from '../../ledger/record.js';
import { findApi } from '../../submission-lifecycle/find-api.js';
import { findSentJob } from '../../submission-lifecycle/find-sent-job.js';

/** Uploads that a command did not see the answer of. */
export interface InterruptedUploads {
  /** Records of those that turned out to be jobs. */
  jobs: SubmissionRecord[];
  /** Records of those that may be jobs. */
  unknown: SubmissionRecord[];
}

/**
 * Finds the jobs of documents that had arrived when their commands were interrupted: each is sent again under its
 * Idempotency-Key, which gets the job. Of an upload that was cut, or whose command was killed, nobody knows whether it had
 * arrived: it is not sent only to be cancelled.
 */
export async function findInterruptedJobs(
  context: Context,
  isWanted: (record: SubmissionRecord) => boolean,
): Promise<InterruptedUploads> {
  const ledger = await context.ledger();
  const open = (await ledger.list({ unfinishedOnly: true })).reverse();
  const uploads = open.filter((record) => record.jobId === undefined && statusOf(record) === 'interrupted');
  const found: InterruptedUploads = { jobs: [], unknown: [] };
  let isAnswered = true;
  for (const record of uploads.filter(isWanted)) {
    try {
      const known = isAnswered ? await findAgain(context, ledger, record) : undefined;
      if (known === undefined) found.unknown.push(record);
      else if (known.jobId !== undefined) found.jobs.push(known);
    } catch (error) {
      if (!(error instanceof OcrError) || context.signal.aborted) throw error;
      context.output.debug(`the job of ${record.input.name} was not found: ${error.message}`);
      found.unknown.push(record);
      // A service that does not answer for one document would keep each of the others waiting as long.
      isAnswered = error.status !== undefined;
    }
  }
  return found;
}

/** Returns the record with what the upload became; undefined where that cannot be asked. @throws OcrError */
async function findAgain(
  context: Context,
  ledger: Ledger,
  record: SubmissionRecord,
): Promise<SubmissionRecord | undefined> {
  const { args } = record;
  // The values of secrets are not recorded.
  if (record.hasArrived !== true || Object.values(args).includes(null)) return undefined;
  const api = await findApi(context, record);
  const file = await findDocument(context, record);
  if (api === undefined || file === undefined) return undefined;
  await api.requireJobRemoval('cancel jobs');
  return (await findSentJob(api, ledger, record, { file, args })).record;
}

/** Finds the document where its command found it, unless it was changed. */
async function findDocument({ signal }: Context, record: SubmissionRecord): Promise<InputFile | undefined> {
  for (const name of inputNamesOf(record)) {
    const isFile = await checkInput(name).then(
      (found) => found.isFile() && found.size === record.input.sizeBytes,
      () => false,
    );
    if (!isFile) continue;
    const file = await openFile(name, signal);
    if (file.sha256 === record.input.sha256) return file;
  }
  return undefined;
}
