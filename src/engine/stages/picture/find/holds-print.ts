import type { Area } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';
import { countAlike, findLetterRows, type LetterRow } from './letter-rows.js';
import { PartCollector } from './parts.js';

/** Long side of a picture that is judged, in pixels. */
export const JUDGED_LONG_SIDE = 1100;

/** Reach of the mean shade around a pixel, in pixels, and difference from it that is ink. */
const REACH_PX = 12;
const MIN_CONTRAST = 28;
/** Runs of ink; more are grain, or a screen of dots. */
const MAX_RUNS = 150_000;
/** Sizes of letters, in pixels and by their height, and the least share of ink in their boxes. */
const MIN_HEIGHT_PX = 5;
const MAX_HEIGHT_PX = 70;
const MAX_ASPECT = 3;
const MIN_ASPECT = 1 / 8;
const MIN_FILLED_SHARE = 0.12;
/** Letters of a line of print, and share of them that stand on its base line. Chance rarely puts more beside each other in a photograph. */
const MIN_ROW_LETTERS = 8;
const MIN_ALIGNED_SHARE = 0.7;
/** Share of the letters of a line that are of one size; cells of a grid, bars and dashes all are. */
const MAX_ALIKE_SHARE = 0.85;
const MIN_ROWS = 2;
const MIN_LETTERS = 60;

/**
 * True when a picture holds lines of print: letters of like height that stand on one base line. In photographs, drawings and
 * textures small shapes are as many, but do not stand so. Letters may be darker or lighter than what is around them.
 */
export function holdsPrint(raster: Raster): boolean {
  return findInk(raster).some((parts) => areLines(findLetterRows(parts.filter((part) => isLetter(part, raster)))));
}

function areLines(rows: readonly LetterRow[]): boolean {
  const lines = rows.filter((row) => {
    const letters = row.widths.length;
    return (
      letters >= MIN_ROW_LETTERS &&
      row.aligned >= letters * MIN_ALIGNED_SHARE &&
      countAlike(row) <= letters * MAX_ALIKE_SHARE
    );
  });
  return lines.length >= MIN_ROWS && lines.reduce((sum, { widths }) => sum + widths.length, 0) >= MIN_LETTERS;
}

function isLetter({ x0, y0, x1, y1, area }: InkPart, { width, height }: Raster): boolean {
  const [wide, high] = [x1 - x0, y1 - y0];
  const isCut = x0 === 0 || y0 === 0 || x1 === width || y1 === height;
  const aspect = wide / high;
  return (
    !isCut &&
    high >= MIN_HEIGHT_PX &&
    high <= MAX_HEIGHT_PX &&
    aspect <= MAX_ASPECT &&
    aspect >= MIN_ASPECT &&
    area >= wide * high * MIN_FILLED_SHARE
  );
}

type InkPart = Area & { area: number };

/** Finds what is darker, and what is lighter than its surroundings, as connected parts. */
function findInk({ data, width, height }: Raster): InkPart[][] {
  const [dark, light] = [new PartCollector(1), new PartCollector(1)];
  // Sums of the columns within reach of the row, with room for what is beside the picture.
  const columns = new Uint32Array(width + 2 * REACH_PX + 1);
  const add = (y: number, sign: 1 | -1) => {
    if (y < 0 || y >= height) return;
    const row = y * width;
    const first = REACH_PX + 1;
    for (let x = 0; x < width; x++) columns[x + first] = (columns[x + first] ?? 0) + sign * (data[row + x] ?? 0);
  };
  for (let y = 0; y < REACH_PX; y++) add(y, 1);
  for (let y = 0; y < height; y++) {
    add(y + REACH_PX, 1);
    add(y - REACH_PX - 1, -1);
    const rows = Math.min(height, y + REACH_PX + 1) - Math.max(0, y - REACH_PX);
    let sum = 0;
    for (let x = 0; x < 2 * REACH_PX + 1; x++) sum += columns[x] ?? 0;
    const row = y * width;
    let [from, kind] = [0, 0];
    for (let x = 0; x < width; x++) {
      sum += (columns[x + 2 * REACH_PX + 1] ?? 0) - (columns[x] ?? 0);
      const count = (Math.min(width, x + REACH_PX + 1) - Math.max(0, x - REACH_PX)) * rows;
      const difference = (data[row + x] ?? 0) * count - sum;
      const contrast = MIN_CONTRAST * count;
      const here = difference < -contrast ? -1 : difference > contrast ? 1 : 0;
      if (here === kind) continue;
      if (kind !== 0) (kind < 0 ? dark : light).addRun(from, x, y);
      from = x;
      kind = here;
    }
    if (kind !== 0) (kind < 0 ? dark : light).addRun(from, width, y);
    dark.endRow();
    light.endRow();
  }
  return [dark, light].map((collector) => (collector.runCount > MAX_RUNS ? [] : collector.parts()));
}
