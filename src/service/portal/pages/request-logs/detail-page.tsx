import { isServiceErrorCode, SERVICE_ERRORS } from '../../../../contract/error-codes.js';
import { PORTAL_KEY, renderKeyEnd } from '../../../../contract/portal.js';
import type { JobRow } from '../../../../store/jobs.js';
import type { ReplayRow } from '../../../../store/replays.js';
import type { RequestRow } from '../../../../store/requests.js';
import type { DeliveryRow } from '../../../../store/webhook-deliveries.js';
import { Badge, toneOfJob, toneOfStatus } from '../../components/badge.js';
import { CodeBlock } from '../../components/code-block.js';
import { Copyable, CopyableLink } from '../../components/copyable.js';
import { DataTable } from '../../components/data-table.js';
import { Facts } from '../../components/facts.js';
import { formatBytes } from '../../components/format-count.js';
import type { Frame } from '../../components/frame.js';
import { Page } from '../../components/page.js';
import { ResultButton } from '../../components/result-button.js';
import { formatDuration, Time } from '../../components/time.js';
import { stepsOf } from './steps.js';

interface DetailProps {
  frame: Frame;
  request: RequestRow;
  job: JobRow | undefined;
  deliveries: readonly DeliveryRow[];
  /** Other calls that got the answer of the same first call. */
  replays: readonly ReplayRow[];
  /** Name of the key; null where there is none any more. */
  keyName: string | null;
  curl: string | undefined;
}

/** One call: what came of it, when, and how to repeat it. */
export function DetailPage(props: DetailProps) {
  const { frame, request, job, deliveries, replays, curl } = props;
  const { requestId } = request;
  return (
    <Page
      frame={frame}
      title="Request"
      above={{ title: 'Request Logs', path: '/request-logs' }}
      styles={['course.css']}
    >
      <p class="subject">
        <Badge tone={toneOfStatus(request.httpStatus)}>{request.httpStatus ?? 'open'}</Badge>
        <Copyable text={requestId} name="request ID" />
      </p>
      <div class="columns">
        <div>
          <ErrorPart {...request} />
          <section class="panel section" aria-labelledby="request-facts">
            <h2 id="request-facts">Call</h2>
            <CallFacts {...props} />
          </section>
          {job === undefined ? null : <JobPart {...job} />}
          {deliveries.length === 0 ? null : <DeliveriesPart deliveries={deliveries} />}
          {replays.length === 0 ? null : <ReplaysPart replays={replays} />}
          {curl === undefined ? null : (
            <section class="panel section" aria-labelledby="request-curl">
              <h2 id="request-curl">Repeat it</h2>
              <CodeBlock text={curl} name="as curl" />
              {request.method === 'POST' ? (
                <p class="soft">{`The log keeps no arguments. Add those of the call: -F 'args={"pages":"1-3"}'`}</p>
              ) : null}
            </section>
          )}
        </div>
        <section class="panel section" aria-labelledby="request-steps">
          <h2 id="request-steps">Course</h2>
          <Course request={request} job={job} />
        </section>
      </div>
    </Page>
  );
}

function ErrorPart({ errorCode, errorMessage, httpStatus, jobStatus, jobErrorCode, jobErrorMessage }: RequestRow) {
  const isOfJob = httpStatus === 202 && jobStatus === 'failed';
  const [code, message] = isOfJob ? [jobErrorCode, jobErrorMessage] : [errorCode, errorMessage];
  if (code === null && message === null) return null;
  const known = code !== null && isServiceErrorCode(code) ? SERVICE_ERRORS[code] : undefined;
  return (
    <section class="notice bad" aria-labelledby="request-error">
      <h2 id="request-error">{code ?? 'Cut off'}</h2>
      <p>
        <bdi>{message}</bdi>
      </p>
      {known === undefined ? null : (
        <p class="soft">{`${known.meaning}. ${known.retryable ? 'The same call may succeed later.' : 'The same call would fail again.'}`}</p>
      )}
    </section>
  );
}

function CallFacts({ request, keyName }: DetailProps) {
  const { keyId, keyLastFour, method, path, fileName, sizeBytes, mimeType, pageCount, sha256, durationMs } = request;
  return (
    <Facts
      facts={[
        ['Time', <Time key="time" ms={request.createdAtMs} />],
        // The page of any other call names its organisation at its top, for those who see all.
        ['Organisation', request.organisationId === null ? 'none' : null],
        ['Took', durationMs === null ? null : formatDuration(durationMs)],
        ['Call', method === '' ? null : <code>{`${method} ${path ?? ''}`}</code>],
        ['Function', request.function === '' ? null : request.function],
        ['File', fileName === null ? null : <bdi>{fileName}</bdi>],
        ['Type', mimeType],
        ['Size', sizeBytes === null ? null : formatBytes(sizeBytes)],
        ['Pages', pageCount],
        ['SHA-256', sha256 === null ? null : <Copyable text={sha256} name="SHA-256" />],
        ['Cached', request.cached === 1 ? 'yes' : 'no'],
        [
          'Replay of',
          request.replayOf === null ? null : (
            <CopyableLink text={request.replayOf} name="first request ID" path={`/request-logs/${request.replayOf}`} />
          ),
        ],
        ['Key', keyLastFour === null ? null : <bdi>{`${keyName ?? ''} ${renderKeyEnd(keyLastFour)}`.trim()}</bdi>],
        [
          'Key ID',
          keyId === null || keyId === PORTAL_KEY ? null : (
            <CopyableLink text={keyId} name="key ID" path={`/api-keys/${keyId}`} />
          ),
        ],
        ['Provider', request.provider],
      ]}
    />
  );
}

function JobPart(job: JobRow) {
  return (
    <section class="panel section" aria-labelledby="request-job">
      <h2 id="request-job">Job</h2>
      <Facts
        facts={[
          [
            'State',
            <Badge key="state" tone={toneOfJob(job.status)}>
              {job.status}
            </Badge>,
          ],
          ['Attempts', job.attempts],
          ['Pages done', job.pagesDone === null ? null : `${job.pagesDone} of ${job.pageCount ?? '?'}`],
          ['Result', job.deletedAtMs !== null ? 'deleted' : job.hasResult === 1 ? 'kept' : null],
          ['Job ID', <CopyableLink key="id" text={job.jobId} name="job ID" path={`/job-queues/${job.jobId}`} />],
        ]}
      />
      <ResultButton {...job} />
    </section>
  );
}

const DELIVERY_TONES = { pending: 'wait', delivered: 'good', dead: 'bad' } as const;

function DeliveriesPart({ deliveries }: { deliveries: readonly DeliveryRow[] }) {
  return (
    <section class="panel section" aria-labelledby="request-deliveries">
      <h2 id="request-deliveries">Webhook deliveries</h2>
      <DataTable
        caption="Deliveries of this call’s event"
        rows={deliveries}
        idOf={({ id }) => id}
        columns={[
          { title: 'Time', class: 'nowrap', cell: ({ createdAtMs }) => <Time ms={createdAtMs} /> },
          { title: 'Event', cell: ({ event }) => event },
          { title: 'State', cell: ({ status }) => <Badge tone={DELIVERY_TONES[status]}>{status}</Badge> },
          {
            title: 'Delivery ID',
            cell: ({ id }) => <CopyableLink text={id} name="delivery ID" path={`/webhooks/deliveries/${id}`} />,
          },
        ]}
      />
    </section>
  );
}

function ReplaysPart({ replays }: { replays: readonly ReplayRow[] }) {
  return (
    <section class="panel section" aria-labelledby="request-replays">
      <h2 id="request-replays">Replays</h2>
      <DataTable
        caption="Calls with the same Idempotency-Key, oldest first"
        rows={replays}
        idOf={({ requestId }) => requestId}
        columns={[
          { title: 'Time', class: 'nowrap', cell: ({ createdAtMs }) => <Time ms={createdAtMs} /> },
          {
            title: 'Status',
            cell: ({ httpStatus }) => <Badge tone={toneOfStatus(httpStatus)}>{httpStatus ?? 'open'}</Badge>,
          },
          {
            title: 'Request ID',
            cell: ({ requestId }) => (
              <CopyableLink text={requestId} name="request ID" path={`/request-logs/${requestId}`} />
            ),
          },
        ]}
      />
    </section>
  );
}

function Course({ request, job }: { request: RequestRow; job: JobRow | undefined }) {
  return (
    <ol class="steps">
      {stepsOf(request, job).map(({ name, atMs, tookMs, isBad }) => (
        <li key={name} class={atMs === undefined ? 'open' : isBad ? 'bad' : ''}>
          <span>{name}</span>
          {atMs === undefined ? <span class="none">not yet</span> : <Time ms={atMs} />}
          {tookMs === undefined ? null : <span class="took">{`after ${formatDuration(tookMs)}`}</span>}
        </li>
      ))}
    </ol>
  );
}
