import type { Context } from '../../context.js';
import { countOf } from '../../contract/count-of.js';
import { OcrError } from '../../contract/ocr-error.js';
import { type SubmissionRecord, statusOf } from '../../ledger/record.js';
import { findSubmission, isSelected } from '../../submission-lifecycle/choose-record.js';

export interface ForgetOptions {
  requestIds: string[];
  /** True for every interrupted upload, which may have no request id. */
  areInterrupted: boolean;
}

/** Removes requests from this machine's ledger. The log of the service stays as it is. */
export async function forget(context: Context, { requestIds, areInterrupted }: ForgetOptions): Promise<void> {
  const { output } = context;
  const ledger = await context.ledger();
  const known = await ledger.list();
  const service = await context.activeService();
  const named = requestIds.map((id) => findSubmission(ledger, 'requestId', id, service) ?? missing(id));
  const isNamed = (record: SubmissionRecord) =>
    named.some(({ requestId, serverId }) => requestId === record.requestId && serverId === record.serverId);
  const isInterrupted = (record: SubmissionRecord) =>
    areInterrupted && isSelected(record, service) && statusOf(record) === 'interrupted';
  const wanted = known.filter((record) => isNamed(record) || isInterrupted(record));
  for (const record of wanted) await ledger.forget(record);
  if (!output.isJson)
    return output.note(`Removed ${wanted.length} of ${countOf(known.length, 'record')} of this machine.`);
  await output.json(wanted.map(({ requestId = null, input }) => ({ requestId, input: input.name, forgotten: true })));
}

function missing(requestId: string): never {
  throw new OcrError('NOT_FOUND', `This machine has no record of request ${requestId}; nothing was removed`, {
    status: 404,
    hint: 'List what it sent: ocr requests list',
  });
}
