import { expect, test } from 'vitest';
import { samplePages } from '../../../src/engine/sample-pages.js';
import { PDF_TYPE } from '../../../src/engine/sniff.js';

const sample = (name: string, mimeType = PDF_TYPE, pages?: string) =>
  samplePages(`test/fixtures/${name}`, mimeType, { maxPixels: 1e8, pages });

test('a PDF of text → no pictures', async () => {
  expect(await sample('hundred.pdf')).toEqual({ pageCount: 100, pictureShare: 0 });
});

test('a PDF of scans → pictures', async () => {
  expect(await sample('hundred-scanned.pdf')).toEqual({ pageCount: 100, pictureShare: 1 });
});

test('a PDF of both → the share of the requested pages', async () => {
  const { pictureShare } = await sample('mixed.pdf');
  expect(pictureShare).toBeGreaterThan(0);
  expect(pictureShare).toBeLessThan(1);
  const shares = await Promise.all(
    ['1', '2'].map(async (page) => (await sample('mixed.pdf', PDF_TYPE, page)).pictureShare),
  );
  expect(shares.toSorted()).toEqual([0, 1]);
});

test.each(['no-mapping.pdf', 'wrong-mapping.pdf'])(
  '%s, whose text layer reading does not trust → a picture',
  async (name) => {
    expect(await sample(name)).toEqual({ pageCount: 1, pictureShare: 1 });
  },
);

test('an image → a picture', async () => {
  expect(await sample('paragraph.png', 'image/png')).toEqual({ pageCount: 1, pictureShare: 1 });
});

test('pages that the document does not have → refused', async () => {
  await expect(sample('hundred.pdf', PDF_TYPE, '101')).rejects.toMatchObject({ reason: 'invalid-argument' });
});
