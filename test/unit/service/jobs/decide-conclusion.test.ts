import { expect, test } from 'vitest';
import type { Outcome } from '../../../../src/service/documents/protocol.js';
import { decideConclusion } from '../../../../src/service/jobs/decide-conclusion.js';
import { LANES } from '../../../../src/store/lanes.js';

const died = { type: 'died', cause: 'crash', message: 'its process ended' } as const;
const decide = (outcome: Outcome, count: number, isStopping = false) =>
  decideConclusion(outcome, { count, max: 3 }, isStopping);

test('a machine without resources → queued again, the attempt does not count', () => {
  const unavailable = { type: 'unavailable', message: 'its disk is full' } as const;
  for (const isStopping of [false, true])
    expect(decide(unavailable, 3, isStopping)).toEqual({ kind: 'release', reason: 'service-stops' });
});

test('a document that gave way for its own memory → queued for a worker', () => {
  const gaveWay = { type: 'unavailable', message: 'its memory was needed', isHeavy: true } as const;
  expect(decide(gaveWay, 1)).toEqual({ kind: 'postpone', effort: { lane: LANES.heavy, delayMs: 0 } });
  expect(decide({ ...gaveWay, isHeavy: false }, 1)).toEqual({ kind: 'release', reason: 'service-stops' });
});

test('a document that takes longer than its slot is for → queued again in a longer lane', () => {
  const effort = { lane: LANES.medium, delayMs: 30_000 };
  expect(decide({ type: 'postponed', effort }, 3)).toEqual({ kind: 'postpone', effort });
});

test('a process that died while the service stops → queued again, the attempt does not count', () => {
  expect(decide(died, 3, true)).toEqual({ kind: 'release', reason: 'service-stops' });
});

test.each([1, 2])('a process that died in attempt %i of 3 → queued again, the attempt counts', (count) => {
  expect(decide(died, count)).toEqual({ kind: 'release', reason: 'worker-died' });
});

test('a process that died in the last attempt → failed as INTERNAL, with the attempts and the cause', () => {
  const message = 'The document could not be read in 3 attempts: its process ended';
  expect(decide(died, 3)).toEqual({ kind: 'fail', failure: { code: 'INTERNAL', message }, isBilled: false });
});

test.each(['memory', 'no-progress'] as const)('a document that ends by %s → failed at once, and billed', (cause) => {
  const message = 'The document cannot be read: what happened';
  const failed = { kind: 'fail', failure: { code: 'INVALID_DOCUMENT', message }, isBilled: true };
  expect(decide({ type: 'died', cause, message: 'what happened' }, 1)).toEqual(failed);
});

test('a document that runs out of time → read once more, then failed and billed', () => {
  const late = { type: 'died', cause: 'timeout', message: 'it was not done' } as const;
  expect(decide(late, 1)).toEqual({ kind: 'release', reason: 'worker-died' });
  const failed = { kind: 'fail', failure: { code: 'INVALID_DOCUMENT' }, isBilled: true };
  expect(decide(late, 2)).toMatchObject(failed);
  expect(decideConclusion(late, { count: 1, max: 1 }, false)).toMatchObject(failed);
});

test('a document without a page that was done in time → read once more, then failed, not billed', () => {
  const late = { type: 'refused', reason: 'timeout', message: 'recognition took longer', pointer: undefined } as const;
  expect(decide(late, 1)).toEqual({ kind: 'release', reason: 'worker-died' });
  expect(decide(late, 2)).toMatchObject({ kind: 'fail', failure: { code: 'INVALID_DOCUMENT' }, isBilled: false });
});

test('a document that uses up a limit while the service stops → queued again', () => {
  const killed = { type: 'died', cause: 'memory', message: '' } as const;
  expect(decide(killed, 1, true)).toEqual({ kind: 'release', reason: 'service-stops' });
});

test('a refused document → failed with the code of its reason, at the first attempt', () => {
  const refused = { type: 'refused', reason: 'damaged', message: 'no xref', pointer: undefined } as const;
  const message = 'The document cannot be read: no xref';
  expect(decide(refused, 1)).toEqual({
    kind: 'fail',
    failure: { code: 'INVALID_DOCUMENT', message },
    isBilled: false,
  });
});

test('a fault → failed as INTERNAL, without the details', () => {
  const conclusion = decide({ type: 'fault', message: 'at /private/path' }, 1);
  expect(conclusion).toMatchObject({ kind: 'fail', failure: { code: 'INTERNAL' }, isBilled: false });
  expect(JSON.stringify(conclusion)).not.toContain('/private/path');
});

test('a result → completed, also while the service stops', () => {
  const result = { body: '{}', provider: 'pdf-text', pageCount: 2, confidence: 0.9 };
  for (const isStopping of [false, true])
    expect(decide({ type: 'done', ...result }, 1, isStopping)).toEqual({
      kind: 'complete',
      result,
      ranOutOfTime: false,
    });
});
