const WINDOW_MS = 60_000;
const MAX_TRIES_PER_ADDRESS = 10;
const MAX_TRIES = 100;

/** Bounds the tries to enter, by the minute: of each address, and of all together. */
export class TryLimits {
  #startedAtMs = Number.NEGATIVE_INFINITY;
  #total = 0;
  readonly #byAddress = new Map<string, number>();

  /** Counts a try; false where there were too many. */
  take(address: string, nowMs: number): boolean {
    if (nowMs - this.#startedAtMs >= WINDOW_MS) {
      this.#startedAtMs = nowMs;
      this.#total = 0;
      this.#byAddress.clear();
    }
    const tries = this.#byAddress.get(address) ?? 0;
    if (tries >= MAX_TRIES_PER_ADDRESS || this.#total >= MAX_TRIES) return false;
    this.#byAddress.set(address, tries + 1);
    this.#total++;
    return true;
  }
}
