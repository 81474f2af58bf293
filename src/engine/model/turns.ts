import type { Area } from './geometry.js';
import type { PageContent, PageWord, TurnedWords } from './page.js';

/** Does text of this direction run neither along the page's edges nor across? A watermark, the names of a chart's bars. */
export const isOblique = (angle: number): boolean => angle % 90 !== 0;

/** Undoes a clockwise turn of `degrees` about the origin, on a page whose y goes down. */
export function turnBack(x: number, y: number, degrees: number): [x: number, y: number] {
  const turn = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return [x * cos + y * sin, y * cos - x * sin];
}

/** Undoes a clockwise turn of `angle` degrees about the page. */
export function turnPoint(x: number, y: number, angle: number, width: number, height: number): [number, number] {
  if (angle === 90) return [y, width - x];
  if (angle === 180) return [width - x, height - y];
  if (angle === 270) return [height - y, x];
  if (angle === 0) return [x, y];
  const [fromX, fromY] = turnBack(x - width / 2, y - height / 2, angle);
  return [fromX + width / 2, fromY + height / 2];
}

/** Undoes a clockwise turn of an area, by `angle` degrees about the page. */
export function turnArea({ x0, y0, x1, y1 }: Area, angle: number, width: number, height: number): Area {
  const corners = [
    [x0, y0],
    [x1, y1],
    ...(isOblique(angle)
      ? [
          [x0, y1],
          [x1, y0],
        ]
      : []),
  ];
  const points = corners.map(([x = 0, y = 0]) => turnPoint(x, y, angle, width, height));
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
}

/** Words of one direction, upright in a frame of their own, on a page as it is read. */
export function turnWords(
  words: PageWord[],
  angle: number,
  page: Pick<PageContent, 'width' | 'height' | 'rotation'>,
): TurnedWords {
  const sideways = page.rotation % 180 !== 0;
  const main = (360 - page.rotation) % 360;
  const [width, height] = sideways ? [page.height, page.width] : [page.width, page.height];
  const back = (360 - angle) % 360;
  const [w, h] = angle % 180 === 90 ? [height, width] : [width, height];
  const toPage = (area: Area) => turnArea(turnArea(area, back, w, h), main, width, height);
  return { words, angle, toPage };
}
