import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BarcodeFormat } from '../../../../../dist/engine/products/barcodes/barcode.js';
import { readBlurredEan } from '../../../../../dist/engine/products/barcodes/blurred-ean/read-blurred-ean.js';
import { findBarcodes } from '../../../../../dist/engine/products/barcodes/zxing.js';
import type { Raster } from '../../../../../dist/engine/stages/picture/raster.js';
import { type Symbol as Bars, drawSymbol, makeSymbol } from '../../../../fixtures/maker/barcodes.js';

const VALUE = '4006381333931';
/** Quiet zones and spread of the blur, in pixels: bars of three pixels melt into grey. */
const MARGIN = 40;
const BLUR = 2;

async function blur(drawing: Sharp, turn = 0): Promise<Raster> {
  const extend = { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN, background: '#ffffff' };
  const wide = await drawing.extend(extend).png().toBuffer();
  const { data, info } = await sharp(wide)
    .rotate(turn)
    .blur(BLUR)
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Draws two codes one through the other: modules in which they differ are grey. */
async function mix(one: Bars, other: Bars): Promise<Sharp> {
  const draw = (code: Bars) => drawSymbol(code, 3, 60).raw().toBuffer({ resolveWithObject: true });
  const [{ data, info }, { data: through }] = [await draw(one), await draw(other)];
  const mixed = data.map((shade, at) => (shade + (through[at] ?? 0)) / 2);
  return sharp(mixed, { raw: { width: info.width, height: info.height, channels: info.channels } });
}

/** Puts other bars of seven modules in the place of a digit on the right half, `index` from 7 to 12. */
function replaceDigit({ rows }: Bars, index: number, modules: string): Bars {
  const digit = 50 + 7 * (index - 7);
  return {
    rows: rows.map((row) => {
      const from = row.indexOf(true) + digit;
      return row.map((dark, x) => (x >= from && x < from + 7 ? modules[x - from] === '1' : dark));
    }),
  };
}

let symbol: Bars;
beforeAll(async () => {
  symbol = await makeSymbol(VALUE, 'EAN13');
});

describe('a code whose bars melt into grey', () => {
  it.each([
    [0, 0],
    [90, 90],
    [180, 180],
    [270, 270],
  ])('turned by %d degrees → its value, place and turn, which ZXing does not find', async (turn, rotation) => {
    const raster = await blur(drawSymbol(symbol, 3, 60), turn);
    expect(await findBarcodes(raster, { formats: [], tryDownscale: true })).toEqual([]);
    const [code, ...others] = readBlurredEan(raster, []);
    expect(others).toEqual([]);
    expect(code).toMatchObject({ format: 'EAN13', text: VALUE });
    expect(((code?.rotation ?? -1) + 360) % 360).toBe(rotation);
    const { topLeft, topRight, bottomRight } = code?.position ?? ({} as never);
    expect(Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y) / (95 * 3)).toBeCloseTo(1, 1);
    const middle = [(topLeft.x + bottomRight.x) / 2 / raster.width, (topLeft.y + bottomRight.y) / 2 / raster.height];
    for (const share of middle) expect(Math.abs(share - 0.5)).toBeLessThan(0.06);
  });

  it('with a wrong check digit → nothing', async () => {
    // The last digit, 1, becomes an 8.
    const raster = await blur(drawSymbol(replaceDigit(symbol, 12, '1001000'), 3, 60));
    expect(readBlurredEan(raster, [])).toEqual([]);
  });

  it('one of whose digits may be a 0 or a 6 → the one that the check digit asks for', async () => {
    const number = await makeSymbol('4006381303132', 'EAN13');
    const raster = await blur(await mix(number, replaceDigit(number, 8, '1010000')));
    expect(readBlurredEan(raster, [])).toMatchObject([{ text: '4006381303132' }]);
  });

  it('that may be one of two numbers with right check digits → nothing', async () => {
    const [one, other] = [await makeSymbol('4006381303132', 'EAN13'), await makeSymbol('4006381361132', 'EAN13')];
    const raster = await blur(await mix(one, other));
    expect(readBlurredEan(raster, [])).toEqual([]);
  });

  it('of a format that is not asked for → nothing', async () => {
    const raster = await blur(drawSymbol(symbol, 3, 60));
    const read = (formats: BarcodeFormat[]) => readBlurredEan(raster, formats).length;
    expect([read(['QRCode']), read(['UPCA']), read(['EAN13'])]).toEqual([0, 0, 1]);
  });
});
