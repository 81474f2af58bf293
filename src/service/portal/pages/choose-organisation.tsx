import { readOrganisationPage } from '../../../store/organisation-pages.js';
import type { ShortenedKind } from '../../../store/short-ids.js';
import { monthOf } from '../../intake/subscription.js';
import { answerPage, answerRedirect, type PortalAnswer } from '../answers.js';
import { EmptyState } from '../components/empty-state.js';
import { hrefOf } from '../components/frame.js';
import { GetForm } from '../components/get-form.js';
import { Link } from '../components/link.js';
import { ListPanel } from '../components/list-panel.js';
import { Page } from '../components/page.js';
import { type PortalCall, scopeOf } from '../portal-call.js';
import { type FoundId, findId } from '../scoped/ids.js';
import { JOBS_PATH } from './job-queues/job-columns.js';
import { organisationColumns } from './operator/organisation-columns.js';
import { readBefore, readTyped } from './read-query.js';

/** Pages of what has an id that may be searched for. Its prefix tells the id from a part of a name. */
const PAGES_OF_IDS: Record<ShortenedKind, string> = { req: '/request-logs', job: JOBS_PATH };

/**
 * Lets support and operators choose whose page they want: lists are of one organisation. Whoever holds the id of a call or a job
 * gets to its page without knowing whose it is.
 */
export async function answerChoice(call: PortalCall, title: string): Promise<PortalAnswer> {
  const { store, frame, url } = call;
  const nowMs = store.clock.now();
  const query = readTyped(url.searchParams, { name: 'Name' });
  const byId = query.name === undefined ? undefined : await searchById(call, query.name);
  if (byId?.kind === 'found') return answerRedirect(hrefOf(frame, byId.path));
  const before = readBefore(url.searchParams, 'org');
  const filter = { word: query.name, before };
  const part = await store.read(readOrganisationPage(filter, { nowMs, month: monthOf(nowMs).name }));
  const { path } = frame;
  return answerPage(
    <Page frame={frame} title={title} styles={['lists.css', 'figures.css']}>
      <p class="lead">Choose an organisation. The address then names it, so that each tab is about one.</p>
      <p class="soft">
        <label for="field-name">A part of its name, or the ID of a request or job</label>
      </p>
      <GetForm to={path} class="search">
        <input
          type="search"
          id="field-name"
          name="name"
          value={query.name ?? ''}
          placeholder="Name, req_… or job_…"
          spellcheck={false}
          autocomplete="off"
        />
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
        <NoRows isSearch={query.name !== undefined} byId={byId} />
      </ListPanel>
    </Page>,
  );
}

type ById = Exclude<FoundId, { kind: 'found' }> | { kind: 'found'; path: string };

/** Finds the page of a call or a job by its id or a beginning of it; undefined for a text without the prefix of one. */
async function searchById(call: PortalCall, typed: string): Promise<ById | undefined> {
  const [, prefix = ''] = /^([a-z]{3})_/i.exec(typed) ?? [];
  const kind = (Object.keys(PAGES_OF_IDS) as ShortenedKind[]).find((one) => one === prefix.toLowerCase());
  if (kind === undefined) return undefined;
  await call.components.requests.flush();
  const found = await findId(scopeOf(call), kind, typed);
  return found.kind === 'found' ? { kind: 'found', path: `${PAGES_OF_IDS[kind]}/${found.id}` } : found;
}

function NoRows({ isSearch, byId }: { isSearch: boolean; byId: ById | undefined }) {
  if (byId?.kind === 'ambiguous')
    return (
      <EmptyState title="Several have this beginning">
        <p>{byId.explanation}. Give more of the ID.</p>
      </EmptyState>
    );
  if (byId !== undefined)
    return (
      <EmptyState title="Nothing has this ID">
        <p>Give the whole ID, as the caller got it. Calls and jobs are forgotten after a time.</p>
      </EmptyState>
    );
  return (
    <EmptyState title={isSearch ? 'No organisation matches' : 'No organisations yet'}>
      <p>
        {isSearch
          ? 'Search for a part of the name, or for a whole ID of a request or job.'
          : 'An operator creates them under Operator.'}
      </p>
    </EmptyState>
  );
}
