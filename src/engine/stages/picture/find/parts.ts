import type { Area } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';

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

interface InkOptions {
  /** Pixels from the top left; the whole picture if absent. */
  area?: Area;
  /** Step from one row to the next, in pixels. */
  rowStep?: number;
  /** A picture with more runs has nothing: a screen of dots, or a photograph. */
  maxRuns?: number;
  /** Called with the length of each run. */
  onRun?: (length: number) => void;
}

/** Finds the connected ink of a picture: what is darker than `dark`. */
export function findParts({ data, width, height }: Raster, dark: number, options: InkOptions = {}): Part[] {
  const { area = { x0: 0, y0: 0, x1: width, y1: height }, rowStep = 1, maxRuns = Number.POSITIVE_INFINITY } = options;
  const collector = new PartCollector(rowStep);
  for (let y = area.y0; y < area.y1; y += rowStep) {
    const row = y * width;
    for (let x = area.x0; x < area.x1; x++) {
      if ((data[row + x] ?? 255) >= dark) continue;
      const from = x;
      while (x < area.x1 && (data[row + x] ?? 255) < dark) x++;
      collector.addRun(from, x, y);
      options.onRun?.(x - from);
    }
    if (collector.runCount > maxRuns) return [];
    collector.endRow();
  }
  return collector.parts();
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
