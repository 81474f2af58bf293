import { quote } from '../../contract/command-words.js';
import type { JobStatus } from '../../contract/envelopes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { refusePrefixAlone } from '../../contract/prefix-alone.js';
import { formatTime, formatTimeOrNull } from '../../contract/time.js';
import { createQueue } from '../../store/create-queue.js';
import { findJob, type JobFilter, type JobRow, listJobs, listUnfinishedJobs } from '../../store/jobs.js';
import { findNames, type Names } from '../../store/names.js';
import type { Removal } from '../../store/queue.js';
import type { Store } from '../../store/store.js';
import { openBlobs } from '../data-directory/open-blobs.js';
import { expandId } from './expand-id.js';
import type { Administration } from './open.js';
import { nameOrganisation } from './organisations.js';
import { withFunctionId } from './parse-functions.js';

type StoreAndConfig = Pick<Administration, 'store' | 'config'>;

/** A job as `ocr admin jobs` prints it, with null for unknown values. Times are RFC 3339 UTC. Never document text. */
export interface JobAdminView {
  jobId: string;
  orgId: string;
  orgName: string | null;
  requestId: string;
  function: string;
  status: JobStatus;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  pagesDone: number | null;
  pageCount: number | null;
  /** Count of started runs. */
  attempts: number;
  /** Count of runs that ended with the service. */
  interruptions: number;
  leaseUntil: string | null;
  error: { code: string | null; message: string | null } | null;
  fileName: string | null;
  sizeBytes: number;
  sha256: string;
  mimeType: string;
  /** True while the result is stored. */
  hasResult: boolean;
  /** Time when the result was deleted on request; `status` stays. */
  deletedAt: string | null;
}

/** @throws OcrError NOT_FOUND for an organisation that does not exist */
export async function listAllJobs(store: Store, filter: JobFilter): Promise<JobAdminView[]> {
  // An empty list would look like "nothing happened".
  const rows = await listJobs(store, await nameOrganisation(store, withFunctionId(filter)));
  const names = await namesOf(store, rows);
  return rows.map((row) => toView(row, names));
}

/** Finds a job by its whole id; null for one that is not kept any more. */
export async function findAnyJob(store: Store, jobId: string): Promise<JobAdminView | null> {
  const row = await findJob(store, jobId);
  return row === undefined ? null : toView(row, await namesOf(store, [row]));
}

/** @throws OcrError NOT_FOUND, AMBIGUOUS_ID, USAGE for the id of a request */
export async function getAnyJob(store: Store, jobId: string): Promise<JobAdminView> {
  refusePrefixAlone(jobId);
  if (jobId.startsWith('req_'))
    throw new OcrError('USAGE', `${jobId} is a request, not a job`, { hint: `ocr admin requests get ${quote(jobId)}` });
  const row = await findJob(store, await expandId(store, 'job', jobId));
  if (row === undefined) throw unknownJob(jobId);
  return toView(row, await namesOf(store, [row]));
}

/** Cancels an unfinished job of any organisation; a running service ends its run within a second. @throws OcrError as getAnyJob, JOB_FINISHED */
export async function cancelAnyJob(administration: StoreAndConfig, typed: string): Promise<JobAdminView> {
  const { status, jobId } = await getAnyJob(administration.store, typed);
  if ((await removeJobs(administration, [jobId], true))[0] === 'cancelled')
    return await getAnyJob(administration.store, jobId);
  throw new OcrError('JOB_FINISHED', `Job ${jobId} has ended (${status}): there is nothing to cancel`, {
    hint: `ocr admin jobs get ${quote(jobId)}`,
  });
}

/** Deletes a finished job of any organisation, and cancels an unfinished one. @throws OcrError as getAnyJob, EXPIRED */
export async function deleteAnyJob(administration: StoreAndConfig, typed: string): Promise<JobAdminView> {
  const { jobId } = await getAnyJob(administration.store, typed);
  if ((await removeJobs(administration, [jobId], false))[0] !== 'expired')
    return await getAnyJob(administration.store, jobId);
  throw new OcrError('EXPIRED', `The result of job ${jobId} is no longer kept`, { status: 410 });
}

/** Cancels every unfinished job; returns their ids. */
export async function cancelAllJobs(administration: StoreAndConfig): Promise<string[]> {
  const jobIds = await listUnfinishedJobs(administration.store);
  const ends = await removeJobs(administration, jobIds, true);
  return jobIds.filter((_, index) => ends[index] === 'cancelled');
}

type Removed = Exclude<Removal['kind'], 'unknown'>;

/** The documents are removed here: a service that runs may not know the jobs yet. */
async function removeJobs(
  { store, config }: StoreAndConfig,
  jobIds: readonly string[],
  unfinishedOnly: boolean,
): Promise<Removed[]> {
  const { blobs, results, close } = await openBlobs(config, store);
  const queue = createQueue(store, { results });
  const remove = async (jobId: string): Promise<Removed> => {
    const removal = await queue.remove({ jobId, unfinishedOnly, resultTtlMs: config.resultTtlMs });
    if (removal.kind === 'unknown') throw unknownJob(jobId);
    // A document that cannot be removed now is removed by a later sweep.
    if (removal.kind === 'cancelled' || removal.kind === 'deleted')
      await blobs.remove(removal.documentId).catch(() => {});
    return removal.kind;
  };
  try {
    return await Promise.all(jobIds.map(remove));
  } finally {
    await close();
  }
}

function unknownJob(jobId: string): OcrError {
  return new OcrError('NOT_FOUND', `The store has no job ${jobId}`, { status: 404, hint: 'ocr admin jobs list' });
}

async function namesOf(store: Store, rows: readonly JobRow[]): Promise<Names> {
  return await findNames(
    store,
    rows.map(({ organisationId }) => organisationId),
  );
}

function toView(row: JobRow, names: Names): JobAdminView {
  return {
    jobId: row.jobId,
    orgId: row.organisationId,
    orgName: names.organisation(row.organisationId),
    requestId: row.requestId,
    function: row.function,
    status: row.status,
    createdAt: formatTime(row.createdAtMs),
    startedAt: formatTimeOrNull(row.startedAtMs),
    finishedAt: formatTimeOrNull(row.finishedAtMs),
    pagesDone: row.pagesDone,
    pageCount: row.pageCount,
    attempts: row.attempts,
    interruptions: row.interruptions,
    leaseUntil: formatTimeOrNull(row.leaseUntilMs),
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage },
    fileName: row.fileName,
    sizeBytes: row.sizeBytes,
    sha256: row.sha256,
    mimeType: row.mimeType,
    hasResult: row.hasResult === 1,
    deletedAt: formatTimeOrNull(row.deletedAtMs),
  };
}
