/**
 * A unit of work: SQL of one transaction, written once for both engines. It yields statements and gets their results. SQLite
 * runs it to its end in one turn of the event loop, so that nothing else comes between; PostgreSQL awaits each statement. A unit
 * runs once: whoever repeats work makes a new one.
 */
export type Unit<T> = Generator<Step, T, unknown>;

export type SqlValue = string | number | Uint8Array | null;
type Row = Record<string, SqlValue>;
/** Values of a statement's parameters: `{ id }` for `:id`. No statement of the store has a colon in a literal. */
export type SqlValues = Readonly<Record<string, SqlValue>>;

export type Step = Statement | 'clock';

export interface Statement {
  /** `run` returns the number of rows that changed, `get` the first row or undefined, `all` every row. */
  kind: 'run' | 'get' | 'all';
  sql: string;
  values: SqlValues;
}

/** The clocks of a store, in Unix milliseconds. Processes that share a store share its clocks. */
export interface Clock {
  /** The time that people see. Somebody may set it. */
  now(): number;
  /** The time of a clock that nobody sets, for leases, due times and turns. */
  steadyNow(): number;
}

const NO_VALUES: SqlValues = {};

/** Runs a statement; returns the number of rows that changed. */
export function* run(sql: string, values = NO_VALUES): Unit<number> {
  return (yield { kind: 'run', sql, values }) as number;
}

/** Reads the first row. */
export function* one<T extends object = Row>(sql: string, values = NO_VALUES): Unit<T | undefined> {
  return (yield { kind: 'get', sql, values }) as T | undefined;
}

/** Reads every row. */
export function* all<T extends object = Row>(sql: string, values = NO_VALUES): Unit<T[]> {
  return (yield { kind: 'all', sql, values }) as T[];
}

/** Reads the column `id` of every row. */
export function* ids(sql: string, values = NO_VALUES): Unit<string[]> {
  return (yield* all<{ id: string }>(sql, values)).map(({ id }) => id);
}

/** True when the statement finds a row. */
export function* exists(sql: string, values = NO_VALUES): Unit<boolean> {
  return (yield { kind: 'get', sql, values }) !== undefined;
}

export function* now(): Unit<number> {
  return ((yield 'clock') as Clock).now();
}

export function* steadyNow(): Unit<number> {
  return ((yield 'clock') as Clock).steadyNow();
}

/** Thrown through a unit that ends with a value and changes nothing. */
export class Undone extends Error {
  override readonly name = 'Undone';
  readonly value: unknown;

  constructor(value: unknown) {
    super('The unit undid its changes');
    this.value = value;
  }
}

/** Ends the unit with `value`, and undoes what it changed. */
export function undo<T>(value: T): never {
  throw new Undone(value);
}
