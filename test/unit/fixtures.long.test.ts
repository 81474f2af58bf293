import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFixtures } from '../fixtures/make.js';
import { renderPages } from '../fixtures/maker/scan.js';
import { bad, readable } from '../fixtures/manifest.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

let pdfium: PDFiumLibrary;
beforeAll(async () => {
  pdfium = await PDFiumLibrary.init();
});
afterAll(() => pdfium.destroy());

function meanDifference(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) return 255;
  let sum = 0;
  for (const [index, value] of one.entries()) sum += Math.abs(value - (other[index] ?? 0));
  return sum / one.length;
}

/** All pixels of a document or picture in one array. */
async function decodePixels(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path);
  if (!path.endsWith('.pdf')) return sharp(bytes, { pages: -1, limitInputPixels: false }).greyscale().raw().toBuffer();
  return Buffer.concat((await renderPages(bytes, 50)).map(({ data }) => data));
}

it('a second run → the same files', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'ocr-fixtures-'));
  try {
    const made = await makeFixtures(directory);
    expect(made).toEqual([...readable, ...Object.values(bad)].map(({ file }) => file).sort());
    for (const file of made) {
      const [again, kept] = await Promise.all([readFile(join(directory, file)), readFile(join(root, file))]);
      if (again.equals(kept)) continue;
      // Encoders of pictures may differ from one processor or release to another; documents without pictures may not.
      expect(file).toMatch(/scanned\.pdf|mixed\.pdf|\.(png|jpg|webp|gif|tiff)$/);
      if (file === bad.bomb.file) continue;
      const [pixels, keptPixels] = [await decodePixels(join(directory, file)), await decodePixels(join(root, file))];
      expect(meanDifference(pixels, keptPixels), file).toBeLessThan(2);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
