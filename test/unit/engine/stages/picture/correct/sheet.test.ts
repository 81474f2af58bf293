import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDocument } from '../../../../../../dist/engine/read-document.js';
import { closeIdleWorkers } from '../../../../../../dist/engine/workers/warm-workers.js';
import { createDistortion, toBox } from '../../../../../../src/engine/model/page-transform.js';
import { turnSheet } from '../../../../../../src/engine/model/sheet.js';
import { flattenSheet } from '../../../../../../src/engine/stages/picture/correct/flatten-sheet.js';
import { findSheet } from '../../../../../../src/engine/stages/picture/correct/sheet.js';
import type { Raster } from '../../../../../../src/engine/stages/picture/raster.js';
import { turnRaster } from '../../../../../../src/engine/stages/picture/raster.js';
import { makeTextPdf } from '../../../../../fixtures/maker/documents.js';
import { lookAslant, photograph, turn } from '../../../../../fixtures/maker/poor-scans.js';
import { encodeJpeg, renderPages } from '../../../../../fixtures/maker/scan.js';
import { composeHundred, readBlocks } from '../../../../../fixtures/texts.js';
import { wordF1 } from '../../../../../support/word-f1.js';

const DESK = 70;
let page: Raster;
let photo: Raster;

beforeAll(async () => {
  const text = [1, 2, 3, 4, 5].flatMap((index) => composeHundred(index));
  [page] = (await renderPages(await makeTextPdf('Harbour', [text]), 200)) as [Raster];
  photo = photograph(page, DESK);
});
afterAll(closeIdleWorkers);

it.each([DESK, 228])('a photographed sheet on a desk of shade %d → its corners', (desk) => {
  const corners = findSheet(photograph(page, desk))?.corners ?? [];
  expect(corners).toHaveLength(4);
  const onSheet = corners.map(([x, y]) => lookAslant(x / photo.width, y / photo.height));
  const expected = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  onSheet.forEach((corner, index) => {
    corner.forEach((share, axis) => {
      expect(Math.abs(share - (expected[index]?.[axis] ?? NaN))).toBeLessThan(0.015);
    });
  });
});

it.each([
  ['that fills its picture', () => page],
  ['that was scanned with a skew', () => turn(page, 3)],
  ['in a shadow with an edge', () => withShade(page, (x) => x > page.width * 0.8)],
  [
    'with the dark edges of a copier at two sides',
    () => withShade(page, (x, y) => x < 25 || y > page.height - 40 - x / 20),
  ],
  ['in a level box on a dark ground', () => withShade(page, (x, y) => x < 200 || y < 250 || x > 1400 || y > 2000)],
  ['on a desk that is as light', () => photograph(page, 250)],
])('a page %s → no sheet on a desk', (_, draw) => {
  expect(findSheet(draw())).toBeUndefined();
});

function withShade(raster: Raster, isDark: (x: number, y: number) => boolean, dimmed = 0.25): Raster {
  const { width } = raster;
  const data = raster.data.map((shade, at) => (isDark(at % width, Math.floor(at / width)) ? shade * dimmed : shade));
  return { ...raster, data };
}

/** Draws a sheet on a dark desk: its sides as shares of the picture's, its far side as a share of the near one, its turn in degrees. */
function layDown({ wide = 0.6, high = 0.6, far = 0.9, turned = 5 }): Raster {
  const [width, height] = [1500, 1500];
  const [cos, sin] = [Math.cos((turned * Math.PI) / 180), Math.sin((turned * Math.PI) / 180)];
  const data = new Uint8Array(width * height).fill(DESK);
  for (let at = 0; at < data.length; at++) {
    const [x, y] = [(at % width) / width - 0.5, Math.floor(at / width) / height - 0.5];
    const [across, down] = [x * cos + y * sin, y * cos - x * sin];
    const half = (wide / 2) * (far + (1 - far) * (down / high + 0.5));
    if (Math.abs(across) < half && Math.abs(down) < high / 2) data[at] = 240;
  }
  return { data, width, height };
}

it('a sheet that is small, turned far, or far shorter at one end → none; within the bounds → found', () => {
  for (const sheet of [{}, { wide: 0.5, high: 0.4 }, { turned: 18 }, { far: 0.7 }])
    expect(findSheet(layDown(sheet)), JSON.stringify(sheet)).toBeDefined();
  for (const none of [{ wide: 0.3, high: 0.3 }, { turned: 28 }, { far: 0.45 }])
    expect(findSheet(layDown(none)), JSON.stringify(none)).toBeUndefined();
});

/** The projection of paper that bulges in the middle, like an open book. */
const lookAtBowed = (x: number, y: number): [x: number, y: number] => {
  const [across, down] = lookAslant(x, y);
  return [across, down + 0.03 * Math.sin(Math.PI * across)];
};

it('a narrow shadow on a photographed sheet, as at a binding → removed', () => {
  const bound = photograph(
    withShade(page, (x) => x < 130, 0.65),
    DESK,
  );
  const seen = findSheet(photo);
  if (seen === undefined) throw new Error('not found');
  const { raster } = flattenSheet(bound, seen, 2200);
  const middle = (raster.height >> 1) * raster.width;
  const paperAt = (x: number) => Math.max(...raster.data.slice(middle + x, middle + x + 30));
  expect(paperAt(raster.width * 0.03)).toBeGreaterThan(paperAt(raster.width * 0.95) * 0.8);
});

it.each([
  ['flat', lookAslant],
  ['bowed', lookAtBowed],
] as const)('a place on the flattened sheet → its place in the photograph: %s', (_, look) => {
  const photo = photograph(page, DESK, look);
  const seen = findSheet(photo);
  if (seen === undefined) throw new Error('not found');
  const { raster, sheet } = flattenSheet(photo, seen, 2200);
  for (const degrees of [0, 90, 180, 270]) {
    // The first pixel in the lower two thirds that is darker than the shadow: the foot of a letter.
    const upright = turnRaster(raster, degrees);
    const at = upright.data.findIndex((shade, index) => shade < 90 && index > upright.data.length / 3);
    const [x, y] = [at % upright.width, Math.floor(at / upright.width)];
    const distortion = { sheet: turnSheet(sheet, degrees) };
    const distort = createDistortion(distortion, upright);
    const box = toBox(distort({ x0: x, y0: y, x1: x + 1, y1: y + 1 }), upright);
    const given = turnRaster(photo, degrees);
    const [seenX, seenY] = [((box[0] + box[2]) / 2) * given.width, ((box[1] + box[3]) / 2) * given.height];
    const near = [-1, 0, 1].flatMap((dx) =>
      [-1, 0, 1].map((dy) => given.data[Math.floor(seenY + dy) * given.width + Math.floor(seenX + dx)] ?? 255),
    );
    expect(Math.min(...near), `turned by ${degrees}`).toBeLessThan(100);
  }
});

it('a photograph of a page on a desk → the text of the page, with boxes in the photograph', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sheet-'));
  try {
    const path = join(folder, 'photo.jpg');
    const few = [1, 2].flatMap((index) => composeHundred(index));
    const [page] = (await renderPages(await makeTextPdf('Harbour', [few]), 200)) as [Raster];
    const photo = photograph(page, DESK);
    await writeFile(path, await encodeJpeg(photo, 85));
    const { document } = await readDocument(path, 'image/jpeg', { ocr: 'auto', maxPixels: 100e6, parallelism: 1 });
    const [read] = document.pages;
    expect([read?.width, read?.height]).toEqual([photo.width, photo.height]);
    const words = read?.blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words)) ?? [];
    const places = words.map(({ box: [x0, y0, x1, y1] }) => lookAslant((x0 + x1) / 2, (y0 + y1) / 2));
    // The margins of the page are empty.
    expect(places.every(([x, y]) => x > 0.08 && x < 0.92 && y > 0.05 && y < 0.95)).toBe(true);
    expect(wordF1(readBlocks(few), words.map(({ text }) => text).join(' '))).toBeGreaterThan(0.95);
    expect(document.warnings).toEqual([{ page: 1, message: expect.stringContaining('not what lies beside it') }]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
