import type { Part } from './parts.js';

/** Shape of a dash, its sides and places by the size of the figures or of the type that it stands among. */
export interface DashShape {
  width: readonly [least: number, most: number];
  maxHeight: number;
  /** Width by height. */
  minAspect: number;
  /** Height of its middle above the foot of the figures. */
  raised: readonly [least: number, most: number];
}

/** Share of ink in the box of a dash: a tilde has less. */
const MIN_FILLED_SHARE = 0.7;

/** True for ink of the shape. `size`: that of figures or type, and `foot`: their base line, in pixels. */
export function isDash({ x0, x1, y0, y1, area }: Part, size: number, foot: number, shape: DashShape): boolean {
  const [width, height, raised] = [x1 - x0, y1 - y0, foot - (y0 + y1) / 2];
  return (
    isWithin(width, shape.width, size) &&
    height < size * shape.maxHeight &&
    width > height * shape.minAspect &&
    area > width * height * MIN_FILLED_SHARE &&
    isWithin(raised, shape.raised, size)
  );
}

const isWithin = (value: number, [least, most]: readonly [number, number], size: number): boolean =>
  value > size * least && value < size * most;
