import type { ApiClient } from '../../api/client.js';
import type { JobView } from '../../api/jobs/read-job.js';
import type { Context } from '../../context.js';
import { quote } from '../../contract/command-words.js';
import { isGone, OcrError } from '../../contract/ocr-error.js';
import type { Pending } from '../../contract/outcome.js';
import { isFinished, type SubmissionRecord } from '../../ledger/record.js';
import { findServiceFlags } from '../../settings/find-service-flags.js';
import { addHint } from '../../submission-lifecycle/add-hint.js';
import { findSubmission } from '../../submission-lifecycle/choose-record.js';
import { findApi } from '../../submission-lifecycle/find-api.js';
import { endIfGone, isOfOtherKey, noteStatus } from '../../submission-lifecycle/note-state.js';
import { pendingOf } from '../../submission-lifecycle/submit.js';

export interface FoundJob {
  /** Undefined when another machine submitted it. */
  record: SubmissionRecord | undefined;
  pending: Pending;
  /** The client of the job's service. */
  api: ApiClient;
}

/** Adds the next command to the error of a job. */
export async function explainJob(
  context: Context,
  error: OcrError,
  record: SubmissionRecord | undefined,
): Promise<OcrError> {
  const { profile } = context.flags;
  if (record !== undefined && isGone(error) && profile !== undefined && profile !== record.profile) {
    return error.with({
      hint: `It was sent as profile ${quote(record.profile)}: name that one, or leave out --profile.`,
    });
  }
  if (record !== undefined && isGone(error)) {
    // To send the document again would be wrong: the job may be there, as another organisation's.
    const api = await findApi(context, record, { reachesEveryService: true });
    if (api !== undefined && (await isOfOtherKey(api, record)))
      return error.with({
        hint: 'It was sent with another key. If that is the key of another organisation, set OCR_API_KEY to it.',
      });
  }
  if (record !== undefined) {
    const flags = findServiceFlags(record, await context.settings());
    return addHint(error, { ...record, input: record.input.name, flags });
  }
  // The file of a job that another machine sent is not here.
  if (!isGone(error)) return error;
  return error.with({
    hint: 'Ask another service with --profile or --base-url, or list the jobs of this machine: ocr jobs list',
  });
}

/** Asks for a job's state once and notes it in the ledger. @throws OcrError with the next command */
export async function fetchJob(context: Context, { record, pending, api }: FoundJob): Promise<JobView> {
  const open = record === undefined || isFinished(record) ? undefined : record;
  const ledger = await context.ledger();
  try {
    const job = await api.getJob(pending.jobId);
    if (open !== undefined) await noteStatus(ledger, open, job.status);
    return job;
  } catch (error) {
    if (open !== undefined) await endIfGone(api, ledger, open, error);
    throw error instanceof OcrError ? await explainJob(context, error, record) : error;
  }
}

/** Finds this machine's record of a job. @throws OcrError USAGE when several services have that id, AMBIGUOUS_ID */
export async function findRecord(context: Context, jobId: string): Promise<SubmissionRecord | undefined> {
  const ledger = await context.ledger();
  return findSubmission(ledger, 'jobId', jobId, await context.activeService());
}

/**
 * Finds a job and the service to ask about it: the one it was submitted to, or the active one when the ledger does not
 * know the job. `known` is its record, if it was read before.
 * @throws OcrError USAGE for the id of a request, for an id of several services, and when the job belongs to a service
 * that is neither the active one nor its profile's
 */
export async function findJob(context: Context, jobId: string, known?: SubmissionRecord): Promise<FoundJob> {
  const record = known ?? (await findRecord(context, jobId));
  if (record === undefined) {
    // The contract's prefix of requests.
    if (/^req_./i.test(jobId)) {
      throw new OcrError('USAGE', `${jobId} is a request, not a job`, { hint: `ocr requests get ${quote(jobId)}` });
    }
    return { record, pending: pendingOf(record, jobId), api: await context.api() };
  }
  const pending = pendingOf(record, record.jobId ?? jobId);
  // An id on the command line is one of the service in use, or of a profile's; "all" means every service.
  const api = await findApi(context, record, { reachesEveryService: known !== undefined });
  if (api !== undefined) return { record, pending, api };
  throw new OcrError('USAGE', `The job ${jobId} was submitted to ${record.serverId}, which is not the service in use`, {
    hint: `Set OCR_BASE_URL and OCR_API_KEY, or --profile, to that service; or remove it from the record: ocr jobs forget ${quote(jobId)}`,
  });
}
