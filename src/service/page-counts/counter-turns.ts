/** The right to use a counter. */
export interface CounterTurn {
  end(): void;
}

export interface CounterTurnsOptions {
  /** Count of counters. */
  size: number;
  /** True for an organisation whose counts died lately. */
  isSlowed(organisationId: string): boolean;
}

interface Waiting {
  organisationId: string;
  start(): void;
}

/**
 * Shares the counters among organisations. Next is the organisation with the fewest running counts, among equals the call that
 * waits longest. No organisation has more than half of the counters, so that another one never waits for a whole count of its.
 * A slowed one has one counter, all slowed ones together have half, and they come after the others.
 */
export class CounterTurns {
  readonly #options: CounterTurnsOptions;
  readonly #share: number;
  readonly #running = new Map<string, number>();
  /** The longest waiting first. */
  readonly #waiting = new Set<Waiting>();
  #free: number;

  constructor(options: CounterTurnsOptions) {
    this.#options = options;
    this.#free = options.size;
    this.#share = Math.max(1, Math.floor(options.size / 2));
  }

  /** Resolves with a turn; undefined when none came within `waitMs`. */
  take(organisationId: string, waitMs: number): Promise<CounterTurn | undefined> {
    return new Promise((resolve) => {
      const leave = (turn?: CounterTurn) => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        resolve(turn);
      };
      const waiting = { organisationId, start: () => leave(this.#begin(organisationId)) };
      const timer = setTimeout(leave, waitMs);
      // A waiting call does not keep a stopped service alive.
      timer.unref();
      this.#waiting.add(waiting);
      this.#startNext();
    });
  }

  #begin(organisationId: string): CounterTurn {
    this.#free--;
    this.#running.set(organisationId, this.#countRunning(organisationId) + 1);
    return {
      end: () => {
        this.#free++;
        const left = this.#countRunning(organisationId) - 1;
        if (left > 0) this.#running.set(organisationId, left);
        else this.#running.delete(organisationId);
        this.#startNext();
      },
    };
  }

  #startNext(): void {
    while (this.#free > 0) {
      const next = this.#findNext();
      if (next === undefined) return;
      next.start();
    }
  }

  #findNext(): Waiting | undefined {
    let best: { waiting: Waiting; rank: number } | undefined;
    for (const waiting of this.#waiting) {
      const rank = this.#rank(waiting.organisationId);
      if (rank !== undefined && (best === undefined || rank < best.rank)) best = { waiting, rank };
    }
    return best?.waiting;
  }

  /** Returns the place of an organisation, lowest first; undefined while it has its share of the counters. */
  #rank(organisationId: string): number | undefined {
    const own = this.#countRunning(organisationId);
    if (!this.#options.isSlowed(organisationId)) return own < this.#share ? own : undefined;
    return own === 0 && this.#countSlowed() < this.#share ? Number.MAX_SAFE_INTEGER : undefined;
  }

  #countSlowed(): number {
    return [...this.#running].reduce((sum, [id, count]) => sum + (this.#options.isSlowed(id) ? count : 0), 0);
  }

  #countRunning(organisationId: string): number {
    return this.#running.get(organisationId) ?? 0;
  }
}
