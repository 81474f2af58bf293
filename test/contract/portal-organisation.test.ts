import { expect, test } from 'vitest';
import { dismiss, giveRole } from '../../dist/service/portal/scoped/organisation.js';
import { hashToken } from '../../dist/service/secrets/tokens.js';
import { createOrganisation } from '../../dist/store/access.js';
import { listAudit } from '../../dist/store/audit.js';
import { readMemberCalled } from '../../dist/store/members.js';
import { findSession } from '../../dist/store/portal-sessions.js';
import type { Store } from '../../dist/store/store.js';
import { all, run } from '../../dist/store/unit.js';
import { call } from './support/http.js';
import { describePortal, FORM_HEADERS, type TestPortal, type Visitor } from './support/portal.js';

const LINK = /\/portal\/enter#([\w-]{43})/;
const HOUR_MS = 3_600_000;

async function nonceOf(visitor: Visitor, path: string): Promise<string> {
  return /name="nonce" value="([^"]+)"/.exec((await visitor.get(path)).text)?.[1] ?? '';
}

/** Makes an invitation by its form. */
async function invite(visitor: Visitor, name: string, role = 'member') {
  const nonce = await nonceOf(visitor, '/organisation/invite');
  return await visitor.post('/organisation/invite', { nonce, name, role });
}

async function memberCalled(store: Store, organisationId: string, name: string) {
  return (await store.read(readMemberCalled(organisationId, name))) ?? expect.fail(`There is no member ${name}`);
}

const actionsOf = async (store: Store, organisationId: string) =>
  (await listAudit(store, { organisationId, limit: 1000 })).map(({ who, action }) => `${who} ${action}`);

/** An organisation of its own with an owner called Ada. */
async function begin({ store, enter }: TestPortal) {
  const org = await createOrganisation(store, 'Cedar Records');
  const ada = await enter({ orgId: org, role: 'owner', name: 'Ada' });
  return { store, enter, org, ada };
}

/** Sends a link from the door, and returns the visitor. */
async function follow({ redeem, visit }: TestPortal, token: string) {
  const entered = await redeem(token);
  expect(entered.status).toBe(303);
  return visit((entered.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '');
}

describePortal('the organisation', (portal) => {
  test('its page → plan with use, members, sessions, changes; a member sees it without a way to change', async () => {
    const { enter, org, ada } = await begin(portal());
    const page = await ada.get('/organisation');
    expect(page.status).toBe(200);
    for (const text of ['Cedar Records', org, 'ENTERPRISE', 'Weight', 'Members', 'Sessions', 'portal.enter'])
      expect(page.text).toContain(text);
    expect(page.text).toContain('Invite');
    const member = await enter({ orgId: org, role: 'member', name: 'Bob' });
    const seen = (await member.get('/organisation')).text;
    expect(seen).toContain('Ada');
    for (const text of ['Invite', 'Make owner', 'Make member', 'Remove', 'New link']) expect(seen).not.toContain(text);
    const id = (await memberCalled(portal().store, org, 'Ada')).id;
    const before = await portal().snapshot();
    for (const path of ['invite', `members/${id}/role`, `members/${id}/remove`, `members/${id}/link`]) {
      expect((await member.post(`/organisation/${path}`, { role: 'member', name: 'x' })).status).toBe(403);
    }
    expect(await portal().snapshot()).toBe(before);
  });

  test('an invitation → shown once, for 72 hours, in no table; whoever follows it is a member', async () => {
    const { store, org, ada } = await begin(portal());
    const made = await invite(ada, 'Bob');
    const [, token = ''] = LINK.exec(made.text) ?? [];
    expect(made.headers['cache-control']).toBe('no-store');
    expect((await ada.get('/organisation')).text).toContain('Unused links');
    expect((await ada.get('/organisation')).text).not.toContain(token);
    expect(await portal().snapshot()).not.toContain(token);
    const [link] = await store.read(
      all<{ ms: number }>('SELECT expires_at - created_at AS ms FROM portal_link WHERE hash = :hash', {
        hash: hashToken(token),
      }),
    );
    expect(Math.round((link?.ms ?? 0) / HOUR_MS)).toBe(72);
    const bob = await follow(portal(), token);
    expect((await bob.get('/organisation')).status).toBe(200);
    expect(await memberCalled(store, org, 'Bob')).toMatchObject({ role: 'member' });
    expect((await portal().redeem(token)).status).toBe(403);
    expect((await ada.get('/organisation')).text).not.toContain('Unused links');
    expect((await actionsOf(store, org)).slice(0, 2)).toEqual(['Bob portal.enter', 'Ada portal.link']);
  });

  test('the form of an invitation sent ten times at once, and again → one link', async () => {
    const { store, org, ada } = await begin(portal());
    const nonce = await nonceOf(ada, '/organisation/invite');
    const send = () => ada.post('/organisation/invite', { nonce, name: 'Once', role: 'member' });
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(answers.filter(({ text }) => LINK.test(text))).toHaveLength(1);
    expect((await send()).text).toContain('cannot be shown again');
    expect((await actionsOf(store, org)).filter((each) => each === 'Ada portal.link')).toHaveLength(1);
  });

  test('an invitation that is refused → what was typed stays; no link', async () => {
    const { ada } = await begin(portal());
    const before = await portal().snapshot();
    for (const [name, role, text] of [
      [' ', 'member', 'must have 1 to 200 characters'],
      ['Bob"><script>', 'operator', 'Choose Member or Owner'],
      ['Ada', 'member', 'There is a member of this name'],
    ] as const) {
      const refused = await invite(ada, name, role);
      expect(refused.status).toBe(422);
      expect(refused.text).toContain(text);
      expect(refused.text).toContain('aria-invalid="true"');
      expect(refused.text).not.toContain('<script>');
    }
    expect(await portal().snapshot()).toBe(before);
  });

  test('a revoked link, and one in whose place another was made → nobody enters', async () => {
    const { store, org, ada } = await begin(portal());
    const [, first = ''] = LINK.exec((await invite(ada, 'Bob')).text) ?? [];
    const [, second = ''] = LINK.exec((await invite(ada, 'Bob')).text) ?? [];
    const { text } = await ada.get('/organisation');
    const [, path = ''] = /href="\/portal(\/organisation\/links\/inv_\w+\/revoke)"/.exec(text) ?? [];
    expect((await ada.get(path)).text).toContain('Revoke this link?');
    expect((await ada.post(path)).status).toBe(303);
    expect((await ada.post(path)).status).toBe(404);
    for (const token of [first, second]) expect((await portal().redeem(token)).status).toBe(403);
    expect(await store.read(readMemberCalled(org, 'Bob'))).toBeUndefined();
    expect((await actionsOf(store, org))[0]).toBe('Ada portal.link-revoke');
  });

  test('another role → heeded at the next call, under a new session id; the old id and its forms are gone', async () => {
    const { store, enter, org, ada } = await begin(portal());
    const bob = await enter({ orgId: org, role: 'member', name: 'Bob' });
    const { id } = await memberCalled(store, org, 'Bob');
    const oldToken = await bob.formToken();
    expect((await ada.get(`/organisation/members/${id}/role`)).text).toContain('Make owner');
    expect((await ada.post(`/organisation/members/${id}/role`, { role: 'owner' })).status).toBe(303);
    const page = await bob.get('/organisation');
    expect(page.text).toContain('Invite');
    const cookie = (page.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
    expect(cookie).toMatch(/^ocr_session=[\w-]{43}$/);
    expect(cookie).not.toBe(bob.cookie);
    expect((await bob.get('/organisation')).status).toBe(303);
    const renewed = portal().visit(cookie);
    expect((await renewed.post('/leave', { formToken: oldToken })).status).toBe(403);
    expect((await renewed.get('/organisation')).headers['set-cookie']).toBeUndefined();
    expect((await actionsOf(store, org))[0]).toBe('Ada member.role');
  });

  test('a form under the old id of a session whose role has changed → refused, and nothing changes', async () => {
    const { store, enter, org, ada } = await begin(portal());
    const bob = await enter({ orgId: org, role: 'owner', name: 'Bob' });
    const { id } = await memberCalled(store, org, 'Bob');
    const formToken = await bob.formToken();
    await ada.post(`/organisation/members/${id}/role`, { role: 'member' });
    const refused = await call(`${portal().url}/portal/api-keys/new`, {
      method: 'POST',
      headers: { ...FORM_HEADERS, cookie: bob.cookie },
      body: new URLSearchParams({ formToken, name: 'late' }).toString(),
    });
    expect(refused.status).toBe(403);
    expect(refused.headers['set-cookie']?.[0]).toMatch(/^ocr_session=[\w-]{43};/);
    expect((await actionsOf(store, org))[0]).toBe('Ada member.role');
  });

  test('the last owner → stays: not removed, not made a member, also not by a link of the command line', async () => {
    const { store, org, ada } = await begin(portal());
    const { id } = await memberCalled(store, org, 'Ada');
    for (const [path, fields] of [
      ['role', { role: 'member' }],
      ['remove', {}],
    ] as const) {
      const refused = await ada.post(`/organisation/members/${id}/${path}`, fields);
      expect(refused.status).toBe(409);
      expect(refused.text).toContain('is the only owner');
    }
    await expect(portal().link({ orgId: org, role: 'member', name: 'Ada' })).rejects.toThrow(/is the last owner/);
    const bob = await portal().enter({ orgId: org, role: 'owner', name: 'Bob' });
    const token = await portal().link({ orgId: org, role: 'member', name: 'Ada' });
    await bob.post(`/organisation/members/${(await memberCalled(store, org, 'Bob')).id}/remove`);
    expect((await portal().redeem(token)).text).toContain('without an owner');
    expect(await memberCalled(store, org, 'Ada')).toMatchObject({ role: 'owner' });
    await portal().enter({ orgId: org, role: 'owner', name: 'Cy' });
    expect((await portal().redeem(token)).status).toBe(303);
  });

  test('two owners who change each other at once → one of them stays an owner', async () => {
    const { store, enter } = portal();
    for (let round = 0; round < 20; round++) {
      const organisationId = await createOrganisation(store, `Round ${round}`);
      const names = ['Ada', 'Bob'];
      for (const name of names) await enter({ orgId: organisationId, role: 'owner', name });
      const members = await Promise.all(names.map((name) => memberCalled(store, organisationId, name)));
      const scope = { store, organisationId, seesFiles: true };
      const change =
        round % 2 === 0 ? dismiss : (...[own, id]: Parameters<typeof dismiss>) => giveRole(own, id, 'member');
      const outcomes = await Promise.all(members.map(({ id }) => change(scope, id)));
      expect(outcomes.sort()).toEqual(['done', 'last-owner']);
      const owners = await store.read(
        all<{ id: string }>(`SELECT id FROM member WHERE organisation_id = :organisationId AND role = 'owner'`, {
          organisationId,
        }),
      );
      expect(owners).toHaveLength(1);
    }
  });

  test('two owners who remove each other in the same moment by their pages → one is told that an owner stays', async () => {
    const { store, enter, org, ada } = await begin(portal());
    const bob = await enter({ orgId: org, role: 'owner', name: 'Bob' });
    const ids = [(await memberCalled(store, org, 'Bob')).id, (await memberCalled(store, org, 'Ada')).id];
    const tokens = [await ada.formToken(), await bob.formToken()];
    const answers = await Promise.all(
      [ada, bob].map((visitor, index) =>
        visitor.post(`/organisation/members/${ids[index]}/remove`, { formToken: tokens[index] ?? '' }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(303);
    // The one who came second is gone already, or is the last.
    expect(statuses.every((status) => [303, 401, 409].includes(status))).toBe(true);
    const owners = await store.read(
      all(`SELECT id FROM member WHERE organisation_id = :org AND role = 'owner'`, { org }),
    );
    expect(owners).toHaveLength(1);
  });

  test('a removed member → the sessions and unused links end at once; keys stay', async () => {
    const { store, enter, org, ada } = await begin(portal());
    const bob = await enter({ orgId: org, role: 'member', name: 'Bob' });
    const { id } = await memberCalled(store, org, 'Bob');
    const nonce = await nonceOf(ada, `/organisation/members/${id}/link`);
    const made = await ada.post(`/organisation/members/${id}/link`, { nonce });
    const [, token = ''] = LINK.exec(made.text) ?? [];
    expect((await ada.get(`/organisation/members/${id}/remove`)).text).toContain('API keys stay');
    expect((await ada.post(`/organisation/members/${id}/remove`)).status).toBe(303);
    expect((await bob.get('/organisation')).status).toBe(303);
    expect((await portal().redeem(token)).status).toBe(403);
    expect((await ada.post(`/organisation/members/${id}/remove`)).status).toBe(404);
    expect((await actionsOf(store, org))[0]).toBe('Ada member.remove');
  });

  test('a new link for a member → another session of the same member, with the role of now', async () => {
    const { store, enter, org, ada } = await begin(portal());
    await enter({ orgId: org, role: 'member', name: 'Bob' });
    const { id } = await memberCalled(store, org, 'Bob');
    const nonce = await nonceOf(ada, `/organisation/members/${id}/link`);
    const made = await ada.post(`/organisation/members/${id}/link`, { nonce });
    const [, token = ''] = LINK.exec(made.text) ?? [];
    await ada.post(`/organisation/members/${id}/role`, { role: 'owner' });
    const bob = await follow(portal(), token);
    expect((await bob.get('/organisation')).text).toContain('Invite');
    expect(await memberCalled(store, org, 'Bob')).toMatchObject({ id, role: 'owner' });
  });

  test('an owner who leaves → enters no more; the cookie is taken back', async () => {
    const { store, enter, org, ada } = await begin(portal());
    await enter({ orgId: org, role: 'owner', name: 'Bob' });
    const { id } = await memberCalled(store, org, 'Ada');
    const left = await ada.post(`/organisation/members/${id}/remove`);
    expect(left.headers.location).toBe('/portal/enter');
    expect(left.headers['set-cookie']?.[0]).toContain('Max-Age=0');
    expect((await ada.get('/organisation')).status).toBe(303);
  });

  test('sessions: an owner ends anybody’s; a member sees and ends own ones alone; all others at once', async () => {
    const { store, enter, org, ada } = await begin(portal());
    const bob = await enter({ orgId: org, role: 'member', name: 'Bob' });
    const others = [
      await enter({ orgId: org, role: 'member', name: 'Bob' }),
      await enter({ orgId: org, role: 'member', name: 'Bob' }),
    ];
    const idsIn = (text: string) => [...new Set(text.match(/ses_[0-9A-F]{26}/g) ?? [])];
    const own = idsIn((await bob.get('/organisation')).text);
    const every = idsIn((await ada.get('/organisation')).text);
    expect([own.length, every.length]).toEqual([3, 4]);
    const adaId = every.find((id) => !own.includes(id)) ?? '';
    expect((await bob.post(`/organisation/sessions/${adaId}/end`)).status).toBe(404);
    expect((await bob.post('/organisation/sessions/end-others')).status).toBe(303);
    for (const other of others) expect((await other.get('/organisation')).status).toBe(303);
    expect((await bob.get('/organisation')).status).toBe(200);
    const [bobId = ''] = idsIn((await bob.get('/organisation')).text);
    expect((await ada.post(`/organisation/sessions/${bobId}/end`)).status).toBe(303);
    expect((await bob.get('/organisation')).status).toBe(303);
    expect((await ada.post(`/organisation/sessions/${adaId}/end`)).headers.location).toBe('/portal/enter');
    expect((await ada.get('/organisation')).status).toBe(303);
    const actions = await actionsOf(store, org);
    expect(actions.slice(0, 3)).toEqual(['Ada session.end', 'Ada session.end', 'Bob session.end-others']);
  });

  test('a session that has ended by time, whose row is still there → not listed', async () => {
    const { store, enter, org, ada } = await begin(portal());
    await enter({ orgId: org, role: 'member', name: 'Old' });
    await store.write(() => run(`UPDATE portal_session SET seen_at = 1 WHERE name = 'Old'`));
    const [, sessions = ''] = (await ada.get('/organisation')).text.split('id="sessions"');
    expect(sessions.split('id="changes"')[0]).not.toContain('Old');
  });

  test('a browser that enters → named in its session by kind and system alone', async () => {
    const { store, org } = await begin(portal());
    const token = await portal().link({ orgId: org, role: 'member', name: 'Fox' });
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 <script>';
    await portal().redeem(token, { headers: { 'user-agent': agent } });
    const rows = await store.read(all<{ browser: string }>(`SELECT browser FROM portal_session WHERE name = 'Fox'`));
    expect(rows).toEqual([{ browser: 'Firefox on Linux' }]);
  });

  test('the audit log → paged, with filters in the address; an unknown action is an error', async () => {
    const { store, org, ada } = await begin(portal());
    for (let n = 0; n < 60; n++) await invite(ada, `Guest ${n}`);
    const first = (await ada.get('/organisation/audit')).text;
    expect(first.match(/<tr id="aud_/g)).toHaveLength(50);
    const [, older = ''] = /href="\/portal(\/organisation\/audit\?before=aud_\w+)"/.exec(first) ?? [];
    const second = (await ada.get(older)).text;
    const ids = (text: string): string[] => [...(text.match(/<tr id="aud_\w+/g) ?? [])];
    expect(ids(second).length).toBe(11);
    expect(ids(first).some((id) => ids(second).includes(id))).toBe(false);
    const entered = (await ada.get('/organisation/audit?action=portal.enter')).text;
    expect(ids(entered)).toHaveLength(1);
    expect(ids((await ada.get('/organisation/audit?who=Nobody')).text)).toHaveLength(0);
    expect((await ada.get('/organisation/audit?action=oops')).text).toContain('Action is one of');
    const [row] = await listAudit(store, { organisationId: org, limit: 1 });
    expect(ids((await ada.get(`/organisation/audit?on=${row?.subjectId}`)).text)).toHaveLength(1);
  });

  test('an operator who acts for an organisation → invites its first owner; support sees, and changes nothing', async () => {
    const { store, enter } = portal();
    const org = await createOrganisation(store, 'Elm House');
    const [operator, support] = [await enter({ role: 'operator', name: 'Op' }), await enter({ role: 'support' })];
    expect((await operator.get('/organisation')).text).toContain('Choose an organisation');
    const seen = await support.get(`/organisation?organisation=${org}`);
    expect(seen.text).toContain('You look at');
    expect(seen.text).not.toContain('Invite</a>');
    const path = `/organisation/invite?organisation=${org}`;
    const nonce = await nonceOf(operator, path);
    const made = await operator.post(path, { nonce, name: 'Eve', role: 'owner' });
    const eve = await follow(portal(), LINK.exec(made.text)?.[1] ?? '');
    expect((await eve.get('/organisation')).text).toContain('Elm House');
    expect(await actionsOf(store, org)).toContain('Op portal.link');
  });
});

describePortal('many with one invitation', (portal) => {
  test('fifty at once → one member and one session', async () => {
    const { store, org, ada } = await begin(portal());
    const [, token = ''] = LINK.exec((await invite(ada, 'Many')).text) ?? [];
    const answers = await Promise.all(Array.from({ length: 50 }, () => portal().redeem(token)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    const members = await store.read(
      all<{ id: string }>(`SELECT id FROM member WHERE organisation_id = :org AND name = 'Many'`, { org }),
    );
    expect(members).toHaveLength(1);
  });

  test('one session, forty calls at once after its role has changed → one new id', async () => {
    const { store, enter, org, ada } = await begin(portal());
    const bob = await enter({ orgId: org, role: 'member', name: 'Bob' });
    const { id } = await memberCalled(store, org, 'Bob');
    await ada.post(`/organisation/members/${id}/role`, { role: 'owner' });
    const answers = await Promise.all(Array.from({ length: 40 }, () => bob.get('/organisation')));
    const cookies = answers.flatMap(({ headers }) => headers['set-cookie'] ?? []);
    expect(cookies).toHaveLength(1);
    const token = /ocr_session=([\w-]+)/.exec(cookies[0] ?? '')?.[1] ?? '';
    expect(await findSession(store, hashToken(token))).toMatchObject({ role: 'owner', isOutdated: 0 });
  });
});
