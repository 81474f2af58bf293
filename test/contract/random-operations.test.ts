import { test } from 'vitest';
import { describePostgres } from '../support/stores.js';
import { checkBothEngines, checkSharedRun } from './random-operations-suite.js';

const SEED = Number(process.env.OCR_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** More than the busiest machine takes. */
const PATIENCE_MS = 300_000;

describePostgres((empty, open, urlOf) => {
  test('random operations on both engines → the same answers', { timeout: PATIENCE_MS }, async () => {
    await checkBothEngines(open, empty, 60, { numRuns: 3, seed: SEED, endOnFailure: true });
  });

  test('random operations of several processes → each job ends once and is billed once, and no event is missed', {
    timeout: PATIENCE_MS,
  }, async () => {
    await empty();
    const store = await open();
    await checkSharedRun(store, urlOf(), { seed: SEED, processes: 3, operations: 100, lanes: 4 });
    await store.close();
  });
});
