import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { decodeHeic, type HeicPixels } from '../../../../../../src/engine/stages/picture/decode/heic.js';
import { phonePictures } from '../../../../../fixtures/manifest.js';

// Nothing here writes HEVC, so a picture of our own is changed: its boxes (ISO/IEC 14496-12 and 23008-12) say that it is
// one tile, and how it is shown.
const original = readFileSync(phonePictures.heic.path);

const startOf = (file: Buffer, box: string) => file.indexOf(box, 0, 'latin1') - 4;
const endOf = (file: Buffer, box: string) => startOf(file, box) + file.readUInt32BE(startOf(file, box));

/** Inserts bytes into a box, at its end, and returns the file with the sizes and places that follow from it. */
function insert(file: Buffer, box: string, bytes: Buffer, parents: readonly string[]): Buffer {
  const end = endOf(file, box);
  const longer = Buffer.concat([file.subarray(0, end), bytes, file.subarray(end)]);
  for (const name of [...parents, box]) {
    const start = startOf(file, name);
    longer.writeUInt32BE(file.readUInt32BE(start) + bytes.length, start);
  }
  // The place of the pixels, which iloc counts from the beginning of the file.
  const mdat = startOf(file, 'mdat') + 8;
  const place = Buffer.alloc(4);
  place.writeUInt32BE(mdat);
  const iloc = startOf(file, 'iloc');
  for (
    let at = longer.indexOf(place, iloc);
    at >= 0 && at < endOf(longer, 'iloc');
    at = longer.indexOf(place, at + 4)
  ) {
    longer.writeUInt32BE(mdat + bytes.length, at);
  }
  return longer;
}

/** Appends copies of bytes to a box, each with the number of a further item at `idAt`, and counts them. */
function copyEntry(file: Buffer, box: string, entry: Buffer, how: Copying): Buffer {
  const copies = Array.from({ length: how.count }, (_, i) => {
    const copy = Buffer.from(entry);
    copy.writeUInt16BE(FIRST_COPY + i, how.idAt);
    return copy;
  });
  const longer = insert(file, box, Buffer.concat(copies), how.parents);
  const countAt = startOf(longer, box) + how.countAt;
  longer.writeUInt16BE(longer.readUInt16BE(countAt) + how.count, countAt);
  return longer;
}

interface Copying {
  count: number;
  idAt: number;
  /** Place of the last two bytes of the box's number of entries. */
  countAt: number;
  parents: readonly string[];
}
/** The picture is item 2, made of the tile, item 1. */
const FIRST_COPY = 3;

/** Turns the picture by quarters against the clock when it is shown. */
function turn(quarters: number): Buffer {
  const irot = Buffer.from([0, 0, 0, 9, ...Buffer.from('irot'), quarters]);
  const turned = insert(original, 'ipco', irot, ['meta', 'iprp']);
  // The last picture gets it as its fourth property; the number of its properties stands before them.
  const ipma = insert(turned, 'ipma', Buffer.from([0x80 | 5]), ['meta', 'iprp']);
  const countAt = endOf(ipma, 'ipma') - 4;
  ipma.writeUInt8(ipma.readUInt8(countAt) + 1, countAt);
  return ipma;
}

/** Makes a picture of many tiles, as a phone does: items of the same pixels. */
function tile(columns: number, rows: number, width: number, height: number): Buffer {
  const count = columns * rows - 1;
  const slice = (box: string, from: number, length: number) => {
    const at = startOf(original, box) + from;
    return original.subarray(at, at + length);
  };
  // First, while the place of the pixels is the original's.
  let file = copyEntry(original, 'iloc', slice('iloc', 16, 20), { count, idAt: 0, countAt: 14, parents: ['meta'] });
  file = copyEntry(file, 'iinf', slice('infe', 0, 21), { count, idAt: 12, countAt: 12, parents: ['meta'] });
  file = copyEntry(file, 'ipma', slice('ipma', 16, 5), { count, idAt: 0, countAt: 14, parents: ['meta', 'iprp'] });
  file = copyEntry(file, 'iref', Buffer.alloc(2), { count, idAt: 0, countAt: 22, parents: ['meta'] });
  const dimg = startOf(file, 'dimg');
  file.writeUInt32BE(file.readUInt32BE(dimg) + 2 * count, dimg);
  const grid = startOf(file, 'idat') + 8;
  file.set([rows - 1, columns - 1], grid + 2);
  file.writeUInt16BE(width, grid + 4);
  file.writeUInt16BE(height, grid + 6);
  const shown = file.lastIndexOf('ispe', undefined, 'latin1') + 8;
  file.writeUInt32BE(width, shown);
  file.writeUInt32BE(height, shown + 4);
  return file;
}

async function decode(bytes: Buffer): Promise<HeicPixels> {
  const directory = await mkdtemp(join(tmpdir(), 'ocr-heic-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, 'a.heic');
  writeFileSync(path, bytes);
  return await decodeHeic(path, 1);
}

const pixelAt = ({ data, width }: HeicPixels, x: number, y: number) => data.readUInt32BE((y * width + x) * 4);

const TURNS: Array<[quarters: number, placeOf: (upright: HeicPixels, x: number, y: number) => [number, number]]> = [
  [1, ({ width }, x, y) => [width - 1 - y, x]],
  [2, ({ width, height }, x, y) => [width - 1 - x, height - 1 - y]],
  [3, ({ height }, x, y) => [y, height - 1 - x]],
];

test.each(TURNS)('a picture that is shown turned by %i quarters → its pixels are', async (quarters, placeOf) => {
  const upright = await decode(original);
  const turned = await decode(turn(quarters));
  const size = [upright.width, upright.height];
  expect([turned.width, turned.height]).toEqual(quarters === 2 ? size : size.reverse());
  for (let y = 0; y < turned.height; y += 7) {
    for (let x = 0; x < turned.width; x += 7) {
      const [fromX, fromY] = placeOf(upright, x, y);
      if (pixelAt(turned, x, y) !== pixelAt(upright, fromX, fromY)) expect.fail(`${x},${y} is another pixel`);
    }
  }
});

test('a picture of 12 megapixels in tiles, as phones take it → each tile in its place', async () => {
  const one = await decode(original);
  const many = await decode(tile(4, 9, 4032, 3024));
  expect([many.width, many.height]).toEqual([4032, 3024]);
  // Tiles have the coded size, a column and a row more than what is shown of one.
  const [tileWidth, tileHeight] = [1112, 362];
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 3; column++) {
      // The colours of the outermost pixels are mixed with those of the next tile.
      for (let at = 4; at < one.height - 4; at += 11) {
        const [x, y] = [column * tileWidth + at, row * tileHeight + at];
        if (pixelAt(many, x, y) !== pixelAt(one, at, at)) expect.fail(`${x},${y} is another pixel`);
      }
    }
  }
});
