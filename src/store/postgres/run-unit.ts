import type { QueryResult } from 'pg';
import { type PlacedSql, pickValues, placeParameters } from '../parameters.js';
import type { Clock, Statement, Unit } from '../unit.js';

export type Query = (text: string, values: unknown[]) => Promise<QueryResult>;

/** Runs a unit statement by statement. An error of a statement is thrown where the unit yielded it. */
export async function runUnit<T>(query: Query, clock: Clock, unit: Unit<T>): Promise<T> {
  let step = unit.next();
  while (step.done !== true) {
    let result: unknown;
    try {
      result = step.value === 'clock' ? clock : await execute(query, step.value);
    } catch (error) {
      step = unit.throw(error);
      continue;
    }
    step = unit.next(result);
  }
  return step.value;
}

async function execute(query: Query, { kind, sql, values }: Statement): Promise<unknown> {
  const { text, names } = place(sql);
  const { rows, rowCount } = await query(text, pickValues(names, values));
  return kind === 'all' ? rows : kind === 'get' ? rows[0] : (rowCount ?? 0);
}

const placed = new Map<string, PlacedSql>();

/** Replaces each `:name` by `$1`, `$2` …, the same place for the same name. */
function place(sql: string): PlacedSql {
  let known = placed.get(sql);
  if (known === undefined) {
    const names: string[] = [];
    const text = placeParameters(sql, (name) => {
      if (!names.includes(name)) names.push(name);
      return `$${names.indexOf(name) + 1}`;
    });
    known = { text, names };
    placed.set(sql, known);
  }
  return known;
}
