import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createApiKey, createOrganisation } from '../../dist/store/access.js';
import { listApiKeys } from '../../dist/store/api-keys.js';
import { listAudit } from '../../dist/store/audit.js';
import type { Store } from '../../dist/store/store.js';
import { call } from './support/http.js';
import { describePortal, type Visitor } from './support/portal.js';

const RAW_KEY = /ocr_(?:live|test)_[\w-]{20,}/;
const HOUR_MS = 3_600_000;

/** Returns the value of the form's field that makes it work once. */
async function nonceOf(visitor: Visitor, path: string): Promise<string> {
  return /name="nonce" value="([^"]+)"/.exec((await visitor.get(path)).text)?.[1] ?? '';
}

async function create(visitor: Visitor, fields: Record<string, string> = {}) {
  const nonce = await nonceOf(visitor, '/api-keys/new');
  return await visitor.post('/api-keys/new', { nonce, name: 'scanner', ...fields });
}

async function newestKey(store: Store, organisationId: string) {
  const keys = await listApiKeys(store, organisationId);
  return keys.at(-1) ?? expect.fail('There is no key');
}

describePortal('API keys', (portal) => {
  const usageStatus = async (key: string) =>
    (await call(`${portal().url}/v1/ocr/usage`, { headers: { authorization: `Bearer ${key}` } })).status;

  test('a key of the form → works with what was chosen; one audit row; shown in this answer alone', async () => {
    const { store, enter, alder, dataDir } = portal();
    const owner = await enter({ orgId: alder, role: 'owner', name: 'Ada' });
    const made = await create(owner, { kind: 'test', expires: '30d', functions: 'TEXT_EXTRACTION' });
    expect(made.status).toBe(200);
    expect(made.headers['cache-control']).toBe('no-store');
    const [key = ''] = RAW_KEY.exec(made.text) ?? [];
    expect(await usageStatus(key)).toBe(200);
    const row = await newestKey(store, alder);
    expect(row).toMatchObject({ name: 'scanner', prefix: 'ocr_test_', madeBy: 'Ada', functions: ['TEXT_EXTRACTION'] });
    expect(Math.round(((row.expiresAtMs ?? 0) - row.createdAtMs) / HOUR_MS)).toBe(720);
    const [audited] = await listAudit(store, { organisationId: alder, limit: 1 });
    expect(audited).toMatchObject({ who: 'Ada', role: 'owner', action: 'key.create', subjectId: row.id });
    for (const path of ['/api-keys', `/api-keys/${row.id}`, '/request-logs'])
      expect((await owner.get(path)).text).not.toContain(key);
    expect(await portal().snapshot()).not.toContain(key);
    for (const name of readdirSync(dataDir).filter((file) => file.startsWith('ocr.db')))
      expect(readFileSync(join(dataDir, name)).includes(key)).toBe(false);
  });

  test('the same form again, and ten times at once → one key; the second answer says that it was made', async () => {
    const { store, enter, alder } = portal();
    const owner = await enter({ orgId: alder, role: 'owner', name: 'Ada' });
    const nonce = await nonceOf(owner, '/api-keys/new');
    const before = (await listApiKeys(store, alder)).length;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => owner.post('/api-keys/new', { nonce, name: 'once' })),
    );
    expect(answers.filter(({ text }) => RAW_KEY.test(text))).toHaveLength(1);
    const again = await owner.post('/api-keys/new', { nonce, name: 'once' });
    expect(again.text).toContain('cannot be shown again');
    expect(again.text).not.toMatch(RAW_KEY);
    expect(await listApiKeys(store, alder)).toHaveLength(before + 1);
  });

  test('a nonce of another session, or of another organisation → no key', async () => {
    const { enter, alder, birch, snapshot } = portal();
    const [owner, other] = [
      await enter({ orgId: alder, role: 'owner', name: 'Ada' }),
      await enter({ orgId: birch, role: 'owner', name: 'Bo' }),
    ];
    const operator = await enter({ role: 'operator', name: 'Op' });
    const before = await snapshot();
    const nonce = await nonceOf(owner, '/api-keys/new');
    expect((await other.post('/api-keys/new', { nonce, name: 'x' })).status).toBe(422);
    const own = await nonceOf(operator, `/api-keys/new?organisation=${alder}`);
    expect((await operator.post(`/api-keys/new?organisation=${birch}`, { nonce: own, name: 'x' })).status).toBe(422);
    expect(await snapshot()).toBe(before);
  });

  test('fields that are wrong → what was typed stays, each with its error; no key', async () => {
    const { enter, alder, snapshot } = portal();
    const owner = await enter({ orgId: alder, role: 'owner', name: 'Ada' });
    const before = await snapshot();
    const wrong = await create(owner, { name: '  ', kind: 'other', expires: '3y', functions: 'NOTHING' });
    expect(wrong.status).toBe(422);
    expect(wrong.text.match(/class="error"/g)).toHaveLength(4);
    const long = `"><script>${'x'.repeat(300)}`;
    const kept = await create(owner, { name: long, functions: 'FORM_FIELDS' });
    expect(kept.text).toContain('aria-invalid="true"');
    expect(kept.text).toContain(`value="&quot;>&lt;script>${'x'.repeat(300)}"`);
    expect(kept.text).toMatch(/value="FORM_FIELDS" checked/);
    expect(await snapshot()).toBe(before);
  });

  test('roll → a new key with the same name and functions; both work; the old one ends in a day', async () => {
    const { store, enter, alder } = portal();
    const owner = await enter({ orgId: alder, role: 'owner', name: 'Ada' });
    const old = await createApiKey(store, alder, 'rolled', { functions: ['FORM_FIELDS', 'TEXT_EXTRACTION'] });
    const { id } = await newestKey(store, alder);
    const nonce = await nonceOf(owner, `/api-keys/${id}/roll`);
    const rolled = await owner.post(`/api-keys/${id}/roll`, { nonce });
    const [key = ''] = RAW_KEY.exec(rolled.text) ?? [];
    expect([await usageStatus(old), await usageStatus(key)]).toEqual([200, 200]);
    const rows = (await listApiKeys(store, alder)).filter(({ name }) => name === 'rolled');
    expect(rows.map(({ functions }) => functions?.length)).toEqual([2, 2]);
    const endsInMs = (rows[0]?.expiresAtMs ?? 0) - store.clock.now();
    expect(Math.round(endsInMs / HOUR_MS)).toBe(24);
    const again = await owner.post(`/api-keys/${id}/roll`, { nonce });
    expect(again.text).toContain('cannot be shown again');
    expect((await listApiKeys(store, alder)).filter(({ name }) => name === 'rolled')).toHaveLength(2);
    const [audited] = await listAudit(store, { organisationId: alder, limit: 1 });
    expect(audited).toMatchObject({ action: 'key.roll', subjectId: id });
  });

  test('roll and revoke of a key that has ended → said, without a question', async () => {
    const { store, enter } = portal();
    const orgId = await createOrganisation(store, 'Ended Keys');
    const owner = await enter({ orgId, role: 'owner', name: 'Ada' });
    await createApiKey(store, orgId, 'expired', { expiresAtMs: 1 });
    const { id } = await newestKey(store, orgId);
    const expired = await owner.get(`/api-keys/${id}/roll`);
    expect(expired.status).toBe(409);
    expect(expired.text).toContain('This key is expired');
    expect(expired.text).not.toContain('data-question');
    expect((await owner.get(`/api-keys/${id}/revoke`)).text).toContain('data-question');
    await owner.post(`/api-keys/${id}/revoke`);
    for (const path of ['roll', 'revoke']) {
      const { status, text } = await owner.get(`/api-keys/${id}/${path}`);
      expect(status).toBe(409);
      expect(text).toContain('This key is revoked');
      expect(text).not.toContain('data-question');
    }
  });

  test('revoke → asks with the last use; then refused by this process at once; a second time changes nothing', async () => {
    const { store, enter, alder } = portal();
    const owner = await enter({ orgId: alder, role: 'owner', name: 'Ada' });
    const key = await createApiKey(store, alder, 'revoked');
    const { id } = await newestKey(store, alder);
    expect(await usageStatus(key)).toBe(200);
    await expect
      .poll(async () => (await owner.get(`/api-keys/${id}/revoke`)).text)
      .toMatch(/was last used .* with 1 calls? in 24 hours/s);
    expect((await owner.post(`/api-keys/${id}/revoke`)).status).toBe(303);
    expect(await usageStatus(key)).toBe(401);
    const { revokedAtMs } = await newestKey(store, alder);
    await owner.post(`/api-keys/${id}/revoke`);
    expect((await newestKey(store, alder)).revokedAtMs).toBe(revokedAtMs);
    const rows = await listAudit(store, { organisationId: alder, limit: 50 });
    expect(rows.filter(({ action, subjectId }) => action === 'key.revoke' && subjectId === id)).toHaveLength(1);
  });

  test('the list → state, calls and who made each; a filter by state; an unknown state is an error', async () => {
    const { enter, birch, store } = portal();
    const owner = await enter({ orgId: birch, role: 'owner', name: 'Bo' });
    expect((await owner.get('/api-keys')).text).toContain('No keys yet');
    await createApiKey(store, birch, 'alive', { madeBy: '<b>Cy</b>' });
    await createApiKey(store, birch, 'ended', { expiresAtMs: 1 });
    const list = (await owner.get('/api-keys')).text;
    for (const text of ['alive', 'ended', '&lt;b>Cy', 'all of the plan', 'Create key']) expect(list).toContain(text);
    const expired = (await owner.get('/api-keys?state=expired')).text;
    expect(expired).toContain('ended');
    expect(expired).not.toContain('alive');
    expect((await owner.get('/api-keys?state=other')).text).toContain('State is one of');
    expect((await owner.get('/api-keys?state=revoked')).text).toContain('No key matches');
  });

  test('fifty-three keys → fifty, and a link to the other three', async () => {
    const { enter, store } = portal();
    const orgId = await createOrganisation(store, 'Many Keys');
    for (let index = 0; index < 53; index++) await createApiKey(store, orgId, `k${index}`);
    const owner = await enter({ orgId, role: 'owner', name: 'Max' });
    const first = (await owner.get('/api-keys')).text;
    expect(first.match(/<tr id="key_/g)).toHaveLength(50);
    const [, older = ''] = /href="\/portal([^"]+before=[^"]+)"/.exec(first) ?? [];
    const second = (await owner.get(older.replaceAll('&amp;', '&'))).text;
    expect(second.match(/<tr id="key_/g)).toHaveLength(3);
  });

  test('roles → members and support look; owners and operators change, operators only for one organisation', async () => {
    const { enter, alder, store, snapshot } = portal();
    await createApiKey(store, alder, 'seen');
    const { id } = await newestKey(store, alder);
    const lookers = [
      [await enter({ orgId: alder, role: 'member', name: 'Mo' }), ''],
      [await enter({ role: 'support', name: 'Sue' }), `?organisation=${alder}`],
    ] as const;
    const before = await snapshot();
    for (const [visitor, suffix] of lookers) {
      const list = await visitor.get(`/api-keys${suffix}`);
      expect(list.text).toContain('seen');
      expect(list.text).not.toMatch(/Create key|>Roll<|>Revoke</);
      expect((await visitor.get(`/api-keys/${id}${suffix}`)).status).toBe(200);
      const refused = await visitor.get(`/api-keys/new${suffix}`);
      expect(refused.status).toBe(403);
      expect(refused.text).toContain(suffix === '' ? 'An owner of your organisation' : 'An operator can');
      expect((await visitor.post(`/api-keys/new${suffix}`, { name: 'x' })).status).toBe(403);
      expect((await visitor.post(`/api-keys/${id}/revoke${suffix}`)).status).toBe(403);
    }
    expect(await snapshot()).toBe(before);
    const operator = await enter({ role: 'operator', name: 'Op' });
    expect((await operator.get('/api-keys')).text).toContain('Choose an organisation');
    expect((await operator.get('/api-keys/new')).status).toBe(404);
    expect((await operator.post(`/api-keys/${id}/revoke?organisation=${alder}`)).status).toBe(303);
    expect((await newestKey(store, alder)).revokedAtMs).not.toBeNull();
  });
});
