import { listOrganisations } from '../../../store/organisations.js';
import { answerPage, type PortalAnswer } from '../answers.js';
import { Copyable } from '../components/copyable.js';
import { DataTable } from '../components/data-table.js';
import { Link } from '../components/link.js';
import { Page } from '../components/page.js';
import type { PortalCall } from '../portal-call.js';

/** Lets support and operators choose whose page they want: lists are of one organisation. */
export async function answerChoice({ store, frame }: PortalCall, title: string): Promise<PortalAnswer> {
  const organisations = await listOrganisations(store);
  return answerPage(
    <Page frame={frame} title={title}>
      <p class="lead">Choose an organisation. The address then names it, so that each tab is about one.</p>
      <div class="panel">
        <DataTable
          caption="Organisations"
          rows={organisations}
          idOf={({ id }) => id}
          columns={[
            {
              title: 'Name',
              cell: ({ id, name }) => (
                <Link to={frame.path} query={{ organisation: id }}>
                  <bdi>{name}</bdi>
                </Link>
              ),
            },
            { title: 'Plan', cell: ({ plan }) => <bdi>{plan}</bdi> },
            { title: 'State', cell: ({ subscription }) => subscription },
            { title: 'ID', cell: ({ id }) => <Copyable text={id} name="organisation ID" /> },
          ]}
        />
      </div>
    </Page>,
  );
}
