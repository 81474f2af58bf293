import type { Area } from '../../model/geometry.js';

/** A greyscale picture: one byte for each pixel in rows from the top left, 0 is black. */
export interface Raster {
  data: Uint8Array;
  width: number;
  height: number;
}

/** Long side at which recognition was best on scans of many sizes (1750-2200 px: word F1 +.05 over the scan as it is). */
export const RECOGNITION_LONG_SIDE = 2200;

/** Returns the whole pixels of an area that lie in the picture. */
export const pixelsOf = ({ width, height }: Raster, { x0, y0, x1, y1 }: Area): Area => ({
  x0: Math.max(0, Math.round(x0)),
  y0: Math.max(0, Math.round(y0)),
  x1: Math.min(width, Math.round(x1)),
  y1: Math.min(height, Math.round(y1)),
});

/** Turns clockwise by 90, 180 or 270 degrees. */
export function turnRaster(raster: Raster, degrees: number): Raster {
  const { data, width, height } = raster;
  if (degrees === 0) return raster;
  const turned = new Uint8Array(data.length);
  if (degrees === 180) {
    for (let i = 0, j = data.length - 1; j >= 0; i++, j--) turned[i] = data[j] ?? 0;
    return { data: turned, width, height };
  }
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = 0; x < width; x++) {
      const to = degrees === 90 ? x * height + (height - 1 - y) : (width - 1 - x) * height + y;
      turned[to] = data[row + x] ?? 0;
    }
  }
  return { data: turned, width: height, height: width };
}

/** Scales a picture by `factor` each way, to at least one pixel. */
export async function scaleRaster({ data, width, height }: Raster, factor: number): Promise<Raster> {
  const { default: sharp } = await import('sharp');
  const scaled = await sharp(data, { raw: { width, height, channels: 1 } })
    .resize(Math.max(1, Math.round(width * factor)), Math.max(1, Math.round(height * factor)), {
      fit: 'fill',
      kernel: 'cubic',
    })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: scaled.data, width: scaled.info.width, height: scaled.info.height };
}

/** Reduces a picture by `factor` each way, to means of its pixels. */
export function reduceRaster({ data, width, height }: Raster, factor: number): Raster {
  const [columns, rows] = [Math.floor(width / factor), Math.floor(height / factor)];
  const reduced = new Uint8Array(columns * rows);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      let sum = 0;
      for (let j = 0; j < factor; j++) {
        const row = (y * factor + j) * width + x * factor;
        for (let i = 0; i < factor; i++) sum += data[row + i] ?? 0;
      }
      reduced[y * columns + x] = sum / factor ** 2;
    }
  }
  return { data: reduced, width: columns, height: rows };
}

/** Replaces every pixel by the median of the `size` by `size` pixels around it. */
export async function medianRaster({ data, width, height }: Raster, size: number): Promise<Raster> {
  const { default: sharp } = await import('sharp');
  const image = sharp(data, { raw: { width, height, channels: 1 } }).median(size);
  return { data: await image.toColourspace('b-w').raw().toBuffer(), width, height };
}

/** Shares of the pixels that become black and white: faded print on paper that is not white. */
const STRETCH_BLACK = 0.05;
const STRETCH_WHITE = 0.6;

/** Raises the contrast of a picture that is too faint for the recogniser's own threshold. */
export function stretchContrast(raster: Raster): Raster {
  const { data, width, height } = raster;
  const counts = new Uint32Array(256);
  for (const shade of data) counts[shade] = (counts[shade] ?? 0) + 1;
  const shadeAt = (share: number): number => {
    let count = 0;
    for (let shade = 0; shade < 256; shade++) {
      count += counts[shade] ?? 0;
      if (count >= share * data.length) return shade;
    }
    return 255;
  };
  const black = shadeAt(STRETCH_BLACK);
  const span = Math.max(1, shadeAt(STRETCH_WHITE) - black);
  const stretched = data.map((shade) => Math.min(255, Math.max(0, ((shade - black) * 255) / span)));
  return { data: stretched, width, height };
}
