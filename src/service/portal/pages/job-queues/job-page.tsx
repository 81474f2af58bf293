import type { JobRow } from '../../../../store/jobs.js';
import { Badge, toneOfJob } from '../../components/badge.js';
import { CodeBlock } from '../../components/code-block.js';
import { Copyable, CopyableLink } from '../../components/copyable.js';
import { Facts } from '../../components/facts.js';
import { formatBytes } from '../../components/format-count.js';
import type { Frame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { Notice } from '../../components/notice.js';
import { Page } from '../../components/page.js';
import { Question } from '../../components/question.js';
import { ResultButton } from '../../components/result-button.js';
import { formatDuration, Time } from '../../components/time.js';
import { JOBS_PATH, pagesOf, ranMs, waitedMs } from './job-columns.js';

const ABOVE = { title: 'Job Queues', path: JOBS_PATH };
const MAX_RESULT_CHARACTERS = 256 * 1024;

interface JobProps {
  frame: Frame;
  job: JobRow;
  nowMs: number;
}

/** One job. */
export function JobPage({ frame, job, nowMs }: JobProps) {
  const { jobId, requestId, status, startedAtMs, finishedAtMs, errorCode, errorMessage, fileName } = job;
  const time = (ms: number | null) => (ms === null ? null : <Time ms={ms} />);
  const ran = ranMs(job, nowMs);
  const isReleasable = frame.role === 'operator' && status === 'processing';
  return (
    <Page
      frame={frame}
      title="Job"
      above={ABOVE}
      actions={
        isReleasable ? (
          <Link class="button" to={`${JOBS_PATH}/${jobId}/release`} asks>
            Release
          </Link>
        ) : undefined
      }
    >
      <p class="subject">
        <Badge tone={toneOfJob(status)}>{status}</Badge>
        <Copyable text={jobId} name="job ID" />
      </p>
      {errorCode === null ? null : (
        <section class="notice bad" aria-label="Error">
          <h2>{errorCode}</h2>
          <p>
            <bdi>{errorMessage}</bdi>
          </p>
        </section>
      )}
      <section class="panel section" aria-label="Job">
        <Facts
          facts={[
            ['Function', job.function],
            ['File', fileName === null ? null : <bdi>{fileName}</bdi>],
            ['Type', job.mimeType],
            ['Size', formatBytes(job.sizeBytes)],
            ['Pages', job.pageCount === null ? null : pagesOf(job)],
            ['SHA-256', job.sha256 === '' ? null : <Copyable text={job.sha256} name="SHA-256" />],
            ['Queued', time(job.createdAtMs)],
            ['Started', time(startedAtMs)],
            ['Ended', time(finishedAtMs)],
            ['Waited', formatDuration(waitedMs(job, nowMs))],
            ['Ran', ran === undefined ? null : formatDuration(ran)],
            ['Attempts', job.attempts],
            ['Interruptions', job.interruptions === 0 ? null : job.interruptions],
            [
              'Request',
              <CopyableLink key="request" text={requestId} name="request ID" path={`/request-logs/${requestId}`} />,
            ],
            ['Result', resultOf(job)],
          ]}
        />
        <ResultButton {...job} />
      </section>
    </Page>
  );
}

function resultOf({ status, hasResult, deletedAtMs }: JobRow): string | null {
  if (deletedAtMs !== null) return 'deleted';
  if (status !== 'completed') return null;
  return hasResult === 1 ? 'kept; who looks at it is noted in the audit log' : 'no longer kept';
}

/** The result of a job, in the answer to its button alone. */
export function ResultPage({ frame, jobId, body }: { frame: Frame; jobId: string; body: string | undefined }) {
  return (
    <Page frame={frame} title="Result" above={{ title: 'Job', path: `${JOBS_PATH}/${jobId}` }}>
      {body === undefined ? (
        <Notice tone="warn">The result is no longer kept.</Notice>
      ) : body.length > MAX_RESULT_CHARACTERS ? (
        <Notice tone="warn">
          The result is too large for a page. Get it with a key, from <code>{`/v1/ocr/jobs/${jobId}`}</code>.
        </Notice>
      ) : (
        <CodeBlock text={body} name="result" />
      )}
    </Page>
  );
}

/** Asks before a running job is queued again. */
export function ReleasePage({ frame, job, nowMs }: JobProps) {
  const { jobId, leaseUntilMs } = job;
  const title = 'Release this job?';
  return (
    <Page frame={frame} title={title} above={ABOVE}>
      <Question title={title} to={`${JOBS_PATH}/${jobId}/release`} action="Release" back={`${JOBS_PATH}/${jobId}`}>
        <p>
          It has run for {formatDuration(ranMs(job, nowMs) ?? 0)}
          {leaseUntilMs === null ? '' : ', and its process still holds it'}. It is queued again as if that process had
          died, and begins anew; what the process still makes of it is dropped.
        </p>
      </Question>
    </Page>
  );
}
