import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { takePicture } from '../../../../../../dist/engine/reading/take-picture.js';
import { closeIdleWorkers } from '../../../../../../dist/engine/workers/warm-workers.js';
import { measureBend } from '../../../../../../src/engine/stages/picture/correct/bend.js';
import { flattenSheet } from '../../../../../../src/engine/stages/picture/correct/flatten-sheet.js';
import { findSheet } from '../../../../../../src/engine/stages/picture/correct/sheet.js';
import { outlineOf } from '../../../../../../src/engine/stages/picture/find/outline.js';
import type { Raster } from '../../../../../../src/engine/stages/picture/raster.js';
import { makeTextPdf } from '../../../../../fixtures/maker/documents.js';
import { lookAslant, photograph } from '../../../../../fixtures/maker/poor-scans.js';
import { encodeJpeg, renderPages } from '../../../../../fixtures/maker/scan.js';
import { composeHundred } from '../../../../../fixtures/texts.js';

const DESK = 70;
let page: Raster;

beforeAll(async () => {
  const text = [1, 2, 3, 4, 5].flatMap((index) => composeHundred(index));
  [page] = (await renderPages(await makeTextPdf('Harbour', [text]), 200)) as [Raster];
});
afterAll(closeIdleWorkers);

/** The projection of paper that bulges in the middle, like an open book. */
const lookAtBowed = (x: number, y: number): [x: number, y: number] => {
  const [across, down] = lookAslant(x, y);
  return [across, down + 0.03 * Math.sin(Math.PI * across)];
};

it('bowed paper → the bows of its sides, and level lines on the flattened sheet', () => {
  const bowed = photograph(page, DESK, lookAtBowed);
  const seen = findSheet(bowed);
  if (seen === undefined) throw new Error('not found');
  expect(seen.bows[1]).toBeLessThan(-0.015 * bowed.height);
  const mostOff = (raster: Raster) => Math.max(0, ...(measureBend(outlineOf(raster)) ?? []).map(Math.abs));
  const flat = flattenSheet(bowed, seen, 2200).raster;
  expect(mostOff(flat)).toBeLessThan(0.008);
  expect(mostOff(bowed)).toBeGreaterThan(0.015);
});

it('a small sheet in its photograph → drawn from a larger picture', async () => {
  const far = photograph(page, DESK, (x, y) => lookAslant(0.5 + 1.6 * (x - 0.5), 0.5 + 1.6 * (y - 0.5)));
  const seen = findSheet(far);
  if (seen === undefined) throw new Error('not found');
  const folder = await mkdtemp(join(tmpdir(), 'sheet-'));
  try {
    const path = join(folder, 'far.jpg');
    await writeFile(path, await encodeJpeg(far, 85));
    const task = { path, mimeType: 'image/jpeg', password: undefined, page: 1, maxPixels: 100e6 };
    const { raster, sheet, width } = await takePicture({ ...task, plan: { models: [] } });
    if (sheet === undefined) throw new Error('not flattened');
    expect(width).toBe(far.width);
    const [topLeft, , , footLeft] = seen.corners;
    const height = Math.hypot(footLeft[0] - topLeft[0], footLeft[1] - topLeft[1]);
    expect((sheet.drawn.y1 - sheet.drawn.y0) * raster.height).toBeGreaterThan(height * 1.5);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
