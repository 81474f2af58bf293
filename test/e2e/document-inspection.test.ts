import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentInspection } from '../../dist/functions/document-inspection.js';
import { documents, examples, images, PASSWORD } from '../fixtures/manifest.js';
import { checkResult } from '../support/check-result.js';
import { createLocalHome } from '../support/local-service.js';
import { runInProcess } from '../support/run-in-process.js';

test('a document → its properties, as text and as JSON, read in the confined process', async () => {
  const home = createLocalHome();
  const inspect = (...args: string[]) => runInProcess(['extract', '-f', 'DOCUMENT_INSPECTION', ...args], { home });
  const printed = await inspect(documents.mixed.path);
  expect(printed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(printed.stdout).toContain('Pages\t3\n');
  expect(printed.stdout).toContain('Needs recognition\t2\n');

  const json = await inspect('--json', '-a', 'pages=1-2', examples.pagesTiff.path);
  const { result, meta } = JSON.parse(json.stdout);
  checkResult(documentInspection, result);
  expect(result).toMatchObject({ pageCount: 3, pages: [{ page: 1 }, { page: 2 }], image: { format: 'tiff' } });
  expect(meta).toMatchObject({ provider: 'image-header', pageCount: 2 });

  const bmp = await inspect('--json', images.bmp.path);
  checkResult(documentInspection, JSON.parse(bmp.stdout).result);
});

test('an encrypted document → needs its password', async () => {
  const home = createLocalHome();
  const { path } = documents.encrypted;
  const refused = await runInProcess(['extract', '--json', '-f', 'DOCUMENT_INSPECTION', path], { home });
  expect(JSON.parse(refused.stdout)).toMatchObject({
    error: { code: 'INVALID_DOCUMENT', message: expect.stringContaining('encrypted') },
  });
  writeFileSync(join(home.dir, 'args.json'), JSON.stringify({ password: PASSWORD }));
  const opened = await runInProcess(['extract', '-f', 'DOCUMENT_INSPECTION', '--args', '@args.json', path], { home });
  expect(opened).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Encryption\tAES 256; opens with') });
});
