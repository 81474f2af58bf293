import { createContext, Script } from 'node:vm';

/**
 * State of the switchable rules in one process. The transformed layout asks it at each rule; rule ids are indices.
 * A rule's state is 0 where it works as written, else the number of its variant, from 1.
 */
interface Switches {
  /** A condition's value, as it is or as forced; notes which values it has had. */
  decide(id: number, value: boolean): boolean;
  /** True when the function does nothing; notes that it was called. */
  isOff(id: number): boolean;
  /** Announces a constant and how to change it. */
  constant(id: number, value: number, set: (value: number) => void): void;
  /** Announces a table of rules, whose entries have the ids from `first` on. */
  table(first: number, entries: unknown[]): void;
}

const CALL = new Script('action()');
/** Far more than a document of a few pages takes. */
const MAX_RUN_MS = 3000;

/** Values that a condition has had, as bits. */
export const WAS_FALSE = 1;
export const WAS_TRUE = 2;
/** States that force a condition. */
export const ALWAYS_FALSE = 1;
export const ALWAYS_TRUE = 2;
/** Factors of a constant's variants. */
export const CONSTANT_FACTORS = [0.5, 1.5];

export class RuleSwitches implements Switches {
  readonly #states: Uint8Array;
  readonly #seen: Uint8Array;
  readonly #setters = new Map<number, (state: number) => void>();
  #asked = 0;
  #maxAsked = Infinity;

  constructor(count: number) {
    this.#states = new Uint8Array(count);
    this.#seen = new Uint8Array(count);
  }

  decide(id: number, value: boolean): boolean {
    if (++this.#asked > this.#maxAsked) throw new Error('a switched rule makes the layout run without end');
    this.#seen[id] = (this.#seen[id] as number) | (value ? WAS_TRUE : WAS_FALSE);
    const state = this.#states[id];
    return state === 0 ? value : state === ALWAYS_TRUE;
  }

  isOff(id: number): boolean {
    if (++this.#asked > this.#maxAsked) throw new Error('a switched rule makes the layout run without end');
    this.#seen[id] = WAS_TRUE;
    return this.#states[id] !== 0;
  }

  constant(id: number, value: number, set: (value: number) => void): void {
    this.#setters.set(id, (state) => set(state === 0 ? value : value * (CONSTANT_FACTORS[state - 1] ?? 1)));
  }

  table(first: number, entries: unknown[]): void {
    const all = [...entries];
    const ids = all.map((_, index) => first + index);
    const update = () => {
      entries.length = 0;
      entries.push(...all.filter((_, index) => this.#states[ids[index] ?? 0] === 0));
    };
    for (const id of ids) this.#setters.set(id, update);
  }

  set(id: number, state: number): void {
    this.#states[id] = state;
    this.#setters.get(id)?.(state);
  }

  /**
   * Runs with every rule's use counted from nothing. A switched rule may make a loop endless: more than `maxAsked` uses
   * end the run with an error, and so does time, for a loop that asks no rule.
   */
  run<T>(action: () => T, maxAsked = Infinity): T {
    this.#seen.fill(0);
    this.#asked = 0;
    this.#maxAsked = maxAsked;
    const limits = maxAsked === Infinity ? {} : { timeout: MAX_RUN_MS };
    return CALL.runInContext(createContext({ action }), limits) as T;
  }

  /** Answers of each rule in the last run, as bits. */
  get seen(): Uint8Array {
    return this.#seen.slice();
  }

  get asked(): number {
    return this.#asked;
  }
}
