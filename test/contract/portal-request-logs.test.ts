import { expect, test } from 'vitest';
import { adviseToConvert } from '../../dist/contract/foreign-type.js';
import { createId } from '../../dist/contract/identifiers.js';
import { createOrganisation } from '../../dist/store/access.js';
import { listAudit } from '../../dist/store/audit.js';
import { type RequestEntry, writeRequest } from '../../dist/store/requests.js';
import { makeRequestEntry } from './support/make-request-entry.js';
import { describePortal } from './support/portal.js';
import { writeJob } from './support/portal-paths.js';

/** A time within the ninety days that calls are kept. */
const NOON = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 86_400_000 / 2;
/** The last minute before noon, as a field of a browser writes it. */
const MINUTE = new Date(NOON - 60_000).toISOString().slice(0, 16);
/** Markup, a link that runs, direction marks, a formula, a name without end. */
const HOSTILE = [
  '"><script>alert(1)</script>',
  'javascript:alert(1)',
  'invoice\u202efdp.exe',
  '=HYPERLINK("http://evil.example")',
  'x'.repeat(10_000),
];

describePortal('Request Logs', (portal) => {
  /** Enters a new organisation with calls, the first the newest. */
  const openWith = async (calls: ReadonlyArray<Partial<RequestEntry>>) => {
    const { store, enter } = portal();
    const orgId = await createOrganisation(store, `Calls ${createId('org')}`);
    const entries = calls.map((call, index) => {
      const createdAtMs = call.createdAtMs ?? NOON - index * 1_000;
      return makeRequestEntry(orgId, createdAtMs, call);
    });
    await store.write(function* () {
      for (const entry of entries) yield* writeRequest(entry);
    });
    return { visitor: await enter({ orgId, role: 'owner' }), ids: entries.map(({ id }) => id) };
  };
  const idsIn = (html: string) => [...html.matchAll(/<tr id="(req_\w+)"/g)].map(([, id]) => id);

  test('120 calls → pages of 50, newest first, each call once; within 60 KB', async () => {
    const { visitor, ids } = await openWith(Array.from({ length: 120 }, () => ({ fileName: 'quarterly report.pdf' })));
    const seen: Array<string | undefined> = [];
    for (let path: string | undefined = '/request-logs'; path !== undefined; ) {
      const { text }: { text: string } = await visitor.get(path);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
      seen.push(...idsIn(text));
      path = /href="\/portal([^"]*before=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toEqual(ids);
  });

  test.each([
    ['status=404', [1]],
    ['status=4xx', [1, 2]],
    ['code=rate_limited', [2]],
    ['function=TABLE_EXTRACTION', [3]],
    ['key=key_B', [4]],
    ['cached=yes', [5]],
    ['cached=no&status=4xx&code=NOT_FOUND', [1]],
    [`from=${MINUTE}&to=${MINUTE}`, [1, 2, 3, 4, 5, 6]],
    [`from=${MINUTE}:30&to=${MINUTE}:30`, [6]],
  ])('the filter %s → those calls alone, with chips that remove it', async (query, expected) => {
    const { visitor, ids } = await openWith([
      {},
      { status: 404, errorCode: 'NOT_FOUND' },
      { status: 429, errorCode: 'RATE_LIMITED' },
      { function: 'TABLE_EXTRACTION' },
      { keyId: 'key_B' },
      { isCached: true },
      { createdAtMs: NOON - 30_000 },
    ]);
    const { text } = await visitor.get(`/request-logs?${query}`);
    expect(idsIn(text)).toEqual(expected.map((index) => ids[index]));
    for (const value of new URLSearchParams(query).values())
      expect(text, 'what was typed stays').toMatch(new RegExp(`value="${value}"( selected)?`));
    expect(text.match(/aria-label="Remove filter /g)).toHaveLength([...new URLSearchParams(query).keys()].length);
  });

  test('a filter that is not understood → said at its field, with what was typed; no rows', async () => {
    const { visitor } = await openWith([{}]);
    const { text } = await visitor.get('/request-logs?status=oops&from=yesterday');
    expect(text).toContain('Status is a number such as 404, or a class such as 4xx');
    expect(text).toContain('value="oops"');
    expect(text).toMatch(/aria-invalid(?:="true")?[^>]* id="field-status"/);
    expect(idsIn(text)).toEqual([]);
  });

  test('a whole request id → found wherever it is; another’s → no row', async () => {
    const { visitor, ids } = await openWith([{}, {}, {}]);
    const { ids: others } = await openWith([{}]);
    expect(idsIn((await visitor.get(`/request-logs?request=${ids[2]?.toLowerCase()}`)).text)).toEqual([ids[2]]);
    expect(idsIn((await visitor.get(`/request-logs?request=${others[0]}`)).text)).toEqual([]);
  });

  test('a beginning of a request id that no other has → its call, in the list and in CSV', async () => {
    const { visitor, ids } = await openWith([{}, {}, {}]);
    // The calls are a second apart: the time in an id tells them apart.
    const start = (ids[1] ?? '').slice(0, 'req_'.length + 10);
    for (const typed of [start, start.toLowerCase(), start.slice(4)])
      expect(idsIn((await visitor.get(`/request-logs?request=${typed}`)).text), typed).toEqual([ids[1]]);
    const csv = (await visitor.get(`/request-logs.csv?request=${start}`)).text;
    expect(csv.trim().split('\r\n').slice(1)).toEqual([expect.stringContaining(ids[1] ?? '-')]);
  });

  test('a request id that leads to no call → why, beside the field; never another’s id', async () => {
    const { visitor, ids } = await openWith([{}, {}]);
    const { ids: others } = await openWith([{}]);
    const whyOf = async (typed: string) => {
      const { text } = await visitor.get(`/request-logs?request=${typed}`);
      expect(text).toMatch(/aria-invalid(?:="true")?[^>]* id="field-request"/);
      expect(idsIn(text)).toEqual([]);
      expect(text).not.toContain(`>${others[0]}`);
      return /id="error-request">([^<]*)</.exec(text)?.[1];
    };
    const several = await whyOf('req_0');
    expect(several).toMatch(/^Several ids begin with req_0: /);
    for (const id of ids) expect(several).toContain(id);
    expect(several).not.toContain(others[0]);
    expect(await whyOf(others[0] ?? '')).toBe('No call in this log has this Request ID');
    expect(await whyOf('req_7ZZ')).toBe('No call in this log has this Request ID');
    for (const typed of ['f-oo', 'job_01AB', createId('job')])
      expect(await whyOf(typed), typed).toMatch(/^Request ID is an ID such as req_/);
  });

  test('no calls → the next step, with a line for this service', async () => {
    const { visitor } = await openWith([]);
    const { text } = await visitor.get('/request-logs');
    expect(text).toContain('No calls yet');
    expect(text).toContain(`${portal().url}/v1/ocr/TEXT_EXTRACTION`);
  });

  test('hostile names and messages → text, on the list, the page of the call and in CSV', async () => {
    const { visitor, ids } = await openWith(
      HOSTILE.map((text) => ({ fileName: text, errorMessage: text, status: 400, errorCode: 'INVALID_DOCUMENT' })),
    );
    const list = (await visitor.get('/request-logs')).text;
    expect(idsIn(list)).toEqual(ids);
    const pages = [list];
    for (const id of ids) pages.push((await visitor.get(`/request-logs/${id}`)).text);
    expect(pages[1]).toContain('&quot;>&lt;script>alert(1)');
    for (const page of pages) {
      expect(page).not.toContain('<script>alert');
      expect(page).not.toMatch(/href="javascript:/);
      expect(page).not.toMatch(/ on\w+=/);
    }
    const { text: csv, headers } = await visitor.get('/request-logs.csv');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.split('\r\n')).toHaveLength(HOSTILE.length + 2);
    expect(csv).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
  });

  test('CSV with a filter → the calls that it leaves, all of them', async () => {
    const { visitor, ids } = await openWith(
      Array.from({ length: 130 }, (_, index) => ({
        function: index % 2 === 0 ? 'TABLE_EXTRACTION' : 'TEXT_EXTRACTION',
      })),
    );
    const { text } = await visitor.get('/request-logs.csv?function=TABLE_EXTRACTION');
    const lines = text.trim().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',')[9])).toEqual(ids.filter((_, index) => index % 2 === 0));
  });

  test('a refused call → its code, its message as sent, and what it means; curl without a key', async () => {
    const { visitor, ids } = await openWith([
      {
        status: 429,
        errorCode: 'RATE_LIMITED',
        errorMessage: 'More than 60 calls',
        keyLastFour: 'Ab12',
        path: '/v1/ocr/TEXT_EXTRACTION',
      },
    ]);
    const { text } = await visitor.get(`/request-logs/${ids[0]}`);
    expect(text).toContain('More than 60 calls');
    expect(text).toContain('Too many requests in the current window. The same call may succeed later.');
    expect(text).toContain('Bearer $OCR_API_KEY');
    expect(text).toContain('The log keeps no arguments.');
  });

  test('calls with one Idempotency-Key → each names the others', async () => {
    const first = createId('req', NOON);
    const { visitor, ids } = await openWith([
      { id: first, createdAtMs: NOON },
      { createdAtMs: NOON + 1_000, replayOf: first },
      { createdAtMs: NOON + 2_000, replayOf: first },
      { createdAtMs: NOON + 3_000 },
    ]);
    const replaysOf = async (id = '') => idsIn((await visitor.get(`/request-logs/${id}`)).text);
    expect(await replaysOf(ids[0])).toEqual([ids[1], ids[2]]);
    expect(await replaysOf(ids[1])).toEqual([ids[2]]);
    expect(await replaysOf(ids[3])).toEqual([]);
    expect((await visitor.get(`/request-logs/${ids[2]}`)).text).toContain(`>${first}</a>`);
  });

  test('a refusal that names its file → support reads the refusal without the name, in every place', async () => {
    const { store, enter } = portal();
    const orgId = await createOrganisation(store, 'Named files');
    const fileName = 'dismissal of Mr Smith.docx';
    const said = 'The file is a Word document (DOCX), which TEXT_EXTRACTION does not read';
    const refused = { fileName, status: 415, errorCode: 'UNSUPPORTED_MEDIA_TYPE' };
    const entries = [
      { ...refused, errorMessage: adviseToConvert(said, fileName) },
      { ...refused, errorMessage: `${fileName} is no document` },
    ].map((call) => makeRequestEntry(orgId, NOON, call));
    await store.write(function* () {
      for (const entry of entries) yield* writeRequest(entry);
    });
    const [owner, support] = [await enter({ orgId, role: 'owner' }), await enter({ role: 'support' })];
    const [first = '', second = ''] = entries.map(({ id }) => id);
    expect((await owner.get(`/request-logs/${first}`)).text).toContain(fileName);
    expect((await support.get(`/request-logs/${first}?organisation=${orgId}`)).text).toContain(said);
    for (const path of ['', '.csv', `/${first}`, `/${second}`])
      expect((await support.get(`/request-logs${path}?organisation=${orgId}`)).text, path).not.toContain('Smith');
  });

  test('a call whose result is kept → a button that shows it; never for support', async () => {
    const { store, enter } = portal();
    const orgId = await createOrganisation(store, 'Kept Results');
    const jobId = await writeJob(store, orgId, 'completed');
    const visitor = await enter({ orgId, role: 'member', name: 'Mo' });
    const [requestId] = idsIn((await visitor.get('/request-logs')).text);
    const { text } = await visitor.get(`/request-logs/${requestId}`);
    expect(text).toContain('Show the result');
    expect(text).not.toContain('planted text');
    const [, action = ''] = /action="\/portal(\/job-queues\/[^"]+\/result)"/.exec(text) ?? [];
    expect((await visitor.post(action)).text).toContain('planted text');
    const [audited] = await listAudit(store, { organisationId: orgId, limit: 1 });
    expect(audited).toMatchObject({ who: 'Mo', action: 'job.result', subjectId: jobId });
    const support = await enter({ role: 'support', name: 'Sue' });
    const seen = (await support.get(`/request-logs/${requestId}?organisation=${orgId}`)).text;
    expect(seen).toContain(jobId);
    expect(seen).not.toContain('Show the result');
  });
});
