import { countBy, mostCounted } from '../../../model/counts.js';
import { extentOf } from '../../../model/geometry.js';
import type { PageBlock, PageLine } from '../../../model/page.js';
import { doublePitch, usualPitch } from '../lines/line-pitch.js';
import { endsSentence, fillsLine, isWide, isWithinSentence } from '../lines/line-room.js';
import { findRagged } from '../lines/ragged-lines.js';

/** The setting of the lines of one column. */
export interface Column {
  readonly lines: readonly PageLine[];
  /** Lines as wide as prose. */
  readonly prose: readonly PageLine[];
  /** Lines that stand each for itself. */
  readonly ragged: ReadonlySet<PageLine>;
  /** The place where most lines begin, and the end of the longest. */
  readonly left: number;
  readonly right: number;
  /** Right end of the prose: a stamp or a date may stand further right. */
  readonly edge: number;
  /** Left ends of lines that are set in below the full line of a sentence; two or more lines continue a sentence there. */
  readonly hanging: readonly number[];
  /** Distance of base lines, by size of type. */
  readonly pitch: ReadonlyMap<number, number>;
  /** Distance of base lines with double spacing; NaN where there is none. */
  readonly double: number;
}

/** A line after another one, which is the last of its block so far. */
export interface LineBreakContext {
  readonly line: PageLine;
  readonly previous: PageLine;
  readonly next: PageLine | undefined;
  readonly block: PageBlock;
  /** The first line of the block. */
  readonly first: PageLine;
  /** The lesser size of both lines. */
  readonly size: number;
  readonly column: Column;
}

export function measureColumn(lines: readonly PageLine[]): Column {
  const right = extentOf(lines).x1;
  const prose = lines.filter((line) => isWide(line) && line.apart.size === 0 && line.block === undefined);
  const edge = prose.length === 0 ? right : extentOf(prose).x1;
  return {
    lines,
    prose,
    ragged: findRagged(lines),
    left: mostCounted(
      countBy(lines, ({ x0 }) => Math.round(x0)),
      0,
    ),
    right,
    edge,
    hanging: findHanging(lines, edge),
    pitch: usualPitch(lines, edge),
    double: doublePitch(lines, edge),
  };
}

/** Lines that are set in alike. */
const MIN_HANGING_LINES = 2;

function findHanging(lines: readonly PageLine[], edge: number): number[] {
  const hanging = lines.filter((line, index) => {
    const [previous, next] = [lines[index - 1], lines[index + 1]];
    if (previous === undefined || !isWithinSentence(line, previous) || endsSentence(previous)) return false;
    return isHanging(line, previous, edge) && (next === undefined || next.x0 <= line.x0 - line.fontSize * 0.5);
  });
  const counts = countBy(hanging, ({ x0 }) => Math.round(x0));
  return [...counts].filter(([, count]) => count >= MIN_HANGING_LINES).map(([slot]) => slot);
}

/** True when the line is set in below one of prose that had no room for its first word. */
export const isHanging = (line: PageLine, previous: PageLine, edge: number): boolean =>
  line.x0 - previous.x0 > line.fontSize * 0.8 && isWide(previous) && fillsLine(line, previous, edge);

/** True when the line ends where the column does. */
export const isFull = (line: PageLine, { right }: Column): boolean => line.x1 > right - line.fontSize * 2;
