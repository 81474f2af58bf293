import type { Context } from '../../context.js';
import { isGone, OcrError } from '../../contract/ocr-error.js';
import { inputNamesOf, type SubmissionRecord, statusOf } from '../../ledger/record.js';
import { adviseOn } from '../../submission-lifecycle/add-hint.js';

/** Bound on the requests of an answer. */
const MAX_FOUND = 20;
/** Shortest part of a SHA-256 that is looked for. */
const MIN_DIGEST_LENGTH = 6;

/**
 * Finds requests by an id, a part of a file name or a SHA-256: in this machine's ledger, newest first, or else, by its id,
 * at the service.
 * @throws OcrError NOT_FOUND
 */
export async function findRequests(context: Context, query: string): Promise<Record<string, unknown>> {
  const records = await (await context.ledger()).list();
  const wanted = query.trim().toLowerCase();
  const found = records.filter((record) => matches(record, wanted));
  if (found.length > 0) {
    return {
      requests: found.slice(0, MAX_FOUND).map(describe),
      ...(found.length > MAX_FOUND ? { omitted: found.length - MAX_FOUND } : {}),
    };
  }
  const entry = /^req_/i.test(wanted) ? await askService(context, query.trim()) : undefined;
  if (entry !== undefined) return { requests: [{ source: 'service', ...entry }] };
  throw new OcrError('NOT_FOUND', `Nothing was sent from this machine that matches ${JSON.stringify(query)}`, {
    status: 404,
    hint: 'Give a request id (req_…), a job id (job_…), a part of a file name, or a SHA-256.',
  });
}

function matches({ requestId = '', jobId = '', input }: SubmissionRecord, wanted: string): boolean {
  const digest = wanted.replace(/^sha256:/, '');
  return (
    requestId.toLowerCase() === wanted ||
    jobId.toLowerCase() === wanted ||
    isPrefix(wanted, requestId) ||
    isPrefix(wanted, jobId) ||
    (/^[0-9a-f]+$/.test(digest) && digest.length >= MIN_DIGEST_LENGTH && input.sha256.startsWith(digest)) ||
    inputNamesOf({ input }).some((name) => name.toLowerCase().includes(wanted))
  );
}

/** True for the beginning of an id that has more than its kind. */
function isPrefix(wanted: string, id: string): boolean {
  return /^(?:req|job)_./.test(wanted) && id.toLowerCase().startsWith(wanted);
}

function describe(record: SubmissionRecord): Record<string, unknown> {
  const {
    requestId = null,
    jobId = null,
    input,
    createdAt,
    finishedAt = null,
    httpStatus = null,
    error,
    meta,
  } = record;
  const advice = error === undefined ? undefined : adviseOn(error.code, error.message);
  return {
    source: 'ledger',
    requestId,
    jobId,
    status: statusOf(record),
    createdAt,
    finishedAt,
    input,
    function: record.function,
    args: record.args,
    httpStatus,
    error: error ?? null,
    pageCount: meta?.pageCount ?? null,
    cached: meta?.cached ?? null,
    ...(advice === undefined ? {} : { whatToDo: advice }),
  };
}

async function askService(context: Context, requestId: string): Promise<Record<string, unknown> | undefined> {
  const api = await context.api();
  return await api.getRequest(requestId).catch((error: unknown) => {
    if (error instanceof OcrError && isGone(error)) return undefined;
    throw error;
  });
}
