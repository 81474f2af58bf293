import { afterAll, expect, it } from 'vitest';
import { loadImage } from '../../../../../dist/engine/stages/picture/decode/load-image.js';
import { despeckle } from '../../../../../dist/engine/stages/picture/find/speckles.js';
import { closeIdleWorkers } from '../../../../../dist/engine/workers/warm-workers.js';
import { images, poorScans } from '../../../../fixtures/manifest.js';
import { remember } from '../../../../support/remember.js';

interface File {
  path: string;
  mimeType: string;
}

const MAX_PIXELS = 100e6;
const load = remember(async (file: File) => (await loadImage({ ...file, page: 1, maxPixels: MAX_PIXELS })).raster);
const named = (name: string) => {
  const found = poorScans.find(({ file }) => file.includes(name));
  if (found === undefined) throw new Error(name);
  return found;
};

afterAll(closeIdleWorkers);

it('many specks → removed, without the letters; few → unchanged', async () => {
  const speckled = await load(named('speckled'));
  const clean = await despeckle(speckled);
  expect(clean).toMatchObject({ width: speckled.width, height: speckled.height });
  expect(clean && (await despeckle(clean))).toBe(undefined);
  for (const other of [...poorScans.filter(({ file }) => !file.includes('speckled')), images.png, images.rotated180])
    expect(await despeckle(await load(other)), other.file).toBe(undefined);
});
