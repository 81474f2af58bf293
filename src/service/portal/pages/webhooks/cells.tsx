import type { DeliveryLine } from '../../../../store/delivery-pages.js';
import type { DeliveryStatus } from '../../../../store/webhook-deliveries.js';
import { Badge } from '../../components/badge.js';
import { Copyable } from '../../components/copyable.js';
import { Cut } from '../../components/cut.js';
import { type Column, None } from '../../components/data-table.js';
import { useFrame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { PostForm } from '../../components/post-form.js';
import { Time } from '../../components/time.js';
import { MEMBERS, OWNERS } from '../../roles.js';
import type { EndpointLine } from '../../scoped/webhooks.js';

export const WEBHOOKS_PATH = '/webhooks';

const TONES = { pending: 'wait', delivered: 'good', dead: 'bad' } as const;

/** The state of a delivery. */
export function DeliveryState({ status }: { status: DeliveryStatus }) {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}

/** The answer of an attempt, or the reason why there is none. */
export function Answer({ status, error }: { status: number | null; error: string | null }) {
  if (status !== null) return <Badge tone={status < 300 ? 'good' : 'bad'}>{status}</Badge>;
  return error === null ? <None /> : <bdi>{error}</bdi>;
}

/** The events of an endpoint. */
export function Events({ events }: { events: string }) {
  return <span>{events.split(',').join(', ')}</span>;
}

export const ENDPOINT_COLUMNS: ReadonlyArray<Column<EndpointLine>> = [
  {
    title: 'URL',
    class: 'fill wide',
    cell: ({ id, url }) => (
      <Link to={`${WEBHOOKS_PATH}/${id}`}>
        <Cut text={url} />
      </Link>
    ),
  },
  { title: 'Events', cell: Events },
  { title: 'Delivered, 24 h', class: 'number', cell: ({ health }) => health.delivered.toLocaleString('en') },
  { title: 'Pending', class: 'number', cell: ({ health }) => health.pending.toLocaleString('en') },
  {
    title: 'Failing since',
    class: 'nowrap',
    cell: ({ health: { failingSinceMs } }) => (failingSinceMs === undefined ? <None /> : <Time ms={failingSinceMs} />),
  },
  {
    title: 'Last answer',
    cell: ({ health: { lastAttempt } }) => (lastAttempt === undefined ? <None /> : <Answer {...lastAttempt} />),
  },
  { title: 'Actions', class: 'end', cell: (endpoint) => <EndpointActions {...endpoint} /> },
];

/** Buttons and links for the changes of an endpoint that this person may make. */
export function EndpointActions({ id, url }: EndpointLine) {
  const { role } = useFrame();
  const path = `${WEBHOOKS_PATH}/${id}`;
  if (!MEMBERS.includes(role)) return <None />;
  return (
    <span class="row-actions">
      <PostForm to={`${path}/test`}>
        <button class="button small" type="submit" aria-label={`Test ${url}`}>
          Test
        </button>
      </PostForm>
      {OWNERS.includes(role) ? (
        <>
          <Link class="button small" to={`${path}/rotate`} label={`Rotate the secret of ${url}`} asks>
            Rotate
          </Link>
          <Link class="button small" to={`${path}/remove`} label={`Remove ${url}`} asks>
            Remove
          </Link>
        </>
      ) : null}
    </span>
  );
}

export const DELIVERY_COLUMNS: ReadonlyArray<Column<DeliveryLine>> = [
  { title: 'Time', class: 'nowrap', cell: ({ createdAtMs }) => <Time ms={createdAtMs} /> },
  { title: 'Event', cell: ({ event }) => event },
  { title: 'State', class: 'state', cell: DeliveryState },
  { title: 'Attempts', class: 'number', cell: ({ attempts }) => attempts },
  { title: 'Status', cell: ({ lastStatus, lastError }) => <Answer status={lastStatus} error={lastError} /> },
  { title: 'ms', class: 'number', cell: ({ lastLatencyMs }) => lastLatencyMs?.toLocaleString('en') ?? <None /> },
  {
    title: 'Delivery ID',
    class: 'nowrap',
    cell: ({ id }) => (
      <Copyable text={id} name="delivery ID" to={<Link to={`${WEBHOOKS_PATH}/deliveries/${id}`}>{id}</Link>} />
    ),
  },
];
