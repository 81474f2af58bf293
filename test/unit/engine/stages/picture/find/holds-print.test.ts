import sharp from 'sharp';
import { expect, it } from 'vitest';
import { loadImage } from '../../../../../../src/engine/stages/picture/decode/load-image.js';
import { holdsPrint, JUDGED_LONG_SIDE } from '../../../../../../src/engine/stages/picture/find/holds-print.js';
import { type Raster, turnRaster } from '../../../../../../src/engine/stages/picture/raster.js';
import { images } from '../../../../../fixtures/manifest.js';
import { texturedPicture } from '../../../../../support/picture-pages.js';

const printed = async (longSide = JUDGED_LONG_SIDE): Promise<Raster> => {
  const task = { path: images.png.path, mimeType: 'image/png', page: 1, maxPixels: 1e8 };
  return (await loadImage(task, { longSide, maxEnlargement: 1 })).raster;
};
const draw = async (shapes: string): Promise<Raster> => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="500"><rect width="100%" height="100%" fill="#fff"/>${shapes}</svg>`;
  const image = sharp(Buffer.from(svg)).toColourspace('b-w').extractChannel(0).raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};

it('lines of print, dark on light and light on dark, small and faint → true', async () => {
  const raster = await printed();
  expect(holdsPrint(raster)).toBe(true);
  expect(holdsPrint({ ...raster, data: raster.data.map((shade) => 255 - shade) })).toBe(true);
  expect(holdsPrint({ ...raster, data: raster.data.map((shade) => 100 + shade / 3) })).toBe(true);
  expect(holdsPrint(await printed(600))).toBe(true);
});

it('print that runs up the page → false: it would not be read in its place', async () => {
  expect(holdsPrint(turnRaster(await printed(), 90))).toBe(false);
});

it('a texture of shapes as large as letters → false', async () => {
  const { jpeg } = await texturedPicture();
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  expect(holdsPrint({ data, width: info.width, height: info.height })).toBe(false);
});

it('an even ground, a grid, a curve with ticks and noise → false', async () => {
  expect(holdsPrint(await draw(''))).toBe(false);
  const lines = Array.from(
    { length: 40 },
    (_, i) => `<path d="M0 ${i * 12}H900M${i * 22} 0V500" stroke="#000" fill="none"/>`,
  );
  expect(holdsPrint(await draw(lines.join('')))).toBe(false);
  const ticks = Array.from({ length: 12 }, (_, i) => `<rect x="${60 + i * 70}" y="460" width="3" height="12"/>`);
  expect(
    holdsPrint(await draw(`<path d="M60 460C300 0 500 900 860 60" stroke="#000" fill="none"/>${ticks.join('')}`)),
  ).toBe(false);
  let state = 1;
  const data = Uint8Array.from({ length: 450_000 }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state >> 23;
  });
  expect(holdsPrint({ data, width: 900, height: 500 })).toBe(false);
});

/** Draws rows of shapes of many widths and two heights, like letters; `jitter`: how far their feet are off the base line. */
function drawRows(rows: number, lettersPerRow: number, jitter = 0): Promise<Raster> {
  let state = 5;
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  const letters = Array.from({ length: rows * lettersPerRow }, (_, index) => {
    const [row, place] = [Math.floor(index / lettersPerRow), index % lettersPerRow];
    const [width, height] = [6 + next() * 10, next() < 0.3 ? 24 : 16];
    const foot = 60 + row * 40 + (next() * 2 - 1) * jitter;
    return `<rect x="${40 + place * 20}" y="${foot - height}" width="${width}" height="${height}"/>`;
  });
  return draw(letters.join(''));
}

it('letters on common base lines → true; the same shapes a little up and down → false', async () => {
  expect(holdsPrint(await drawRows(4, 30))).toBe(true);
  expect(holdsPrint(await drawRows(4, 30, 5))).toBe(false);
});

it('a single line, or few letters, as a logo has → false', async () => {
  expect(holdsPrint(await drawRows(1, 40))).toBe(false);
  expect(holdsPrint(await drawRows(2, 12))).toBe(false);
});
