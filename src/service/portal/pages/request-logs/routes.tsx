import { listApiKeys } from '../../../../store/api-keys.js';
import { readJobOf } from '../../../../store/job-pages.js';
import { findNames } from '../../../../store/names.js';
import { readReplaysOf } from '../../../../store/replays.js';
import type { RequestRow } from '../../../../store/requests.js';
import { CLOCK_STEP_MS } from '../../../../store/short-ids.js';
import { listDeliveries } from '../../../../store/webhook-deliveries.js';
import { answerPage, type PortalAnswer, PortalNotFound } from '../../answers.js';
import { originOf, ownScopeOf, type PortalCall, type PortalRoute, scopeOf } from '../../portal-call.js';
import { EVERYBODY } from '../../roles.js';
import { findOwnerOfRequest } from '../../scoped/ids.js';
import { findOneRequest, readRequests, streamAllRequests } from '../../scoped/requests.js';
import { answerChoice } from '../choose-organisation.js';
import { renderCsv } from './csv.js';
import { renderCurl, renderExample } from './curl.js';
import { DetailPage } from './detail-page.js';
import { ListPage } from './list-page.js';
import { type ReadFilter, readFilter } from './read-filter.js';

const MAX_DELIVERIES = 20;

export const REQUEST_LOG_ROUTES: readonly PortalRoute[] = [
  { method: 'GET', path: '/request-logs', roles: EVERYBODY, live: ['calls', 'jobs'], answer: answerList },
  { method: 'GET', path: '/request-logs.csv', roles: EVERYBODY, answer: answerCsv },
  {
    method: 'GET',
    path: '/request-logs/:requestId',
    roles: EVERYBODY,
    live: ['calls', 'jobs', 'deliveries'],
    organisationOf: async ({ store, requests }, { requestId = '' }) => {
      await requests.flush();
      return await findOwnerOfRequest(store, requestId);
    },
    answer: answerDetail,
  },
];

async function answerList(call: PortalCall): Promise<PortalAnswer> {
  const { organisationId, components, store, frame } = call;
  if (organisationId === undefined) return await answerChoice(call, 'Request Logs');
  await components.requests.flush();
  const read = await readFilter(call.url.searchParams, ownScopeOf(call));
  const keys = await listApiKeys(store, organisationId);
  const part = read.errors.length > 0 ? { rows: [], olderThan: undefined } : await readPart(call, organisationId, read);
  const page = <ListPage frame={frame} read={read} part={part} keys={keys} example={renderExample(originOf(call))} />;
  // A filter that is not understood is no failed load, which browsers note on their consoles.
  return answerPage(page);
}

/** Reads one page. A call that is asked for by its id is found wherever it is in the list. */
async function readPart(call: PortalCall, organisationId: string, { filter }: ReadFilter) {
  const { requestId } = filter;
  if (requestId === undefined) return await readRequests(scopeOf(call), organisationId, filter);
  const found = await findOneRequest(scopeOf(call), requestId);
  return { rows: found === undefined ? [] : [found], olderThan: undefined };
}

async function answerCsv(call: PortalCall): Promise<PortalAnswer> {
  const { organisationId, url } = call;
  if (organisationId === undefined) throw new PortalNotFound();
  await call.components.requests.flush();
  const { filter, errors } = await readFilter(url.searchParams, ownScopeOf(call));
  if (errors.length > 0) return await answerList(call);
  return {
    status: 200,
    body: renderCsv(streamAllRequests(scopeOf(call), organisationId, filter)),
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="request-logs.csv"',
    },
  };
}

async function answerDetail(call: PortalCall): Promise<PortalAnswer> {
  const { store, components, frame, params } = call;
  await components.requests.flush();
  const request = await findOneRequest(scopeOf(call), params.requestId ?? '');
  if (request === undefined) throw new PortalNotFound();
  const { organisationId, requestId, jobId, keyId, replayOf } = request;
  const job =
    organisationId === null || jobId === null ? undefined : await store.read(readJobOf(organisationId, jobId));
  const deliveries =
    organisationId === null
      ? []
      : await listDeliveries(store, {
          organisationId,
          requestId,
          ...timesOfDeliveries(request, store.clock.now()),
          limit: MAX_DELIVERIES,
        });
  const replays = organisationId === null ? [] : await store.read(readReplaysOf(organisationId, replayOf ?? requestId));
  const keyName = (await findNames(store, [], [keyId])).key(keyId);
  const curl = renderCurl(originOf(call), request);
  return answerPage(
    <DetailPage
      frame={frame}
      request={request}
      job={job}
      deliveries={deliveries}
      replays={replays.filter((replay) => replay.requestId !== requestId)}
      keyName={keyName}
      curl={curl}
    />,
  );
}

/** Returns the times between which deliveries of a call are made: when it came, and when it or its job ended. */
function timesOfDeliveries(
  { createdAtMs, durationMs, jobId, jobFinishedAtMs }: RequestRow,
  nowMs: number,
): { fromMs: number; toMs: number } {
  const endedAtMs = jobId === null && durationMs !== null ? createdAtMs + durationMs : (jobFinishedAtMs ?? nowMs);
  return { fromMs: createdAtMs - CLOCK_STEP_MS, toMs: Math.max(createdAtMs, endedAtMs) + CLOCK_STEP_MS };
}
