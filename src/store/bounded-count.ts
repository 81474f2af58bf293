import { one, type SqlValues, type Unit } from './unit.js';

/** Rows that a count reads at most. */
export const MAX_COUNTED_ROWS = 10_000;

/** A count that ended at a bound: there are `n` rows, or at least as many. */
export interface BoundedCount {
  n: number;
  isAtLeast: boolean;
}

/** Counts the rows of a statement's FROM and WHERE clauses, and no more than `max` of them. */
export function* countUpTo(from: string, values: SqlValues, max = MAX_COUNTED_ROWS): Unit<BoundedCount> {
  const sql = `SELECT count(*) AS n FROM (SELECT 1 AS found ${from} LIMIT :max) AS counted`;
  const { n } = (yield* one<{ n: number }>(sql, { ...values, max })) ?? { n: 0 };
  return { n, isAtLeast: n >= max };
}
