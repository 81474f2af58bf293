import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { thinProgress } from '../../../../src/service/documents/thin-progress.js';

let now = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function listen() {
  const heard: number[] = [];
  return { heard, progress: thinProgress((pagesDone) => heard.push(pagesDone)) };
}

test('quick pages → the first is reported at once, then the latest', () => {
  const { heard, progress } = listen();
  for (const page of [1, 2, 3]) progress.tell(page, 9);
  expect(heard).toEqual([1]);
  vi.runAllTimers();
  expect(heard).toEqual([1, 3]);
});

test('slow pages without timers → each is reported at once', () => {
  const { heard, progress } = listen();
  for (const page of [1, 2, 3]) {
    progress.tell(page, 9);
    now += 1000;
  }
  expect(heard).toEqual([1, 2, 3]);
});

test('after the end → no report', () => {
  const { heard, progress } = listen();
  progress.tell(1, 9);
  progress.tell(2, 9);
  progress.end();
  vi.runAllTimers();
  expect(heard).toEqual([1]);
});
