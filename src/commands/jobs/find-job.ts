import type { ApiClient } from '../../api/client.js';
import type { JobView } from '../../api/jobs/read-job.js';
import type { Context } from '../../context.js';
import { quote } from '../../contract/command-words.js';
import { isGone, OcrError } from '../../contract/ocr-error.js';
import { jobPath, type Pending, UNKNOWN_STATUS } from '../../contract/outcome.js';
import { isFinished, type SubmissionRecord } from '../../ledger/record.js';
import { findServiceFlags } from '../../settings/find-service-flags.js';
import { addHint } from '../../submission-lifecycle/add-hint.js';
import { chooseRecord } from '../../submission-lifecycle/choose-record.js';
import { endIfGone, noteStatus } from '../../submission-lifecycle/note-state.js';
import { pendingOf } from '../../submission-lifecycle/submit.js';

export interface FoundJob {
  /** None where another machine submitted it. */
  record: SubmissionRecord | undefined;
  pending: Pending;
  /** Of the service that has the job. */
  api: ApiClient;
}

/** What went wrong with a job, with what to type next. `record` as found. */
export async function explainJob(
  context: Context,
  error: OcrError,
  record: SubmissionRecord | undefined,
): Promise<OcrError> {
  if (record !== undefined) {
    const flags = findServiceFlags(record, await context.settings());
    return addHint(error, { ...record, input: record.input.name, flags });
  }
  // Of a job that was sent elsewhere nobody here has the file.
  if (!isGone(error)) return error;
  return error.with({
    hint: 'Ask another service with --profile or --base-url, or list the jobs of this machine: ocr jobs list',
  });
}

/** One look at a job, whose state the ledger notes. @throws OcrError with what to type next */
export async function fetchJob(context: Context, { record, pending, api }: FoundJob): Promise<JobView> {
  const open = record === undefined || isFinished(record) ? undefined : record;
  const ledger = await context.ledger();
  try {
    const job = await api.getJob(pending.jobId);
    if (open !== undefined) await noteStatus(ledger, open, job.status);
    return job;
  } catch (error) {
    if (open !== undefined) await endIfGone(ledger, open, error);
    throw error instanceof OcrError ? await explainJob(context, error, record) : error;
  }
}

/** What this machine knows of a job. @throws OcrError USAGE where it may be that of several services */
export async function findRecord(context: Context, jobId: string): Promise<SubmissionRecord | undefined> {
  const ledger = await context.ledger();
  return chooseRecord(ledger.findJobs(jobId), jobId, await context.activeService());
}

/**
 * The client of the service that a record is of, with the key it was sent with where that profile is still there: another
 * key of the same service may be another organisation's, which has no such job.
 */
async function findApi(context: Context, { serverId, profile }: SubmissionRecord): Promise<ApiClient | undefined> {
  const settings = await context.settings();
  const isInUse = (await context.serverId()) === serverId;
  if (isInUse && settings.profile.value === profile) return await context.api();
  const ofProfile = await context.serverId(profile).catch(() => undefined);
  if (ofProfile === serverId) return await context.api(profile);
  return isInUse ? await context.api() : undefined;
}

/**
 * A job (`known` where it was read before) and the service to ask for it: the one it was submitted to; for a job that
 * the ledger does not know, the active one.
 * @throws OcrError USAGE for the id of a request, for one that several services gave, and where the job belongs to a
 * service that is not the active one and not its profile's either
 */
export async function findJob(context: Context, jobId: string, known?: SubmissionRecord): Promise<FoundJob> {
  const record = known ?? (await findRecord(context, jobId));
  if (record === undefined) {
    // The contract's prefix, which no job of ours has.
    if (/^req_/i.test(jobId)) {
      throw new OcrError('USAGE', `${jobId} is a request, not a job`, { hint: `ocr requests get ${quote(jobId)}` });
    }
    const pending: Pending = {
      state: 'pending',
      jobId,
      requestId: undefined,
      status: UNKNOWN_STATUS,
      statusUrl: jobPath(jobId),
    };
    return { record, pending, api: await context.api() };
  }
  const pending = pendingOf(record, record.jobId ?? jobId);
  const api = await findApi(context, record);
  if (api !== undefined) return { record, pending, api };
  throw new OcrError('USAGE', `The job ${jobId} was submitted to ${record.serverId}, which is not the service in use`, {
    hint: `Set OCR_BASE_URL and OCR_API_KEY, or --profile, to that service; or remove it from the record: ocr jobs forget ${quote(jobId)}`,
  });
}
