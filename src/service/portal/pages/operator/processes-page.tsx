import type { SessionLine } from '../../../../store/portal-sessions.js';
import type { ProcessRow } from '../../../../store/processes.js';
import { MAX_SILENCE_MS } from '../../../monitoring/presence.js';
import { Badge } from '../../components/badge.js';
import { Copyable } from '../../components/copyable.js';
import { type Column, DataTable, None } from '../../components/data-table.js';
import type { Frame } from '../../components/frame.js';
import { Page } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { OPERATORS } from '../../roles.js';
import { SessionsPart } from '../organisation/sessions-part.js';
import { OperatorTabs } from './operator-tabs.js';
import { PROCESSES_PATH, STAFF_SESSIONS_PATH } from './paths.js';

interface ProcessesProps {
  frame: Frame;
  processes: readonly ProcessRow[];
  sessions: readonly SessionLine[];
  /** The id of the session that looks at the page. */
  ownId: string;
  nowMs: number;
}

/** The processes of the service, and the sessions of those who run it. */
export function ProcessesPage({ frame, processes, sessions, ownId, nowMs }: ProcessesProps) {
  return (
    <Page frame={frame} title="Operator">
      <OperatorTabs current={PROCESSES_PATH} />
      <section class="panel" aria-labelledby="processes">
        <div class="title">
          <h2 id="processes">Processes</h2>
        </div>
        <DataTable
          caption="Processes of the service"
          columns={columnsFor(nowMs)}
          rows={processes}
          idOf={({ id }) => `process-${id}`}
        />
      </section>
      <SessionsPart
        sessions={sessions}
        ownId={ownId}
        path={STAFF_SESSIONS_PATH}
        mayEnd={OPERATORS.includes(frame.role)}
        title="Sessions of operators and support"
        hasOthers={false}
      />
    </Page>
  );
}

function columnsFor(nowMs: number): ReadonlyArray<Column<ProcessRow>> {
  return [
    { title: 'Role', cell: ({ role }) => <strong>{role}</strong> },
    {
      title: 'State',
      class: 'state',
      cell: ({ seenAtMs }) => {
        const isSilent = nowMs - seenAtMs > MAX_SILENCE_MS;
        return <Badge tone={isSilent ? 'bad' : 'good'}>{isSilent ? 'silent' : 'alive'}</Badge>;
      },
    },
    { title: 'Version', cell: ({ version }) => <code>{version}</code> },
    { title: 'Running', class: 'number', cell: ({ role, running, workers }) => runningOf(role, running, workers) },
    { title: 'Machine', class: 'who', cell: ({ host, pid }) => <bdi>{`${host}, process ${pid}`}</bdi> },
    { title: 'Started', class: 'nowrap', cell: ({ startedAtMs }) => <Time ms={startedAtMs} /> },
    { title: 'Seen', class: 'nowrap', cell: ({ seenAtMs }) => <Time ms={seenAtMs} /> },
    { title: 'ID', class: 'nowrap', cell: ({ id }) => <Copyable text={id} name="process ID" /> },
  ];
}

function runningOf(role: string, running: number, workers: number) {
  return role === 'api' ? <None /> : `${running} of ${workers}`;
}
