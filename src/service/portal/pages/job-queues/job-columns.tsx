import type { JobRow } from '../../../../store/jobs.js';
import { Badge, toneOfJob } from '../../components/badge.js';
import { Copyable } from '../../components/copyable.js';
import { Cut } from '../../components/cut.js';
import { type Column, None } from '../../components/data-table.js';
import { Link } from '../../components/link.js';
import { formatDuration, Time } from '../../components/time.js';

export const JOBS_PATH = '/job-queues';

/** Returns the columns of the list of jobs at a time. */
export function jobColumns(nowMs: number): ReadonlyArray<Column<JobRow>> {
  return [
    { title: 'Time', class: 'nowrap', cell: ({ createdAtMs }) => <Time ms={createdAtMs} /> },
    { title: 'State', class: 'state', cell: ({ status }) => <Badge tone={toneOfJob(status)}>{status}</Badge> },
    { title: 'Function', class: 'nowrap', cell: ({ function: name }) => <span class="word">{name}</span> },
    { title: 'Pages', class: 'number', cell: pagesOf },
    { title: 'Waited', class: 'number nowrap', cell: (job) => formatDuration(waitedMs(job, nowMs)) },
    { title: 'Ran', class: 'number nowrap', cell: (job) => durationOf(ranMs(job, nowMs)) },
    { title: 'Attempts', class: 'number', cell: ({ attempts }) => attempts },
    { title: 'File', class: 'fill', cell: ({ fileName }) => (fileName === null ? <None /> : <Cut text={fileName} />) },
    {
      title: 'Job ID',
      class: 'nowrap',
      cell: ({ jobId }) => (
        <Copyable text={jobId} name="job ID" to={<Link to={`${JOBS_PATH}/${jobId}`}>{jobId}</Link>} />
      ),
    },
  ];
}

/** Renders the pages that are done, of all. */
export function pagesOf({ pagesDone, pageCount, status }: JobRow) {
  if (pageCount === null) return <None />;
  return status === 'processing' ? `${pagesDone ?? 0} of ${pageCount}` : pageCount;
}

/** Returns the time until the job started last, or ended without a start. */
export function waitedMs({ createdAtMs, startedAtMs, finishedAtMs }: JobRow, nowMs: number): number {
  return Math.max(0, (startedAtMs ?? finishedAtMs ?? nowMs) - createdAtMs);
}

/** Returns the time that the job has run since its last start. */
export function ranMs({ startedAtMs, finishedAtMs }: JobRow, nowMs: number): number | undefined {
  return startedAtMs === null ? undefined : Math.max(0, (finishedAtMs ?? nowMs) - startedAtMs);
}

function durationOf(ms: number | undefined) {
  return ms === undefined ? <None /> : formatDuration(ms);
}
