import { expect, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import { signId } from '../../dist/service/portal/doors/signed-ids.js';
import { EVERYBODY } from '../../dist/service/portal/roles.js';
import { ROUTES } from '../../dist/service/portal/routes.js';
import { hashToken } from '../../dist/service/secrets/tokens.js';
import { createApiKey } from '../../dist/store/access.js';
import { readMemberCalled } from '../../dist/store/members.js';
import { listUnusedLinks } from '../../dist/store/portal-links.js';
import type { PortalRole } from '../../dist/store/portal-sessions.js';
import { idOfSession } from '../../dist/store/portal-sessions.js';
import { writeRequest } from '../../dist/store/requests.js';
import { listEndpoints } from '../../dist/store/webhooks.js';
import { makeRequestEntry } from './support/make-request-entry.js';
import { describePortal, type TestPortal, type Visitor } from './support/portal.js';
import { writeDelivery, writeEndpoint, writeJob } from './support/portal-paths.js';

/** Ids of Birch, which nobody of Alder may see or change. */
interface Foreign {
  organisationId: string;
  requestId: string;
  keyId: string;
  endpointId: string;
  jobId: string;
  deliveryId: string;
  memberId: string;
  linkId: string;
  sessionId: string;
}

/**
 * Every route of the portal with another organisation's ids: a new route has a line here. Fields are those of a form that would
 * be valid for an own thing. `own`: the route names nothing, so that it is about one's own organisation alone, or about none.
 */
const FOREIGN_CALLS: Record<string, { path(foreign: Foreign): string; fields?: Record<string, string> } | 'own'> = {
  'POST /leave': 'own',
  'GET /live': { path: ({ organisationId }) => `/live?organisation=${organisationId}` },
  'GET /api-keys': { path: ({ organisationId }) => `/api-keys?organisation=${organisationId}` },
  'GET /api-keys/new': { path: ({ organisationId }) => `/api-keys/new?organisation=${organisationId}` },
  'POST /api-keys/new': {
    path: ({ organisationId }) => `/api-keys/new?organisation=${organisationId}`,
    fields: { name: 'scanner' },
  },
  'GET /api-keys/:keyId': { path: ({ keyId }) => `/api-keys/${keyId}` },
  'GET /api-keys/:keyId/roll': { path: ({ keyId }) => `/api-keys/${keyId}/roll` },
  'POST /api-keys/:keyId/roll': { path: ({ keyId }) => `/api-keys/${keyId}/roll` },
  'GET /api-keys/:keyId/revoke': { path: ({ keyId }) => `/api-keys/${keyId}/revoke` },
  'POST /api-keys/:keyId/revoke': { path: ({ keyId }) => `/api-keys/${keyId}/revoke` },
  'GET /request-logs': { path: ({ organisationId }) => `/request-logs?organisation=${organisationId}` },
  'GET /request-logs.csv': { path: ({ organisationId }) => `/request-logs.csv?organisation=${organisationId}` },
  'GET /request-logs/:requestId': { path: ({ requestId }) => `/request-logs/${requestId}` },
  'GET /overview': { path: ({ organisationId }) => `/overview?organisation=${organisationId}` },
  'GET /functions': { path: ({ organisationId }) => `/functions?organisation=${organisationId}` },
  'GET /functions/:functionId': {
    path: ({ organisationId }) => `/functions/TEXT_EXTRACTION?organisation=${organisationId}`,
  },
  'GET /functions/:functionId/try': {
    path: ({ organisationId }) => `/functions/TEXT_EXTRACTION/try?organisation=${organisationId}`,
  },
  'POST /functions/:functionId/try': {
    path: ({ organisationId }) => `/functions/TEXT_EXTRACTION/try?organisation=${organisationId}`,
  },
  'GET /functions/:functionId/try/:tryId': { path: (foreign) => forgeTry(foreign) },
  'GET /functions/:functionId/try/:tryId/pages/:page': { path: (foreign) => `${forgeTry(foreign)}/pages/1` },
  'GET /functions/:functionId/try/:tryId/:form': { path: (foreign) => `${forgeTry(foreign)}/json` },
  'GET /job-queues': { path: ({ organisationId }) => `/job-queues?organisation=${organisationId}` },
  'GET /job-queues/:jobId': { path: ({ jobId }) => `/job-queues/${jobId}` },
  'POST /job-queues/:jobId/result': { path: ({ jobId }) => `/job-queues/${jobId}/result` },
  'GET /job-queues/:jobId/release': { path: ({ jobId }) => `/job-queues/${jobId}/release` },
  'POST /job-queues/:jobId/release': { path: ({ jobId }) => `/job-queues/${jobId}/release` },
  'GET /webhooks': { path: ({ organisationId }) => `/webhooks?organisation=${organisationId}` },
  'GET /webhooks/new': { path: ({ organisationId }) => `/webhooks/new?organisation=${organisationId}` },
  'POST /webhooks/new': {
    path: ({ organisationId }) => `/webhooks/new?organisation=${organisationId}`,
    fields: { url: 'https://192.0.2.1/' },
  },
  'GET /webhooks/resend-dead': { path: ({ organisationId }) => `/webhooks/resend-dead?organisation=${organisationId}` },
  'POST /webhooks/resend-dead': {
    path: ({ organisationId }) => `/webhooks/resend-dead?organisation=${organisationId}`,
    fields: { since: '0' },
  },
  'GET /webhooks/:endpointId': { path: ({ endpointId }) => `/webhooks/${endpointId}` },
  'POST /webhooks/:endpointId/test': { path: ({ endpointId }) => `/webhooks/${endpointId}/test` },
  'GET /webhooks/:endpointId/rotate': { path: ({ endpointId }) => `/webhooks/${endpointId}/rotate` },
  'POST /webhooks/:endpointId/rotate': { path: ({ endpointId }) => `/webhooks/${endpointId}/rotate` },
  'GET /webhooks/:endpointId/remove': { path: ({ endpointId }) => `/webhooks/${endpointId}/remove` },
  'POST /webhooks/:endpointId/remove': { path: ({ endpointId }) => `/webhooks/${endpointId}/remove` },
  'GET /webhooks/check-signature': { path: ({ deliveryId }) => `/webhooks/check-signature?delivery=${deliveryId}` },
  'GET /webhooks/deliveries/:deliveryId': { path: ({ deliveryId }) => `/webhooks/deliveries/${deliveryId}` },
  'POST /webhooks/deliveries/:deliveryId/resend': {
    path: ({ deliveryId }) => `/webhooks/deliveries/${deliveryId}/resend`,
  },
  'GET /organisation': { path: ({ organisationId }) => `/organisation?organisation=${organisationId}` },
  'GET /organisation/audit': { path: ({ organisationId }) => `/organisation/audit?organisation=${organisationId}` },
  'GET /organisation/invite': { path: ({ organisationId }) => `/organisation/invite?organisation=${organisationId}` },
  'POST /organisation/invite': {
    path: ({ organisationId }) => `/organisation/invite?organisation=${organisationId}`,
    fields: { name: 'Mallory', role: 'owner' },
  },
  'GET /organisation/links/:linkId/revoke': { path: ({ linkId }) => `/organisation/links/${linkId}/revoke` },
  'POST /organisation/links/:linkId/revoke': { path: ({ linkId }) => `/organisation/links/${linkId}/revoke` },
  'GET /organisation/members/:memberId/role': { path: ({ memberId }) => `/organisation/members/${memberId}/role` },
  'POST /organisation/members/:memberId/role': {
    path: ({ memberId }) => `/organisation/members/${memberId}/role`,
    fields: { role: 'member' },
  },
  'GET /organisation/members/:memberId/link': { path: ({ memberId }) => `/organisation/members/${memberId}/link` },
  'POST /organisation/members/:memberId/link': { path: ({ memberId }) => `/organisation/members/${memberId}/link` },
  'GET /organisation/members/:memberId/remove': { path: ({ memberId }) => `/organisation/members/${memberId}/remove` },
  'POST /organisation/members/:memberId/remove': { path: ({ memberId }) => `/organisation/members/${memberId}/remove` },
  'POST /organisation/sessions/end-others': {
    path: ({ organisationId }) => `/organisation/sessions/end-others?organisation=${organisationId}`,
  },
  'GET /organisation/connect': { path: ({ organisationId }) => `/organisation/connect?organisation=${organisationId}` },
  'POST /organisation/connect': {
    path: ({ organisationId }) => `/organisation/connect?organisation=${organisationId}`,
  },
  'POST /organisation/disconnect': {
    path: ({ organisationId }) => `/organisation/disconnect?organisation=${organisationId}`,
  },
  'GET /operator': 'own',
  'GET /operator/organisations/new': 'own',
  'POST /operator/organisations/new': 'own',
  'GET /operator/organisations/:organisationId': {
    path: ({ organisationId }) => `/operator/organisations/${organisationId}`,
  },
  'GET /operator/organisations/:organisationId/change': {
    path: ({ organisationId }) => `/operator/organisations/${organisationId}/change`,
  },
  'POST /operator/organisations/:organisationId/change': {
    path: ({ organisationId }) => `/operator/organisations/${organisationId}/change`,
    fields: { name: 'Taken', plan: 'TRIAL', subscription: 'canceled' },
  },
  'GET /operator/plans': 'own',
  'GET /operator/plans/new': 'own',
  'POST /operator/plans/new': 'own',
  'GET /operator/plans/:plan': { path: () => '/operator/plans/STARTER' },
  'POST /operator/plans/:plan': { path: () => '/operator/plans/STARTER', fields: { requestsPerWindow: '1' } },
  'GET /operator/plans/:plan/remove': { path: () => '/operator/plans/STARTER/remove' },
  'POST /operator/plans/:plan/remove': { path: () => '/operator/plans/STARTER/remove' },
  'GET /operator/processes': 'own',
  'GET /operator/audit': 'own',
  'POST /operator/sessions/:sessionId/end': { path: ({ sessionId }) => `/operator/sessions/${sessionId}/end` },
  'POST /organisation/sessions/:sessionId/end': { path: ({ sessionId }) => `/organisation/sessions/${sessionId}/end` },
};

/** The address of a result, signed by somebody without the session that it is for. */
function forgeTry({ organisationId, requestId }: Foreign): string {
  const signed = signId({ token: 'another session', organisationId, purpose: 'try' }, requestId);
  return `/functions/TEXT_EXTRACTION/try/${signed}`;
}

const prepared = new WeakMap<TestPortal, Promise<Foreign>>();
const entered = new WeakMap<TestPortal, Map<PortalRole, Promise<Visitor>>>();

/** Returns one thing of each kind of Birch's; nothing here changes them. */
async function findForeign(portal: TestPortal): Promise<Foreign> {
  const foreign = prepared.get(portal) ?? prepare(portal);
  prepared.set(portal, foreign);
  return await foreign;
}

/** Returns somebody of that role, of Alder where it is one of an organisation's. */
async function findVisitor(portal: TestPortal, role: PortalRole): Promise<Visitor> {
  const visitors = entered.get(portal) ?? new Map<PortalRole, Promise<Visitor>>();
  entered.set(portal, visitors);
  const place = role === 'owner' || role === 'member' ? { orgId: portal.alder } : {};
  const visitor = visitors.get(role) ?? portal.enter({ ...place, role });
  visitors.set(role, visitor);
  return await visitor;
}

async function prepare({ store, birch, enter, link }: TestPortal): Promise<Foreign> {
  const entry = makeRequestEntry(birch, Date.now(), { fileName: 'secret-of-birch.pdf' });
  await store.write(() => writeRequest(entry));
  const keyId = createId('key');
  await createApiKey(store, birch, 'scanner of Birch', { id: keyId });
  const [known] = await listEndpoints(store, birch);
  const endpointId = known?.id ?? (await writeEndpoint(store, birch, 'https://192.0.2.1/'));
  const deliveryId = await writeDelivery(store, birch, endpointId, 'dead');
  const jobId = await writeJob(store, birch, 'completed');
  // Two owners, so that each may be changed by their own.
  await enter({ orgId: birch, role: 'owner', name: 'Bo of Birch' });
  const visitor = await enter({ orgId: birch, role: 'owner', name: 'Bea of Birch' });
  const sessionId = idOfSession(hashToken(visitor.cookie.split('=')[1] ?? ''));
  await link({ orgId: birch, role: 'member', name: 'Ben of Birch' });
  const [unused] = await store.read(listUnusedLinks(birch, Date.now()));
  const member = await store.read(readMemberCalled(birch, 'Bea of Birch'));
  const people = { sessionId, linkId: unused?.id ?? '', memberId: member?.id ?? '' };
  return { organisationId: birch, requestId: entry.id, keyId, endpointId, deliveryId, jobId, ...people };
}

test('every route → a line in the table of foreign calls', () => {
  expect(Object.keys(FOREIGN_CALLS).sort()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
});

/** Another organisation in the address is not found before the role is looked at; another's id is, after it. */
function statusFor(route: string, role: PortalRole): number {
  const isNamed = route.includes(':');
  const found = ROUTES.find(({ method, path }) => `${method} ${path}` === route);
  return isNamed && found?.roles.includes(role) === false ? 403 : 404;
}

describePortal('organisations apart', (portal) => {
  const foreignCalls = Object.entries(FOREIGN_CALLS).flatMap(([route, foreign]) =>
    foreign === 'own'
      ? []
      : (['owner', 'member'] as const).map((role) => ({ route, role, status: statusFor(route, role), ...foreign })),
  );

  test.each(foreignCalls)('$route by $role with ids of another → $status, and nothing changes', async (line) => {
    const { snapshot } = portal();
    const foreign = await findForeign(portal());
    const visitor = await findVisitor(portal(), line.role);
    const before = await snapshot();
    const path = line.path(foreign);
    const answer = line.route.startsWith('GET') ? await visitor.get(path) : await visitor.post(path, line.fields);
    expect(answer.status).toBe(line.status);
    expect(answer.text).not.toContain('secret-of-birch');
    expect(answer.text).not.toContain('Birch');
    expect(await snapshot()).toBe(before);
  });

  const notAllowed = ROUTES.flatMap(({ method, path, roles }) =>
    EVERYBODY.filter((role) => !roles.includes(role)).map((role) => ({ method, path, role })),
  );
  test.each(notAllowed)(
    '$method $path by $role, whom it is not for → 403, before what was typed',
    async ({ method, path, role }) => {
      const { snapshot } = portal();
      const visitor = await findVisitor(portal(), role);
      const before = await snapshot();
      const answer = method === 'GET' ? await visitor.get(path) : await visitor.post(path);
      expect(answer.status).toBe(403);
      expect(await snapshot()).toBe(before);
    },
  );

  test('support and operators → choose an organisation in the address, and see each call by its id', async () => {
    const { birch } = portal();
    const { requestId } = await findForeign(portal());
    for (const role of ['support', 'operator'] as const) {
      const visitor = await findVisitor(portal(), role);
      expect((await visitor.get('/request-logs')).text).toContain('Choose an organisation');
      const list = await visitor.get(`/request-logs?organisation=${birch}`);
      expect(list.text).toContain('Birch Archive');
      expect(list.text).toContain(requestId);
      expect((await visitor.get('/request-logs?organisation=org_nobody')).status).toBe(404);
      expect((await visitor.get(`/request-logs/${requestId}`)).status).toBe(200);
    }
  });

  test('support → no names of files and no digests, on pages and in CSV; an operator sees them', async () => {
    const { birch } = portal();
    const { requestId } = await findForeign(portal());
    const paths = [
      `/request-logs?organisation=${birch}`,
      `/request-logs.csv?organisation=${birch}`,
      `/request-logs/${requestId}`,
    ];
    const [support, operator] = [await findVisitor(portal(), 'support'), await findVisitor(portal(), 'operator')];
    for (const path of paths) {
      expect((await support.get(path)).text).not.toContain('secret-of-birch');
      expect((await operator.get(path)).text).toContain('secret-of-birch');
    }
  });
});
