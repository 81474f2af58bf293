import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { createOrganisation } from '../../dist/store/access.js';
import { listAudit } from '../../dist/store/audit.js';
import { readMemberCalled } from '../../dist/store/members.js';
import { all } from '../../dist/store/unit.js';
import { startSignInProvider } from '../support/sign-in-provider.js';
import { type Answer, type Call, call } from './support/http.js';
import { describePortal, FORM_HEADERS, type TestPortal } from './support/portal.js';

const ORIGIN = 'https://ocr.example';
const CALLBACK = '/portal/sign-in/callback';
const provider = await startSignInProvider(CALLBACK);
afterAll(() => provider.close());

const SETTINGS = {
  publicUrl: ORIGIN,
  portalOidcIssuer: provider.issuer,
  portalOidcClientId: provider.clientId,
  portalOidcClientSecret: provider.clientSecret,
  portalOidcName: 'Acme <SSO>',
};

let browsers = 0;

/** A browser behind the proxy of the portal, at an address of its own: tries are limited for each. */
function browse(portal: TestPortal) {
  const jars = new Map<string, Map<string, string>>();
  browsers++;
  const address = `192.0.2.1, 198.51.100.${browsers}`;
  const jarOf = (url: URL) => {
    const jar = jars.get(url.origin) ?? new Map<string, string>();
    jars.set(url.origin, jar);
    return jar;
  };
  const send = async (href: string, { headers, ...more }: Call = {}): Promise<Answer> => {
    const url = new URL(href, ORIGIN);
    const isPortal = url.origin === ORIGIN;
    const cookie = [...jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; ');
    const proxied = isPortal ? { host: url.host, 'x-forwarded-for': address } : {};
    const target = isPortal ? portal.url + url.pathname + url.search : url.href;
    const answer = await call(target, { headers: { cookie, ...proxied, ...headers }, ...more });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';');
      const [name = '', ...value] = pair.split('=');
      if (/Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(line)) jarOf(url).delete(name);
      else jarOf(url).set(name, value.join('='));
    }
    return answer;
  };
  /** Follows redirects until there is none, or until an address has `until`. */
  const follow = async (href: string, until?: string): Promise<{ url: URL; answer: Answer }> => {
    let url = new URL(href, ORIGIN);
    for (let step = 0; step < 12; step++) {
      if (until !== undefined && url.href.startsWith(until)) return { url, answer: expect.anything() as never };
      const answer = await send(url.href);
      if (answer.headers.location === undefined) return { url, answer };
      url = new URL(answer.headers.location, url);
    }
    return expect.fail(`no end of redirects at ${url}`);
  };
  const post = async (path: string, fields: Record<string, string>) =>
    await send(path, { method: 'POST', headers: FORM_HEADERS, body: new URLSearchParams(fields).toString() });
  return {
    jars,
    send,
    follow,
    post,
    /** Sends a form of a page with a session. */
    postOwn: async (path: string, fields: Record<string, string> = {}) => {
      const { text } = await send('/portal/organisation');
      return await post(path, { formToken: /name="formToken" value="([^"]+)"/.exec(text)?.[1] ?? '', ...fields });
    },
    signIn: async () => await follow('/portal/sign-in'),
    /** Goes to the provider and returns the address that it sends back to, which is not called yet. */
    reachCallback: async () => (await follow('/portal/sign-in', `${ORIGIN}${CALLBACK}`)).url,
    cookieOf: (name: string) => jars.get(ORIGIN)?.get(name),
    setCookie: (name: string, value: string) => jars.get(ORIGIN)?.set(name, value),
  };
}

/** Signs in as an account that only this test has. */
function newAccount(): { id: string; email: string } {
  const id = `user-${randomBytes(6).toString('hex')}`;
  provider.account = { id, email: `${id}@acme.example` };
  return { id, email: `${id}@acme.example` };
}

async function begin(portal: TestPortal, role: 'owner' | 'member' = 'member') {
  const org = await createOrganisation(portal.store, 'Cedar Records');
  const token = await portal.link({ orgId: org, role, name: 'Bob' });
  return { ...portal, org, token, account: newAccount(), browser: browse(portal) };
}

/** Joins by an invitation, with the account. */
async function join(portal: TestPortal, role?: 'owner' | 'member') {
  const joined = await begin(portal, role);
  await joined.browser.signIn();
  const entered = await joined.browser.post('/portal/enter', { token: joined.token, account: 'connect' });
  expect(entered.status).toBe(303);
  return joined;
}

const SESSION = '__Host-ocr_session';
const SIGN_IN = '__Host-ocr_sign_in';

describePortal(
  'sign-in by a provider',
  (portal) => {
    test('the door → a button with the provider’s name; the way there has PKCE, state and nonce', async () => {
      const browser = browse(portal());
      const { text } = await browser.send('/portal/enter');
      expect(text).toContain('Sign in with Acme &lt;SSO>');
      const sent = await browser.send('/portal/sign-in');
      const url = new URL(sent.headers.location ?? '');
      expect(url.origin).toBe(provider.issuer);
      const query = Object.fromEntries(url.searchParams);
      expect(query).toMatchObject({ code_challenge_method: 'S256', redirect_uri: ORIGIN + CALLBACK });
      for (const name of ['code_challenge', 'state', 'nonce']) expect(query[name]).toMatch(/^[\w-]{43}$/);
      expect(sent.headers['set-cookie']?.[0]).toMatch(
        /^__Host-ocr_sign_in=[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
      );
      expect(browser.cookieOf(SIGN_IN)).not.toContain(query.state);
    });

    test('an account that nobody knows → no session, but a way in with the invitation; afterwards the account is enough', async () => {
      const { store, org, token, account, browser } = await begin(portal());
      const unknown = await browser.signIn();
      expect(unknown.url.href).toBe(`${ORIGIN}/portal/enter?account`);
      expect(unknown.answer.text).toContain(account.email);
      expect(browser.cookieOf(SESSION)).toBeUndefined();
      expect((await browser.post('/portal/enter', { token, account: 'connect' })).status).toBe(303);
      expect(browser.cookieOf(SIGN_IN)).toBeUndefined();
      const page = await browser.send('/portal/organisation');
      expect(page.text).toContain('Disconnect');
      const other = browse(portal());
      const { url } = await other.signIn();
      expect(url.href).toBe(`${ORIGIN}/portal/overview`);
      expect((await other.send('/portal/organisation')).text).toContain('Cedar Records');
      const rows = await listAudit(store, { organisationId: org, limit: 4 });
      expect(rows.map(({ who, action }) => `${who} ${action}`)).toEqual([
        'Bob portal.enter',
        'Bob portal.enter',
        'Bob member.connect',
      ]);
    });

    test('without an invitation → the account opens nothing', async () => {
      const { browser } = await begin(portal());
      const before = await portal().snapshot();
      await browser.signIn();
      expect((await browser.post('/portal/enter', { token: 'x'.repeat(43), account: 'connect' })).status).toBe(403);
      expect((await browser.send('/portal/organisation')).headers.location).toBe('/portal/enter');
      expect(await portal().snapshot()).toBe(before);
    });

    test('a code that is entered beside an account of before → not connected unless the page has said so', async () => {
      const { store, org, token, browser } = await begin(portal());
      await browser.signIn();
      expect((await browser.send('/portal/enter')).text).not.toContain('You are signed in as');
      expect((await browser.post('/portal/enter', { token })).status).toBe(303);
      expect(await store.read(readMemberCalled(org, 'Bob'))).toMatchObject({ account: null });
    });

    test('a member with a session → connects after a question, enters by it, disconnects', async () => {
      const { store, org, token, account, browser } = await begin(portal());
      await browser.post('/portal/enter', { token });
      expect((await browser.send('/portal/organisation')).text).toContain('Connect Acme');
      const asked = await browser.follow('/portal/sign-in?for=connect');
      expect(asked.url.pathname).toBe('/portal/organisation/connect');
      expect(asked.answer.text).toContain(account.email);
      expect(await store.read(readMemberCalled(org, 'Bob'))).toMatchObject({ account: null });
      expect((await browser.post('/portal/organisation/connect', {})).status).toBe(403);
      expect((await browser.postOwn('/portal/organisation/connect')).status).toBe(303);
      expect(await store.read(readMemberCalled(org, 'Bob'))).toMatchObject({ account: account.email });
      expect((await browser.postOwn('/portal/organisation/connect')).status).toBe(409);
      expect((await browse(portal()).signIn()).url.pathname).toBe('/portal/overview');
      await browser.postOwn('/portal/organisation/disconnect');
      expect((await browse(portal()).signIn()).url.href).toBe(`${ORIGIN}/portal/enter?account`);
    });

    test('an account of another member → not connected, neither in a session nor by a link, which stays unused', async () => {
      const { account } = await join(portal());
      const other = await begin(portal());
      provider.account = account;
      await other.browser.post('/portal/enter', { token: other.token });
      await other.browser.follow('/portal/sign-in?for=connect');
      const refused = await other.browser.postOwn('/portal/organisation/connect');
      expect(refused.status).toBe(409);
      expect(refused.text).toContain('another member');
      const third = await begin(portal());
      await third.browser.signIn();
      const faster = await begin(portal());
      provider.account = third.account;
      await faster.browser.signIn();
      await faster.browser.post('/portal/enter', { token: faster.token, account: 'connect' });
      const before = await portal().snapshot();
      expect((await third.browser.post('/portal/enter', { token: third.token, account: 'connect' })).status).toBe(409);
      expect(await portal().snapshot()).toBe(before);
      expect((await third.browser.post('/portal/enter', { token: third.token })).status).toBe(303);
    });

    test('a removed member → the account is nobody’s; another role → the session has it', async () => {
      const { store, org, browser } = await join(portal());
      const ada = await portal().enter({ orgId: org, role: 'owner', name: 'Ada' });
      const id = (await store.read(readMemberCalled(org, 'Bob')))?.id ?? '';
      const own = {
        cookie: ada.cookie.replace('ocr_session', SESSION),
        host: 'ocr.example',
        'x-forwarded-for': '192.0.2.1',
      };
      const formToken = /name="formToken" value="([^"]+)"/.exec(
        (await call(`${portal().url}/portal/organisation`, { headers: own })).text,
      )?.[1];
      const act = async (what: string, fields: Record<string, string>) =>
        await call(`${portal().url}/portal/organisation/members/${id}/${what}`, {
          method: 'POST',
          headers: { ...FORM_HEADERS, ...own },
          body: new URLSearchParams({ formToken: formToken ?? '', ...fields }).toString(),
        });
      expect((await act('role', { role: 'owner' })).status).toBe(303);
      await browser.signIn();
      expect((await browser.send('/portal/organisation')).text).toContain('Invite');
      expect((await act('remove', {})).status).toBe(303);
      expect((await browser.send('/portal/organisation')).status).toBe(303);
      expect((await browser.signIn()).url.href).toBe(`${ORIGIN}/portal/enter?account`);
    });

    test('an answer for another browser, of before, with another state, or twice → no session, and words what to do', async () => {
      const { browser, store } = await join(portal());
      const count = async () => (await store.read(all('SELECT 1 AS one FROM portal_session'))).length;
      const callback = (await browser.reachCallback()).href;
      const before = await count();
      const stranger = await browse(portal()).send(callback);
      expect(stranger.status).toBe(403);
      expect(stranger.text).toContain('Begin again');
      const other = new URL(callback);
      other.searchParams.set('state', 'x'.repeat(43));
      const kept = browser.cookieOf(SIGN_IN) ?? '';
      expect((await browser.send(other.href)).status).toBe(403);
      browser.setCookie(SIGN_IN, `${kept.slice(0, -4)}AAAA`);
      expect((await browser.send(callback)).status).toBe(403);
      expect(await count()).toBe(before);
      browser.setCookie(SIGN_IN, kept);
      expect((await browser.send(callback)).headers.location).toBe('/portal/overview');
      browser.setCookie(SIGN_IN, kept);
      const again = await browser.send(callback);
      expect(again.status).toBe(502);
      expect(again.text).toContain('Sign in again');
    });

    test('one answer eight times at once → one session', async () => {
      const { browser, store } = await join(portal());
      const count = async () => (await store.read(all('SELECT 1 AS one FROM portal_session'))).length;
      const callback = (await browser.reachCallback()).href;
      const before = await count();
      // The session of before, which the first one replaces, is not sent.
      browser.jars.get(ORIGIN)?.delete(SESSION);
      const answers = await Promise.all(Array.from({ length: 8 }, () => browser.send(callback)));
      expect(answers.filter(({ headers }) => headers.location === '/portal/overview')).toHaveLength(1);
      expect(await count()).toBe(before + 1);
    });

    test('a code of another sign-in (PKCE), a token with another nonce or signature → no session', async () => {
      const { browser, store } = await join(portal());
      const count = async () => (await store.read(all('SELECT 1 AS one FROM portal_session'))).length;
      const before = await count();
      const stolen = (await browser.reachCallback()).searchParams.get('code') ?? '';
      const victim = browse(portal());
      const own = await victim.reachCallback();
      own.searchParams.set('code', stolen);
      expect((await victim.send(own.href)).status).toBe(502);
      const start = await victim.send('/portal/sign-in');
      const changed = new URL(start.headers.location ?? '');
      changed.searchParams.set('nonce', 'n'.repeat(43));
      const { url } = await victim.follow(changed.href, ORIGIN + CALLBACK);
      expect((await victim.send(url.href)).status).toBe(502);
      provider.alter = (answer) => {
        const [head, body, signature = ''] = answer.id_token.split('.');
        answer.id_token = `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
      };
      const forged = (await victim.reachCallback()).href;
      const refused = await victim.send(forged);
      provider.alter = undefined;
      expect(refused.status).toBe(502);
      expect(await count()).toBe(before);
    });

    test('a refusal of the provider → said in its word alone; markup in it is not shown', async () => {
      const browser = browse(portal());
      const state = async () =>
        new URL((await browser.send('/portal/sign-in')).headers.location ?? '').searchParams.get('state') ?? '';
      const refused = await browser.send(`${CALLBACK}?error=access_denied&state=${await state()}`);
      expect(refused.status).toBe(403);
      expect(refused.text).toContain('access_denied');
      const hostile = encodeURIComponent('<script>alert(1)</script>');
      const other = await browser.send(`${CALLBACK}?error=${hostile}&state=${await state()}`);
      expect(other.status).toBe(403);
      expect(other.text).not.toContain('alert(1)');
    });

    test('more than ten answers a minute from one address → 429', async () => {
      const browser = browse(portal());
      const statuses: number[] = [];
      for (let n = 0; n < 11; n++) statuses.push((await browser.send(`${CALLBACK}?code=x&state=y`)).status);
      expect(statuses.slice(0, 10)).toEqual(Array(10).fill(403));
      expect(statuses[10]).toBe(429);
    });

    test('operators and support → no account to connect', async () => {
      const operator = await portal().enter({ role: 'operator', name: 'Op' });
      const headers = {
        cookie: operator.cookie.replace('ocr_session', SESSION),
        host: 'ocr.example',
        'x-forwarded-for': '192.0.2.1',
      };
      const get = async (path: string) => await call(`${portal().url}/portal${path}`, { headers });
      expect((await get(`/organisation?organisation=${portal().alder}`)).text).not.toContain('Your sign-in');
      expect((await get(`/organisation/connect?organisation=${portal().alder}`)).status).toBe(403);
    });
  },
  SETTINGS,
);

describePortal(
  'a provider that cannot be reached',
  (portal) => {
    test('sign-in → words what to do; links work on', async () => {
      const browser = browse(portal());
      const refused = await browser.send('/portal/sign-in');
      expect(refused.status).toBe(502);
      expect(refused.text).toContain('enter with a link');
      const token = await portal().link({ orgId: portal().alder, role: 'owner', name: 'Ada' });
      expect((await browser.post('/portal/enter', { token })).status).toBe(303);
    });
  },
  { ...SETTINGS, portalOidcIssuer: 'http://127.0.0.1:1/realm' },
);

describePortal(
  'without a provider',
  (portal) => {
    test('the door and Organisation → no button; its paths are as any other', async () => {
      const browser = browse(portal());
      expect((await browser.send('/portal/enter')).text).not.toContain('Sign in with');
      expect((await browser.send('/portal/sign-in')).headers.location).toBe('/portal/enter');
      const token = await portal().link({ orgId: portal().alder, role: 'owner', name: 'Ada' });
      await browser.post('/portal/enter', { token });
      expect((await browser.send('/portal/sign-in')).status).toBe(404);
      expect((await browser.send('/portal/organisation')).text).not.toContain('Your sign-in');
      expect((await browser.send('/portal/organisation/connect')).status).toBe(404);
    });
  },
  { publicUrl: ORIGIN },
);
