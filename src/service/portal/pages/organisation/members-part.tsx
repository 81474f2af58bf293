import type { Member } from '../../../../store/members.js';
import type { Page as Part } from '../../../../store/page.js';
import { Copyable } from '../../components/copyable.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { useFrame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { Pager } from '../../components/pager.js';
import { timeOr } from '../../components/time.js';
import { OWNERS } from '../../roles.js';
import { MEMBERS_PATH, ORGANISATION_PATH } from './paths.js';
import { PersonName, RoleName } from './person.js';

interface MembersProps {
  part: Part<Member>;
  isOlderPage: boolean;
  /** The member who looks at the page; null for staff. */
  ownId: string | null;
}

/** The members of an organisation. */
export function MembersPart({ part, isOlderPage, ownId }: MembersProps) {
  const { rows, olderThan } = part;
  const isOwner = OWNERS.includes(useFrame().role);
  return (
    <section class="panel" aria-labelledby="members">
      <div class="title">
        <h2 id="members">Members</h2>
      </div>
      {rows.length > 0 ? (
        <DataTable
          caption="Members, newest first"
          columns={columnsFor(isOwner, ownId)}
          rows={rows}
          idOf={({ id }) => id}
        />
      ) : (
        <p class="quiet">
          {isOwner
            ? 'Nobody yet. Invite the first owner; the link that you send makes a member of whoever opens it.'
            : 'Nobody yet. An operator invites the first owner.'}
        </p>
      )}
      {isOlderPage || olderThan !== undefined ? (
        <Pager
          path={ORGANISATION_PATH}
          query={{}}
          count={rows.length}
          isOlderPage={isOlderPage}
          olderThan={olderThan}
        />
      ) : null}
    </section>
  );
}

function columnsFor(isOwner: boolean, ownId: string | null): ReadonlyArray<Column<Member>> {
  const columns: ReadonlyArray<Column<Member>> = [
    {
      title: 'Name',
      class: 'who',
      cell: ({ id, name, account }) => (
        <>
          <PersonName name={name} note={id === ownId ? 'you' : undefined} />
          {account === null ? null : (
            <p class="soft">
              <bdi>{account}</bdi>
            </p>
          )}
        </>
      ),
    },
    { title: 'Role', cell: ({ role }) => <RoleName role={role} /> },
    { title: 'Last seen', class: 'nowrap', cell: ({ seenAtMs }) => timeOr(seenAtMs, 'no session') },
    { title: 'ID', class: 'nowrap', cell: ({ id }) => <Copyable text={id} name="member ID" /> },
  ];
  return isOwner ? [...columns, { title: 'Actions', class: 'end', cell: MemberActions }] : columns;
}

/** Links to the changes of a member. */
function MemberActions({ id, name, role }: Member) {
  const path = `${MEMBERS_PATH}/${id}`;
  const other = role === 'owner' ? 'member' : 'owner';
  return (
    <span class="row-actions">
      <Link
        class="button small"
        to={`${path}/role`}
        label={`Make ${name} ${other === 'owner' ? 'an' : 'a'} ${other}`}
        asks
      >
        {other === 'owner' ? 'Make owner' : 'Make member'}
      </Link>
      <Link class="button small" to={`${path}/link`} label={`New link for ${name}`} asks>
        New link
      </Link>
      <Link class="button small" to={`${path}/remove`} label={`Remove ${name}`} asks>
        Remove
      </Link>
    </span>
  );
}
