import type { RawWord } from './raw-word.js';

/** Does text of this direction run neither along the page's edges nor across? A watermark, the names of a chart's bars. */
export const isOblique = (angle: number): boolean => angle % 90 !== 0;

/** Undoes a clockwise turn of `degrees` about the origin, on a page whose y goes down. */
export function turnBack(x: number, y: number, degrees: number): [x: number, y: number] {
  const turn = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return [x * cos + y * sin, y * cos - x * sin];
}

/** How far an oblique word reaches along its base line, told by its box on the page: the box of a line as high as its type. */
export function lengthOfOblique({ x0, y0, x1, y1, angle, fontSize }: RawWord): number {
  const turn = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))];
  const length = cos > sin ? (x1 - x0 - fontSize * sin) / cos : (y1 - y0 - fontSize * cos) / sin;
  return Math.max(0, length);
}
