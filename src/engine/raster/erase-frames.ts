import { MOST_THICKNESS, type TracedRule } from './find-rules.js';
import type { Raster } from './raster.js';
import { leastRunOf, MOST_GAP } from './trace-runs.js';

/** The level lines of a frame are as long as this. */
const LEAST_FRAME = 1 / 10;
/** Rows beside a line that its blur reaches. */
const FRINGE = [-2, -1, 1, 2];

/** Takes frames off a picture; what is none stays, since letters stand on it or are made of it: underlines, large type. */
export function eraseFrames(raster: Raster, rules: readonly TracedRule[]): Raster | undefined {
  const long = Math.max(raster.width, raster.height);
  const reach = Math.max(MOST_GAP, long * MOST_THICKNESS);
  const isWithin = (place: number, { from, to }: TracedRule) => place > from - reach && place < to + reach;
  const meet = (a: TracedRule, b: TracedRule) =>
    isWithin((a.first + a.last) / 2, b) && isWithin((b.first + b.last) / 2, a);
  const level = rules.filter(({ direction, from, to }) => direction === 'level' && to - from > long * LEAST_FRAME);
  const upright = rules.filter(
    (rule) => rule.direction === 'upright' && level.filter((other) => meet(rule, other)).length > 1,
  );
  const sides = level.filter((rule) => upright.filter((other) => meet(rule, other)).length > 1);
  if (sides.length < 2) return undefined;
  const bare = { ...raster, data: new Uint8Array(raster.data) };
  for (const rule of [...sides, ...upright]) erase(bare, rule);
  return bare;
}

function erase({ data, width, height }: Raster, { direction, from, to, first, last, paper, dark }: TracedRule): void {
  const isLevel = direction === 'level';
  const [step, stride] = isLevel ? [1, width] : [width, 1];
  const leastRun = leastRunOf(direction, Math.max(width, height));
  for (let across = first; across <= last; across++) {
    let start = from;
    let end = from;
    const finish = () => {
      if (end - start < leastRun) return;
      for (let along = start; along < end; along++) {
        const at = across * stride + along * step;
        data[at] = paper;
        // Its edges are grey; what is dark beside it is a letter.
        for (const beside of FRINGE) {
          const row = across + beside;
          const near = at + beside * stride;
          if (row >= 0 && row < (isLevel ? height : width) && (data[near] ?? 0) >= dark) data[near] = paper;
        }
      }
    };
    for (let along = from; along < to; along++) {
      if ((data[across * stride + along * step] ?? 255) >= dark) continue;
      if (along - end > MOST_GAP) {
        finish();
        start = along;
      }
      end = along + 1;
    }
    finish();
  }
}
