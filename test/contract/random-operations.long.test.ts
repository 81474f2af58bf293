import { expect, test } from 'vitest';
import { one } from '../../dist/store/unit.js';
import { describePostgres } from '../support/stores.js';
import { checkBothEngines, checkSharedRun } from './random-operations-suite.js';

const SEED = Number(process.env.OCR_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** More than the busiest machine takes. */
const PATIENCE_MS = 1_200_000;

describePostgres((empty, open, urlOf) => {
  test('random operations on both engines, many times → the same answers', { timeout: PATIENCE_MS }, async () => {
    await checkBothEngines(open, empty, 150, { numRuns: 16, seed: SEED, endOnFailure: true });
  });

  test.each([
    ['end by themselves', false, 1],
    ['end, one of them by SIGKILL', true, 2],
  ])(
    'operations of four processes that %s → each job ends once, and no event is missed',
    { timeout: PATIENCE_MS },
    async (_, isKilled, nth) => {
      await empty();
      const store = await open();
      await checkSharedRun(store, urlOf(), {
        ...{ seed: SEED + nth, processes: 4, operations: 300, lanes: 6, isKilled },
      });
      // A transaction that meets another in the wrong order is repeated, so that nobody sees it but here.
      const sql = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
      expect(await store.read(one(sql))).toEqual({ deadlocks: 0 });
      await store.close();
    },
  );
});
