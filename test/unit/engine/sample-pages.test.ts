import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openPdf } from '../../../src/engine/pdf-files/pdfium/pdfium.js';
import { samplePages } from '../../../src/engine/sample-pages.js';
import { PDF_TYPE } from '../../../src/engine/sniff.js';
import { sampleTextLayers } from '../../../src/engine/stages/text-layer/sample-text-layers.js';
import { makeDrawings } from '../../fixtures/maker/drawings.js';

const directory = mkdtempSync(join(tmpdir(), 'ocr-sample-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const sample = (name: string, mimeType = PDF_TYPE, pages?: string) =>
  samplePages(`test/fixtures/${name}`, mimeType, { maxPixels: 1e8, pages });

test('a PDF of text → no pictures, and its words', async () => {
  const { pageCount, sample: seen } = await sample('hundred.pdf');
  expect({ pageCount, pictureShare: seen.pictureShare }).toEqual({ pageCount: 100, pictureShare: 0 });
  expect(seen.elementsPerPage).toBeGreaterThan(50);
  expect(seen.elementsPerPage).toBeLessThan(70);
});

test('a PDF of scans → pictures', async () => {
  expect(await sample('hundred-scanned.pdf')).toMatchObject({ pageCount: 100, sample: { pictureShare: 1 } });
});

test('pages full of drawings → each drawing counts, on whichever pages they are', async () => {
  const path = join(directory, 'drawings.pdf');
  writeFileSync(
    path,
    makeDrawings(32, (index) => (index % 4 === 2 ? 5_000 : 0)),
  );
  const pdf = await openPdf(path, undefined);
  const numbers = Array.from({ length: 32 }, (_, index) => index + 1);
  const elementsWith = (chance: number) => sampleTextLayers(pdf, numbers, () => chance).elementsPerPage;
  try {
    expect(elementsWith(0)).toBeLessThan(200);
    expect(elementsWith(0.6)).toBeGreaterThan(5_000);
  } finally {
    pdf.close();
  }
});

test('a PDF of both → the share of the requested pages', async () => {
  const { pictureShare } = (await sample('mixed.pdf')).sample;
  expect(pictureShare).toBeGreaterThan(0);
  expect(pictureShare).toBeLessThan(1);
  const shares = await Promise.all(
    ['1', '2'].map(async (page) => (await sample('mixed.pdf', PDF_TYPE, page)).sample.pictureShare),
  );
  expect(shares.toSorted()).toEqual([0, 1]);
});

test.each(['no-mapping.pdf', 'wrong-mapping.pdf'])(
  '%s, whose text layer reading does not trust → a picture',
  async (name) => {
    expect(await sample(name)).toMatchObject({ pageCount: 1, sample: { pictureShare: 1 } });
  },
);

test('an image → a picture', async () => {
  expect(await sample('paragraph.png', 'image/png')).toMatchObject({ pageCount: 1, sample: { pictureShare: 1 } });
});

test('pages that the document does not have → refused', async () => {
  await expect(sample('hundred.pdf', PDF_TYPE, '101')).rejects.toMatchObject({ reason: 'invalid-argument' });
});
