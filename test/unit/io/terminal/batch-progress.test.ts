import { beforeEach, expect, test } from 'vitest';
import { busy, stateOfJob } from '../../../../src/contract/document-state.js';
import { createBatchProgress } from '../../../../src/io/terminal/batch-progress.js';
import { fitLine } from '../../../../src/io/terminal/fit-line.js';
import type { Progress } from '../../../../src/io/terminal/progress.js';

let nowMs = 0;
let line: () => string;
const clock = { monotonicMs: () => nowMs };
const progress: Progress = {
  isShown: true,
  show(describe) {
    line = () => fitLine(describe(), 200, (text) => text.length);
  },
  update() {},
  pauseFor: async (print) => await print(),
  async stop() {},
};
const reading = (pagesDone: number, pageCount: number) => stateOfJob('processing', { pagesDone, pageCount });
beforeEach(() => {
  nowMs = 0;
});

test('one document → its page, the time, and an estimate once pages were read', () => {
  const shown = createBatchProgress(progress, { total: 1, clock });
  shown.note(0, 'big.pdf', busy('sending'));
  nowMs = 3_000;
  expect(line()).toBe('big.pdf: sending · 0:03');
  shown.note(0, 'big.pdf', stateOfJob('queued'));
  expect(line()).toBe('big.pdf: waiting for its turn · 0:03');
  shown.note(0, 'big.pdf', reading(0, 352));
  expect(line()).toBe('big.pdf: page 1 of 352 · 0:03');
  nowMs = 63_000;
  shown.note(0, 'big.pdf', reading(12, 352));
  expect(line()).toBe('big.pdf: page 12 of 352 · 1:03 · about 28 min left');
});

test('a job that was half read before → the estimate counts what was read since', () => {
  const shown = createBatchProgress(progress, { total: 1, clock });
  shown.note(0, 'big.pdf', reading(100, 200));
  nowMs = 10_000;
  shown.note(0, 'big.pdf', reading(110, 200));
  expect(line()).toBe('big.pdf: page 110 of 200 · 0:10 · about 90 s left');
});

test('several documents → names what is being read, never what waits', () => {
  const shown = createBatchProgress(progress, { total: 3, clock });
  shown.note(0, 'a.pdf', stateOfJob('queued'));
  expect(line()).toBe('0 of 3 done · waiting for its turn · 0:00');
  shown.note(2, 'c.pdf', busy('sending'));
  expect(line()).toBe('0 of 3 done · c.pdf: sending · 0:00');
  shown.note(1, 'b.pdf', reading(4, 9));
  shown.note(0, 'a.pdf', stateOfJob('queued'));
  expect(line()).toBe('0 of 3 done · b.pdf: page 4 of 9 · 0:00');
  nowMs = 10_000;
  shown.countEnded(1, false);
  expect(line()).toMatch(/^1 of 3 done · c\.pdf: sending · 0:10 · about \d+ s left$/);
  shown.countEnded(2, true);
  expect(line()).toMatch(/^1 of 3 done|^2 of 3 done, 1 failed · waiting for its turn · 0:10/);
});

test('documents that fail at once → no estimate is made of them', () => {
  const shown = createBatchProgress(progress, { total: 3, clock });
  shown.countEnded(0, true);
  shown.note(1, 'b.pdf', reading(0, 9));
  nowMs = 5_000;
  expect(line()).toBe('1 of 3 done, 1 failed · b.pdf: page 1 of 9 · 0:05');
});

test('words of other servers → before the job begins, or in it', () => {
  expect(stateOfJob('pending').phase).toBe('waiting');
  expect(stateOfJob('running')).toEqual({ phase: 'reading', words: 'being read' });
});
