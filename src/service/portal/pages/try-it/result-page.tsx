import type { ComponentChildren } from 'preact';
import { countOf } from '../../../../contract/count-of.js';
import type { OcrFunction } from '../../../../functions/function.js';
import type { JobRow } from '../../../../store/jobs.js';
import type { RequestRow } from '../../../../store/requests.js';
import { Badge, toneOfJob } from '../../components/badge.js';
import { Choices } from '../../components/choices.js';
import { CopyableLink } from '../../components/copyable.js';
import type { Frame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { Notice } from '../../components/notice.js';
import { Page } from '../../components/page.js';
import { formatDuration } from '../../components/time.js';
import { explainCall } from './explain-refusal.js';
import { PagePicture } from './page-picture.js';
import { ResultPart } from './result-parts.js';
import { type ShownResult, VIEW_LABELS, type ViewName } from './result-views.js';
import { resultPathOf, tryPathOf } from './try-paths.js';

/** Facts that every page of a call that was tried shows. */
interface TryProps {
  frame: Frame;
  entry: OcrFunction;
  tryId: string;
  request: RequestRow;
  job: JobRow;
  /** Arguments of the call, as the address has them. */
  query: Readonly<Record<string, string>>;
}

interface ResultProps extends TryProps {
  /** Undefined when it is too large for a page. */
  result: ShownResult | undefined;
  durationMs: number;
  view: ViewName;
  pages: readonly number[];
  page: number;
  hasPictures: boolean;
}

/** The result of a call, beside the page that it was read from. */
export function ResultPage(props: ResultProps) {
  const { entry, tryId, query, result, view, pages, page, hasPictures } = props;
  const path = resultPathOf(entry.id, tryId);
  const shown = result?.pages.find((one) => one.page === page);
  const ofPage = page === pages[0] ? {} : { page: String(page) };
  return (
    <TryFrame {...props} modules={['marks.js']}>
      {result?.warnings.map(({ page: number, message }) => (
        <Notice key={`${number} ${message}`} tone="warn">
          {number === undefined ? '' : `Page ${number}: `}
          {message}
        </Notice>
      ))}
      <div class="beside">
        <PagePicture
          {...{ path, pages, page, shown }}
          query={{ ...query, ...(view === result?.views[0] ? {} : { view }) }}
          isKept={hasPictures}
          hasBoxes={view === 'lines'}
        />
        <section class="panel result" aria-label="Result">
          <div class="tabs">
            {result === undefined ? null : (
              <Choices
                label="Views"
                path={path}
                name="view"
                query={{ ...query, ...ofPage }}
                options={result.views.map((value) => ({ value, label: VIEW_LABELS[value] }))}
                current={view}
              />
            )}
            <Link class="button small" to={`${path}/json`}>
              Download JSON
            </Link>
          </div>
          {result === undefined ? (
            <p class="quiet">The result is too large for a page. Download it.</p>
          ) : (
            <ResultPart {...{ view, result, entry, page, path }} lines={shown?.lines ?? []} />
          )}
        </section>
      </div>
    </TryFrame>
  );
}

/** A call whose job has failed, and what to do. */
export function FailedPage(props: TryProps) {
  const { job } = props;
  const code = job.errorCode ?? 'INTERNAL';
  const { refusal } = explainCall('INTERNAL', job.errorMessage ?? 'The job failed');
  return (
    <TryFrame {...props}>
      <section class="notice bad" role="alert">
        <h2>{code}</h2>
        <p>
          <bdi>{job.errorMessage ?? 'The job failed'}</bdi>
        </p>
        <p class="soft">{code === 'INTERNAL' ? refusal?.next : 'Try another document, or other arguments.'}</p>
      </section>
      <p>
        <Link to={`/request-logs/${props.request.requestId}`}>See the call in the request logs</Link>
      </p>
    </TryFrame>
  );
}

/** A call whose result is gone. */
export function GonePage(props: TryProps) {
  return (
    <TryFrame {...props}>
      <Notice tone="warn">The result is no longer kept. Run it again to see it.</Notice>
    </TryFrame>
  );
}

/** A call whose job still runs. It loads itself again; a script asks meanwhile. */
export function WaitingPage(props: TryProps) {
  const { job, request } = props;
  const { status, pagesDone, pageCount } = job;
  const done = pagesDone ?? 0;
  const state =
    status === 'queued'
      ? 'Waiting for its turn'
      : pageCount === null
        ? 'Being read'
        : `Page ${Math.min(done + 1, pageCount)} of ${pageCount} is being read`;
  return (
    <TryFrame {...props} modules={['waiting.js']} refreshS={2}>
      <section class="panel empty" data-waiting="">
        <h2>{state}</h2>
        <p>
          <bdi>{request.fileName}</bdi>
        </p>
        <progress
          aria-label="Pages read"
          max={Math.max(1, pageCount ?? 1)}
          {...(status === 'processing' && pageCount !== null ? { value: done } : {})}
        />
        <p>
          The result comes to this page by itself. The job goes on when you leave:{' '}
          <Link to={`/job-queues/${job.jobId}`}>see it in Job Queues</Link>.
        </p>
      </section>
    </TryFrame>
  );
}

function TryFrame(
  props: TryProps & {
    modules?: readonly string[];
    refreshS?: number;
    durationMs?: number;
    children: ComponentChildren;
  },
) {
  const { frame, entry, request, job, query, children, modules, refreshS, durationMs } = props;
  const { requestId, fileName, pageCount } = request;
  const pages = pageCount ?? job.pageCount;
  const took = request.cached === 1 ? 'from the cache, not counted' : durationMs && formatDuration(durationMs);
  return (
    <Page
      frame={frame}
      title="Result"
      above={{ title: entry.title, path: `/functions/${entry.id}` }}
      actions={
        <Link class="button" to={tryPathOf(entry.id)} query={query}>
          Try another
        </Link>
      }
      styles={['try-result.css']}
      {...(modules === undefined ? {} : { modules })}
      {...(refreshS === undefined ? {} : { refreshS })}
    >
      <p class="subject">
        <Badge tone={toneOfJob(job.status)}>{job.status}</Badge>
        {fileName === null ? null : (
          <strong>
            <bdi>{fileName}</bdi>
          </strong>
        )}
        <span class="soft">
          {[pages === null ? undefined : countOf(pages, 'page'), took].filter((part) => part).join(' · ')}
        </span>
        <CopyableLink text={requestId} name="request ID" path={`/request-logs/${requestId}`} />
      </p>
      {children}
    </Page>
  );
}
