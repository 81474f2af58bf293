import { medianRaster, type Raster } from '../raster.js';

/** How far around a speck is paper, in pixels: a quarter of the ring, which is turned to the others. */
const REACH = 4;
const RING = [
  [4, 0],
  [4, 2],
  [3, 3],
  [2, 4],
] as const;
/** A speck is darker than every one of them by this. */
const LEAST_CONTRAST = 48;
/** One row and one column of so many are looked at. */
const STEP = 3;
/** Of the pixels that are looked at. Full stops and the dots of letters make .0035 at most, faint copies have .012 and more. */
const LEAST_SHARE = 0.007;
/** Sizes of the medians: the larger one takes off larger specks, and thin strokes. */
const SLIGHT = 3;
const STRONG = 5;
/** Of the specks: where the slight median leaves more, it takes the strong one. */
const MOST_LEFT = 0.25;

/** Takes specks off a picture, as a bad copy has them; undefined where there are few. */
export async function despeckle(raster: Raster): Promise<Raster | undefined> {
  const share = measureSpecks(raster);
  if (share < LEAST_SHARE) return undefined;
  const slight = await medianRaster(raster, SLIGHT);
  return measureSpecks(slight) > share * MOST_LEFT ? medianRaster(raster, STRONG) : slight;
}

/** The share of pixels that are much darker than all that is around them. */
function measureSpecks({ data, width, height }: Raster): number {
  const ring = RING.flatMap(([x, y]) => [y * width + x, -y * width - x, x * width - y, y - x * width]);
  let [specks, all] = [0, 0];
  for (let y = REACH; y < height - REACH; y += STEP) {
    for (let x = REACH; x < width - REACH; x += STEP, all++) {
      const at = y * width + x;
      const least = (data[at] ?? 0) + LEAST_CONTRAST;
      if (ring.every((step) => (data[at + step] ?? 0) > least)) specks++;
    }
  }
  return specks / Math.max(1, all);
}
