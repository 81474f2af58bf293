import { expect, it } from 'vitest';
import { findFields } from '../../../../../../src/engine/stages/picture/find/fields.js';
import { findLetterSized } from '../../../../../../src/engine/stages/picture/find/find-letter-sized.js';
import { findRules } from '../../../../../../src/engine/stages/picture/find/find-rules.js';
import { traceRuns } from '../../../../../../src/engine/stages/picture/find/trace-runs.js';
import type { Raster } from '../../../../../../src/engine/stages/picture/raster.js';

/** Draws `count` black boxes on white, in rows of `perRow`, each with its gap to the next. */
function drawBoxes(count: number, perRow: number, box: { width: number; height: number; gap: number }): Raster {
  const [stepX, stepY] = [box.width + box.gap, box.height + box.gap];
  const [width, height] = [perRow * stepX + box.gap, Math.ceil(count / perRow) * stepY + box.gap];
  const data = new Uint8Array(width * height).fill(255);
  for (let index = 0; index < count; index++) {
    const [x, y] = [box.gap + (index % perRow) * stepX, box.gap + Math.floor(index / perRow) * stepY];
    for (let row = y; row < y + box.height; row++) data.fill(0, row * width + x, row * width + x + box.width);
  }
  return { data, width, height };
}

it('60,000 runs → traced; one more is a screen of dots', () => {
  const trace = (count: number) =>
    traceRuns(drawBoxes(count, 60, { width: 60, height: 1, gap: 3 }), { from: 0, to: 128 }, 'level');
  expect(trace(60_000)).toHaveLength(60_000);
  expect(trace(60_001)).toHaveLength(0);
});

it('1,500 rules → found; one more is a drawing', () => {
  const find = (count: number) => findRules(drawBoxes(count, 10, { width: 100, height: 2, gap: 10 }));
  expect(find(1500)).toHaveLength(1500);
  expect(find(1501)).toHaveLength(0);
});

it('500 fields → all; of more, the first 500', () => {
  const find = (count: number) => findFields(drawBoxes(count, 20, { width: 90, height: 30, gap: 20 }));
  expect(find(500)).toHaveLength(500);
  expect(find(501)).toHaveLength(500);
});

it('10,000 letters → found; one more is a photograph', () => {
  const find = (count: number) => findLetterSized(drawBoxes(count, 100, { width: 6, height: 14, gap: 6 }), 20);
  expect(find(10_000)).toHaveLength(10_000);
  expect(find(10_001)).toHaveLength(0);
});

it('300,000 strokes → looked at; one more is a screen of dots', () => {
  // Every second row is looked at: a letter has 7 strokes, and two columns too high for letters have the others.
  const [width, height] = [40, 300_100];
  const find = (strokes: number) => {
    const data = new Uint8Array(width * height).fill(255);
    const draw = (x: number, rows: number, thickness: number) => {
      for (let y = 20; y < 20 + rows; y++) data.fill(0, y * width + x, y * width + x + thickness);
    };
    draw(4, 14, 6);
    draw(20, 2 * 150_000, 2);
    draw(30, 2 * (strokes - 150_000 - 7), 2);
    return findLetterSized({ data, width, height }, 20);
  };
  expect(find(300_000)).toHaveLength(1);
  expect(find(300_001)).toHaveLength(0);
});
