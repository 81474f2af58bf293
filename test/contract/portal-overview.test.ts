import { expect, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import { createOrganisation } from '../../dist/store/access.js';
import { updateOrganisation } from '../../dist/store/organisations.js';
import { writeRequest } from '../../dist/store/requests.js';
import { run } from '../../dist/store/unit.js';
import { countDocument } from '../../dist/store/usage.js';
import { addToDay } from '../../dist/store/usage-days.js';
import { makeRequestEntry } from './support/make-request-entry.js';
import { describePortal } from './support/portal.js';
import { writeDelivery, writeEndpoint } from './support/portal-paths.js';

const DAY_MS = 86_400_000;

describePortal('Overview', (portal) => {
  /** Enters a new organisation with an allowance of the month. */
  const openWith = async (documentsPerPeriod: number) => {
    const { store, enter } = portal();
    const orgId = await createOrganisation(store, `Overview ${createId('org')}`);
    await updateOrganisation(store, orgId, { subscription: 'active', ownLimits: { documentsPerPeriod } });
    return { orgId, visitor: await enter({ orgId, role: 'member' }) };
  };
  const count = async (orgId: string, documents: number) => {
    const { store } = portal();
    const nowMs = Date.now();
    const allowance = { period: new Date(nowMs).toISOString().slice(0, 7), limit: undefined };
    for (let n = 0; n < documents; n++) await store.write(() => countDocument(orgId, allowance, nowMs));
  };
  const age = async (orgId: string, days: number) => {
    const createdAtMs = Date.now() - days * DAY_MS;
    const sql = 'UPDATE organisation SET created_at = :createdAtMs WHERE id = :orgId';
    await portal().store.write(() => run(sql, { orgId, createdAtMs }));
  };
  const figures = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<dt>([^<]+)<\/dt><dd class="figure">([^<]+)<\/dd><dd class="soft">(.*?)<\/dd>/g)].map(
        ([, name, figure, note]) => [name, `${figure} ${note?.replace(/<.*?>/g, '')}`],
      ),
    );

  test('after entering → Overview is the first page', async () => {
    const { redeem, link, alder } = portal();
    const { headers } = await redeem(await link({ orgId: alder, role: 'owner' }));
    expect(headers.location).toBe('/portal/overview');
  });

  test('a new organisation → the next step, with a line for this service', async () => {
    const { visitor } = await openWith(100);
    const { text } = await visitor.get('/overview');
    expect(text).toContain('No documents yet');
    expect(text).toContain(`${portal().url}/v1/ocr/TEXT_EXTRACTION`);
    expect(figures(text)).toMatchObject({ Documents: '0 of 100' });
  });

  test('documents of the period → used, left, and the day when nothing is left', async () => {
    const { orgId, visitor } = await openWith(1_000_000);
    await count(orgId, 4);
    const { text } = await visitor.get('/overview');
    expect(figures(text)).toMatchObject({ Documents: '4 of 1,000,000', Left: expect.stringMatching(/^999,996 to /) });
    expect(figures(text)['At this pace']).toMatch(/^Enough to \d+ \w+ 4 a day since \d+ \w+$/);
    await age(orgId, 30);
    expect(figures((await visitor.get('/overview')).text)['At this pace']).toMatch(
      / 0\.[67] a day in the last 7 days$/,
    );
    await updateOrganisation(portal().store, orgId, { ownLimits: { documentsPerPeriod: 4 } });
    const used = figures((await visitor.get('/overview')).text);
    expect(used).toMatchObject({
      Left: expect.stringMatching(/^0 to /),
      'At this pace': expect.stringMatching(/^Used up/),
    });
  });

  test('an organisation without a limit → no day when nothing is left', async () => {
    const { visitor } = await openWith(-1);
    expect(figures((await visitor.get('/overview')).text)).toMatchObject({
      Documents: '0 no limit',
      Left: expect.stringMatching(/^No limit/),
    });
  });

  test.each([
    ['7d', 7, [10, 20]],
    ['30d', 30, [10, 20, 30]],
    ['90d', 90, [10, 20, 30, 40]],
  ])('the period %s → a bar and a row for each of %i days, without failed documents', async (period, days, values) => {
    const { orgId, visitor } = await openWith(1_000);
    const ages = [0, 6, 29, 89];
    await portal().store.write(function* () {
      for (const [index, age] of ages.entries())
        yield* addToDay(orgId, Date.now() - age * DAY_MS, { accepted: (index + 1) * 10 + 2, failed: 2, pages: 7 });
    });
    const { text } = await visitor.get(`/overview?period=${period}`);
    const rows = [...text.matchAll(/<tr id="day-[\d-]+".*?<\/tr>/g)].map(([row]) =>
      [...row.matchAll(/class="number">([\d,]+)</g)].map(([, cell]) => Number(cell)),
    );
    expect(rows).toHaveLength(days);
    expect(text.match(/<rect class="bar/g)).toHaveLength(days);
    expect(rows.filter(([counted]) => counted !== 0)).toEqual(values.map((value) => [value, 2, 0, 7]));
    const total = values.reduce((sum, value) => sum + value, 0);
    expect(text).toContain(`aria-label="${total} documents from `);
    expect(text).toMatch(new RegExp(`period=${period}" aria-current="page"`));
  });

  test('refused calls → counted by code and function, with a link to those calls', async () => {
    const { orgId, visitor } = await openWith(1_000);
    const { store } = portal();
    const refused = (status: number, errorCode: string, name: string) =>
      makeRequestEntry(orgId, Date.now(), { status, errorCode, function: name });
    await store.write(function* () {
      for (let n = 0; n < 3; n++) yield* writeRequest(refused(429, 'RATE_LIMITED', 'TEXT_EXTRACTION'));
      yield* writeRequest(refused(400, 'INVALID_ARGS', 'TABLE_EXTRACTION'));
      yield* writeRequest(makeRequestEntry(orgId, Date.now() - 2 * DAY_MS, { status: 500, errorCode: 'INTERNAL' }));
    });
    const { text } = await visitor.get('/overview');
    const ids = [...text.matchAll(/<tr id="(error-[^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(['error-RATE_LIMITED-TEXT_EXTRACTION-call', 'error-INVALID_ARGS-TABLE_EXTRACTION-call']);
    expect(figures(text).Rate).toMatch(/; 3 refused in 24 h$/);
    const href = /<tr id="error-RATE_LIMITED.*?href="\/portal([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await visitor.get(href)).text.match(/<tr id="req_/g)).toHaveLength(3);
  });

  test('an endpoint whose deliveries fail → named with its last answer; another’s is not', async () => {
    const { orgId, visitor } = await openWith(1_000);
    const { store } = portal();
    const id = await writeEndpoint(store, orgId, 'https://receiver.example/"><script>alert(1)</script>');
    await writeDelivery(store, orgId, id, 'dead');
    const { text } = await visitor.get('/overview');
    expect(text).toContain('1 of 1');
    expect(text).toContain(`href="/portal/webhooks/${id}"`);
    expect(text).toMatch(/receiver\.example\/&quot;>&lt;script>.*>503</s);
    expect(text).not.toContain('<script>alert');
    const { visitor: other } = await openWith(1_000);
    expect((await other.get('/overview')).text).not.toContain('receiver.example');
  });

  test('a subscription that has ended → said, with the code of the refusals', async () => {
    const { orgId, visitor } = await openWith(1_000);
    await updateOrganisation(portal().store, orgId, { subscription: 'suspended' });
    expect((await visitor.get('/overview')).text).toContain('The subscription is suspended');
  });

  test('support and operators → choose an organisation first', async () => {
    const { birch, enter } = portal();
    for (const role of ['support', 'operator'] as const) {
      const visitor = await enter({ role });
      expect((await visitor.get('/overview')).text).toContain('Choose an organisation');
      const { text } = await visitor.get(`/overview?organisation=${birch}`);
      expect(text).toContain('No documents yet');
      expect(text).toContain(`/portal/overview?organisation=${birch}&amp;period=7d`);
    }
  });
});
