import type { SessionLine } from '../../../../store/portal-sessions.js';
import { Copyable } from '../../components/copyable.js';
import { type Column, DataTable, None } from '../../components/data-table.js';
import { PostForm } from '../../components/post-form.js';
import { Time } from '../../components/time.js';
import { PersonName, RoleName } from './person.js';

interface SessionsProps {
  sessions: readonly SessionLine[];
  /** The id of the session that looks at the page. */
  ownId: string;
  /** Below it are the forms that end sessions. */
  path: string;
  mayEnd: boolean;
  title: string;
  /** True when others of this member can be ended together. */
  hasOthers: boolean;
}

/** Sessions that have not ended. */
export function SessionsPart({ sessions, ownId, path, mayEnd, title, hasOthers }: SessionsProps) {
  return (
    <section class="panel" aria-labelledby="sessions">
      <div class="title">
        <h2 id="sessions">{title}</h2>
        {hasOthers ? (
          <PostForm to={`${path}/end-others`}>
            <button class="button small" type="submit">
              End all your others
            </button>
          </PostForm>
        ) : null}
      </div>
      {sessions.length === 0 ? (
        <p class="quiet">None: nobody has entered, or all have left.</p>
      ) : (
        <DataTable
          caption="Sessions, newest first"
          columns={columnsFor({ ownId, path, mayEnd })}
          rows={sessions}
          idOf={({ id }) => id}
        />
      )}
    </section>
  );
}

function columnsFor(shown: Pick<SessionsProps, 'ownId' | 'path' | 'mayEnd'>): ReadonlyArray<Column<SessionLine>> {
  const { ownId, path, mayEnd } = shown;
  const columns: ReadonlyArray<Column<SessionLine>> = [
    {
      title: 'Name',
      class: 'who',
      cell: ({ id, name }) => <PersonName name={name} note={id === ownId ? 'this session' : undefined} />,
    },
    { title: 'Role', cell: ({ role }) => <RoleName role={role} /> },
    { title: 'Browser', class: 'nowrap', cell: ({ browser }) => browser ?? <None /> },
    { title: 'Began', class: 'nowrap', cell: ({ createdAtMs }) => <Time ms={createdAtMs} /> },
    { title: 'Last used', class: 'nowrap', cell: ({ seenAtMs }) => <Time ms={seenAtMs} /> },
    { title: 'ID', class: 'nowrap', cell: ({ id }) => <Copyable text={id} name="session ID" /> },
  ];
  const end = ({ id, name }: SessionLine) => (
    <PostForm to={`${path}/${id}/end`}>
      <button class="button small" type="submit" aria-label={`End the session of ${name}, ${id}`}>
        End
      </button>
    </PostForm>
  );
  return mayEnd ? [...columns, { title: 'Actions', class: 'end', cell: end }] : columns;
}
