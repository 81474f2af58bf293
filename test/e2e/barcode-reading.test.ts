import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { barcodeReading } from '../../dist/functions/barcode-reading.js';
import { composePage, drawSymbol, makeBarcodePdf, makeSymbol } from '../fixtures/maker/barcodes.js';
import { checkResult } from '../support/check-result.js';
import { createLocalHome } from '../support/local-service.js';
import { runInProcess } from '../support/run-in-process.js';

test('barcodes of a PDF and of an image → read through the confined process', async () => {
  const home = createLocalHome();
  const [pdf, png] = [join(home.dir, 'codes.pdf'), join(home.dir, 'codes.png')];
  const code = await makeSymbol('A-1', 'Code128');
  writeFileSync(pdf, await makeBarcodePdf([400, 300], [{ symbol: code, x: 50, y: 50, module: 2 }]));
  const picture = drawSymbol(await makeSymbol('in a picture', 'QRCode'), 4);
  writeFileSync(png, await composePage(300, 300, [{ picture, left: 50, top: 50 }]));

  const printed = await runInProcess(['extract', '-f', 'BARCODE_READING', '-a', 'formats=["Code128"]', pdf], { home });
  expect(printed).toEqual({ exitCode: 0, signal: undefined, stderr: '', stdout: '1\tCode128\tA-1\n' });

  const args = ['extract', '--json', '-f', 'BARCODE_READING', png];
  const { result, meta } = JSON.parse((await runInProcess(args, { home })).stdout);
  checkResult(barcodeReading, result);
  expect(result.barcodes).toMatchObject([{ value: 'in a picture', page: 1 }]);
  expect(meta).toMatchObject({ provider: 'zxing', pageCount: 1 });
});
