import { audit } from '../../../store/audit.js';
import { releaseLeaseOf } from '../../../store/interrupted-jobs.js';
import { type JobPageFilter, readJobOf, readJobPage } from '../../../store/job-pages.js';
import type { JobRow } from '../../../store/jobs.js';
import type { Page } from '../../../store/page.js';
import type { JobOutcome } from '../../../store/queue.js';
import type { ServiceComponents } from '../../service-components.js';
import { hideName } from './hide-name.js';
import type { OwnScope } from './scope.js';

/** Reads a page of jobs, newest first. */
export async function readJobs(
  { store, organisationId, seesFiles }: OwnScope,
  filter: JobPageFilter,
): Promise<Page<JobRow>> {
  const { rows, olderThan } = await store.read(readJobPage(organisationId, filter));
  return { rows: rows.map((row) => show(row, seesFiles)), olderThan };
}

/** Finds a job; undefined for another's. */
export async function findJob(
  { store, organisationId, seesFiles }: OwnScope,
  jobId: string,
): Promise<JobRow | undefined> {
  const row = await store.read(readJobOf(organisationId, jobId));
  return row && show(row, seesFiles);
}

/** Finds the result of a job; undefined when it has none, and when it is no longer kept. */
export async function findResult(
  { config, queue, store }: Pick<ServiceComponents, 'config' | 'queue' | 'store'>,
  { jobId, deletedAtMs, finishedAtMs }: JobRow,
): Promise<JobOutcome | undefined> {
  const isPast = finishedAtMs === null || finishedAtMs + config.resultTtlMs <= store.clock.now();
  return deletedAtMs === null && !isPast ? await queue.findOutcome(jobId) : undefined;
}

/** Notes that somebody reads a result. */
export async function noteResult({ store, organisationId }: OwnScope, jobId: string): Promise<void> {
  await store.write(() => audit(store, { action: 'job.result', organisationId, subjectId: jobId }));
}

/** Queues a running job again, as if its process had died; false when it does not run. */
export async function releaseLease({ store, organisationId }: OwnScope, jobId: string): Promise<boolean> {
  return await store.write(function* () {
    if (!(yield* releaseLeaseOf(organisationId, jobId))) return false;
    yield* audit(store, { action: 'job.release', organisationId, subjectId: jobId });
    return true;
  });
}

/** The digest of a file tells who knows the file that it is this one. */
function show(row: JobRow, seesFiles: boolean): JobRow {
  if (seesFiles) return row;
  return { ...row, fileName: null, sha256: '', errorMessage: hideName(row.errorMessage, row.fileName) };
}
