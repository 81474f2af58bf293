import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FormFields, readFormFields } from '../../../../../src/engine/products/forms/read-form-fields.js';
import { formFields } from '../../../../../src/functions/form-fields.js';
import { FORM_PAGE, makeForm } from '../../../../fixtures/maker/forms.js';
import { examples } from '../../../../fixtures/manifest.js';
import { checkResult } from '../../../../support/check-result.js';
import { writePdf } from '../../../../support/write-pdf.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forms-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function put(bytes: Uint8Array): Promise<string> {
  const path = join(await mkdtemp(join(folder, 'form-')), 'form.pdf');
  await writeFile(path, bytes);
  return path;
}

const fieldOf = ({ fields }: FormFields, name: string) => {
  const found = fields.find((field) => field.name === name);
  if (found === undefined) throw new Error(`no field ${name} among ${fields.map((field) => field.name).join(', ')}`);
  return found;
};

describe('the fields of a form', () => {
  let form: FormFields;
  beforeAll(async () => {
    form = await readFormFields(await put(await makeForm()), {});
  });

  it('a form → all fields, in the order of the file, with full names', () => {
    expect(form).toMatchObject({ form: 'acro-form', warnings: [], pageCount: 2 });
    expect(form.fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'reader.name text',
      'reader.card text',
      'reader.news checkbox',
      'reader.letters checkbox',
      'branch radio',
      'term combo-box',
      'subjects list-box',
      'send button',
      'internal.id text',
      'signature signature',
    ]);
  });

  it('text fields → value in any script, default, label and limits', () => {
    expect(fieldOf(form, 'reader.name')).toMatchObject({
      value: 'Żaneta Öz (née O’Neil)\nΩ 東京',
      defaultValue: 'Jane',
      label: 'First and last name',
      flags: ['required', 'multiline'],
    });
    expect(fieldOf(form, 'reader.card')).toMatchObject({
      value: '20260001',
      defaultValue: null,
      flags: ['read-only', 'comb'],
      maxLength: 8,
    });
  });

  it('checkboxes → on or off', () => {
    const news = fieldOf(form, 'reader.news');
    expect(news).toMatchObject({ checked: true, widgets: [{ checked: true }] });
    expect(news.value).toBe(news.widgets[0]?.option);
    expect(fieldOf(form, 'reader.letters')).toMatchObject({
      checked: false,
      value: null,
      widgets: [{ checked: false }],
    });
  });

  it('a radio group → one field with a widget for each option', () => {
    const branch = fieldOf(form, 'branch');
    expect(branch.value).toBe('Öst');
    expect(branch.options?.map(({ value }) => value)).toEqual(['Mitte', 'Öst', 'West']);
    expect(branch.widgets.map(({ option, checked }) => [option, checked])).toEqual([
      ['Mitte', false],
      ['Öst', true],
      ['West', false],
    ]);
  });

  it('a choice → its stored value and its shown text', () => {
    expect(fieldOf(form, 'term')).toMatchObject({
      value: '8w',
      defaultValue: '4w',
      options: [
        { value: '4w', label: 'vier Wochen' },
        { value: '8w', label: 'acht Wochen' },
      ],
    });
    expect(fieldOf(form, 'subjects')).toMatchObject({ value: ['Art', 'Maps'], flags: ['multi-select'] });
  });

  it('a signature → its signer, time and reason; a button → no value; a hidden field → no widget', () => {
    expect(fieldOf(form, 'signature')).toMatchObject({
      value: null,
      signature: { name: 'L. Ibrarian', date: '2026-02-28T09:30:00+01:00', reason: 'Approved' },
    });
    expect(fieldOf(form, 'send')).toMatchObject({ value: null, widgets: [{ page: 2 }] });
    expect(fieldOf(form, 'internal.id')).toMatchObject({ value: 'A-17', widgets: [] });
  });

  it('fields on a turned page → places as displayed', () => {
    const [width, height] = FORM_PAGE;
    const upright = [40 / width, (height - 570) / height, 240 / width, (height - 540) / height];
    const turned = [540 / height, 40 / width, 560 / height, 140 / width];
    for (const [name, page, expected] of [
      ['reader.name', 1, upright],
      ['term', 2, turned],
    ] as const) {
      const [widget] = fieldOf(form, name).widgets;
      expect(widget?.page).toBe(page);
      for (const [index, value] of expected.entries()) expect(widget?.box?.[index], name).toBeCloseTo(value, 4);
    }
  });

  it('a choice of pages → the fields on these pages', async () => {
    const path = await put(await makeForm());
    const { fields, pageCount } = await readFormFields(path, { pages: '2' });
    expect(fields.map(({ name }) => name)).toEqual(['term', 'subjects', 'send']);
    expect(pageCount).toBe(1);
    await expect(readFormFields(path, { pages: '3' })).rejects.toMatchObject({ reason: 'invalid-argument' });
  });

  it('an encrypted form → its fields', async () => {
    const path = await put(await makeForm({ password: 'sesame' }));
    const opened = await readFormFields(path, { password: 'sesame' });
    expect(fieldOf(opened, 'reader.name').value).toBe('Żaneta Öz (née O’Neil)\nΩ 東京');
    await expect(readFormFields(path, {})).rejects.toMatchObject({ reason: 'encrypted' });
  });

  it('a form with XFA → a warning that there may be more', async () => {
    const read = await readFormFields(await put(await makeForm({ xfa: true })), {});
    expect(read.form).toBe('xfa');
    expect(read.warnings).toEqual([expect.stringContaining('XFA')]);
    expect(read.fields.length).toBe(form.fields.length);
  });

  it('a document without a form → no fields', async () => {
    expect(await readFormFields(examples.report.path, {})).toMatchObject({ form: 'none', fields: [], warnings: [] });
  });
});

describe('unusual and damaged forms', () => {
  const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Annots [6 0 R 7 0 R 8 0 R] >>';
  const read = async (form: string, others: readonly string[]) =>
    readFormFields(
      await put(
        writePdf([
          '<< /Type /Catalog /Pages 2 0 R /AcroForm 4 0 R >>',
          '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
          PAGE,
          form,
          ...others,
        ]),
      ),
      {},
    );

  it('kids that are their own ancestors → read once', async () => {
    const { fields } = await read('<< /Fields [5 0 R] >>', [
      '<< /T (a) /FT /Tx /Kids [6 0 R] >>',
      '<< /T (b) /Parent 5 0 R /V (deep) /Kids [5 0 R 7 0 R] >>',
      '<< /T (c) /Parent 6 0 R /Subtype /Widget /Rect [10 10 20 20] >>',
    ]);
    expect(fields).toMatchObject([{ name: 'a.b.c', type: 'text', value: 'deep', widgets: [{ page: 1 }] }]);
  });

  it('radio states → exported by name, or by the texts that the field has', async () => {
    const widget = (state: string) =>
      `<< /Subtype /Widget /Parent 5 0 R /Rect [0 0 9 9] /AS /Off /AP << /N << /${state} null /Off null >> >> >>`;
    const field = '/T (r) /FT /Btn /Ff 32768 /V /1 /DV /0 /Kids [6 0 R 7 0 R]';
    const [plain, texts] = [
      await read('<< /Fields [5 0 R] >>', [`<< ${field} >>`, widget('0'), widget('1')]),
      await read('<< /Fields [5 0 R] >>', [
        `<< ${field} /Opt [(Tea) <FEFF30B330FC30D230FC>] >>`,
        widget('0'),
        widget('1'),
      ]),
    ];
    expect(plain.fields).toMatchObject([{ value: '1', defaultValue: '0' }]);
    expect(texts.fields).toMatchObject([{ value: 'コーヒー', defaultValue: 'Tea' }]);
  });

  it('widgets that no field refers to → read by their parents', async () => {
    const { fields } = await read('<< /Fields [8 0 R] >>', [
      '<< /T (lost) /FT /Tx /V (found) >>',
      '<< /Subtype /Widget /Parent 5 0 R /Rect [0 0 9 9] /F 2 >>',
      '<< /Subtype /Link /Rect [0 0 9 9] >>',
      '<< /Subtype /Widget /Parent 5 0 R /Rect [0 0 9 9] >>',
    ]);
    expect(fields).toMatchObject([{ name: 'lost', value: 'found', widgets: [{ hidden: false }, { hidden: true }] }]);
  });

  it('an entry missing, of a wrong type or out of place → only this entry is lost', async () => {
    const { fields } = await read('<< /Fields [5 0 R 6 0 R 99 0 R 7 (x) null [5 0 R] 8 0 R] >>', [
      '<< /T 12 /FT /Tx /V 3 /MaxLen (x) /Ff (y) /Kids 9 >>',
      '<< /T (b) /Rect [1 2] /Subtype /Widget /FT /Ch /Opt 5 /V [(p) 4 (q)] /I [900 -1] >>',
      '<< /T (c) /FT /Nonsense /V << /a 1 >> /Rect [500 500 600 600] /Subtype /Widget >>',
      '<< /T (d) /Subtype /Widget /FT /Btn /AP 4 /V 5 /Opt [[]] /Rect [5 5 5 5] >>',
    ]);
    expect(fields).toMatchObject([
      { name: '', type: 'text', value: '3', flags: [], widgets: [] },
      { name: 'b', type: 'list-box', value: ['p', 'q'], options: [], widgets: [{ box: null }] },
      { name: 'd', type: 'checkbox', value: null, checked: false, widgets: [{ box: null }] },
      { name: 'c', type: 'unknown', value: null },
    ]);
  });
});

describe('FORM_FIELDS', () => {
  const limits = { maxPixels: 1e8, parallelism: 1 };
  const run = async (bytes: Uint8Array, args = {}) =>
    formFields.run({ path: await put(bytes), mimeType: 'application/pdf', args, limits, onProgress: () => undefined });

  it('a result → valid by the schema', async () => {
    const { result, provider, pageCount } = await run(await makeForm({ xfa: true }));
    checkResult(formFields, result);
    expect({ provider, pageCount }).toEqual({ provider: 'pdfium', pageCount: 2 });
    const [first, ...others] = result.fields as { page: number | null; box: unknown; widgets: { box: unknown }[] }[];
    expect(first?.page).toBe(1);
    expect(first?.box).toEqual(first?.widgets[0]?.box);
    expect(others.at(-1)).toMatchObject({ page: null, box: null });
  });

  it('a result → printed as a table', async () => {
    const { result } = await run(await makeForm());
    const printed = formFields.output.print(result) as { columns: string[]; rows: string[][] };
    expect(printed.columns).toEqual(['Name', 'Type', 'Value', 'Page', 'Flags']);
    expect(printed.rows).toContainEqual(['subjects', 'list-box', 'Art, Maps', '2', 'multi-select']);
    expect(printed.rows).toContainEqual(['internal.id', 'text', 'A-17', '', '']);
    expect(printed.rows).toContainEqual(['signature', 'signature', 'signed by L. Ibrarian', '', '']);
  });
});
