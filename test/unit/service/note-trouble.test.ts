import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createTroubleNotes } from '../../../src/service/note-trouble.js';

const FULL = new Error('database or disk is full');

function setUp() {
  const lines: Array<{ atS: number; reason: string; failures?: number }> = [];
  let nowMs = 0;
  const log = pino({ level: 'info' }, { write: (line) => lines.push({ atS: nowMs / 1000, ...JSON.parse(line) }) });
  const note = createTroubleNotes(() => nowMs);
  return {
    lines,
    /** Fails each second up to this one. */
    failUntil: (endS: number, error: Error = FULL) => {
      for (; nowMs < endS * 1000; nowMs += 1000) note(log, error, 'calls could not be logged');
    },
    wait: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('a task that fails each second → the first failure, then at growing intervals with their count', () => {
  const { lines, failUntil } = setUp();
  failUntil(3600);
  expect(lines.map(({ atS }) => atS)).toEqual([0, 10, 30, 70, 150, 310, 630, 1230, 1830, 2430, 3030]);
  expect(lines.slice(0, 4).map(({ failures }) => failures)).toEqual([undefined, 10, 20, 40]);
});

test('another reason, or a failure after a time without any → a line at once', () => {
  const { lines, failUntil, wait } = setUp();
  failUntil(5);
  failUntil(8, new Error('its store is busy'));
  wait(91_000);
  failUntil(100, new Error('its store is busy'));
  expect(lines.map(({ atS, reason }) => [atS, reason])).toEqual([
    [0, FULL.message],
    [5, 'its store is busy'],
    [99, 'its store is busy'],
  ]);
});
