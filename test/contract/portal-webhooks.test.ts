import { expect, test } from 'vitest';
import { createOrganisation } from '../../dist/store/access.js';
import { listAudit } from '../../dist/store/audit.js';
import type { Store } from '../../dist/store/store.js';
import { one, run } from '../../dist/store/unit.js';
import { listEndpoints } from '../../dist/store/webhooks.js';
import { describePortal, type Visitor } from './support/portal.js';
import { writeDelivery } from './support/portal-paths.js';

const SECRET = /whsec_[\w-]{43}/;
/** Nothing listens there. */
const URL_OF_NOBODY = 'https://127.0.0.1:1/hook?"><script>';

async function fieldOf(visitor: Visitor, path: string, name: string): Promise<string> {
  return new RegExp(`name="${name}" value="([^"]+)"`).exec((await visitor.get(path)).text)?.[1] ?? '';
}

async function add(visitor: Visitor, fields: Record<string, string> = {}) {
  const nonce = await fieldOf(visitor, '/webhooks/new', 'nonce');
  return await visitor.post('/webhooks/new', { nonce, url: URL_OF_NOBODY, ...fields });
}

async function newestEndpoint(store: Store, organisationId: string) {
  return (await listEndpoints(store, organisationId)).at(-1) ?? expect.fail('There is no endpoint');
}

async function actionsOf(store: Store, organisationId: string, subjectId: string) {
  const rows = await listAudit(store, { organisationId, limit: 50 });
  return rows.filter((row) => row.subjectId === subjectId).map(({ action }) => action);
}

describePortal(
  'webhooks',
  (portal) => {
    const enterNew = async (role: 'owner' | 'member' = 'owner') => {
      const { store, enter } = portal();
      const orgId = await createOrganisation(store, 'Webhook Owners');
      return { orgId, visitor: await enter({ orgId, role, name: 'Ada' }) };
    };

    test('an endpoint of the form → its secret in this answer alone, sealed in the store; no second one', async () => {
      const { store, snapshot } = portal();
      const { orgId, visitor } = await enterNew();
      expect((await visitor.get('/webhooks')).text).toContain('No endpoints yet');
      const nonce = await fieldOf(visitor, '/webhooks/new', 'nonce');
      const fields = { nonce, url: URL_OF_NOBODY, events: 'document.failed' };
      const answers = await Promise.all([1, 2, 3, 4].map(() => visitor.post('/webhooks/new', fields)));
      const [secret = ''] = answers.flatMap(({ text }) => SECRET.exec(text) ?? []);
      expect(answers.filter(({ text }) => SECRET.test(text))).toHaveLength(1);
      expect((await visitor.post('/webhooks/new', fields)).text).toContain('cannot be shown again');
      expect(await listEndpoints(store, orgId)).toHaveLength(1);
      const { id, events } = await newestEndpoint(store, orgId);
      expect(events).toBe('document.failed');
      for (const path of ['/webhooks', `/webhooks/${id}`]) {
        const { text } = await visitor.get(path);
        expect(text).toContain('https://127.0.0.1:1/hook?%22%3E%3Cscript%3E');
        expect(text).not.toMatch(SECRET);
      }
      expect(await snapshot()).not.toContain(secret);
      expect(await actionsOf(store, orgId, id)).toEqual(['webhook.add']);
    });

    test('an address that is not public or no https, a plan without webhooks → the reason beside the URL', async () => {
      const { store } = portal();
      const { orgId, visitor } = await enterNew();
      for (const [url, reason] of [
        ['', 'Type the URL'],
        ['http://example.com/', 'it must begin with https://'],
        ['https://10.0.0.1/', '10.0.0.1 is not a public address'],
      ] as const) {
        const { status, text } = await add(visitor, { url });
        expect(status).toBe(422);
        expect(text).toContain('aria-invalid="true"');
        expect(text).toContain(reason);
        expect(text).toContain(url === '' ? 'value' : `value="${url}"`);
        expect(text).not.toContain('ocr admin');
      }
      await store.write(() => run(`UPDATE organisation SET own_webhooks = 0 WHERE id = :orgId`, { orgId }));
      expect((await add(visitor)).text).toContain('has no webhooks');
      const list = (await visitor.get('/webhooks')).text;
      expect(list).toContain('The plan has no webhooks');
      expect(list).not.toContain('Create endpoint');
      expect(await listEndpoints(store, orgId)).toEqual([]);
    });

    test('a URL that is an endpoint, from two forms at once → one; the other says so; a removed one may come back', async () => {
      const { store } = portal();
      const { orgId, visitor } = await enterNew();
      const answers = await Promise.all([add(visitor), add(visitor), add(visitor)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
      const again = await add(visitor);
      expect(again.text).toMatch(/id="error-url">The URL [^<]* is an endpoint already/);
      const { id } = await newestEndpoint(store, orgId);
      expect(await listEndpoints(store, orgId)).toHaveLength(1);
      await visitor.post(`/webhooks/${id}/remove`);
      expect((await add(visitor)).text).toMatch(SECRET);
    });

    test('a delivery that was never tried → no next attempt; one that failed → when', async () => {
      const { store } = portal();
      const { orgId, visitor } = await enterNew();
      await add(visitor);
      const { id } = await newestEndpoint(store, orgId);
      const deliveryId = await writeDelivery(store, orgId, id, 'pending');
      const read = async () => (await visitor.get(`/webhooks/deliveries/${deliveryId}`)).text;
      expect(await read()).toContain('Next attempt');
      expect(await read()).toMatch(/href="\/portal\/request-logs\/req_/);
      await store.write(() => run('DELETE FROM webhook_attempt WHERE delivery_id = :deliveryId', { deliveryId }));
      expect(await read()).toContain('No attempt yet');
      expect(await read()).not.toContain('Next attempt');
    });

    test('rotate → a new secret once; the old form again makes none', async () => {
      const { store } = portal();
      const { orgId, visitor } = await enterNew();
      await add(visitor);
      const { id } = await newestEndpoint(store, orgId);
      const secretDigest = await fieldOf(visitor, `/webhooks/${id}/rotate`, 'secretDigest');
      const answers = await Promise.all([1, 2, 3].map(() => visitor.post(`/webhooks/${id}/rotate`, { secretDigest })));
      expect(answers.filter(({ text }) => SECRET.test(text))).toHaveLength(1);
      expect((await visitor.post(`/webhooks/${id}/rotate`, { secretDigest })).text).toContain('cannot be shown again');
      expect((await visitor.post(`/webhooks/${id}/rotate`)).text).not.toMatch(SECRET);
      expect((await actionsOf(store, orgId, id)).filter((action) => action === 'webhook.rotate')).toHaveLength(1);
    });

    test('test-send by a member → one attempt, with its reason; resent by hand', async () => {
      const { store, enter } = portal();
      const { orgId, visitor: owner } = await enterNew();
      await add(owner);
      const { id } = await newestEndpoint(store, orgId);
      const member = await enter({ orgId, role: 'member', name: 'Mo' });
      const sent = await member.post(`/webhooks/${id}/test`);
      expect(sent.status).toBe(303);
      const path = (sent.headers.location ?? '').replace('/portal', '');
      await expect.poll(async () => (await member.get(path)).text).toContain('ECONNREFUSED');
      const page = (await member.get(path)).text;
      expect(page).toContain('badge bad">dead');
      expect(page).toContain('&quot;test&quot;:true');
      expect(page).not.toContain('/request-logs/req_');
      expect((await member.post(`${path}/resend`)).status).toBe(303);
      await expect.poll(async () => (await member.get(path)).text).toContain('id="attempt-2"');
      expect(await actionsOf(store, orgId, path.split('/').at(-1) ?? '')).toEqual(['webhook.resend', 'webhook.test']);
    });

    test('remove → asked with what is pending; then gone from the list, its deliveries stay', async () => {
      const { store } = portal();
      const { orgId, visitor } = await enterNew();
      await add(visitor);
      const { id } = await newestEndpoint(store, orgId);
      const deliveryId = await writeDelivery(store, orgId, id, 'pending');
      expect((await visitor.get(`/webhooks/${id}/remove`)).text).toContain('with 1 pending');
      expect((await visitor.post(`/webhooks/${id}/remove`)).status).toBe(303);
      expect((await visitor.get(`/webhooks/${id}`)).status).toBe(404);
      const page = (await visitor.get(`/webhooks/deliveries/${deliveryId}`)).text;
      expect(page).toContain('(removed)');
      expect(page).not.toContain('>Resend<');
      expect(await actionsOf(store, orgId, id)).toEqual(['webhook.remove', 'webhook.add']);
    });

    test('dead deliveries → counted, then all due again; those of others stay', async () => {
      const { store } = portal();
      const [own, other] = [await enterNew(), await enterNew()];
      const states: string[] = [];
      for (const { orgId, visitor } of [own, other]) {
        await add(visitor);
        const { id } = await newestEndpoint(store, orgId);
        states.push(await writeDelivery(store, orgId, id, 'dead'), await writeDelivery(store, orgId, id, 'dead'));
      }
      const path = '/webhooks/resend-dead';
      expect((await own.visitor.get(path)).text).toContain('2 deliveries of the last 24 hours are dead');
      const since = await fieldOf(own.visitor, path, 'since');
      expect((await own.visitor.post(path, { since })).status).toBe(303);
      const stateOf = async (id: string) =>
        (await store.read(one<{ status: string }>('SELECT status FROM webhook_delivery WHERE id = :id', { id })))
          ?.status;
      expect(await Promise.all(states.slice(2).map(stateOf))).toEqual(['dead', 'dead']);
      expect(await Promise.all(states.slice(0, 2).map(stateOf))).toEqual(['pending', 'pending']);
      const [audited] = await listAudit(store, { organisationId: own.orgId, limit: 1 });
      expect(audited).toMatchObject({ action: 'webhook.resend-dead', who: 'Ada' });
    });

    test('filters → by endpoint, state, event, answer and time; a wrong one is an error of its field', async () => {
      const { store } = portal();
      const { orgId, visitor } = await enterNew();
      await add(visitor);
      const { id } = await newestEndpoint(store, orgId);
      const [dead, done] = [
        await writeDelivery(store, orgId, id, 'dead'),
        await writeDelivery(store, orgId, id, 'delivered'),
      ];
      const rowsOf = async (query: string) =>
        [...(await visitor.get(`/webhooks?${query}`)).text.matchAll(/<tr id="(dlv_\w+)"/g)]
          .map(([, row]) => row)
          .sort();
      expect(await rowsOf('')).toEqual([dead, done].sort());
      expect(await rowsOf('state=dead')).toEqual([dead]);
      expect(await rowsOf('answer=2xx')).toEqual([done]);
      expect(await rowsOf('answer=5xx')).toEqual([dead]);
      expect(await rowsOf('answer=none')).toEqual([]);
      expect(await rowsOf(`endpoint=${id}&event=document.failed`)).toEqual([]);
      expect(await rowsOf('from=2001-01-01T00:00&to=2002-01-01T00:00')).toEqual([]);
      expect((await visitor.get('/webhooks?state=odd')).text).toContain('State is one of: pending, delivered, dead');
    });

    test('support → looks at everything, changes nothing', async () => {
      const { enter, store } = portal();
      const { orgId, visitor } = await enterNew();
      await add(visitor);
      const { id } = await newestEndpoint(store, orgId);
      const support = await enter({ role: 'support', name: 'Sue' });
      const { text } = await support.get(`/webhooks?organisation=${orgId}`);
      expect(text).toContain(`id="${id}"`);
      expect(text).not.toMatch(/Create endpoint|>Test<|>Rotate<|>Remove<|Resend all dead/);
      expect((await support.post(`/webhooks/${id}/test?organisation=${orgId}`)).status).toBe(403);
    });
  },
  { webhookAllowCidrs: ['127.0.0.0/8'] },
);
