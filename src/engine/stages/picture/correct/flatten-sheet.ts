import { type Corners, lengthsOf, projectionOnto, type SeenSheet, scaleSeen } from '../../../model/projection.js';
import type { Sheet } from '../../../model/sheet.js';
import { shadeAbove } from '../find/paper.js';
import type { Raster } from '../raster.js';
import { evenLight, PHOTOGRAPH_LIGHT } from './light.js';

/** Share of the pixels that are darker than paper. */
const PAPER_SHARE = 0.8;

/** Draws the sheet that `seen` locates (in pixels) flat and as seen from above, `longSide` pixels long, in the middle of a picture with the shape of the photograph. */
export function flattenSheet(photo: Raster, seen: SeenSheet, longSide: number): { raster: Raster; sheet: Sheet } {
  const [width, height] = sizeOf(seen.corners, longSide);
  const aspect = photo.width / photo.height;
  const columns = Math.round(Math.max(width, height * aspect));
  const rows = Math.max(height, Math.round(columns / aspect));
  const [left, top] = [(columns - width) >> 1, (rows - height) >> 1];
  const drawn = drawAll(photo, seen, width, height);
  const { data } = evenLight(drawn, PHOTOGRAPH_LIGHT) ?? drawn;
  const paper = shadeAbove({ data, width, height }, PAPER_SHARE);
  const canvas = new Uint8Array(columns * rows).fill(paper);
  for (let y = 0; y < height; y++) canvas.set(data.subarray(y * width, (y + 1) * width), (top + y) * columns + left);
  const box = { x0: left / columns, x1: (left + width) / columns, y0: top / rows, y1: (top + height) / rows };
  const shares = scaleSeen(seen, 1 / photo.width, 1 / photo.height);
  return { raster: { data: canvas, width: columns, height: rows }, sheet: { ...shares, drawn: box } };
}

/** Size of the sheet as drawn, in pixels. */
function sizeOf(corners: Corners, longSide: number): readonly [number, number] {
  const { left, top, right, foot } = lengthsOf(corners);
  const [width, height] = [top + foot, left + right];
  const factor = longSide / Math.max(width, height);
  return [Math.round(width * factor), Math.round(height * factor)];
}

function drawAll(photo: Raster, seen: SeenSheet, width: number, height: number): Raster {
  const project = projectionOnto(seen);
  const data = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [x, y] = project((column + 0.5) / width, (row + 0.5) / height);
      data[row * width + column] = shadeAt(photo, x - 0.5, y - 0.5);
    }
  }
  return { data, width, height };
}

/** Interpolates between four pixels. Beyond the edge of the picture, the shade at the edge continues. */
function shadeAt({ data, width, height }: Raster, x: number, y: number): number {
  const left = Math.min(width - 2, Math.max(0, Math.floor(x)));
  const top = Math.min(height - 2, Math.max(0, Math.floor(y)));
  const fx = Math.min(1, Math.max(0, x - left));
  const fy = Math.min(1, Math.max(0, y - top));
  const at = top * width + left;
  const upper = (data[at] ?? 0) * (1 - fx) + (data[at + 1] ?? 0) * fx;
  const lower = (data[at + width] ?? 0) * (1 - fx) + (data[at + width + 1] ?? 0) * fx;
  return upper * (1 - fy) + lower * fy;
}
