import { expect, it } from 'vitest';
import type { Raster } from '../../../src/engine/raster/raster.js';
import { isDoubtful, type Reading, readBest, readSecond } from '../../../src/engine/recognise/read-best.js';
import type { TesseractEngine } from '../../../src/engine/recognise/recogniser.js';

const raster = { data: new Uint8Array(600 * 800).fill(255), width: 600, height: 800 };

/** Reads nothing at all, and notes in which way it was asked to. */
function createBlindEngine(): TesseractEngine & { segmentations: number[] } {
  const segmentations: number[] = [];
  const read = async (_: unknown, segmentation: number) => {
    segmentations.push(segmentation);
    return { blocks: [], textAngle: 0 };
  };
  return { provider: 'blind', segmentations, read };
}

it('reads a poor picture in every way, however late it is: its result is the same on every machine', async () => {
  const engine = createBlindEngine();
  const known: Reading[] = [];
  await readBest(engine, raster, performance.now(), (best) => known.push(best));
  expect(engine.segmentations).toEqual([3, 3, 3, 11]);
  // What is known is told before each further reading.
  expect(known).toHaveLength(3);
});

it.each([
  ['clean', 0.94, 500, false],
  ['doubtful', 0.7, 500, true],
  ['noise', 0.2, 500, false],
  ['a few characters', 0.7, 10, false],
])('a reading that is %s is read once more or not', (_, meanConfidence, characters, expected) => {
  expect(isDoubtful({ meanConfidence, characters } as Reading)).toBe(expected);
});

it('reads a doubtful page the second time without its frames and its grounds', async () => {
  const page = { data: new Uint8Array(1000 * 1000).fill(255), width: 1000, height: 1000 };
  const fill = (shade: number, x0: number, y0: number, x1: number, y1: number) => {
    for (let y = y0; y < y1; y++) page.data.fill(shade, y * 1000 + x0, y * 1000 + x1);
  };
  fill(180, 200, 100, 800, 140);
  for (const y of [300, 400, 500]) fill(0, 200, y, 800, y + 2);
  for (const x of [200, 500, 800]) fill(0, x, 300, x + 2, 502);
  fill(0, 300, 110, 310, 130);
  fill(0, 300, 340, 310, 360);
  const given: Raster[] = [];
  const engine: TesseractEngine = {
    provider: 'asked',
    read: async (picture) => {
      given.push(picture);
      return { blocks: [], textAngle: 0 };
    },
  };
  await readSecond(engine, { raster: page, rotation: 0, words: [{ fontSize: 32 }] } as Reading, Infinity);
  const [picture] = given;
  if (picture === undefined) throw new Error('nothing was read');
  const { data, width, height } = picture;
  const inkAt = (x: number, y: number) =>
    (data[Math.round((y * height) / 1000) * width + Math.round((x * width) / 1000)] ?? 255) < 200;
  expect([inkAt(305, 120), inkAt(305, 350)]).toEqual([true, true]);
  expect([inkAt(250, 120), inkAt(350, 300), inkAt(500, 350)]).toEqual([false, false, false]);
});
