import type { Area } from '../../../model/geometry.js';

/** Connected ink. */
export interface Part extends Area {
  area: number;
  /** The part that this one was united with. */
  whole?: Part;
}

/** A run of ink in a row. */
interface Run {
  from: number;
  to: number;
  part: Part;
}

/** Joins runs of ink that touch from row to row to parts. The rows come from the top, the runs of a row from the left. */
export class PartCollector {
  readonly #parts: Part[] = [];
  readonly #rowHeight: number;
  #above: Run[] = [];
  #row: Run[] = [];
  #candidate = 0;
  #runCount = 0;

  /** `rowHeight`: step from one row to the next, in pixels. */
  constructor(rowHeight: number) {
    this.#rowHeight = rowHeight;
  }

  get runCount(): number {
    return this.#runCount;
  }

  addRun(from: number, to: number, y: number): void {
    const above = this.#above;
    let part: Part | undefined;
    while (this.#candidate < above.length && (above[this.#candidate]?.to ?? 0) < from) this.#candidate++;
    for (let index = this.#candidate; index < above.length; index++) {
      const run = above[index];
      if (run === undefined || run.from > to) break;
      part = unite(wholeOf(run.part), part);
    }
    if (part === undefined) {
      part = { x0: from, y0: y, x1: to, y1: y, area: 0 };
      this.#parts.push(part);
    }
    part.x0 = Math.min(part.x0, from);
    part.x1 = Math.max(part.x1, to);
    part.y1 = y + this.#rowHeight;
    part.area += (to - from) * this.#rowHeight;
    this.#row.push({ from, to, part });
    this.#runCount++;
  }

  endRow(): void {
    [this.#above, this.#row, this.#candidate] = [this.#row, [], 0];
  }

  parts(): Part[] {
    return this.#parts.filter(({ whole }) => whole === undefined);
  }
}

function wholeOf(part: Part): Part {
  let whole = part;
  while (whole.whole !== undefined) whole = whole.whole;
  if (part !== whole) part.whole = whole;
  return whole;
}

function unite(a: Part, b: Part | undefined): Part {
  if (b === undefined || a === b) return a;
  a.x0 = Math.min(a.x0, b.x0);
  a.x1 = Math.max(a.x1, b.x1);
  a.y0 = Math.min(a.y0, b.y0);
  a.area += b.area;
  b.whole = a;
  return a;
}
