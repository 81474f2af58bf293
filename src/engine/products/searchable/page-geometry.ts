/** The page as it is read in PDF's own coordinates: the directions of one point to the right and one point up, and its top left corner. */
export interface ReadFrame {
  width: number;
  height: number;
  right: readonly [number, number];
  up: readonly [number, number];
  origin: readonly [number, number];
}

/** The displayed page: its size in points, and the turn and shift from PDF's coordinates to it. */
export interface DisplayFrame {
  width: number;
  height: number;
  toDisplay: Readonly<Record<'ax' | 'bx' | 'cx' | 'ay' | 'by' | 'cy', number>>;
}

/** @param rotation Clockwise turn from the displayed page to the page as it is read: 0, 90, 180 or 270 degrees. */
export function frameOfReading(display: DisplayFrame, rotation: number): ReadFrame {
  const { width, height } = display;
  const sideways = rotation % 180 !== 0;
  const { ax, bx, cx, ay, by, cy } = display.toDisplay;
  // A turn keeps lengths, so the way back is the transposed turn.
  const turnBack = (x: number, y: number): [number, number] => [ax * x + ay * y, bx * x + by * y];
  const toUser = (x: number, y: number): [number, number] => turnBack(x - cx, y - cy);
  const [corner, right] = ({
    0: [
      [0, 0],
      [1, 0],
    ],
    90: [
      [0, height],
      [0, -1],
    ],
    180: [
      [width, height],
      [-1, 0],
    ],
    270: [
      [width, 0],
      [0, 1],
    ],
  }[rotation] ?? [
    [0, 0],
    [1, 0],
  ]) as [[number, number], [number, number]];
  // A quarter turn to the left of "right" is "up", where y counts down.
  const up: [number, number] = [right[1], -right[0]];
  return {
    width: sideways ? height : width,
    height: sideways ? width : height,
    right: turnBack(...right),
    up: turnBack(...up),
    origin: toUser(...corner),
  };
}
