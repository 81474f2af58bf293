import { resolve } from 'node:path';
import type { ApiClient } from '../../api/client.js';
import type { Context } from '../../context.js';
import { quote, serviceFlags } from '../../contract/command-words.js';
import { type DocumentState, stateOfJob } from '../../contract/document-state.js';
import { OcrError } from '../../contract/ocr-error.js';
import { openFile } from '../../io/input/input-file.js';
import { nameInput } from '../../io/messages/error-text.js';
import { inputNamesOf, type SubmissionRecord } from '../../ledger/record.js';
import { findSubmission } from '../../submission-lifecycle/choose-record.js';
import { findApi } from '../../submission-lifecycle/find-api.js';
import { pendingOf } from '../../submission-lifecycle/submit.js';
import { followToEnd } from './follow-to-end.js';
import type { OpenOptions } from './options.js';
import { referencesOf, type Source } from './source.js';

/** A job, and the record of this machine that it was sent by. */
interface KnownJob {
  jobId: string;
  record: SubmissionRecord | undefined;
  api: ApiClient;
}

/** Ids of the contract (sections Success response and Queued response), by their prefix. */
const JOB_ID = /^job_/i;
const REQUEST_ID = /^req_/i;

/**
 * Finds the result of a job or a request, of this machine or of the service in use. Returns undefined for a word that is no id.
 * @throws OcrError for an id whose result cannot be had
 */
export async function findResult(
  context: Context,
  options: OpenOptions,
  onState: (state: DocumentState) => void,
): Promise<Source | undefined> {
  const { id } = options;
  const ledger = await context.ledger();
  const active = await context.activeService();
  const record = findSubmission(ledger, 'jobId', id, active) ?? findSubmission(ledger, 'requestId', id, active);
  if (record === undefined && !JOB_ID.test(id) && !REQUEST_ID.test(id)) return undefined;
  const job = record === undefined ? await findElsewhere(context, id) : await findByRecord(context, id, record);
  const { jobId, api } = job;
  const pending = pendingOf(record, jobId);
  onState(stateOfJob(pending.status));
  const { body } = await followToEnd(context, {
    api,
    record,
    outcome: pending,
    retryAfterMs: undefined,
    isJoined: true,
    waitTimeoutMs: options.waitTimeoutMs ?? (await context.settings()).waitTimeoutMs.value,
    onState,
  }).catch((error: unknown) => {
    throw error instanceof OcrError ? nameInput(error, record?.input.name) : error;
  });
  const functionId = typeof body.function === 'string' ? body.function : (record?.function ?? '');
  return {
    name: record?.input.name ?? id,
    functionId,
    result: body.result,
    ...referencesOf(body, record ?? { jobId }),
    key: jobId,
    ...(await findDocument(record, context.signal)),
    notes: [],
    // The result of this job is not delivered by a page: `jobs wait` still prints it.
    async settle() {},
    async dispose() {},
  };
}

async function findByRecord(context: Context, id: string, record: SubmissionRecord): Promise<KnownJob> {
  const api = await findApi(context, record);
  if (api === undefined) {
    throw new OcrError('USAGE', `${id} was sent to ${record.serverId}, which is not the service in use`, {
      hint: 'Set OCR_BASE_URL and OCR_API_KEY, or --profile, to that service.',
    });
  }
  const jobId = record.jobId ?? (await findJobOf(api, record.requestId ?? id));
  if (jobId !== undefined) return { jobId, record, api };
  // An answer without a job is kept nowhere; the document may still be here.
  throw new OcrError('NOT_FOUND', `The answer to ${id} came at once and was not kept`, {
    status: 404,
    hint: `ocr open${serviceFlags(context.flags)} ${quote(record.input.name)}`,
  });
}

async function findElsewhere(context: Context, id: string): Promise<KnownJob> {
  const api = await context.api();
  const jobId = JOB_ID.test(id) ? id : await findJobOf(api, id);
  if (jobId !== undefined) return { jobId, record: undefined, api };
  throw new OcrError('NOT_FOUND', `This machine has no record of request ${id}, and the service names no job of it`, {
    status: 404,
    hint: 'Ask another service with --profile or --base-url, or list what this machine sent: ocr requests list',
  });
}

/** Returns the job of a request as the log of the service has it; undefined where there is no log or no job. */
async function findJobOf(api: ApiClient, requestId: string): Promise<string | undefined> {
  const entry = await api.getRequest(requestId);
  return typeof entry?.jobId === 'string' ? entry.jobId : undefined;
}

/** Finds the document that was sent, by its bytes. Its names are as they were typed, so it is looked for from here. */
async function findDocument(
  record: SubmissionRecord | undefined,
  signal: AbortSignal,
): Promise<Pick<Source, 'path' | 'absence'>> {
  if (record === undefined) return { path: undefined, absence: 'this machine did not send the document' };
  const names = inputNamesOf(record).filter((name) => name !== '-' && name !== 'stdin');
  let absence: string | undefined;
  for (const name of names) {
    const path = resolve(name);
    const reason = await findAbsence(path, name, record.input.sha256, signal);
    if (reason === undefined) return { path };
    absence ??= reason;
  }
  return { path: undefined, absence: absence ?? 'the document came on standard input' };
}

/** Returns the reason that a file is not the document; undefined for the document. */
async function findAbsence(
  path: string,
  name: string,
  sha256: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const file = await openFile(path, signal);
    return file.sha256 === sha256 ? undefined : `${name} has changed since it was sent`;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OcrError)) throw error;
    return error.code === 'FILE_NOT_FOUND' ? `there is no ${name} here any more` : error.message;
  }
}
