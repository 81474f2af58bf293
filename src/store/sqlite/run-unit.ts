import type { Clock, Step, Unit } from '../unit.js';
import type { Database } from './database.js';

/** Runs a unit to its end, in this turn of the event loop. An error of a statement is thrown where the unit yielded it. */
export function runUnit<T>(db: Database, clock: Clock, unit: Unit<T>): T {
  let step = unit.next();
  while (step.done !== true) {
    let result: unknown;
    try {
      result = take(db, clock, step.value);
    } catch (error) {
      step = unit.throw(error);
      continue;
    }
    step = unit.next(result);
  }
  return step.value;
}

function take(db: Database, clock: Clock, step: Step): unknown {
  if (step === 'clock') return clock;
  const { kind, sql, values } = step;
  return db[kind](sql, values);
}
