import type { RawWord } from './raw-word.js';

/** The length of an oblique word along its base line, from its box on the page: the box of a line as high as its type. */
export function lengthOfOblique({ x0, y0, x1, y1, angle, fontSize }: RawWord): number {
  const turn = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))];
  const length = cos > sin ? (x1 - x0 - fontSize * sin) / cos : (y1 - y0 - fontSize * cos) / sin;
  return Math.max(0, length);
}
