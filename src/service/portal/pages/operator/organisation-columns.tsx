import type { OrganisationLine } from '../../../../store/organisation-pages.js';
import { Copyable } from '../../components/copyable.js';
import { Cut } from '../../components/cut.js';
import type { Column } from '../../components/data-table.js';
import { Meter } from '../../components/figure.js';
import { formatCount } from '../../components/format-count.js';
import { Link } from '../../components/link.js';
import { Time } from '../../components/time.js';
import { SubscriptionBadge } from './organisation-state.js';

const format = (n: number) => n.toLocaleString('en');

/** Columns of a list of organisations, each with the page that its name leads to. */
export function organisationColumns(
  linkTo: (id: string) => { path: string; query?: Record<string, string> },
): ReadonlyArray<Column<OrganisationLine>> {
  return [
    {
      title: 'Name',
      class: 'who',
      cell: ({ id, name }) => {
        const { path, query } = linkTo(id);
        return (
          <Link to={path} query={query ?? {}}>
            <Cut text={name} />
          </Link>
        );
      },
    },
    { title: 'State', class: 'state', cell: ({ state }) => <SubscriptionBadge state={state} /> },
    { title: 'Plan', class: 'nowrap', cell: ({ plan }) => <bdi>{plan}</bdi> },
    { title: 'Documents', class: 'number', cell: (line) => <Use {...line} /> },
    { title: 'Running', class: 'number', cell: ({ running }) => formatCount(running) },
    { title: 'Waiting', class: 'number', cell: ({ waiting }) => formatCount(waiting) },
    { title: 'Created', class: 'nowrap', cell: ({ createdAtMs }) => <Time ms={createdAtMs} /> },
    { title: 'ID', class: 'nowrap', cell: ({ id }) => <Copyable text={id} name="organisation ID" /> },
  ];
}

/** Documents of the present period, and their limit. */
function Use({ used, limit }: OrganisationLine) {
  return (
    <span class="use">
      {format(used)}
      {limit === null ? null : <span class="soft">{` of ${format(limit)}`}</span>}
      {limit === null || limit === 0 ? null : <Meter share={used / limit} />}
    </span>
  );
}
