import type { LaidBlock, LaidLine } from '../laid.js';
import { doublePitch, usualPitch } from '../lines/line-pitch.js';
import { isWide } from '../lines/line-room.js';
import { findRagged } from '../lines/ragged-lines.js';

/** How the lines of one column are set. */
export interface Column {
  readonly lines: readonly LaidLine[];
  /** Those as wide as prose. */
  readonly prose: readonly LaidLine[];
  /** Those that stand each for itself. */
  readonly ragged: ReadonlySet<LaidLine>;
  /** Where most lines begin, and the last one ends. */
  readonly left: number;
  readonly right: number;
  /** Where the prose ends: a stamp or a date may stand further right. */
  readonly edge: number;
  /** Of base lines, by size of type. */
  readonly pitch: ReadonlyMap<number, number>;
  /** Of base lines with double spacing; NaN where there is none. */
  readonly double: number;
}

/** Where a line follows another one, which is the last of its block so far. */
export interface Seam {
  readonly line: LaidLine;
  readonly previous: LaidLine;
  readonly next: LaidLine | undefined;
  readonly block: LaidBlock;
  /** The first line of the block. */
  readonly first: LaidLine;
  /** Of type: the lesser one of both lines. */
  readonly size: number;
  readonly column: Column;
}

export function measureColumn(lines: readonly LaidLine[]): Column {
  const right = Math.max(...lines.map(({ x1 }) => x1));
  const prose = lines.filter((line) => isWide(line) && line.apart.size === 0 && line.block === undefined);
  const edge = prose.length === 0 ? right : Math.max(...prose.map(({ x1 }) => x1));
  const double = doublePitch(lines, edge);
  return {
    lines,
    prose,
    ragged: findRagged(lines),
    left: usualLeft(lines),
    right,
    edge,
    pitch: usualPitch(lines),
    double,
  };
}

/** Ends the line where the column does? */
export const isFull = (line: LaidLine, { right }: Column): boolean => line.x1 > right - line.fontSize * 2;

function usualLeft(lines: readonly LaidLine[]): number {
  const counts = new Map<number, number>();
  let best = 0;
  for (const { x0 } of lines) {
    const slot = Math.round(x0);
    const count = (counts.get(slot) ?? 0) + 1;
    counts.set(slot, count);
    if (count > (counts.get(best) ?? 0)) best = slot;
  }
  return best;
}
