import type { DeliveryLine } from '../../../../store/delivery-pages.js';
import type { Page as Part } from '../../../../store/page.js';
import { CodeBlock } from '../../components/code-block.js';
import { DataTable } from '../../components/data-table.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorSummary } from '../../components/fields.js';
import { Filters } from '../../components/filters.js';
import type { Frame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { ListPanel } from '../../components/list-panel.js';
import { Page } from '../../components/page.js';
import { MEMBERS, OWNERS } from '../../roles.js';
import type { EndpointLine } from '../../scoped/webhooks.js';
import { DELIVERY_COLUMNS, ENDPOINT_COLUMNS, WEBHOOKS_PATH } from './cells.js';
import { FilterFields } from './filter-fields.js';
import { FILTER_LABELS, type FilterName, type ReadFilter } from './read-filter.js';

interface ListProps {
  frame: Frame;
  endpoints: readonly EndpointLine[];
  read: ReadFilter;
  part: Part<DeliveryLine>;
  /** True when the plan has webhooks. */
  hasWebhooks: boolean;
  /** A call of this service that a newcomer can try. */
  example: string;
}

/** Endpoints, and under them their deliveries. */
export function ListPage(props: ListProps) {
  const { frame, endpoints, read, hasWebhooks } = props;
  return (
    <Page
      frame={frame}
      title="Webhooks"
      styles={['lists.css']}
      actions={
        <>
          <Link class="button" to={`${WEBHOOKS_PATH}/check-signature`}>
            Check a signature
          </Link>
          {hasWebhooks && OWNERS.includes(frame.role) ? (
            <Link class="button main" to={`${WEBHOOKS_PATH}/new`}>
              Create endpoint
            </Link>
          ) : null}
        </>
      }
    >
      <ErrorSummary errors={read.errors} />
      <section class="panel part" aria-label="Endpoints">
        {endpoints.length > 0 ? (
          <DataTable
            caption="Endpoints, oldest first"
            columns={ENDPOINT_COLUMNS}
            rows={endpoints}
            idOf={({ id }) => id}
          />
        ) : (
          <NoEndpoints isOwner={OWNERS.includes(frame.role)} hasWebhooks={hasWebhooks} />
        )}
      </section>
      <Deliveries {...props} />
    </Page>
  );
}

function NoEndpoints({ isOwner, hasWebhooks }: { isOwner: boolean; hasWebhooks: boolean }) {
  if (!hasWebhooks)
    return (
      <EmptyState title="The plan has no webhooks">
        <p>Ask whoever runs this service for a plan that has them.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="No endpoints yet">
      <p>
        {isOwner
          ? 'Create an endpoint to hear of each document when it is done. Its address must begin with https://.'
          : 'An owner of the organisation creates endpoints, which hear of each document when it is done.'}
      </p>
    </EmptyState>
  );
}

function Deliveries({ frame, endpoints, read, part, example }: ListProps) {
  const { query, filter, errors } = read;
  const isOlderPage = filter.before !== undefined;
  const chips = (Object.entries(query) as Array<[FilterName, string]>).map(([name, value]) => ({
    name,
    label: FILTER_LABELS[name],
    value: (name === 'endpoint' ? endpoints.find(({ id }) => id === value)?.url : undefined) ?? value,
  }));
  return (
    <section aria-labelledby="deliveries">
      <div class="head">
        <h2 id="deliveries">Deliveries</h2>
        {MEMBERS.includes(frame.role) && endpoints.length > 0 ? (
          <Link class="button" to={`${WEBHOOKS_PATH}/resend-dead`} query={{ endpoint: query.endpoint }} asks>
            Resend all dead
          </Link>
        ) : null}
      </div>
      <Filters path={WEBHOOKS_PATH} chips={chips} query={query} isOpen={errors.length > 0}>
        <FilterFields {...read} endpoints={endpoints} />
      </Filters>
      <ListPanel
        caption="Deliveries, newest first"
        columns={DELIVERY_COLUMNS}
        idOf={({ id }) => id}
        nouns={['delivery', 'deliveries']}
        part={part}
        path={WEBHOOKS_PATH}
        query={query}
        isOlderPage={isOlderPage}
      >
        <NoRows isFiltered={chips.length > 0} hasOlder={part.olderThan !== undefined} example={example} />
      </ListPanel>
    </section>
  );
}

function NoRows({ isFiltered, hasOlder, example }: { isFiltered: boolean; hasOlder: boolean; example: string }) {
  const isNew = !isFiltered && !hasOlder;
  const [title, text] = hasOlder
    ? ['None among these deliveries', 'Few deliveries match. Look on among older ones.']
    : isFiltered
      ? ['No delivery matches', 'Remove a filter above to see more.']
      : [
          'No deliveries yet',
          'Each document that is done goes to every endpoint that gets its event. Test sends a sample.',
        ];
  return (
    <EmptyState title={title}>
      <p>{text}</p>
      {isNew ? <CodeBlock text={example} name="example" /> : null}
    </EmptyState>
  );
}
