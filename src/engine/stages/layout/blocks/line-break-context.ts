import type { PageBlock, PageLine } from '../../../model/page.js';
import { doublePitch, usualPitch } from '../lines/line-pitch.js';
import { endsSentence, fillsLine, isWide, isWithinSentence } from '../lines/line-room.js';
import { findRagged } from '../lines/ragged-lines.js';

/** How the lines of one column are set. */
export interface Column {
  readonly lines: readonly PageLine[];
  /** Those as wide as prose. */
  readonly prose: readonly PageLine[];
  /** Those that stand each for itself. */
  readonly ragged: ReadonlySet<PageLine>;
  /** Where most lines begin, and the last one ends. */
  readonly left: number;
  readonly right: number;
  /** Where the prose ends: a stamp or a date may stand further right. */
  readonly edge: number;
  /** Where lines begin that are set in below the full line of a sentence, which two or more go on with. */
  readonly hanging: readonly number[];
  /** Of base lines, by size of type. */
  readonly pitch: ReadonlyMap<number, number>;
  /** Of base lines with double spacing; NaN where there is none. */
  readonly double: number;
}

/** Where a line follows another one, which is the last of its block so far. */
export interface LineBreakContext {
  readonly line: PageLine;
  readonly previous: PageLine;
  readonly next: PageLine | undefined;
  readonly block: PageBlock;
  /** The first line of the block. */
  readonly first: PageLine;
  /** Of type: the lesser one of both lines. */
  readonly size: number;
  readonly column: Column;
}

export function measureColumn(lines: readonly PageLine[]): Column {
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
    hanging: findHanging(lines, edge),
    pitch: usualPitch(lines),
    double,
  };
}

/** Of lines that are set in alike. */
const LEAST_HANGING = 2;

function findHanging(lines: readonly PageLine[], edge: number): number[] {
  const counts = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const previous = lines[index - 1];
    if (previous === undefined || !isWithinSentence(line, previous) || endsSentence(previous)) continue;
    if (!isHanging(line, previous, edge) || (lines[index + 1]?.x0 ?? -Infinity) > line.x0 - line.fontSize * 0.5)
      continue;
    const slot = Math.round(line.x0);
    counts.set(slot, (counts.get(slot) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= LEAST_HANGING).map(([slot]) => slot);
}

/** Is the line set in below one of prose that had no room for its first word? */
export const isHanging = (line: PageLine, previous: PageLine, edge: number): boolean =>
  line.x0 - previous.x0 > line.fontSize * 0.8 && isWide(previous) && fillsLine(line, previous, edge);

/** Ends the line where the column does? */
export const isFull = (line: PageLine, { right }: Column): boolean => line.x1 > right - line.fontSize * 2;

function usualLeft(lines: readonly PageLine[]): number {
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
