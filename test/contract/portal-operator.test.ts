import { expect, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import { createApiKey, createOrganisation } from '../../dist/store/access.js';
import { listAudit } from '../../dist/store/audit.js';
import { findOrganisation, listOrganisations } from '../../dist/store/organisations.js';
import { listPlans } from '../../dist/store/plans.js';
import { removeProcess, writeProcess } from '../../dist/store/processes.js';
import { writeRequest } from '../../dist/store/requests.js';
import type { Store } from '../../dist/store/store.js';
import { run } from '../../dist/store/unit.js';
import { call } from './support/http.js';
import { makeRequestEntry } from './support/make-request-entry.js';
import { describePortal, type Visitor } from './support/portal.js';
import { writeJob } from './support/portal-paths.js';

const DAY_MS = 86_400_000;
const HOSTILE = '"><script>alert(1)</script>';

async function nonceOf(visitor: Visitor, path: string): Promise<string> {
  return /name="nonce" value="([^"]+)"/.exec((await visitor.get(path)).text)?.[1] ?? '';
}

async function create(visitor: Visitor, fields: Record<string, string>) {
  const nonce = await nonceOf(visitor, '/operator/organisations/new');
  return await visitor.post('/operator/organisations/new', { nonce, ...fields });
}

const actionsOf = async (store: Store, limit: number) =>
  (await listAudit(store, { limit })).map(({ who, role, action }) => `${who} ${role} ${action}`);

/** Returns the row of a table with an id. */
const rowOf = (text: string, id: string): string =>
  new RegExp(`<tr id="${id}">.*?</tr>`, 's').exec(text)?.[0].replace(/<[^>]*>/g, ' ') ?? '';

describePortal('operator', (portal) => {
  test('organisations → state, plan, documents of the period, running and waiting; newest first, a page at a time', async () => {
    const { store, enter } = portal();
    const trial = await createOrganisation(store, 'On trial', {
      plan: 'STARTER',
      subscription: 'trialing',
      trial: { startedAtMs: Date.now() - DAY_MS, endsAtMs: Date.now() + DAY_MS },
    });
    const over = await createOrganisation(store, 'Trial over', {
      plan: 'STARTER',
      subscription: 'trialing',
      trial: { startedAtMs: 1, endsAtMs: 2 },
    });
    const { trialStartedAtMs } = (await findOrganisation(store, trial)) ?? expect.fail();
    await store.write(() =>
      run('INSERT INTO usage (organisation_id, period, documents) VALUES (:trial, :period, 41)', {
        trial,
        period: `trial:${trialStartedAtMs}`,
      }),
    );
    await writeJob(store, trial, 'processing');
    const support = await enter({ role: 'support' });
    const { text } = await support.get('/operator');
    expect(rowOf(text, trial)).toMatch(/On trial\s+trialing\s+STARTER\s+41\s+of 1,000\s+1\s+0\s/);
    expect(rowOf(text, over)).toMatch(/expired/);
    expect(text).not.toContain('Create organisation');
    const expired = await support.get('/operator?state=expired');
    expect(rowOf(expired.text, over)).not.toBe('');
    expect(rowOf(expired.text, trial)).toBe('');
    expect((await support.get('/operator?state=oops')).text).toContain('State is one of');
    const named = (await support.get('/operator?word=on%20TRI')).text;
    expect([rowOf(named, trial) !== '', rowOf(named, over)]).toEqual([true, '']);
    expect((await support.get('/operator?word=%25')).text).toContain('No organisation matches');
    for (let n = 0; n < 55; n++) await createOrganisation(store, `Many ${n}`);
    const first = (await support.get('/operator?word=many')).text;
    expect(first.match(/<tr id="org_/g)).toHaveLength(50);
    const [, older = ''] = /href="\/portal(\/operator\?[^"]*before=org_\w+)"/.exec(first) ?? [];
    expect((await support.get(older.replaceAll('&amp;', '&'))).text.match(/<tr id="org_/g)).toHaveLength(5);
  });

  test('create → as the command line does, once for one form, with its audit row; then its page', async () => {
    const { store, enter } = portal();
    const operator = await enter({ role: 'operator', name: 'Op' });
    const nonce = await nonceOf(operator, '/operator/organisations/new');
    const send = () => operator.post('/operator/organisations/new', { nonce, name: `New ${HOSTILE}`, plan: 'TRIAL' });
    const answers = await Promise.all(Array.from({ length: 5 }, send));
    expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1);
    const made = (await listOrganisations(store)).filter(({ name }) => name.startsWith('New '));
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({ plan: 'TRIAL', subscription: 'trialing' });
    expect(await actionsOf(store, 1)).toEqual(['Op operator organisation.create']);
    const page = await operator.get((answers[0]?.headers.location ?? '').replace('/portal', ''));
    expect(page.status).toBe(200);
    expect(page.text).toContain('Act for it');
    expect(page.text).not.toContain('<script>alert');
    const active = await create(operator, { name: 'Paying', plan: 'STARTER' });
    const id = active.headers.location?.split('/').at(-1) ?? '';
    expect(await findOrganisation(store, id)).toMatchObject({ plan: 'STARTER', subscription: 'active' });
  });

  test('a new organisation that is refused → what was typed stays; nothing is made', async () => {
    const { enter, snapshot } = portal();
    const operator = await enter({ role: 'operator', name: 'Op' });
    const before = await snapshot();
    const refused = await create(operator, { name: ' ', plan: 'GOLD' });
    expect(refused.status).toBe(422);
    expect(refused.text.match(/class="error"/g)).toHaveLength(2);
    expect((await operator.post('/operator/organisations/new', { nonce: 'x', name: 'a', plan: 'TRIAL' })).status).toBe(
      422,
    );
    expect(await snapshot()).toBe(before);
  });

  test('another plan and state → heeded by the next call with a key; audit rows; unchanged fields leave none', async () => {
    const { store, enter, url } = portal();
    const org = await createOrganisation(store, 'Changing');
    const key = await createApiKey(store, org, 'k');
    const usage = async () => await call(`${url}/v1/ocr/usage`, { headers: { authorization: `Bearer ${key}` } });
    expect((await usage()).json.plan).toBe('ENTERPRISE');
    const operator = await enter({ role: 'operator', name: 'Op' });
    const path = `/operator/organisations/${org}/change`;
    expect((await operator.get(path)).text).toContain('value="Changing"');
    const same = { name: 'Changing', plan: 'ENTERPRISE', subscription: 'active' };
    const before = await portal().snapshot();
    expect((await operator.post(path, same)).status).toBe(303);
    expect(await portal().snapshot()).toBe(before);
    expect((await operator.post(path, { ...same, plan: 'STARTER', subscription: 'suspended' })).status).toBe(303);
    expect(await findOrganisation(store, org)).toMatchObject({ plan: 'STARTER', subscription: 'suspended' });
    expect((await usage()).json.plan).toBe('STARTER');
    await operator.post(path, { name: 'Renamed', plan: 'STARTER', subscription: 'suspended' });
    expect((await findOrganisation(store, org))?.name).toBe('Renamed');
    expect(await actionsOf(store, 3)).toEqual([
      'Op operator organisation.update',
      'Op operator organisation.update',
      'Op operator portal.enter',
    ]);
    const wrong = await operator.post(path, { name: 'x', plan: 'GOLD', subscription: 'odd' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).not.toContain('ocr admin');
    expect((await operator.get('/operator/organisations/org_nobody')).status).toBe(404);
    expect((await operator.post('/operator/organisations/org_nobody/change', same)).status).toBe(404);
  });

  test('plans: create from another, change its limits, remove; wrong limits stay typed; held and built-in plans stay', async () => {
    const { store, enter } = portal();
    const operator = await enter({ role: 'operator', name: 'Op' });
    expect((await operator.post('/operator/plans/new', { name: 'schools', from: 'STARTER' })).headers.location).toBe(
      '/portal/operator/plans/SCHOOLS',
    );
    expect((await operator.post('/operator/plans/new', { name: '1x', from: 'STARTER' })).status).toBe(422);
    expect((await operator.post('/operator/plans/new', { name: 'SCHOOLS', from: 'STARTER' })).status).toBe(422);
    const limits = { requestsPerWindow: '7', documentsPerPeriod: 'none', pageCap: '9', weight: '3', webhooks: 'yes' };
    const wrong = await operator.post('/operator/plans/SCHOOLS', { ...limits, weight: '0', pageCap: 'many' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('value="many"');
    expect(wrong.text).toContain('Weight must be a whole number from 1 to 1000');
    expect(wrong.text).not.toContain('--page-cap');
    const sent = await operator.post('/operator/plans/SCHOOLS', { ...limits, functions: 'TEXT_EXTRACTION' });
    expect(sent.status).toBe(303);
    const schools = async () => (await listPlans(store)).find(({ name }) => name === 'SCHOOLS');
    expect(await schools()).toMatchObject({
      requestsPerWindow: 7,
      documentsPerPeriod: undefined,
      pageCap: 9,
      weight: 3,
      hasWebhooks: true,
      functions: ['TEXT_EXTRACTION'],
    });
    const list = (await operator.get('/operator/plans')).text;
    expect([...list.matchAll(/aria-label="Remove (\w+)"/g)].map(([, name]) => name)).toEqual(['SCHOOLS']);
    const org = await createOrganisation(store, 'A school', { plan: 'SCHOOLS' });
    const held = await operator.post('/operator/plans/SCHOOLS/remove');
    expect(held.status).toBe(409);
    expect(held.text).toContain('A school');
    expect((await operator.post('/operator/plans/STARTER/remove')).text).toContain('built in');
    await operator.post(`/operator/organisations/${org}/change`, {
      name: 'A school',
      plan: 'STARTER',
      subscription: 'active',
    });
    expect((await operator.post('/operator/plans/SCHOOLS/remove')).status).toBe(303);
    expect(await schools()).toBeUndefined();
    expect((await operator.get('/operator/audit')).text).toContain('plan.delete');
    expect((await operator.get('/operator/audit?action=plan.create')).text.match(/<tr id="aud_/g)).toHaveLength(1);
  });

  test('processes → this one with role, version and running; a silent one of a shared store is named as such', async () => {
    const { store, enter } = portal();
    const support = await enter({ role: 'support' });
    await expect
      .poll(async () => (await support.get('/operator/processes')).text.replace(/<[^>]*>/g, ' '))
      .toMatch(/all\s+alive\s+\d+\.\d+\.\d+\s+0 of 1\s/);
    const silent = { id: 'gone', role: 'worker', version: '0.0.9', host: HOSTILE, pid: 7, workers: 2, running: 1 };
    const seenAtMs = store.clock.now() - 60_000;
    await writeProcess(store, { ...silent, startedAtMs: 1, seenAtMs });
    const { text } = await support.get('/operator/processes');
    expect(text).not.toContain('<script>alert');
    if (store.isShared) expect(rowOf(text, 'process-gone')).toMatch(/worker\s+silent\s+0\.0\.9\s+1 of 2/);
    else expect(rowOf(text, 'process-gone')).toBe('');
    await removeProcess(store, 'gone');
  });

  test('sessions of staff → an operator ends those of support; their owners see nothing of them', async () => {
    const { enter, alder } = portal();
    const [operator, support] = [
      await enter({ role: 'operator', name: 'Op of sessions' }),
      await enter({ role: 'support', name: 'Sup of sessions' }),
    ];
    const page = (await operator.get('/operator/processes')).text;
    const id = /<tr id="(ses_\w+)">(?:(?!<\/tr>).)*Sup of sessions/s.exec(page)?.[1] ?? '';
    expect((await support.post(`/operator/sessions/${id}/end`)).status).toBe(403);
    expect((await operator.post(`/operator/sessions/${id}/end`)).status).toBe(303);
    expect((await support.get('/operator')).status).toBe(303);
    expect((await operator.post(`/operator/sessions/${id}/end`)).status).toBe(404);
    const owner = await enter({ orgId: alder, role: 'owner', name: 'Ada' });
    expect((await owner.get('/organisation')).text).not.toContain('Op of sessions');
  });

  const locationOf = ({ headers }: { headers: { location?: string | undefined } }) =>
    headers.location?.replace('/portal', '') ?? '';

  test('the id of a call or a job, whole or its beginning, without its organisation → its page, with every link', async () => {
    const { store, enter } = portal();
    const orgId = await createOrganisation(store, 'Quoted Ltd');
    const keyId = createId('key');
    await createApiKey(store, orgId, 'scanner', { id: keyId });
    const jobId = await writeJob(store, orgId, 'completed', 'a.pdf');
    // An id of a millisecond that no other call has.
    const entry = makeRequestEntry(orgId, Date.now() - DAY_MS / 2, { keyId, jobId });
    await store.write(() => writeRequest(entry));
    for (const role of ['support', 'operator'] as const) {
      const visitor = await enter({ role, name: 'Sue' });
      expect((await visitor.get('/overview')).text).toMatch(/<label for="field-name">[^<]*ID of a request or job/);
      for (const typed of [entry.id, entry.id.toLowerCase(), entry.id.slice(0, 14)])
        expect(locationOf(await visitor.get(`/request-logs?name=${typed}`)), typed).toBe(`/request-logs/${entry.id}`);
      const page = (await visitor.get(`/request-logs/${entry.id}`)).text;
      expect(page).toMatch(new RegExp(`href="/portal/overview\\?organisation=${orgId}"><strong><bdi>Quoted Ltd<`));
      expect(page).toContain(`<code>${orgId}</code>`);
      for (const path of [`/job-queues/${jobId}`, `/api-keys/${keyId}`]) {
        expect(page).toContain(`href="/portal${path}?organisation=${orgId}"`);
        expect((await visitor.get(`${path}?organisation=${orgId}`)).status).toBe(200);
      }
      expect(locationOf(await visitor.get(`/overview?name=${jobId}`))).toBe(`/job-queues/${jobId}`);
      const job = await visitor.get(`/job-queues/${jobId}`);
      expect(job.status).toBe(200);
      expect(job.text).toContain('Quoted Ltd');
      expect(job.text.includes('a.pdf'), 'names of files stay hidden from support').toBe(role === 'operator');
    }
  });

  test('the requestId of a call with a wrong key → its page, which says that it has no organisation', async () => {
    const { url, enter } = portal();
    const refused = await call(`${url}/v1/ocr/functions`, { headers: { authorization: 'Bearer ocr_live_wrong' } });
    expect(refused.status).toBe(401);
    const { requestId } = refused.json.error;
    const support = await enter({ role: 'support' });
    expect(locationOf(await support.get(`/overview?name=${requestId}`))).toBe(`/request-logs/${requestId}`);
    expect((await support.get(`/request-logs/${requestId}`)).text).toMatch(/<dt>Organisation<\/dt><dd>none</);
  });

  test('an id that leads nowhere, or to several → said so; a name that looks like one is still a name', async () => {
    const { store, enter } = portal();
    const support = await enter({ role: 'support' });
    for (const typed of [createId('req'), createId('job'), 'req_7ZZ', 'job_7ZZ'])
      expect((await support.get(`/overview?name=${typed}`)).text, typed).toContain('Nothing has this ID');
    const orgId = await createOrganisation(store, 'REQ_U Papers');
    expect(rowOf((await support.get('/overview?name=req_u')).text, orgId)).toContain('REQ_U Papers');
    for (let n = 0; n < 2; n++) await writeJob(store, orgId, 'completed');
    expect((await support.get('/overview?name=job_0')).text).toContain('Several have this beginning');
  });

  test('a call and a job of another organisation, and the search for them → nothing for an owner', async () => {
    const { store, enter, alder, birch } = portal();
    const jobId = await writeJob(store, birch, 'completed', 'secret.pdf');
    const owner = await enter({ orgId: alder, role: 'owner', name: 'Ada' });
    const operator = await enter({ role: 'operator', name: 'Op' });
    expect((await operator.get(`/job-queues/${jobId}`)).text).toContain('secret.pdf');
    expect((await owner.get(`/job-queues/${jobId}`)).status).toBe(404);
    expect((await owner.get(`/job-queues/${jobId}?organisation=${birch}`)).status).toBe(404);
    expect((await owner.get(`/overview?name=${jobId}`)).headers.location).toBeUndefined();
    // Somebody who has chosen another organisation sees that one alone.
    expect((await operator.get(`/job-queues/${jobId}?organisation=${alder}`)).status).toBe(404);
  });

  test('an operator acts for an organisation → a banner says for whom, and leads back to all', async () => {
    const { enter, alder } = portal();
    const operator = await enter({ role: 'operator', name: 'Op' });
    const { text } = await operator.get(`/api-keys?organisation=${alder}`);
    expect(text).toContain('You act for ');
    expect(text).toMatch(/<a href="\/portal\/operator">\s*All organisations/);
    expect(text).toContain(`href="/portal/webhooks?organisation=${alder}"`);
    const owner = await enter({ orgId: alder, role: 'owner', name: 'Ada' });
    expect((await owner.get('/api-keys')).text).not.toContain('/portal/operator');
  });

  test('support → every page of an organisation, each without a form that changes anything', async () => {
    const { enter, alder } = portal();
    const support = await enter({ role: 'support', name: 'Sue' });
    const paths = [
      '/overview',
      '/api-keys',
      '/request-logs',
      '/job-queues',
      '/webhooks',
      '/functions',
      '/organisation',
    ];
    const all = [...paths.map((path) => `${path}?organisation=${alder}`), '/operator', '/operator/plans'];
    for (const path of [...all, '/operator/processes', '/operator/audit', `/operator/organisations/${alder}`]) {
      const { status, text } = await support.get(path);
      expect([path, status]).toEqual([path, 200]);
      const forms = text.match(/<form method="post" action="[^"]*"/g) ?? [];
      expect([path, forms.filter((form) => !form.includes('/portal/leave'))]).toEqual([path, []]);
    }
  });
});
