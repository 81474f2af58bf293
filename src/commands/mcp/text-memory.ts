/** Bound on the characters of the texts that are remembered together. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** A text that a tool gives in parts, with what stands beside it. */
export interface ReadText {
  text: string;
  facts: Record<string, unknown>;
}

/** Remembers the last texts, so that their next parts need no call to the service. */
export class TextMemory {
  readonly #texts = new Map<string, ReadText>();
  #characters = 0;

  get(key: string): ReadText | undefined {
    const found = this.#texts.get(key);
    if (found === undefined) return undefined;
    // The last used is the last to go.
    this.#texts.delete(key);
    this.#texts.set(key, found);
    return found;
  }

  set(key: string, read: ReadText): void {
    this.delete(key);
    this.#texts.set(key, read);
    this.#characters += read.text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#characters <= MAX_CHARACTERS) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#characters -= this.#texts.get(key)?.text.length ?? 0;
    this.#texts.delete(key);
  }
}
