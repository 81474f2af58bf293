import { medianRaster, type Raster } from '../raster.js';

/** Radius of the ring of paper around a speck, in pixels, and a quarter of its points; the other quarters are turned from it. */
const REACH_PX = 4;
const RING = [
  [4, 0],
  [4, 2],
  [3, 3],
  [2, 4],
] as const;
/** Difference of a speck and every point of its ring. */
const MIN_CONTRAST = 48;
/** Step from one examined row or column to the next. */
const STEP_PX = 3;
/** Share of the examined pixels that are specks. Full stops and the dots of letters make .0035 at most, faint copies have .012 and more. */
const MIN_SPECKS_SHARE = 0.007;
/** Sides of the median filters. The larger one removes larger specks, and thin strokes. */
const SLIGHT_MEDIAN_PX = 3;
const STRONG_MEDIAN_PX = 5;
/** Share of the specks that the slight median may leave; with more, the strong one is used. */
const MAX_LEFT_SHARE = 0.25;

/** Takes the specks of a bad copy off a picture; undefined if there are few. */
export async function despeckle(raster: Raster): Promise<Raster | undefined> {
  const share = measureSpecks(raster);
  if (share < MIN_SPECKS_SHARE) return undefined;
  const slight = await medianRaster(raster, SLIGHT_MEDIAN_PX);
  return measureSpecks(slight) > share * MAX_LEFT_SHARE ? medianRaster(raster, STRONG_MEDIAN_PX) : slight;
}

/** Measures the share of pixels that are much darker than everything around them. */
function measureSpecks({ data, width, height }: Raster): number {
  const ring = RING.flatMap(([x, y]) => [y * width + x, -y * width - x, x * width - y, y - x * width]);
  let [specks, all] = [0, 0];
  for (let y = REACH_PX; y < height - REACH_PX; y += STEP_PX) {
    for (let x = REACH_PX; x < width - REACH_PX; x += STEP_PX, all++) {
      const at = y * width + x;
      const minShade = (data[at] ?? 0) + MIN_CONTRAST;
      if (ring.every((step) => (data[at + step] ?? 0) > minShade)) specks++;
    }
  }
  return specks / Math.max(1, all);
}
