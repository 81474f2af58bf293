import { describe, expect, it } from 'vitest';
import { decodeBmpBytes } from '../../../../../../src/engine/stages/picture/decode/bmp.js';

interface BmpParts {
  width: number;
  height: number;
  bits: number;
  compression?: number;
  palette?: number[][];
  pixels: number[];
  masks?: number[];
}

/** Writes a bitmap by hand, so that decoder and encoder share no code. Palette entries are [blue, green, red]. */
function makeBmp({ width, height, bits, compression = 0, palette = [], pixels, masks = [] }: BmpParts): Buffer {
  const head = Buffer.alloc(54 + masks.length * 4);
  const offset = head.length + palette.length * 4;
  head.write('BM', 0, 'latin1');
  head.writeUInt32LE(offset + pixels.length, 2);
  head.writeUInt32LE(offset, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(compression, 30);
  head.writeUInt32LE(palette.length, 46);
  masks.forEach((mask, index) => {
    head.writeUInt32LE(mask, 54 + index * 4);
  });
  return Buffer.concat([head, Buffer.from(palette.flatMap((entry) => [...entry, 0])), Buffer.from(pixels)]);
}

const pixelsOf = (bytes: Buffer): number[][] => {
  const { data } = decodeBmpBytes(bytes);
  return Array.from({ length: data.length / 3 }, (_, index) => [...data.subarray(index * 3, index * 3 + 3)]);
};
const RED = [255, 0, 0];
const BLUE = [0, 0, 255];
const WHITE = [255, 255, 255];
const BLACK = [0, 0, 0];

describe('decodeBmpBytes', () => {
  const twoRows = [0, 0, 255, 255, 255, 255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0]; // Red, white | blue, black; rows of 8 bytes.

  it('24 bits → pixels from the bottom up', () => {
    const pixels = pixelsOf(makeBmp({ width: 2, height: 2, bits: 24, pixels: twoRows }));
    expect(pixels).toEqual([BLUE, BLACK, RED, WHITE]);
  });

  it('a negative height → pixels from the top down', () => {
    const pixels = pixelsOf(makeBmp({ width: 2, height: -2, bits: 24, pixels: twoRows }));
    expect(pixels).toEqual([RED, WHITE, BLUE, BLACK]);
  });

  const palette = [
    [255, 255, 255],
    [0, 0, 255],
    [255, 0, 0],
  ];
  it.each([
    [1, [0b01010000, 0, 0, 0], [WHITE, RED, WHITE, RED]],
    [4, [0x01, 0x21, 0, 0], [WHITE, RED, BLUE, RED]],
    [8, [0, 1, 2, 1], [WHITE, RED, BLUE, RED]],
  ])('%s bits → colours of the palette', (bits, pixels, expected) => {
    expect(pixelsOf(makeBmp({ width: 4, height: 1, bits, palette, pixels }))).toEqual(expected);
  });

  it('32 bits with masks → the masked channels', () => {
    const masks = [0xff, 0xff00, 0xff0000];
    const pixels = [255, 0, 0, 0, 0, 0, 255, 0];
    expect(pixelsOf(makeBmp({ width: 2, height: 1, bits: 32, compression: 3, masks, pixels }))).toEqual([RED, BLUE]);
  });

  it('16 bits without masks → 5-5-5', () => {
    expect(pixelsOf(makeBmp({ width: 2, height: 1, bits: 16, pixels: [0x00, 0x7c, 0x1f, 0x00] }))).toEqual([RED, BLUE]);
  });

  it('RLE8 → runs, literal runs and ends of rows', () => {
    const pixels = [3, 1, 1, 2, 0, 0, 0, 4, 0, 1, 2, 1, 0, 1];
    expect(pixelsOf(makeBmp({ width: 4, height: 2, bits: 8, compression: 1, palette, pixels }))).toEqual([
      ...[WHITE, RED, BLUE, RED],
      ...[RED, RED, RED, BLUE],
    ]);
  });

  it('RLE4 → runs of nibbles', () => {
    expect(
      pixelsOf(makeBmp({ width: 4, height: 1, bits: 4, compression: 2, palette, pixels: [4, 0x12, 0, 1] })),
    ).toEqual([...[RED, BLUE, RED, BLUE]]);
  });

  it('a truncated file → its pixels so far, reported as incomplete', () => {
    const whole = makeBmp({ width: 2, height: -2, bits: 24, pixels: twoRows });
    const cut = decodeBmpBytes(whole.subarray(0, whole.length - 8));
    expect(cut.complete).toBe(false);
    expect([...cut.data]).toEqual([...RED, ...WHITE, ...WHITE, ...WHITE]);
    expect(decodeBmpBytes(whole).complete).toBe(true);
  });

  it.each([
    ['no pixels', { width: 0, height: 2, bits: 24 }],
    ['odd depth', { width: 2, height: 2, bits: 7 }],
    ['JPEG inside', { width: 2, height: 2, bits: 24, compression: 4 }],
    ['runs of the wrong depth', { width: 2, height: 2, bits: 8, compression: 2 }],
  ])('%s → damaged', (_, parts) => {
    expect(() => decodeBmpBytes(makeBmp({ ...parts, pixels: [] }))).toThrow('the BMP image cannot be read');
  });
});
