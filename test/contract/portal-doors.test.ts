import { expect, test } from 'vitest';
import { createKey, revokeKey } from '../../dist/service/administration/keys.js';
import { actingAs, listAudit } from '../../dist/store/audit.js';
import type { Store } from '../../dist/store/store.js';
import { ids, one, run } from '../../dist/store/unit.js';
import { call } from './support/http.js';
import { describePortal, FORM_HEADERS } from './support/portal.js';

const HOUR_MS = 3_600_000;
/** More than two processes differ in what they take for the time of a database on a busy machine. */
const CLOCK_ERROR_MS = 10_000;
const PAGE = '/request-logs';

async function countSessions(store: Store, name: string): Promise<number> {
  const row = one<{ n: number }>('SELECT count(*) AS n FROM portal_session WHERE name = :name', { name });
  return (await store.read(row))?.n ?? 0;
}

describePortal('the door', (portal) => {
  test('a link, looked at and then sent → a look uses nothing up; the form opens one session', async () => {
    const { url, link, alder, redeem } = portal();
    const token = await link({ orgId: alder, role: 'owner', name: 'Ada' });
    const look = await call(`${url}/portal/enter`);
    expect(look.status).toBe(200);
    const entered = await redeem(token);
    expect(entered.status).toBe(303);
    const [cookie = ''] = entered.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^ocr_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/);
    const page = await call(`${url}/portal${PAGE}`, { headers: { cookie: cookie.split(';')[0] } });
    expect(page.status).toBe(200);
    expect(page.text).toContain('Alder Vale Library');
    expect((await redeem(token)).status).toBe(403);
  });

  test('a call of the API below the portal → 404 that names the mistake, and no door', async () => {
    const { url } = portal();
    for (const method of ['GET', 'POST']) {
      const answer = await call(`${url}/portal/v1/ocr/TEXT_EXTRACTION`, { method, headers: { 'x-api-key': 'ocr_x' } });
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('leave /portal out of the address');
    }
  });

  test('an expired link, a wrong one, one from another site, one without its origin → no session', async () => {
    const { url, store, link, alder, redeem } = portal();
    const token = await link({ orgId: alder, role: 'owner', name: 'Nobody' });
    const { 'sec-fetch-site': _, ...plain } = FORM_HEADERS;
    const foreign = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'http://evil.example' },
      {},
    ];
    for (const headers of foreign) {
      const body = new URLSearchParams({ token }).toString();
      const answer = await call(`${url}/portal/enter`, { method: 'POST', headers: { ...plain, ...headers }, body });
      expect(answer.status).toBe(403);
    }
    expect((await redeem('x'.repeat(43))).status).toBe(403);
    // Minutes ago: the service's clean-up, which may come late after its start, keeps it for a day.
    const values = { endedAtMs: Date.now() - 600_000 };
    await store.write(() => run(`UPDATE portal_link SET expires_at = :endedAtMs WHERE name = 'Nobody'`, values));
    expect((await redeem(token)).status).toBe(403);
    expect(await countSessions(store, 'Nobody')).toBe(0);
  });

  test('a token and a session → neither stands in the store', async () => {
    const { store, link, enter, alder } = portal();
    const token = await link({ orgId: alder, role: 'owner' });
    const { cookie } = await enter({ orgId: alder, role: 'owner' });
    const rows = await store.read(
      one<{ n: number }>(
        'SELECT (SELECT count(*) FROM portal_link WHERE hash = :token) + (SELECT count(*) FROM portal_session WHERE hash = :session) AS n',
        { token, session: cookie.split('=')[1] ?? '' },
      ),
    );
    expect(rows?.n).toBe(0);
  });

  test.each([
    ['owner', 12 * HOUR_MS, 7 * 24 * HOUR_MS],
    ['operator', HOUR_MS, 8 * HOUR_MS],
  ] as const)('a session of %s → ends when idle, and after its longest time', async (role, idleMs, maxMs) => {
    const { store, enter, alder } = portal();
    const name = `${role} of sessions`;
    const request = { ...(role === 'owner' ? { orgId: alder } : {}), role, name };
    const age = (column: string, ms: number) =>
      store.write(() => run(`UPDATE portal_session SET ${column} = ${column} - :ms WHERE name = :name`, { ms, name }));
    const idle = await enter(request);
    await age('seen_at', idleMs - 60_000);
    expect((await idle.get(PAGE)).status).toBe(200);
    await age('seen_at', idleMs + CLOCK_ERROR_MS);
    expect((await idle.get(PAGE)).status).toBe(303);
    const old = await enter(request);
    await age('created_at', maxMs + CLOCK_ERROR_MS);
    expect((await old.get(PAGE)).status).toBe(303);
    expect(await countSessions(store, name)).toBe(0);
  });

  test('log out → this session ends, another of the same person stays', async () => {
    const { enter, alder } = portal();
    const [first, second] = [
      await enter({ orgId: alder, role: 'owner' }),
      await enter({ orgId: alder, role: 'owner' }),
    ];
    const left = await first.post('/leave');
    expect(left.status).toBe(303);
    expect(left.headers['set-cookie']?.[0]).toContain('Max-Age=0');
    expect((await first.get(PAGE)).status).toBe(303);
    expect((await second.get(PAGE)).status).toBe(200);
  });

  test('a member who enters with another role → sessions of the old role end', async () => {
    const { enter, alder } = portal();
    // The last owner keeps the role.
    await enter({ orgId: alder, role: 'owner', name: 'Staying' });
    const owner = await enter({ orgId: alder, role: 'owner', name: 'Changing' });
    const member = await enter({ orgId: alder, role: 'member', name: 'Changing' });
    expect((await owner.get(PAGE)).status).toBe(303);
    expect((await member.get(PAGE)).status).toBe(200);
  });

  test('a forged form: other site, no token, another session’s token, no session → nothing changes', async () => {
    const { enter, alder, url, snapshot } = portal();
    const [visitor, other] = [
      await enter({ orgId: alder, role: 'owner' }),
      await enter({ orgId: alder, role: 'owner' }),
    ];
    const before = await snapshot();
    const foreign = await other.formToken();
    const answers = [
      await visitor.post('/leave', {}, { 'sec-fetch-site': 'same-site' }),
      await visitor.post('/leave', { formToken: '' }),
      await visitor.post('/leave', { formToken: foreign }),
      await visitor.post('/leave', {}, { 'content-type': 'text/plain' }),
      await visitor.post('/leave', { note: 'x'.repeat(70_000) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 415, 413]);
    const body = new URLSearchParams({ formToken: foreign }).toString();
    const nobody = await call(`${url}/portal/leave`, { method: 'POST', headers: FORM_HEADERS, body });
    expect(nobody.status).toBe(401);
    expect((await visitor.get(PAGE)).status).toBe(200);
    expect(await snapshot()).toBe(before);
  });

  test('another host → 421; a proxy, or a path beside the portal → 404; another method → 405', async () => {
    const { url, enter, alder } = portal();
    const { cookie } = await enter({ orgId: alder, role: 'owner' });
    const statusOf = async (path: string, headers: Record<string, string>, method = 'GET') =>
      (await call(`${url}${path}`, { method, headers: { cookie, ...headers } })).status;
    expect(await statusOf(`/portal${PAGE}`, { host: 'evil.example' })).toBe(421);
    expect(await statusOf(`/portal${PAGE}`, { host: '127.0.0.1:1' })).toBe(421);
    expect(await statusOf(`/portal${PAGE}`, { 'x-forwarded-for': '192.0.2.1' })).toBe(404);
    expect(await statusOf('/portals', {})).toBe(404);
    expect(await statusOf('/portal/nothing', {})).toBe(404);
    expect(await statusOf(`/portal${PAGE}`, {}, 'DELETE')).toBe(405);
    expect(await statusOf(`/portal${PAGE}`, {}, 'POST')).toBe(405);
    const port = new URL(url).port;
    expect(await statusOf(`/portal${PAGE}`, { host: `localhost:${port}` })).toBe(200);
  });

  test('every answer → the same security headers; assets are kept for ever, pages never', async () => {
    const { url, enter, alder } = portal();
    const visitor = await enter({ orgId: alder, role: 'owner' });
    const page = await visitor.get(PAGE);
    const style = /href="([^"]+\.css)"/.exec(page.text)?.[1] ?? '';
    const asset = await call(url + style);
    for (const answer of [page, asset, await visitor.get('/nothing'), await call(`${url}/portal/enter`)]) {
      expect(answer.headers['content-security-policy']).toContain(`default-src 'none'; script-src 'self'`);
      expect(answer.headers['content-security-policy']).toContain(`frame-ancestors 'none'`);
      expect(answer.headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
    expect(page.headers['cache-control']).toBe('no-store');
    expect(asset.headers['cache-control']).toContain('immutable');
    expect((await call(url + style.replace(/assets\/\w+/, 'assets/0000'))).status).toBe(303);
  });

  test('page views → no lines of the request log; a cookie → no access to /v1', async () => {
    const { url, store, enter, alder } = portal();
    const visitor = await enter({ orgId: alder, role: 'owner' });
    for (const path of ['/nothing', PAGE]) await visitor.get(path);
    // The page of the log waits for lines that are gathered.
    await visitor.get(PAGE);
    const views = `SELECT id FROM request WHERE path IN ('/portal/nothing', '/portal${PAGE}')`;
    expect(await store.read(ids(views))).toEqual([]);
    expect((await call(`${url}/v1/ocr/usage`, { headers: { cookie: visitor.cookie } })).status).toBe(401);
  });

  test('a change by a person → one row in the audit log, of its transaction; the service’s own → none', async () => {
    const { store, enter, alder } = portal();
    await enter({ orgId: alder, role: 'owner', name: 'Audited' });
    const [entered] = await listAudit(store, { organisationId: alder, limit: 1 });
    expect(entered).toMatchObject({ who: 'Audited', role: 'owner', action: 'portal.enter' });
    const acting = actingAs(store, { who: 'op', role: 'operator' });
    const key = await createKey(acting, { orgId: alder, isSupport: false, isTest: false, name: 'scans' });
    await revokeKey(acting, key.keyId);
    await revokeKey(acting, key.keyId);
    await createKey(store, { orgId: alder, isSupport: false, isTest: false });
    const rows = await listAudit(store, { organisationId: alder, limit: 3 });
    expect(rows.map(({ who, action, subjectId }) => [who, action, subjectId])).toEqual([
      ['op', 'key.revoke', key.keyId],
      ['op', 'key.create', key.keyId],
      ['Audited', 'portal.enter', entered?.subjectId],
    ]);
    expect(JSON.stringify(rows)).not.toContain(key.key);
  });
});

describePortal('many at the door', (portal) => {
  test('fifty tries at once with one link → one session; beyond ten a minute → 429, which uses no link up', async () => {
    const { store, link, alder, redeem } = portal();
    const token = await link({ orgId: alder, role: 'member', name: 'Many' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(token)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
    expect(await countSessions(store, 'Many')).toBe(1);
    const unused = await link({ orgId: alder, role: 'owner', name: 'Later' });
    const refused = await redeem(unused);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('60');
    const row = one<{ usedAtMs: number | null }>(`SELECT used_at AS "usedAtMs" FROM portal_link WHERE name = 'Later'`);
    expect((await store.read(row))?.usedAtMs).toBeNull();
  });
});

describePortal(
  'behind a proxy with https',
  (portal) => {
    test('its own host → a cookie for https alone; this machine’s own address → 421', async () => {
      const { url, link, alder } = portal();
      const token = await link({ orgId: alder, role: 'owner' });
      const send = (host: string) =>
        call(`${url}/portal/enter`, {
          method: 'POST',
          headers: { ...FORM_HEADERS, host, 'x-forwarded-for': '192.0.2.7' },
          body: new URLSearchParams({ token }).toString(),
        });
      expect((await send(new URL(url).host)).status).toBe(421);
      const entered = await send('ocr.example');
      expect(entered.status).toBe(303);
      expect(entered.headers['set-cookie']?.[0]).toMatch(
        /^__Host-ocr_session=.*; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/,
      );
    });
  },
  { publicUrl: 'https://ocr.example' },
);
