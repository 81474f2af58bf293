/** Bound on entries; the oldest are forgotten first. */
const MAX_ENTRIES = 10_000;

export interface RecentEntriesOptions {
  /** Time for which an entry is remembered. */
  ttlMs: number;
  /** Monotonic milliseconds. */
  now?: (() => number) | undefined;
  maxEntries?: number | undefined;
}

/** A memory of what happened lately, by key. A restart forgets it. */
export class RecentEntries<Value> {
  readonly #ttlMs: number;
  readonly #now: () => number;
  readonly #maxEntries: number;
  /** The oldest first. */
  readonly #entries = new Map<string, { value: Value; atMs: number }>();

  constructor({ ttlMs, now = () => performance.now(), maxEntries = MAX_ENTRIES }: RecentEntriesOptions) {
    this.#ttlMs = ttlMs;
    this.#now = now;
    this.#maxEntries = maxEntries;
  }

  /** Adds the value as the newest entry. */
  add(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, atMs: this.#now() });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries) return;
      this.#entries.delete(oldest);
    }
  }

  find(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.atMs > this.#now() - this.#ttlMs) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }
}
