import { expect, it } from 'vitest';
import { isDoubtful, type Reading, readBest } from '../../../src/engine/recognise/read-best.js';
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
