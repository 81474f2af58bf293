import { beforeAll, expect, it } from 'vitest';
import { shiftAt } from '../../../../../../src/engine/model/bend.js';
import { createDistortion, toBox } from '../../../../../../src/engine/model/page-transform.js';
import { measureBend, unbendRaster } from '../../../../../../src/engine/stages/picture/correct/bend.js';
import { rotateRaster } from '../../../../../../src/engine/stages/picture/correct/skew.js';
import { outlineOf } from '../../../../../../src/engine/stages/picture/find/outline.js';
import type { Raster } from '../../../../../../src/engine/stages/picture/raster.js';
import { turnRaster } from '../../../../../../src/engine/stages/picture/raster.js';
import type { Recogniser, Recognition } from '../../../../../../src/engine/stages/recognise/recogniser.js';
import { straighten } from '../../../../../../src/engine/stages/recognise/straighten.js';
import { makeTextPdf } from '../../../../../fixtures/maker/documents.js';
import { bow } from '../../../../../fixtures/maker/poor-scans.js';
import { renderPages } from '../../../../../fixtures/maker/scan.js';
import { composeHundred } from '../../../../../fixtures/texts.js';

const DEPTH = 0.02;
let flat: Raster;
let bowed: Raster;

beforeAll(async () => {
  const text = [1, 2, 3, 4, 5].flatMap((index) => composeHundred(index));
  [flat] = (await renderPages(await makeTextPdf('Harbour', [text]), 100)) as [Raster];
  bowed = bow(flat, DEPTH);
});

it('lines that sag → their bend; lines of a flat page, turned or not → none', () => {
  const bend = measureBend(outlineOf(bowed));
  if (bend === undefined) throw new Error('not measured');
  for (const x of [0.2, 0.35, 0.65, 0.8])
    expect(shiftAt(bend, x, 0.4)).toBeCloseTo(DEPTH * (Math.sin(Math.PI * x) - 1), 2.5);
  expect(measureBend(outlineOf(unbendRaster(bowed, bend)))).toBeUndefined();
  for (const straight of [flat, turnRaster(flat, 90), turnRaster(bowed, 90)])
    expect(measureBend(outlineOf(straight))).toBeUndefined();
});

/** A recogniser that finds one dark square, and reports the page as turned by `rotation`. */
function findSquare(rotation: number, seen: Raster[]): Recogniser {
  return {
    async recognise(raster) {
      seen.push(raster);
      const { data, width, height } = turnRaster(raster, rotation);
      // Letters are thinner than the square.
      const core = [0, 2, 4, 6, 8, 10].flatMap((across) => [0, 5, 10].map((down) => across + down * width));
      const [xs, ys] = [[] as number[], [] as number[]];
      for (let at = 0; at < data.length; at++) {
        if (!core.every((step) => (data[at + step] ?? 255) < 60)) continue;
        xs.push(at % width);
        ys.push(Math.floor(at / width));
      }
      const word = { x0: Math.min(...xs), x1: Math.max(...xs) + 11, y0: Math.min(...ys), y1: Math.max(...ys) + 11 };
      const line = {
        ...word,
        baseline: word.y1,
        fontSize: 20,
        apart: new Set<number>(),
        words: [{ ...word, text: 'x', baseline: word.y1, fontSize: 20 }],
      };
      return { provider: 'square', blocks: [{ lines: [line] }], width, height, rotation } as unknown as Recognition;
    },
    prepare: () => {},
  };
}

it.each([
  ['as it is', 0, 0],
  ['upside down', 180, 0],
  ['aslant', 0, 4],
])('a word in the straightened picture, page %s → its place on the page', async (_, rotation, skew) => {
  const marked = { ...flat, data: new Uint8Array(flat.data) };
  const [left, top] = [Math.round(flat.width * 0.86), Math.round(flat.height * 0.3)];
  for (let y = top; y < top + 16; y++) marked.data.fill(0, y * flat.width + left, y * flat.width + left + 16);
  const upright = rotateRaster(bow(marked, DEPTH), skew);
  const seen: Raster[] = [];
  const found = await straighten(findSquare(rotation, seen), true).recognise(
    turnRaster(upright, rotation),
    Infinity,
    () => {},
  );
  expect(seen).toHaveLength(1);
  const [word] = found.blocks[0]?.lines[0]?.words ?? [];
  if (word === undefined) throw new Error('not found');
  const [x0, y0, x1, y1] = toBox(createDistortion(found, found)(word), found);
  const sag = DEPTH * flat.height * Math.sin((Math.PI * (left + 8)) / flat.width);
  const angle = (skew * Math.PI) / 180;
  const [x, y] = [left + 8 - flat.width / 2, top + 8 + sag - flat.height / 2];
  expect(((x0 + x1) / 2 - 0.5) * upright.width).toBeCloseTo(x * Math.cos(angle) - y * Math.sin(angle), -0.7);
  expect(((y0 + y1) / 2 - 0.5) * upright.height).toBeCloseTo(y * Math.cos(angle) + x * Math.sin(angle), -0.7);
});
