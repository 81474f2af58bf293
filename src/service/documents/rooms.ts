import { mkdirSync } from 'node:fs';

/** Directories of document processes, named by a prefix and a number. An ended process leaves its directory to a later one. */
export class Rooms {
  readonly #prefix: string;
  readonly #free: string[] = [];
  #count = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Returns an existing directory that no process uses. */
  take(): string {
    const room = this.#free.pop() ?? `${this.#prefix}${this.#count++}`;
    mkdirSync(room, { recursive: true, mode: 0o700 });
    return room;
  }

  giveBack(room: string): void {
    this.#free.push(room);
  }
}
