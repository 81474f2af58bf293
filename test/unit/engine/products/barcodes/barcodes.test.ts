import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BarcodeOptions, readBarcodes } from '../../../../../dist/engine/products/barcodes/read-barcodes.js';
import { barcodeReading } from '../../../../../dist/functions/barcode-reading.js';
import { BARCODE_FORMATS } from '../../../../../src/engine/products/barcodes/barcode.js';
import { sniffBytes } from '../../../../../src/engine/sniff.js';
import { composePage, drawSymbol, makeBarcodePdf, makeSymbol } from '../../../../fixtures/maker/barcodes.js';
import { bad, documents, images } from '../../../../fixtures/manifest.js';
import { checkResult } from '../../../../support/check-result.js';

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

describe('the value of a barcode', () => {
  it.each([
    ['QRCode', 'Grüße 東京'],
    ['MicroQRCode', '12345'],
    ['RMQRCode', 'rectangular'],
    ['DataMatrix', 'A1B2C3'],
    ['Aztec', 'ticket 42'],
    ['PDF417', 'a boarding pass'],
    ['Code128', 'ABC-1234'],
    ['Code39', 'CODE 39'],
    ['Code93', 'CODE 93'],
    ['Codabar', 'A12345B'],
    ['ITF', '12345678'],
    ['EAN13', '4006381333931'],
    ['EAN8', '73513537'],
    ['UPCA', '036000291452'],
    ['UPCE', '01234565'],
  ] as const)('%s → its value', async (format, value) => {
    const png = await drawSymbol(await makeSymbol(value, format), 4)
      .png()
      .toBuffer();
    const { barcodes, warnings } = await read(png);
    expect(warnings).toEqual([]);
    expect(barcodes).toHaveLength(1);
    expect(barcodes[0]).toMatchObject({ page: 1, value, contentType: 'text', rotation: 0 });
    expect(barcodes[0]?.format).toContain(format);
    if (!format.startsWith('UPC') && format !== 'QRCode')
      expect(Buffer.from(barcodes[0]?.bytes ?? '', 'base64').toString()).toBe(value);
  });

  it('a GS1 barcode → readable text, and bytes with the separators', async () => {
    const gs1 = await makeSymbol('[01]04006381333931[10]LOT7[21]8', 'DataMatrix', 'gs1');
    const { barcodes } = await read(await drawSymbol(gs1, 4).png().toBuffer());
    expect(barcodes).toMatchObject([
      { value: '(01)04006381333931(10)LOT7(21)8', contentType: 'gs1', symbologyIdentifier: ']d2' },
    ]);
    expect(Buffer.from(barcodes[0]?.bytes ?? '', 'base64').toString()).toBe('010400638133393110LOT7\x1d218');
  });

  it('control characters in a barcode → kept', async () => {
    const value = '[)>\x1e06\x1d1PABC\x1dQ10\x1e\x04';
    const { barcodes } = await read(
      await drawSymbol(await makeSymbol(value, 'DataMatrix'), 4)
        .png()
        .toBuffer(),
    );
    expect(barcodes).toMatchObject([{ value }]);
  });

  it('a barcode that is no text → bytes', async () => {
    const bytes = Uint8Array.from([0, 1, 2, 250, 251, 252, 128, 129, 0, 255]);
    const { barcodes } = await read(
      await drawSymbol(await makeSymbol(bytes, 'QRCode'), 4)
        .png()
        .toBuffer(),
    );
    expect(barcodes).toMatchObject([{ value: null, contentType: 'binary' }]);
    expect([...Buffer.from(barcodes[0]?.bytes ?? '', 'base64')]).toEqual([...bytes]);
  });
});

describe('the place of a barcode', () => {
  it('several barcodes on a page → each at its place', async () => {
    const page = await composePage(600, 700, [
      { picture: await code('one'), left: 100, top: 100 },
      { picture: await code('two', 'Code128', 3), left: 150, top: 500 },
      { picture: await code('three'), left: 400, top: 300 },
    ]);
    const { barcodes } = await read(page);
    expect(barcodes.map(({ value }) => value).sort()).toEqual(['one', 'three', 'two']);
    const one = barcodes.find(({ value }) => value === 'one');
    // 21 modules of 4 pixels inside of a margin of 4 modules.
    const expected = [116 / 600, 116 / 700, 200 / 600, 200 / 700];
    for (const [index, value] of expected.entries()) expect(one?.box[index]).toBeCloseTo(value, 2);
    expect(one?.corners[0]?.[0]).toBeCloseTo(116 / 600, 2);
  });

  it('two codes of goods, one of them out of focus → both', async () => {
    const [sharpOne, blurredOne] = [
      await makeSymbol('1920081045006', 'EAN13'),
      await makeSymbol('4006381333931', 'EAN13'),
    ];
    const blurred = await drawSymbol(blurredOne, 3, 60).blur(2).png().toBuffer();
    const page = await composePage(700, 700, [
      { picture: drawSymbol(sharpOne, 3, 60), left: 100, top: 400 },
      { picture: sharp(blurred), left: 120, top: 60 },
    ]);
    const { barcodes } = await read(page);
    expect(barcodes.map(({ value }) => value).sort()).toEqual(['1920081045006', '4006381333931']);
  });

  it.each([90, 180, 270, 33])('a barcode turned by %d degrees → found', async (angle) => {
    const turned = (await code('turned')).rotate(angle, { background: '#ffffff' });
    const page = await composePage(300, 300, [{ picture: turned, left: 60, top: 60 }]);
    const { barcodes } = await read(page);
    expect(barcodes).toMatchObject([{ value: 'turned' }]);
    expect(Math.abs((barcodes[0]?.rotation ?? -99) - angle)).toBeLessThanOrEqual(2);
  });

  it('a barcode with blur, grain and bad compression → found', async () => {
    const clean = await composePage(900, 500, [
      { picture: await code('worn out', 'QRCode', 6), left: 50, top: 50 },
      { picture: await code('WORN-77', 'Code128', 3), left: 400, top: 100 },
    ]);
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
    const grain = await sharp({ create: { width: 900, height: 500, channels: 3, background: '#808080', noise } })
      .png()
      .toBuffer();
    const worn = await sharp(clean)
      .blur(1.2)
      .composite([{ input: grain, blend: 'soft-light' }])
      .jpeg({ quality: 30 })
      .toBuffer();
    const { barcodes } = await read(worn);
    expect(barcodes.map(({ value }) => value).sort()).toEqual(['WORN-77', 'worn out']);
  });

  it('a light barcode on dark → found', async () => {
    const { barcodes } = await read(await (await code('inverted')).negate().png().toBuffer());
    expect(barcodes).toMatchObject([{ value: 'inverted' }]);
  });

  it('a barcode drawn in a PDF, also small on a large page → found', async () => {
    const pdf = await makeBarcodePdf(
      [842, 1190],
      [{ symbol: await makeSymbol('a small code on a large page', 'DataMatrix'), x: 600, y: 100, module: 0.7 }],
    );
    const { barcodes, pageCount } = await read(pdf);
    expect(barcodes).toMatchObject([{ page: 1, value: 'a small code on a large page' }]);
    expect(barcodes[0]?.box[0]).toBeCloseTo(600 / 842, 2);
    expect(barcodes[0]?.box[3]).toBeCloseTo((1190 - 100) / 1190, 2);
    expect(pageCount).toBe(1);
  });

  it.each([30, 135])('a wide, low, slanted barcode turned by %d degrees → found', async (angle) => {
    const wide = drawSymbol(await makeSymbol('4006381333931', 'EAN13'), 5).rotate(angle, { background: '#ffffff' });
    const { data: input, info } = await wide.png().toBuffer({ resolveWithObject: true });
    const page = await composePage(800, 800, [{ picture: sharp(input), left: 150, top: 200 }]);
    const { barcodes } = await read(page);
    expect(barcodes).toMatchObject([{ value: '4006381333931' }]);
    const [x0, y0, x1, y1] = barcodes[0]?.box ?? [0, 0, 0, 0];
    expect(((x0 + x1) / 2) * 800).toBeCloseTo(150 + info.width / 2, -2);
    expect(((y0 + y1) / 2) * 800).toBeCloseTo(200 + info.height / 2, -2);
    // The angle is the one of the scan line, which may differ from the barcode's.
    expect(Math.abs((((barcodes[0]?.rotation ?? 0) - angle + 270) % 180) - 90)).toBeLessThanOrEqual(20);
  });

  it('a picture that was cut off → the barcodes that are there, with a warning', async () => {
    const page = await composePage(300, 700, [
      { picture: await code('top', 'QRCode', 6), left: 60, top: 60 },
      { picture: await code('bottom', 'QRCode', 6), left: 60, top: 460 },
    ]);
    const jpeg = await sharp(page).jpeg().toBuffer();
    const warnings = [{ page: 1, message: 'the image is damaged: it was read as far as it goes' }];
    const cut = await read(jpeg.subarray(0, jpeg.length / 2));
    expect({ ...cut, barcodes: cut.barcodes.map(({ value }) => value) }).toEqual({
      ...{ barcodes: ['top'], warnings, pageCount: 1, ranOutOfTime: false },
    });
    const none = await read(jpeg.subarray(0, jpeg.length / 2), { formats: ['Aztec'] });
    expect(none).toEqual({ barcodes: [], warnings, pageCount: 1, ranOutOfTime: false });
  });

  it('formats and pages as options → only the barcodes of these', async () => {
    const page = await composePage(500, 250, [
      { picture: await code('one'), left: 40, top: 50 },
      { picture: await code('two', 'Code128', 3), left: 200, top: 100 },
    ]);
    expect((await read(page, { formats: ['Code128'] })).barcodes).toMatchObject([{ value: 'two' }]);
    expect((await read(page, { formats: ['Aztec', 'EAN13'] })).barcodes).toEqual([]);
    await expect(read(page, { pages: '2' })).rejects.toMatchObject({ reason: 'invalid-argument', pointer: '/pages' });
  });
});

describe('a document without barcodes', () => {
  it('a document without barcodes → none', async () => {
    for (const [{ path, mimeType }, pages, pageCount] of [
      // A page of text and a scan.
      [documents.mixed, '1-2', 2],
      [images.bmp, '1', 1],
    ] as const) {
      const found = await readBarcodes(path, mimeType, { maxPixels: 1e8, parallelism: 2, pages });
      expect(found).toEqual({ barcodes: [], warnings: [], pageCount, ranOutOfTime: false });
    }
  });

  it('an unreadable document → an error', async () => {
    const options = { maxPixels: 1e8, parallelism: 1 };
    await expect(readBarcodes(bad.brokenPng.path, 'image/png', options)).rejects.toMatchObject({ reason: 'damaged' });
    await expect(readBarcodes(bad.bomb.path, 'image/png', options)).rejects.toMatchObject({ reason: 'too-large' });
  });
});

describe('BARCODE_READING', () => {
  const run = async (bytes: Uint8Array, args = {}) => {
    const progress: number[][] = [];
    const limits = { maxPixels: 1e8, parallelism: 1 };
    const onProgress = (...counts: number[]) => progress.push(counts);
    const outcome = await barcodeReading.run({ ...(await put(bytes)), args, limits, onProgress });
    return { ...outcome, progress };
  };

  it('a result → valid by the schema, printed as a table', async () => {
    const symbol = await makeSymbol(Uint8Array.from([0, 200, 201]), 'QRCode');
    const pdf = await makeBarcodePdf([300, 300], [{ symbol, x: 100, y: 100, module: 3 }]);
    const { result, provider, pageCount, progress } = await run(pdf, { formats: ['QRCode'] });
    checkResult(barcodeReading, result);
    expect({ provider, pageCount, progress }).toEqual({
      provider: 'zxing',
      pageCount: 1,
      progress: [
        [0, 1],
        [1, 1],
      ],
    });
    expect(barcodeReading.output.print(result)).toEqual({
      columns: ['Page', 'Format', 'Value'],
      rows: [['1', expect.stringContaining('QRCode'), 'base64:AMjJ']],
    });
  });

  it('every listed format → known to the reader', async () => {
    const page = await drawSymbol(await makeSymbol('one', 'QRCode'), 4)
      .png()
      .toBuffer();
    for (const format of BARCODE_FORMATS) {
      const { result } = await run(page, { formats: [format] });
      checkResult(barcodeReading, result);
      expect((result.barcodes as unknown[]).length, format).toBe(format === 'QRCode' ? 1 : 0);
    }
  });
});
