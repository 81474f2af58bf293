import { describe, expect, it } from 'vitest';
import { guessTurn } from '../../../../../../dist/engine/stages/picture/correct/orientation.js';
import { measureSkew, rotateRaster } from '../../../../../../dist/engine/stages/picture/correct/skew.js';
import { loadImage } from '../../../../../../dist/engine/stages/picture/decode/load-image.js';
import { outlineOf } from '../../../../../../dist/engine/stages/picture/find/outline.js';
import { type Raster, turnRaster } from '../../../../../../dist/engine/stages/picture/raster.js';
import { straighten } from '../../../../../../dist/engine/stages/recognise/straighten.js';
import { makeTextPdf } from '../../../../../fixtures/maker/documents.js';
import { renderPages } from '../../../../../fixtures/maker/scan.js';
import { images } from '../../../../../fixtures/manifest.js';

const upright = async (): Promise<Raster> => {
  const { raster } = await loadImage({ ...images.rotated180, page: 1, maxPixels: 100e6 });
  return turnRaster(raster, 180);
};
const turnOf = (page: Raster) => guessTurn(page, measureSkew(outlineOf(page)).direction);

describe('the turn that makes a page upright, measured without reading it', () => {
  it.each([0, 90, 180, 270])('a page turned by %d degrees → the turn back', async (degrees) => {
    expect(turnOf(turnRaster(await upright(), degrees))).toBe((360 - degrees) % 360);
  });

  it('a turned page → read once, upright, and the turn reported for the given page', async () => {
    const read: Raster[] = [];
    const recogniser = straighten(
      {
        async recognise(raster, _deadline, onInterim) {
          read.push(raster);
          const found = { provider: 'none', blocks: [], width: raster.width, height: raster.height, rotation: 0 };
          onInterim(found);
          return found;
        },
        prepare: () => undefined,
      },
      true,
    );
    const page = await upright();
    for (const degrees of [90, 180, 270]) {
      const interim: number[] = [];
      const sideways = turnRaster(page, degrees);
      const found = await recogniser.recognise(sideways, Number.POSITIVE_INFINITY, ({ rotation }) =>
        interim.push(rotation),
      );
      expect({ rotation: found.rotation, interim }).toEqual({ rotation: 360 - degrees, interim: [360 - degrees] });
    }
    expect(read.map(({ width, height }) => ({ width, height }))).toEqual(
      Array(3).fill({ width: page.width, height: page.height }),
    );
  });

  it('letters that may not be Latin → read as given', async () => {
    const read: Raster[] = [];
    const found = { provider: 'none', blocks: [], width: 1, height: 1, rotation: 0 };
    const recogniser = straighten(
      {
        recognise: async (raster) => {
          read.push(raster);
          return found;
        },
        prepare: () => undefined,
      },
      false,
    );
    const inverted = turnRaster(await upright(), 180);
    expect((await recogniser.recognise(inverted, Number.POSITIVE_INFINITY, () => undefined)).rotation).toBe(0);
    expect(read).toEqual([inverted]);
  });

  it.each([
    'THE READING ROOM IS OPEN FROM MONDAY TO SATURDAY AND ON SUNDAYS',
    '12 450 887 1 204 339 05 618 2 771 90 16 33 408 5 520 671',
  ])('lines that look alike both ways → no turn: %s', async (line) => {
    const pdf = await makeTextPdf('Alike', [
      Array.from({ length: 20 }, () => ({ kind: 'paragraph' as const, text: line })),
    ]);
    const [page] = await renderPages(pdf, 150);
    if (page === undefined) throw new Error('nothing was rendered');
    for (const degrees of [0, 180]) expect(turnOf(turnRaster(page, degrees))).toBe(0);
  });

  it('a few lines, or none → no turn', async () => {
    const page = await upright();
    const slip = {
      ...page,
      data: page.data.subarray(0, page.width * Math.round(page.height * 0.18)),
      height: Math.round(page.height * 0.18),
    };
    expect(turnOf(turnRaster(slip, 180))).toBe(0);
    expect(turnOf({ data: new Uint8Array(600 * 800).fill(255), width: 600, height: 800 })).toBe(0);
    expect(turnOf({ data: new Uint8Array(1), width: 1, height: 1 })).toBe(0);
  });

  it('a skewed page → the same turn', async () => {
    const leaning = rotateRaster(turnRaster(await upright(), 180), 6);
    const { skew, direction } = measureSkew(outlineOf(leaning));
    expect(guessTurn(rotateRaster(leaning, -skew), direction)).toBe(180);
  });
});
