import { readOrganisationPage } from '../../../store/organisation-pages.js';
import { monthOf } from '../../intake/subscription.js';
import { answerPage, type PortalAnswer } from '../answers.js';
import { EmptyState } from '../components/empty-state.js';
import { GetForm } from '../components/get-form.js';
import { Link } from '../components/link.js';
import { ListPanel } from '../components/list-panel.js';
import { Page } from '../components/page.js';
import type { PortalCall } from '../portal-call.js';
import { organisationColumns } from './operator/organisation-columns.js';
import { readBefore, readTyped } from './read-query.js';

/** Lets support and operators choose whose page they want: lists are of one organisation. */
export async function answerChoice({ store, frame, url }: PortalCall, title: string): Promise<PortalAnswer> {
  const nowMs = store.clock.now();
  const query = readTyped(url.searchParams, { name: 'Name' });
  const before = readBefore(url.searchParams, 'org');
  const filter = { word: query.name, before };
  const part = await store.read(readOrganisationPage(filter, { nowMs, month: monthOf(nowMs).name }));
  const { path } = frame;
  return answerPage(
    <Page frame={frame} title={title} styles={['lists.css', 'figures.css']}>
      <p class="lead">Choose an organisation. The address then names it, so that each tab is about one.</p>
      <GetForm to={path} class="search">
        <input type="search" name="name" value={query.name ?? ''} aria-label="A part of the name" />
        <button class="button" type="submit">
          Search
        </button>
        {query.name === undefined ? null : (
          <Link class="button plain" to={path}>
            Clear
          </Link>
        )}
      </GetForm>
      <ListPanel
        caption="Organisations, newest first"
        columns={organisationColumns((organisation) => ({ path, query: { organisation } }))}
        idOf={({ id }) => id}
        part={part}
        path={path}
        query={query}
        isOlderPage={before !== undefined}
      >
        <EmptyState title={query.name === undefined ? 'No organisations yet' : 'No organisation matches'}>
          <p>
            {query.name === undefined ? 'An operator creates them under Operator.' : 'Search for a part of the name.'}
          </p>
        </EmptyState>
      </ListPanel>
    </Page>,
  );
}
