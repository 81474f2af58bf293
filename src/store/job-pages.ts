import { type BoundedCount, countUpTo, MAX_COUNTED_ROWS } from './bounded-count.js';
import { listConditions } from './filter.js';
import { type JobFilter, type JobRow, selectJobs } from './jobs.js';
import { type Page, type PageBounds, type PagedTable, readPage } from './page.js';
import { one, type Unit } from './unit.js';

const PAGED: PagedTable = { name: 'job', prefix: 'job', select: selectJobs, id: 'jobId' };

/** The jobs of one organisation that a page shows. */
export type JobPageFilter = PageBounds &
  Pick<JobFilter, 'status' | 'function'> & {
    /** Code of a failed job. */
    errorCode?: string;
  };

/** Ended jobs have an index by their state; unfinished ones are among the newest. */
const ENDED: Record<string, string> = {
  completed: `job.status = 'completed' AND job.finished_at IS NOT NULL`,
  failed: `job.status = 'failed' AND job.finished_at IS NOT NULL`,
};

/** Reads a page of an organisation's jobs, newest first. */
export function* readJobPage(organisationId: string, filter: JobPageFilter): Unit<Page<JobRow>> {
  const { status = filter.errorCode === undefined ? '' : 'failed' } = filter;
  const ended = ENDED[status];
  const { conditions, values } = listConditions(filter, {
    ...(ended === undefined ? { status: 'job.status = :status' } : {}),
    function: 'job.function = :function',
    errorCode: 'job.error_code = :errorCode',
  });
  return yield* readPage(PAGED, organisationId, filter, {
    indexed: ended === undefined ? [] : [ended],
    others: conditions,
    values,
  });
}

/** Finds one job of an organisation; undefined for that of another. */
export function* readJobOf(organisationId: string, jobId: string): Unit<JobRow | undefined> {
  return yield* one<JobRow>(`${selectJobs()} WHERE job.organisation_id = :organisationId AND job.id = :jobId`, {
    organisationId,
    jobId,
  });
}

/** How an organisation's jobs are doing. */
export interface JobCounts {
  queued: BoundedCount;
  running: BoundedCount;
  /** Creation of the queued job that waits longest. */
  oldestQueuedAtMs: number | undefined;
  /** Jobs that ended since a time. Those that waited or ran for more than a day until then are left out. */
  completed: BoundedCount;
  failed: BoundedCount;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Counts an organisation's jobs by state; those that ended, since `sinceMs`. */
export function* countJobsOf(organisationId: string, sinceMs: number): Unit<JobCounts> {
  const own = 'FROM job WHERE organisation_id = :organisationId';
  // The order of their turns has an index; that of their times would lead through the ended jobs.
  const oldest = yield* one<{ atMs: number | null }>(
    `SELECT min(at) AS "atMs" FROM (SELECT created_at AS at ${own} AND status = 'queued' ORDER BY lane, place, id LIMIT :max) AS waiting`,
    { organisationId, max: MAX_COUNTED_ROWS },
  );
  return {
    queued: yield* countUpTo(`${own} AND status = 'queued'`, { organisationId }),
    running: yield* countUpTo(`${own} AND status = 'processing'`, { organisationId }),
    oldestQueuedAtMs: oldest?.atMs ?? undefined,
    completed: yield* countEnded(own, 'completed', { organisationId, sinceMs, fromMs: sinceMs - DAY_MS }),
    failed: yield* countEnded(own, 'failed', { organisationId, sinceMs, fromMs: sinceMs - DAY_MS }),
  };
}

function* countEnded(
  own: string,
  status: 'completed' | 'failed',
  values: { organisationId: string; sinceMs: number; fromMs: number },
): Unit<BoundedCount> {
  const from = `${own} AND status = '${status}' AND finished_at IS NOT NULL AND created_at >= :fromMs AND finished_at >= :sinceMs`;
  return yield* countUpTo(from, values);
}
