/** A bound on what runs at once. Further holders wait in their order. */
export class Slots {
  readonly #size: number;
  readonly #waiting: Array<() => void> = [];
  #taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Resolves when a slot is free. Call `release` once for each. */
  async acquire(): Promise<void> {
    if (this.#taken < this.#size) this.#taken++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Passes the slot to the next holder, or frees it. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken--;
    else next();
  }
}
