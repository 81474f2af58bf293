import type { UnusedLink } from '../../../../store/portal-links.js';
import { Copyable } from '../../components/copyable.js';
import { type Column, DataTable, None } from '../../components/data-table.js';
import { useFrame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { Time } from '../../components/time.js';
import { OWNERS } from '../../roles.js';
import { LINKS_PATH } from './paths.js';
import { RoleName } from './person.js';

/** Links that nobody has used yet. */
export function LinksPart({ links }: { links: readonly UnusedLink[] }) {
  const isOwner = OWNERS.includes(useFrame().role);
  if (links.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="links">
      <div class="title">
        <h2 id="links">Unused links</h2>
        <p class="soft">Each works once.</p>
      </div>
      <DataTable
        caption="Unused links, newest first"
        columns={isOwner ? [...COLUMNS, ACTIONS] : COLUMNS}
        rows={links}
        idOf={({ id }) => id}
      />
    </section>
  );
}

const COLUMNS: ReadonlyArray<Column<UnusedLink>> = [
  { title: 'For', class: 'who', cell: ({ name }) => <bdi>{name}</bdi> },
  { title: 'Role', cell: ({ role }) => <RoleName role={role} /> },
  { title: 'Made by', cell: ({ madeBy }) => (madeBy === null ? <None /> : <bdi>{madeBy}</bdi>) },
  { title: 'Made', class: 'nowrap', cell: ({ createdAtMs }) => <Time ms={createdAtMs} /> },
  { title: 'Expires', class: 'nowrap', cell: ({ expiresAtMs }) => <Time ms={expiresAtMs} /> },
  { title: 'ID', class: 'nowrap', cell: ({ id }) => <Copyable text={id} name="link ID" /> },
];

const ACTIONS: Column<UnusedLink> = {
  title: 'Actions',
  class: 'end',
  cell: ({ id, name }) => (
    <Link class="button small" to={`${LINKS_PATH}/${id}/revoke`} label={`Revoke the link for ${name}`} asks>
      Revoke
    </Link>
  ),
};
