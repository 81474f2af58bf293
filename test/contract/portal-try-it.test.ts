import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { signId } from '../../dist/service/portal/doors/signed-ids.js';
import { createOrganisation } from '../../dist/store/access.js';
import { listAudit } from '../../dist/store/audit.js';
import { type OrganisationChange, updateOrganisation } from '../../dist/store/organisations.js';
import { all, one } from '../../dist/store/unit.js';
import { bad, documents, examples, PASSWORD } from '../fixtures/manifest.js';
import { describePortal, type Visitor } from './support/portal.js';
import { writeJob } from './support/portal-paths.js';

const TEXT = '/functions/TEXT_EXTRACTION/try';
const LAYOUT = '/functions/LAYOUT_ANALYSIS/try';
const INSPECTION = '/functions/DOCUMENT_INSPECTION/try';
const report = { name: 'report.pdf', content: readFileSync(examples.report.path) };
const mixed = { name: 'mixed.pdf', content: readFileSync(documents.mixed.path) };

/** Returns the address that an answer sends the browser to, below /portal. */
const locationOf = ({ headers }: { headers: { location?: string | undefined } }) =>
  headers.location?.replace(/^\/portal/, '') ?? '';

/** Expects what whoever is refused may quote: the code and the id of the call, with its page. */
function expectQuotable(text: string, code: string | null | undefined, requestId: string | undefined): void {
  const [part = ''] = /<section aria-label="Refused call">.*?<\/section>/s.exec(text) ?? [];
  expect(part).toContain(`<strong>${code}</strong>`);
  expect(part).toContain(`>${requestId}</a>`);
  expect(part).toContain(`href="/portal/request-logs/${requestId}">See the call in the request logs<`);
}

/** Opens a page until its job has ended. */
async function openWhenDone(visitor: Visitor, path: string) {
  for (;;) {
    const page = await visitor.get(path);
    if (!page.text.includes('data-waiting')) return page;
  }
}

describePortal(
  'Try it',
  (portal) => {
    const enterNew = async (change: OrganisationChange = {}) => {
      const { store, enter } = portal();
      const orgId = await createOrganisation(store, 'Triers');
      await updateOrganisation(store, orgId, change);
      return { orgId, visitor: await enter({ orgId, role: 'member', name: 'Mo' }) };
    };
    /** Writes a job, and returns the address of its result for somebody who has tried it elsewhere. */
    const openPlanted = async (status: 'processing' | 'failed' | 'completed') => {
      const { store } = portal();
      const { orgId, visitor } = await enterNew();
      const jobId = await writeJob(store, orgId, status);
      const row = await store.read(
        one<{ id: string }>('SELECT request_id AS id FROM job WHERE id = :jobId', { jobId }),
      );
      const token = visitor.cookie.split('=')[1] ?? '';
      const path = `${TEXT}/${signId({ token, organisationId: orgId, purpose: 'try' }, row?.id ?? '')}`;
      return { visitor, path };
    };
    const countDocuments = async (orgId: string) =>
      (
        await portal().store.read(
          one<{ n: number }>('SELECT documents AS n FROM usage WHERE organisation_id = :orgId', { orgId }),
        )
      )?.n ?? 0;
    const listCalls = async (visitor: Visitor, orgId: string) => {
      // Lines of refused calls are gathered; the page of the log waits for them.
      await visitor.get(`/request-logs?organisation=${orgId}`);
      return await portal().store.read(
        all<{ id: string; status: number; code: string | null; key: string; cached: number; path: string }>(
          `SELECT id, status, error_code AS code, key_last_four AS key, cached, path FROM request
         WHERE organisation_id = :orgId ORDER BY created_at, id`,
          { orgId },
        ),
      );
    };

    test('the form → a field for each argument, with its default; the button says that it counts', async () => {
      const { visitor } = await enterNew();
      const { text } = await visitor.get(TEXT);
      expect(text).toMatch(/<select[^>]*name="arg-format"><option value="text" selected>.*<option value="markdown">/);
      expect(text).toMatch(/<input type="checkbox" id="field-arg-perPage"/);
      expect(text).toMatch(/placeholder="eng"[^>]*name="arg-languages"/);
      expect(text).toMatch(/type="password"[^>]*name="arg-password"/);
      expect(text).toContain('Run and count one document');
      expect((await visitor.get(LAYOUT)).text).toMatch(/name="arg-words" value="true" checked/);
      expect((await visitor.get('/functions/BARCODE_READING/try')).text).toMatch(/name="arg-formats" value="QRCode"/);
      expect((await visitor.get('/functions/NOTHING/try')).status).toBe(404);
      expect((await visitor.get('/functions')).text).toContain(`href="/portal${TEXT}"`);
    });

    test('a document → its result beside its page, one call of key "portal", counted and audited once', async () => {
      const { store } = portal();
      const { orgId, visitor } = await enterNew();
      const sent = await visitor.upload(LAYOUT, report, { 'arg-pages': '1-2' });
      expect(sent.status).toBe(303);
      const { status, text } = await openWhenDone(visitor, locationOf(sent));
      expect(status).toBe(200);
      expect(text).toMatch(/<a id="line-0" href="#box-0" data-mark="0"/);
      expect(text).toMatch(/<a id="box-0" href="#line-0" data-mark="0"[^>]*><rect x="[\d.]+"/);
      const [, picture = ''] = /<img src="\/portal([^"]+)"/.exec(text) ?? [];
      const drawn = await visitor.get(picture);
      expect(drawn.headers['content-type']).toBe('image/jpeg');
      expect(drawn.headers['cache-control']).toBe('no-store');
      expect((await visitor.get(picture.replace('pages/1', 'pages/11'))).status).toBe(404);
      const [line, ...others] = await listCalls(visitor, orgId);
      expect(others).toEqual([]);
      expect(line).toMatchObject({ key: 'portal', cached: 0, path: `/portal${LAYOUT}` });
      expect([200, 202]).toContain(line?.status);
      expect(await countDocuments(orgId)).toBe(1);
      const audited = await listAudit(store, { organisationId: orgId, limit: 10 });
      const tries = audited.filter(({ action }) => action === 'function.try');
      expect(tries).toMatchObject([{ who: 'Mo', subjectId: line?.id }]);
      const log = (await visitor.get('/request-logs?key=portal')).text;
      expect(log).toContain(line?.id ?? '-');
      expect(log).toContain('>portal</td>');
      expect((await visitor.get(`/request-logs/${line?.id}`)).status).toBe(200);
    });

    test('the same document again → from the cache: a call of its own that counts nothing', async () => {
      const { orgId, visitor } = await enterNew();
      await openWhenDone(visitor, locationOf(await visitor.upload(INSPECTION, report)));
      const again = locationOf(await visitor.upload(INSPECTION, report));
      expect((await visitor.get(again)).text).toContain('from the cache, not counted');
      expect((await listCalls(visitor, orgId)).map(({ cached }) => cached)).toEqual([0, 1]);
      expect(await countDocuments(orgId)).toBe(1);
    });

    test('views and downloads of each function → what it gives', async () => {
      const { visitor } = await enterNew();
      const see = async (path: string, fields: Record<string, string>, view: string) => {
        const to = locationOf(await visitor.upload(path, report, fields));
        await openWhenDone(visitor, to);
        const [address = '', query = ''] = to.split('?');
        const { text } = await visitor.get(`${address}?${query}&view=${view}`);
        return { address, text };
      };
      const plain = await see(TEXT, {}, 'text');
      expect(plain.text).toMatch(/<pre id="outcome"[^>]*class="reading">/);
      const markdown = await see(TEXT, { 'arg-format': 'markdown' }, 'markdown');
      expect(markdown.text).toMatch(/aria-current="page">Markdown<.*<pre id="outcome"[^>]*># /s);
      const json = await visitor.get(`${markdown.address}/json`);
      expect(json.headers['content-disposition']).toContain(`filename*=UTF-8''report.json`);
      expect(json.json.text).toMatch(/^# /);
      const tables = await see('/functions/TABLE_EXTRACTION/try', {}, 'tables');
      expect(tables.text).toMatch(/aria-label="Table 1".*<td[^>]*>Branch<\/td>/s);
      const inspection = await see(INSPECTION, {}, 'values');
      expect(inspection.text).toMatch(/<th scope="col">/);
      expect((await visitor.get(`${inspection.address}/file`)).headers['content-type']).toContain('tab-separated');
      expect((await visitor.get(`${inspection.address}/exe`)).status).toBe(404);
      const pdf = await see('/functions/SEARCHABLE_PDF/try', {}, 'file');
      expect((await visitor.get(`${pdf.address}/file`)).text).toMatch(/^%PDF-/);
    });

    test('another session, of another organisation or of the same person → 404 for result, picture and files', async () => {
      const { enter, birch } = portal();
      const { orgId, visitor } = await enterNew();
      const path = locationOf(await visitor.upload(TEXT, report));
      await openWhenDone(visitor, path);
      const strangers = [
        await enter({ orgId, role: 'member', name: 'Mo' }),
        await enter({ orgId: birch, role: 'owner' }),
        await enter({ role: 'operator' }),
      ];
      for (const one of ['', '/pages/1', '/json', '/file'])
        for (const stranger of strangers) {
          const answer = await stranger.get(`${path}${one}`);
          expect(answer.status).toBe(404);
          expect(answer.text).not.toContain('report.pdf');
        }
      expect((await visitor.get(path.replace('TEXT_EXTRACTION', 'FORM_FIELDS'))).status).toBe(404);
      expect((await visitor.get(`${path}/pages/1`)).status).toBe(200);
    });

    test('a form sent twice at once, and once more → one job, one call, one document counted', async () => {
      const { orgId, visitor } = await enterNew();
      const { text } = await visitor.get(TEXT);
      const nonce = /name="nonce" value="([^"]+)"/.exec(text)?.[1] ?? '';
      const send = () => visitor.upload(TEXT, report, { nonce });
      const [first, second] = await Promise.all([send(), send()]);
      expect([first?.status, second?.status]).toEqual([303, 303]);
      expect(locationOf(second as typeof first)).toBe(locationOf(first));
      expect(locationOf(await send())).toBe(locationOf(first));
      await openWhenDone(visitor, locationOf(first));
      expect(await listCalls(visitor, orgId)).toHaveLength(1);
      expect(await countDocuments(orgId)).toBe(1);
      // The same page with another document is a call of its own.
      const other = locationOf(await visitor.upload(TEXT, mixed, { nonce }));
      expect(other).not.toBe(locationOf(first));
      expect(await countDocuments(orgId)).toBe(2);
      // Other tests compare the whole database.
      await openWhenDone(visitor, other);
    });

    test('no token, a token or nonce of another session, another site → 403, and no row', async () => {
      const { orgId, visitor } = await enterNew();
      const { enter, snapshot } = portal();
      const other = await enter({ orgId, role: 'member', name: 'Ann' });
      const foreign = (await other.get(TEXT)).text;
      const readField = (field: string) => new RegExp(`name="${field}" value="([^"]+)"`).exec(foreign)?.[1] ?? '';
      const before = await snapshot();
      const forged = [
        await visitor.upload(TEXT, report, { formToken: '' }),
        await visitor.upload(TEXT, report, { formToken: readField('formToken') }),
        await visitor.upload(TEXT, report, { nonce: readField('nonce') }),
        await visitor.upload(TEXT, report, { nonce: '' }),
        await visitor.upload(TEXT, report, {}, { 'sec-fetch-site': 'cross-site' }),
        await visitor.post(TEXT),
        await visitor.upload(TEXT, report, {}, { 'content-type': 'multipart/form-data' }),
      ];
      expect(forged.map(({ status }) => status)).toEqual(forged.map(() => 403));
      expect(await snapshot()).toBe(before);
      expect(await listCalls(visitor, orgId)).toEqual([]);
    });

    test('arguments that are refused, no file → errors beside their fields, what was typed is kept, no call', async () => {
      const { orgId, visitor } = await enterNew();
      const fields = {
        'arg-pages': 'x"y',
        'arg-format': 'markdown',
        'arg-languages': 'deu, e!',
        'arg-password': 'pass-1',
      };
      const { status, text } = await visitor.upload(TEXT, { name: '', content: '' }, fields);
      expect(status).toBe(422);
      expect(text).toContain('id="error-arg-pages">Write Pages like 1-3,7,-1<');
      expect(text).toContain('id="error-arg-languages">');
      expect(text).toContain('id="error-file">Choose a document<');
      expect(text, 'a form that is no call has no id to quote').not.toContain('Refused call');
      expect(text).toContain('value="x&quot;y"');
      expect(text).toContain('value="deu, e!"');
      expect(text).toContain('<option value="markdown" selected>');
      expect(text).not.toContain('pass-1');
      expect((await visitor.upload(LAYOUT, { name: '', content: '' })).text).not.toMatch(
        /name="arg-words" value="true" checked/,
      );
      expect(await listCalls(visitor, orgId)).toEqual([]);
    });

    test.each([
      [415, 'UNSUPPORTED_MEDIA_TYPE', { name: 'notes.pdf', content: readFileSync(bad.garbage.path) }, {}, 'file'],
      [400, 'INVALID_DOCUMENT', { name: 'damaged.pdf', content: readFileSync(bad.damaged.path) }, {}, 'file'],
      [400, 'INVALID_ARGS', report, { 'arg-pages': '77' }, 'arg-pages'],
      [400, 'INVALID_ARGS', { name: 'empty.pdf', content: '' }, {}, 'file'],
    ])(
      'a document that is refused with %i %s → said beside the field, a call in the log',
      async (status, code, file, fields, field) => {
        const { orgId, visitor } = await enterNew();
        const answer = await visitor.upload(TEXT, file, fields);
        expect(answer.status).toBe(status);
        expect(answer.text).toMatch(new RegExp(`id="error-${field}">[A-Z]`));
        const calls = await listCalls(visitor, orgId);
        expect(calls).toMatchObject([{ status, code, key: 'portal' }]);
        expect(await countDocuments(orgId)).toBe(0);
        expectQuotable(answer.text, code, calls[0]?.id);
      },
    );

    test.each([
      ['no documents left', { documentsPerPeriod: 0 }, 429, 'No documents are left'],
      ['too many calls', { requestsPerWindow: 0 }, 429, 'Too many calls at once'],
      ['a function that the plan leaves out', { functions: '["FORM_FIELDS"]' }, 403, 'The plan does not include'],
    ])('%s → said above the form with what to do, and nothing counted', async (_, ownLimits, status, title) => {
      const { orgId, visitor } = await enterNew({ ownLimits });
      const answer = await visitor.upload(TEXT, report);
      expect(answer.status).toBe(status);
      expect(answer.text).toMatch(new RegExp(`role="alert"[^>]*data-focus[^>]*><h2>${title}`));
      expect(answer.headers['retry-after'] === undefined).toBe(status !== 429);
      const calls = await listCalls(visitor, orgId);
      expect(calls).toMatchObject([{ status }]);
      expectQuotable(answer.text, calls[0]?.code, calls[0]?.id);
      expect(await countDocuments(orgId)).toBe(0);
    });

    test('more pages than the plan allows, an ended subscription → refused with what to do', async () => {
      const few = await enterNew({ ownLimits: { pageCap: 1 } });
      expect((await few.visitor.upload(TEXT, report)).text).toMatch(/id="error-file">The document has \d+ pages/);
      const ended = await enterNew({ subscription: 'suspended' });
      const answer = await ended.visitor.upload(TEXT, report);
      expect(answer.status).toBe(402);
      expect(answer.text).toContain('The subscription is not active');
    });

    test('a file name with markup → escaped on every page', async () => {
      const { visitor } = await enterNew();
      const name = '%22><img src=x onerror=alert(1)>\u202efdp.exe';
      const path = locationOf(await visitor.upload(INSPECTION, { ...report, name }));
      for (const page of [await openWhenDone(visitor, path), await visitor.get('/request-logs')]) {
        expect(page.text).toContain('&lt;img src=x');
        expect(page.text).not.toContain('<img src=x');
      }
      expect((await visitor.get(`${path}/json`)).headers['content-disposition']).not.toMatch(/[<>]/);
    });

    test('an encrypted document → its password opens result and picture, and stands nowhere', async () => {
      const { visitor } = await enterNew();
      const file = { name: 'encrypted.pdf', content: readFileSync(documents.encrypted.path) };
      const refused = await visitor.upload(TEXT, file);
      expect(refused.text).toMatch(/id="error-file">The document cannot be read/);
      const path = locationOf(await visitor.upload(TEXT, file, { 'arg-password': PASSWORD }));
      expect(path).not.toMatch(/sesame/);
      const { text } = await openWhenDone(visitor, path);
      expect(text).not.toContain(PASSWORD);
      expect((await visitor.get(`${path}/pages/1`)).headers['content-type']).toBe('image/jpeg');
    });

    test('a file of a type that is not read → what a browser can do, not a command', async () => {
      const { visitor } = await enterNew();
      const { text } = await visitor.upload(TEXT, { name: 'notes.txt', content: 'Some words.' });
      expect(text).toMatch(
        /id="error-file">The file is plain text, which TEXT_EXTRACTION does not read. Save it as PDF/,
      );
      expect(text).not.toContain('soffice');
    });

    test('a result of another process → no picture, with what to do', async () => {
      const { visitor, path } = await openPlanted('completed');
      expect((await visitor.get(path)).text).toContain('by the process that made the call; run the document again');
      expect((await visitor.get(`${path}/pages/1`)).text).toContain('kept for 15 minutes by the process of the call');
    });

    test('a job that still runs → a page that waits and loads itself again; a failed one → why', async () => {
      const running = await openPlanted('processing');
      const waiting = await running.visitor.get(running.path);
      expect(waiting.text).toContain('Page 3 of 3 is being read');
      expect(waiting.text).toContain('<noscript><meta http-equiv="refresh" content="2"/></noscript>');
      const failed = await openPlanted('failed');
      expect((await failed.visitor.get(failed.path)).text).toContain('INVALID_DOCUMENT');
    });

    test('an operator → chooses whom it is for, and acts under a banner; support → 403', async () => {
      const { store, enter } = portal();
      const { orgId } = await enterNew();
      const operator = await enter({ role: 'operator', name: 'Op' });
      expect((await operator.get(TEXT)).text).toContain('Choose an organisation');
      const sent = await operator.upload(`${TEXT}?organisation=${orgId}`, report);
      expect(sent.status).toBe(303);
      const { text } = await openWhenDone(operator, locationOf(sent));
      expect(text).toContain('You act for ');
      expect(await countDocuments(orgId)).toBe(1);
      const [audited] = await listAudit(store, { organisationId: orgId, limit: 1 });
      expect(audited).toMatchObject({ who: 'Op', role: 'operator', action: 'function.try' });
      const support = await enter({ role: 'support' });
      expect((await support.get(`${TEXT}?organisation=${orgId}`)).status).toBe(403);
      expect((await support.get('/functions/TEXT_EXTRACTION')).text).not.toContain('Try it');
    });
  },
  { readsDocuments: true },
);

describePortal(
  'Try it, small files',
  (portal) => {
    test('a file that is too large → said beside the field, with what was typed', async () => {
      const { alder, enter } = portal();
      const visitor = await enter({ orgId: alder, role: 'owner', name: 'Ada' });
      for (const bytes of [70_000, 400_000]) {
        const file = { name: 'large.pdf', content: Buffer.alloc(bytes, 0x20) };
        const { status, text } = await visitor.upload(TEXT, file, { 'arg-pages': '1-2' });
        expect(status).toBe(413);
        expect(text).toContain('id="error-file">The file is larger than');
        expect(text).toContain('value="1-2"');
      }
    });
  },
  { maxFileBytes: 64 * 1024 },
);
