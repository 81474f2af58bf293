import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { readImageHeader } from '../../../../../../src/engine/stages/picture/decode/image-header.js';
import { loadImage } from '../../../../../../src/engine/stages/picture/decode/load-image.js';
import { images } from '../../../../../fixtures/manifest.js';

const folder = mkdtempSync(join(tmpdir(), 'image-header-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['PNG', 'image/png', (path: string) => sharp(images.png.path).resize(60, 40).png().toFile(path)],
  ['TIFF', 'image/tiff', (path: string) => sharp(images.png.path).resize(60, 40).tiff().toFile(path)],
])('%s with as many pixels as the limit → read; one more → too-large', async (_, mimeType, write) => {
  const path = join(folder, mimeType.replace('/', '.'));
  await write(path);
  expect(await readImageHeader(path, mimeType, 2400)).toMatchObject({ width: 60, height: 40 });
  await expect(readImageHeader(path, mimeType, 2399)).rejects.toMatchObject({ reason: 'too-large' });
  expect(await loadImage({ path, mimeType, page: 1, maxPixels: 2400 })).toMatchObject({ width: 60, height: 40 });
  await expect(loadImage({ path, mimeType, page: 1, maxPixels: 2399 })).rejects.toMatchObject({ reason: 'too-large' });
});

it('BMP with more pixels than the limit → too-large, before its pixels are decoded', async () => {
  const { path, mimeType } = images.bmp;
  const { width, height } = await readImageHeader(path, mimeType, 100e6);
  await expect(readImageHeader(path, mimeType, width * height - 1)).rejects.toMatchObject({ reason: 'too-large' });
  await expect(loadImage({ path, mimeType, page: 1, maxPixels: width * height - 1 })).rejects.toMatchObject({
    reason: 'too-large',
  });
});
