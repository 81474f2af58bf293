import type { AuditRow } from '../../../../store/audit.js';
import { Copyable } from '../../components/copyable.js';
import { type Column, None } from '../../components/data-table.js';
import { Link } from '../../components/link.js';
import { Time } from '../../components/time.js';
import { RoleName } from './person.js';

/** Pages of things that a change can be about, by the beginnings of their ids. */
const PAGES: Readonly<Record<string, string>> = {
  key: '/api-keys',
  whe: '/webhooks',
  job: '/job-queues',
  req: '/request-logs',
};

/** Columns of the audit log. `hasPages`: the things are those of the organisation that the page is about. */
export function auditColumns(hasPages: boolean): ReadonlyArray<Column<AuditRow>> {
  return [
    { title: 'Time', class: 'nowrap', cell: ({ createdAtMs }) => <Time ms={createdAtMs} /> },
    { title: 'Who', class: 'who', cell: ({ who }) => <bdi>{who}</bdi> },
    { title: 'As', cell: ({ role }) => <RoleName role={role} /> },
    { title: 'Action', class: 'nowrap', cell: ({ action }) => <code>{action}</code> },
    { title: 'On', class: 'nowrap', cell: ({ subjectId }) => <Subject id={subjectId} hasPage={hasPages} /> },
    { title: 'Detail', class: 'who', cell: ({ detail }) => <Detail json={detail} /> },
  ];
}

function Subject({ id, hasPage }: { id: string | null; hasPage: boolean }) {
  if (id === null) return <None />;
  if (!/^[a-z]{3}_/.test(id)) return <bdi>{id}</bdi>;
  const page = hasPage ? PAGES[id.slice(0, 3)] : undefined;
  if (page === undefined) return <Copyable text={id} name="ID" />;
  return <Copyable text={id} name="ID" to={<Link to={`${page}/${id}`}>{id}</Link>} />;
}

function Detail({ json }: { json: string | null }) {
  const text = json === null ? '' : describe(json);
  return text === '' ? <None /> : <bdi>{text}</bdi>;
}

function describe(json: string): string {
  const facts = Object.entries(JSON.parse(json) as Record<string, unknown>);
  return facts
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join(' · ');
}
