import { expect, test } from 'vitest';
import { catalog } from '../../dist/functions/catalog.js';
import { createOrganisation } from '../../dist/store/access.js';
import { updateOrganisation } from '../../dist/store/organisations.js';
import { describePortal } from './support/portal.js';

describePortal('Functions', (portal) => {
  const idsIn = (html: string) => [...html.matchAll(/<tr id="([A-Z_]+)"/g)].map(([, id]) => id);
  const open = async () => await portal().enter({ orgId: portal().alder, role: 'member' });

  test('the catalogue → every function, each with a page', async () => {
    const visitor = await open();
    expect(idsIn((await visitor.get('/functions')).text)).toEqual(catalog.map(({ id }) => id));
    for (const { id, argsSchema, acceptedTypes } of catalog) {
      const { status, text } = await visitor.get(`/functions/${id}`);
      expect(status).toBe(200);
      for (const name of Object.keys(argsSchema.properties as object))
        expect(text, id).toContain(`<tr id="argument-${name}"`);
      for (const type of acceptedTypes) expect(text, id).toContain(`<li>${type}</li>`);
      expect(text).toContain(`${portal().url}/v1/ocr/${id}`);
    }
    expect((await visitor.get('/functions/NOTHING')).status).toBe(404);
  });

  test.each([
    ['barcode', ['BARCODE_READING']],
    ['MARKDOWN reading', ['TEXT_EXTRACTION']],
    ['rules xyzzy', []],
  ])('the words "%s" → functions that have each of them', async (word, expected) => {
    const { text } = await (await open()).get(`/functions?word=${encodeURIComponent(word)}`);
    expect(idsIn(text)).toEqual(expected);
    expect(text).toContain(`value="${word}"`);
    expect(text.includes('No function matches')).toBe(expected.length === 0);
  });

  test('an argument → its type, default and values, and the languages that this service has', async () => {
    const { text } = await (await open()).get('/functions/TEXT_EXTRACTION');
    const row = (name: string) => new RegExp(`<tr id="argument-${name}".*?</tr>`, 's').exec(text)?.[0] ?? '';
    expect(row('format')).toMatch(/string.*<code>&quot;text&quot;<\/code>.*<code>markdown<\/code>/s);
    expect(row('perPage')).toMatch(/boolean.*<code>false<\/code>/s);
    expect(row('languages')).toMatch(/list of strings.*Installed: [a-z]{3}/s);
  });

  test('a result that is no text → a line that writes a file', async () => {
    const { text } = await (await open()).get('/functions/SEARCHABLE_PDF');
    expect(text).toContain(`ocr extract -f searchable-pdf --base-url ${portal().url} -o out.pdf file.pdf`);
  });

  test('a plan with one function and fewer pages → said of each function', async () => {
    const { store, enter } = portal();
    const orgId = await createOrganisation(store, 'Limited');
    const ownLimits = { functions: '["TEXT_EXTRACTION"]', pageCap: 25 };
    await updateOrganisation(store, orgId, { ownLimits });
    const visitor = await enter({ orgId, role: 'owner' });
    const { text } = await visitor.get('/functions');
    expect(text.match(/>in the plan</g)).toHaveLength(1);
    expect(text.match(/>not in the plan</g)).toHaveLength(catalog.length - 1);
    const page = (await visitor.get('/functions/TABLE_EXTRACTION')).text;
    expect(page).toContain('>not in the plan<');
    expect(page).toContain('25 a document, by the plan');
  });

  test('support without an organisation → the catalogue, without a plan', async () => {
    const visitor = await portal().enter({ role: 'support' });
    const { text } = await visitor.get('/functions');
    expect(idsIn(text)).toHaveLength(catalog.length);
    expect(text).not.toContain('in the plan');
  });
});
