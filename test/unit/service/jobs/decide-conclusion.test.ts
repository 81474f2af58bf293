import { expect, test } from 'vitest';
import type { Outcome } from '../../../../src/service/documents/protocol.js';
import { decideConclusion } from '../../../../src/service/jobs/decide-conclusion.js';

const died = { type: 'died', cause: 'crash', message: 'its process ended' } as const;
const decide = (outcome: Outcome, count: number, isStopping = false) =>
  decideConclusion(outcome, { count, max: 3 }, isStopping);

test('a machine without resources → queued again, the attempt does not count', () => {
  const unavailable = { type: 'unavailable', message: 'its disk is full' } as const;
  for (const isStopping of [false, true])
    expect(decide(unavailable, 3, isStopping)).toEqual({ kind: 'release', reason: 'service-stops' });
});

test('a process that died while the service stops → queued again, the attempt does not count', () => {
  expect(decide(died, 3, true)).toEqual({ kind: 'release', reason: 'service-stops' });
});

test.each([1, 2])('a process that died in attempt %i of 3 → queued again, the attempt counts', (count) => {
  expect(decide(died, count)).toEqual({ kind: 'release', reason: 'worker-died' });
});

test('a process that died in the last attempt → failed as INTERNAL, with the attempts and the cause', () => {
  const message = 'The document could not be read in 3 attempts: its process ended';
  expect(decide(died, 3)).toEqual({ kind: 'fail', failure: { code: 'INTERNAL', message } });
});

test('a refused document → failed with the code of its reason, at the first attempt', () => {
  const refused = { type: 'refused', reason: 'damaged', message: 'no xref', pointer: undefined } as const;
  const message = 'The document cannot be read: no xref';
  expect(decide(refused, 1)).toEqual({ kind: 'fail', failure: { code: 'INVALID_DOCUMENT', message } });
});

test('a fault → failed as INTERNAL, without the details', () => {
  const conclusion = decide({ type: 'fault', message: 'at /private/path' }, 1);
  expect(conclusion).toMatchObject({ kind: 'fail', failure: { code: 'INTERNAL' } });
  expect(JSON.stringify(conclusion)).not.toContain('/private/path');
});

test('a result → completed, also while the service stops', () => {
  const result = { body: '{}', provider: 'pdf-text', pageCount: 2, confidence: 0.9 };
  for (const isStopping of [false, true])
    expect(decide({ type: 'done', ...result }, 1, isStopping)).toEqual({ kind: 'complete', result });
});
