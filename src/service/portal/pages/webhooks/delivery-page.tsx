import type { DeliveryDetails } from '../../../../store/delivery-pages.js';
import type { AttemptRow } from '../../../../store/webhook-deliveries.js';
import { CodeBlock } from '../../components/code-block.js';
import { Copyable, CopyableLink } from '../../components/copyable.js';
import { type Column, DataTable, None } from '../../components/data-table.js';
import { EmptyState } from '../../components/empty-state.js';
import { Facts } from '../../components/facts.js';
import type { Frame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { Page } from '../../components/page.js';
import { PostForm } from '../../components/post-form.js';
import { Time } from '../../components/time.js';
import { MEMBERS } from '../../roles.js';
import { Answer, DeliveryState, WEBHOOKS_PATH } from './cells.js';

interface DeliveryProps {
  frame: Frame;
  delivery: DeliveryDetails;
  /** True when its endpoint is not removed, so that it can be sent again. */
  canResend: boolean;
}

/** One delivery: its body, each attempt, and the next. */
export function DeliveryPage({ frame, delivery, canResend }: DeliveryProps) {
  const { id, endpointId, requestId, event, createdAtMs, nextAttemptAtMs, finishedAtMs, tries } = delivery;
  return (
    <Page
      frame={frame}
      title="Delivery"
      styles={['course.css']}
      above={{ title: 'Webhooks', path: WEBHOOKS_PATH }}
      actions={
        canResend && MEMBERS.includes(frame.role) ? (
          <PostForm to={`${WEBHOOKS_PATH}/deliveries/${id}/resend`}>
            <button class="button" type="submit">
              Resend
            </button>
          </PostForm>
        ) : undefined
      }
    >
      <p class="subject">
        <DeliveryState {...delivery} />
        <Copyable text={id} name="delivery ID" />
      </p>
      <section class="panel section" aria-label="Delivery">
        <Facts
          facts={[
            ['Event', event],
            ['Time', <Time key="time" ms={createdAtMs} />],
            ['Next attempt', nextAttemptAtMs === null || tries.length === 0 ? null : <Time ms={nextAttemptAtMs} />],
            ['Ended', finishedAtMs === null ? null : <Time ms={finishedAtMs} />],
            [
              'Endpoint',
              canResend ? (
                <CopyableLink text={endpointId} name="endpoint ID" path={`${WEBHOOKS_PATH}/${endpointId}`} />
              ) : (
                `${endpointId} (removed)`
              ),
            ],
            [
              'Request',
              isTest(delivery) ? (
                'none: this is a test'
              ) : (
                <CopyableLink text={requestId} name="request ID" path={`/request-logs/${requestId}`} />
              ),
            ],
          ]}
        />
      </section>
      <section class="panel part" aria-label="Attempts">
        {tries.length === 0 ? (
          <EmptyState title="No attempt yet">
            <p>The service sends within seconds. The answer comes here.</p>
          </EmptyState>
        ) : (
          <DataTable caption="Attempts, oldest first" columns={ATTEMPT_COLUMNS} rows={tries} idOf={idOf} />
        )}
      </section>
      <section class="panel section" aria-labelledby="body">
        <h2 id="body">Body</h2>
        <CodeBlock text={delivery.body} name="body" />
        <p class="hint">
          <Link to={`${WEBHOOKS_PATH}/check-signature`} query={{ delivery: id }}>
            Check a signature of this body
          </Link>
        </p>
      </section>
    </Page>
  );
}

/** True for a sample, whose request is made up. */
function isTest({ body }: DeliveryDetails): boolean {
  return (JSON.parse(body) as { test?: boolean }).test === true;
}

const idOf = ({ number }: AttemptRow) => `attempt-${number}`;

const ATTEMPT_COLUMNS: ReadonlyArray<Column<AttemptRow>> = [
  { title: 'Attempt', cell: ({ number }) => number },
  { title: 'Time', class: 'nowrap', cell: ({ startedAtMs }) => <Time ms={startedAtMs} /> },
  { title: 'Status', cell: Answer },
  { title: 'ms', class: 'number', cell: ({ latencyMs }) => latencyMs.toLocaleString('en') },
  {
    title: 'Answer',
    cell: ({ answer }) => (answer === null || answer === '' ? <None /> : <bdi class="answer">{answer}</bdi>),
  },
];
