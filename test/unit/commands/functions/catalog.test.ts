import { expect, test } from 'vitest';
import { readCatalogValue } from '../../../../src/api/catalog/read-catalog.js';
import type { ApiClient } from '../../../../src/api/client.js';
import { get } from '../../../../src/commands/functions/get.js';
import { list } from '../../../../src/commands/functions/list.js';
import { fakeContext, type Target } from '../../../support/fake-context.js';

const ENTRY = {
  id: 'TEXT',
  title: 'Text',
  description: 'Reads text. In reading order.',
  acceptedTypes: ['application/pdf', 'image/png'],
  pageCap: 100,
  included: true,
  argsSchema: {
    type: 'object',
    required: ['pages'],
    properties: { pages: { type: 'string', description: 'Pages to read.', examples: ['1-3'] } },
  },
  resultSchema: { type: 'object', properties: { text: { type: 'string', description: 'The text.' } } },
};
const OTHER = { id: 'FORMS', description: 'Reads forms. All of them.', included: false };

const lines = (...rows: string[]) => rows.map((row) => `${row}\n`).join('');

function setUp(target: Target) {
  const fake = fakeContext(target);
  const getCatalog = async () => readCatalogValue([ENTRY, OTHER]) ?? [];
  return { fake, context: { ...fake.context, api: async () => ({ getCatalog }) as unknown as ApiClient } };
}

test('a catalog on a terminal → a table with short types', async () => {
  const { fake, context } = setUp('terminal');
  await list(context);
  expect(fake.stdout).toBe(
    lines(
      'Function  What it does  Accepts  Pages',
      'TEXT      Text          pdf png  100',
      'FORMS     Reads forms.                  not included',
    ),
  );
});

test('a catalog in a pipe → a line each, with tabs', async () => {
  const { fake, context } = setUp('pipe');
  await list(context);
  expect(fake.stdout).toBe(lines('TEXT\tText\tpdf png\t100\t', 'FORMS\tReads forms.\t\t\tnot included'));
});

test('a catalog with --json → the service’s own entries', async () => {
  const { fake, context } = setUp('json');
  await list(context);
  expect(JSON.parse(fake.stdout)).toEqual([ENTRY, OTHER]);
});

test('a function on a terminal → its facts, arguments and results', async () => {
  const { fake, context } = setUp('terminal');
  await get(context, { id: 'TEXT' });
  expect(fake.stdout).toBe(
    lines(
      'Function     TEXT',
      'Title        Text',
      'Description  Reads text. In reading order.',
      'Accepts      application/pdf, image/png',
      'Page cap     100',
      'Included     yes',
      '',
      'Argument  Type  Default  Example       What it does',
      'pages     text           -a pages=1-3  Pages to read. (required)',
      '',
      'Result  Type  What it is',
      'text    text  The text.',
    ),
  );
});

test('an unknown function → NOT_FOUND with a suggestion', async () => {
  const { context } = setUp('pipe');
  await expect(get(context, { id: 'TEXTS' })).rejects.toMatchObject({ code: 'NOT_FOUND', hint: 'Did you mean TEXT?' });
});
