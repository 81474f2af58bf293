import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadImage } from '../../../../../../src/engine/stages/picture/decode/load-image.js';
import { cutTiffFrame, readPixelHeight } from '../../../../../../src/engine/stages/picture/decode/tiff-frame.js';
import { encodeTiff } from '../../../../../fixtures/maker/image-formats.js';

const FRAMES = 9;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiff-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('cutTiffFrame', () => {
  const kinds: Record<string, () => Promise<Uint8Array>> = {
    'bilevel strips': async () =>
      encodeTiff(
        Array.from({ length: FRAMES }, (_, index) => ({
          width: 40,
          height: 20 + index,
          data: dots(40, 20 + index, index),
        })),
        150,
      ),
    'colour strips': () => joined((image) => image.tiff({ compression: 'lzw', predictor: 'horizontal' })),
    'JPEG tiles': () =>
      joined((image) => image.tiff({ compression: 'jpeg', tile: true, tileWidth: 16, tileHeight: 16 })),
    'big-endian, without compression': async () => bigEndian(),
  };
  for (const [kind, make] of Object.entries(kinds)) {
    it(`${kind} → the pixels of each page`, async () => {
      const path = await put(await make());
      for (let index = 0; index < FRAMES; index++) {
        const frame = cutTiffFrame(path, index);
        expect(frame).toBeDefined();
        const { pages, ...metadata } = await sharp(frame).metadata();
        expect(pages ?? 1).toBe(1);
        const whole = await sharp(path, { page: index }).metadata();
        expect([metadata.width, metadata.height, metadata.density, metadata.space]).toEqual([
          ...[whole.width, whole.height, whole.density, whole.space],
        ]);
        const pixels = await sharp(path, { page: index }).raw().toBuffer();
        expect((await sharp(frame).raw().toBuffer()).equals(pixels)).toBe(true);
      }
      expect(cutTiffFrame(path, FRAMES)).toBeUndefined();
    });
  }

  it('BigTIFF, a file of one page, a truncated header → left to the decoder', async () => {
    expect(cutTiffFrame(await put(await joined((image) => image.tiff({ bigtiff: true }))), 0)).toBeUndefined();
    expect(cutTiffFrame(await put(encodeTiff([{ width: 8, height: 8, data: dots(8, 8, 0) }], 150)), 0)).toBeUndefined();
    expect(cutTiffFrame(await put(Buffer.from('II*')), 0)).toBeUndefined();
  });

  it('a circular chain of directories → ends', async () => {
    const bytes = bigEndian();
    // The last directory points to the first.
    bytes.writeUInt32BE(bytes.readUInt32BE(4), bytes.length - 4);
    const path = await put(bytes);
    expect(cutTiffFrame(path, FRAMES - 1)).toBeDefined();
    expect(cutTiffFrame(path, FRAMES)).toBeUndefined();
  });

  it('truncated files and wrong bytes → no error', async () => {
    const bytes = Buffer.from(await joined((image) => image.tiff({ compression: 'lzw' })));
    for (let round = 0; round < 60; round++) {
      const broken = Buffer.from(round % 2 === 0 ? bytes.subarray(0, (bytes.length * round) / 60) : bytes);
      for (let at = 8 + round; at < broken.length; at += 97) broken[at] = (broken[at] ?? 0) ^ (round * 37);
      const path = await put(broken);
      for (let index = 0; index < FRAMES; index += 4) cutTiffFrame(path, index);
    }
  });
});

describe('a TIFF with oblong pixels', () => {
  const fax = (across: number, down: number) =>
    sharp({ create: { width: 1728, height: 1078, channels: 3, background: '#fff' } })
      .tiff({ xres: across / 25.4, yres: down / 25.4 })
      .toBuffer();

  it('a fax → scaled to square pixels', async () => {
    const path = await put(await fax(204, 98));
    const { raster, width, height } = await loadImage({ path, mimeType: 'image/tiff', page: 1, maxPixels: 1e7 });
    expect([width, height]).toEqual([1728, 2244]);
    expect([raster.width, raster.height]).toEqual([1695, 2200]);
  });

  it('nearly square pixels, no resolution, an implausible one → square', async () => {
    const heightOf = async (across: number, down: number) => readPixelHeight(await put(await fax(across, down)), 0);
    expect(await heightOf(204, 98)).toBeCloseTo(204 / 98, 2);
    expect(await heightOf(204, 391)).toBeCloseTo(204 / 391, 2);
    for (const [across, down] of [
      [204, 196],
      [300, 1],
      [72, 300],
    ] as const)
      expect(await heightOf(across, down)).toBe(1);
    expect(readPixelHeight(await put(bigEndian()), 0)).toBe(1);
    expect(readPixelHeight(await put(await fax(204, 98)), 1)).toBe(1);
    expect(readPixelHeight(await put(Buffer.from('II*')), 0)).toBe(1);
  });
});

describe('loadImage', () => {
  it('a small picture → enlarged to a page; a slip → enlarged less', async () => {
    const load = async (width: number, height: number) => {
      const path = await put(
        await sharp({ create: { width, height, channels: 3, background: '#fff' } })
          .png()
          .toBuffer(),
      );
      const { raster } = await loadImage({ path, mimeType: 'image/png', page: 1, maxPixels: 1e6 });
      return [raster.width, raster.height];
    };
    expect(await load(600, 800)).toEqual([1650, 2200]);
    expect(await load(200, 100)).toEqual([800, 400]);
  });
});

async function put(bytes: Uint8Array): Promise<string> {
  const path = join(await mkdtemp(join(folder, 'file-')), 'file.tiff');
  await writeFile(path, bytes);
  return path;
}

function dots(width: number, height: number, seed: number): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, at) => ((at * 7 + seed * 13) % 11 < 4 ? 0 : 255));
}

async function joined(encode: (image: Sharp) => Sharp): Promise<Uint8Array> {
  const pages = await Promise.all(
    Array.from({ length: FRAMES }, (_, index) =>
      sharp({ create: { width: 40, height: 50, channels: 3, background: { r: index * 20, g: 90, b: 200 - index } } })
        .png()
        .toBuffer(),
    ),
  );
  return encode(sharp(pages, { join: { animated: true } })).toBuffer();
}

/** Writes grey pages of 4 x 2 pixels: for each page its pixels, then its directory. */
function bigEndian(): Buffer {
  const header = Buffer.from('MM\0*\0\0\0\0', 'latin1');
  const parts = [header];
  let [size, link, linkAt] = [8, header, 4];
  for (let index = 0; index < FRAMES; index++) {
    const entries = [
      [256, 3, 4],
      [257, 3, 2],
      [258, 3, 8],
      [259, 3, 1],
      [262, 3, 1],
      [273, 4, size],
      [277, 3, 1],
      [278, 3, 2],
      [279, 4, 8],
    ];
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    directory.writeUInt16BE(entries.length, 0);
    for (const [row, [tag = 0, type = 0, value = 0]] of entries.entries()) {
      directory.writeUInt16BE(tag, 2 + row * 12);
      directory.writeUInt16BE(type, 4 + row * 12);
      directory.writeUInt32BE(1, 6 + row * 12);
      if (type === 3) directory.writeUInt16BE(value, 10 + row * 12);
      else directory.writeUInt32BE(value, 10 + row * 12);
    }
    link.writeUInt32BE(size + 8, linkAt);
    parts.push(Buffer.from(dots(4, 2, index)), directory);
    size += 8 + directory.length;
    [link, linkAt] = [directory, directory.length - 4];
  }
  return Buffer.concat(parts);
}
