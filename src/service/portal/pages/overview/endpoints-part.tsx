import { countOf } from '../../../../contract/count-of.js';
import { Cut } from '../../components/cut.js';
import { type Column, DataTable, None } from '../../components/data-table.js';
import { Link } from '../../components/link.js';
import { Time } from '../../components/time.js';
import type { EndpointLine } from '../../scoped/webhooks.js';
import { Answer, WEBHOOKS_PATH } from '../webhooks/cells.js';

/** Webhook endpoints whose deliveries fail. */
export function EndpointsPart(props: { endpoints: readonly EndpointLine[]; hasWebhooks: boolean }) {
  const { endpoints, hasWebhooks } = props;
  const failing = endpoints.filter(({ health: { failingSinceMs } }) => failingSinceMs !== undefined);
  return (
    <section class="panel" aria-labelledby="overview-endpoints">
      <div class="title">
        <h2 id="overview-endpoints">Failing endpoints</h2>
        {endpoints.length === 0 ? null : <p class="soft">{`${failing.length} of ${endpoints.length}`}</p>}
      </div>
      {failing.length === 0 ? (
        <p class="quiet">{describeNone(endpoints.length, hasWebhooks)}</p>
      ) : (
        <DataTable
          caption="Endpoints whose last deliveries failed"
          columns={COLUMNS}
          rows={failing}
          idOf={({ id }) => id}
        />
      )}
    </section>
  );
}

function describeNone(count: number, hasWebhooks: boolean): string {
  if (!hasWebhooks) return 'The plan has no webhooks.';
  return count === 0 ? 'There are no webhook endpoints.' : `None: ${countOf(count, 'endpoint')} deliver.`;
}

const COLUMNS: ReadonlyArray<Column<EndpointLine>> = [
  { title: 'Endpoint', class: 'fill wide', cell: EndpointLink },
  {
    title: 'Failing since',
    class: 'nowrap',
    cell: ({ health: { failingSinceMs } }) => (failingSinceMs === undefined ? <None /> : <Time ms={failingSinceMs} />),
  },
  {
    title: 'Last answer',
    cell: ({ health: { lastAttempt } }) => (lastAttempt === undefined ? <None /> : <Answer {...lastAttempt} />),
  },
  { title: 'Dead in 24 h', class: 'number', cell: ({ health: { dead } }) => dead.toLocaleString('en') },
];

function EndpointLink({ id, url }: EndpointLine) {
  return (
    <Link to={`${WEBHOOKS_PATH}/${id}`}>
      <Cut text={url} />
    </Link>
  );
}
