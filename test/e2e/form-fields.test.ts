import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formFields } from '../../dist/functions/form-fields.js';
import { makeForm } from '../fixtures/maker/forms.js';
import { examples, images } from '../fixtures/manifest.js';
import { checkResult } from '../support/check-result.js';
import { createLocalHome } from '../support/local-service.js';
import { runInProcess } from '../support/run-in-process.js';

test('the fields of a form → a table and JSON, read in the confined process', async () => {
  const home = createLocalHome();
  const path = join(home.dir, 'form.pdf');
  writeFileSync(path, await makeForm());
  const printed = await runInProcess(['extract', '-f', 'FORM_FIELDS', path], { home });
  expect(printed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(printed.stdout.split('\n')).toContain('reader.card\ttext\t20260001\t1\tread-only, comb');

  const json = await runInProcess(['extract', '--json', '-f', 'FORM_FIELDS', '-a', 'pages=2', path], { home });
  const { result, meta } = JSON.parse(json.stdout);
  checkResult(formFields, result);
  expect(result.fields.map(({ name }: { name: string }) => name)).toEqual(['term', 'subjects', 'send']);
  expect(meta).toMatchObject({ provider: 'pdfium', pageCount: 1 });

  const none = await runInProcess(['extract', '-f', 'FORM_FIELDS', examples.report.path], { home });
  expect(none).toMatchObject({ exitCode: 0, stdout: '', stderr: expect.stringContaining('nothing was found') });
  const image = await runInProcess(['extract', '--json', '-f', 'FORM_FIELDS', images.png.path], { home });
  expect(JSON.parse(image.stdout)).toMatchObject({ error: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
});
