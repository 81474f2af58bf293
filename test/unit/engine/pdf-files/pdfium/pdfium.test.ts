import { expect, test } from 'vitest';
import { loadPdfium, openPdf, renewPdfium } from '../../../../../dist/engine/pdf-files/pdfium/pdfium.js';
import { examples } from '../../../../fixtures/manifest.js';

test('documents after a renewal → another instance, with its own memory; open documents stay readable', async () => {
  const before = await openPdf(examples.report.path, undefined);
  expect(await loadPdfium()).toBe(before.pdfium);
  renewPdfium();
  const after = await openPdf(examples.report.path, undefined);
  expect(after.pdfium).not.toBe(before.pdfium);
  expect(after.pdfium.HEAPU8.buffer).not.toBe(before.pdfium.HEAPU8.buffer);
  expect([before.pageCount, after.pageCount]).toEqual([4, 4]);
  const header = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 5)).toString();
  expect([header(before.bytes()), header(after.bytes())]).toEqual(['%PDF-', '%PDF-']);
  before.close();
  after.close();
});
