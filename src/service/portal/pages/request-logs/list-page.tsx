import type { ApiKey } from '../../../../store/api-keys.js';
import type { Page as Part } from '../../../../store/page.js';
import type { RequestRow } from '../../../../store/requests.js';
import { CodeBlock } from '../../components/code-block.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorSummary } from '../../components/fields.js';
import { type Chip, Filters } from '../../components/filters.js';
import type { Frame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { ListPanel } from '../../components/list-panel.js';
import { Page } from '../../components/page.js';
import { FilterFields } from './filter-fields.js';
import { FILTER_LABELS, type FilterName, type ReadFilter } from './read-filter.js';
import { REQUEST_COLUMNS } from './request-columns.js';

const PATH = '/request-logs';

/** The list of calls. */
export function ListPage(props: {
  frame: Frame;
  read: ReadFilter;
  part: Part<RequestRow>;
  keys: readonly ApiKey[];
  /** A call of this service that a newcomer can try. */
  example: string;
}) {
  const { frame, read, part, keys, example } = props;
  const { query, filter, errors } = read;
  const isOlderPage = filter.before !== undefined;
  return (
    <Page
      frame={frame}
      title="Request Logs"
      styles={['lists.css']}
      actions={
        <Link class="button" to="/request-logs.csv" query={query}>
          CSV
        </Link>
      }
    >
      <ErrorSummary errors={errors} />
      <Filters path={PATH} chips={chipsOf(read, keys)} query={query} isOpen={errors.length > 0}>
        <FilterFields {...read} keys={keys} />
      </Filters>
      <ListPanel
        caption="Calls, newest first"
        columns={REQUEST_COLUMNS}
        idOf={({ requestId }) => requestId}
        nouns={['call', 'calls']}
        part={part}
        path={PATH}
        query={query}
        isOlderPage={isOlderPage}
      >
        <NoRows isFiltered={Object.keys(query).length > 0} hasOlder={part.olderThan !== undefined} example={example} />
      </ListPanel>
    </Page>
  );
}

function NoRows({ isFiltered, hasOlder, example }: { isFiltered: boolean; hasOlder: boolean; example: string }) {
  if (hasOlder)
    return (
      <EmptyState title="None among these calls">
        <p>Few calls match. Look on among older ones, or say more with the filters: a function, a key or times.</p>
      </EmptyState>
    );
  if (isFiltered)
    return (
      <EmptyState title="No call matches">
        <p>Remove a filter above to see more.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="No calls yet">
      <p>Send a document with one of your keys. Each call then has a line here, also when it is refused.</p>
      <CodeBlock text={example} name="example" />
    </EmptyState>
  );
}

function chipsOf({ query }: ReadFilter, keys: readonly ApiKey[]): Chip[] {
  return (Object.entries(query) as Array<[FilterName, string]>).map(([name, value]) => {
    const key = name === 'key' ? keys.find(({ id }) => id === value) : undefined;
    return {
      name,
      label: FILTER_LABELS[name],
      value: key === undefined ? value : `${key.name} …${key.lastFour}`.trim(),
    };
  });
}
