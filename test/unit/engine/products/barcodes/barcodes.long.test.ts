import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BarcodeOptions, readBarcodes } from '../../../../../dist/engine/products/barcodes/read-barcodes.js';
import { sniffBytes } from '../../../../../src/engine/sniff.js';
import { composePage, drawSymbol, makeSymbol } from '../../../../fixtures/maker/barcodes.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'barcodes-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function put(bytes: Uint8Array): Promise<{ path: string; mimeType: string }> {
  const path = join(await mkdtemp(join(folder, 'code-')), 'document');
  await writeFile(path, bytes);
  return { path, mimeType: sniffBytes(bytes) ?? '' };
}

async function read(bytes: Uint8Array, options: Partial<BarcodeOptions> = {}) {
  const { path, mimeType } = await put(bytes);
  return readBarcodes(path, mimeType, { maxPixels: 1e8, parallelism: 2, ...options });
}

const code = async (value: string, format: 'QRCode' | 'Code128' = 'QRCode', scale = 4) =>
  drawSymbol(await makeSymbol(value, format), scale);

it('a small barcode beside a large one, also on a faint page → each once', async () => {
  // The page is scaled down for the first search, in which the bars of the small code merge.
  const page = await composePage(1000, 3508, [
    { picture: await code('LARGE', 'QRCode', 20), left: 200, top: 200 },
    { picture: await code('SMALL', 'Code128', 2), left: 400, top: 2900 },
  ]);
  const faint = await sharp(page).linear(0.2, 180).png().toBuffer();
  for (const picture of [page, faint]) {
    const { barcodes } = await read(picture);
    expect(barcodes.map(({ value }) => value)).toEqual(['LARGE', 'SMALL']);
    const [, small] = barcodes;
    expect(small?.box[0]).toBeCloseTo(408 / 1000, 2);
    expect(small?.box[1]).toBeCloseTo(2908 / 3508, 2);
  }
});
