import type { Raster } from '../../../stages/picture/raster.js';

/** Lean of the bars from the upright, as shift to the side by height. */
const LEANS = [-0.36, -0.24, -0.12, 0, 0.12, 0.24, 0.36];

/** Rows of a strip that are added up: more of them hardly lessen the noise. */
const MAX_ADDED_ROWS = 14;

/** The mean shades of rows that lie one below the other, along the lean of what is drawn there: noise is gone, bars stay. */
export function profileOf({ data, width }: Raster, top: number, rows: number): Float32Array {
  const step = Math.max(1, Math.floor(rows / MAX_ADDED_ROWS));
  let [sharpest, profile] = [-1, new Float32Array(width)];
  for (const lean of LEANS) {
    const leaning = new Float32Array(width);
    for (let row = 0; row < rows; row += step) {
      const shift = Math.round((row - rows / 2) * lean);
      const start = (top + row) * width;
      for (let x = 0; x < width; x++)
        leaning[x] = (leaning[x] ?? 0) + (data[start + Math.min(Math.max(x + shift, 0), width - 1)] ?? 0);
    }
    for (let x = 0; x < width; x++) leaning[x] = (leaning[x] ?? 0) / Math.ceil(rows / step);
    const sharpness = leaning.reduce((sum, shade, x) => sum + (x === 0 ? 0 : (shade - (leaning[x - 1] ?? 0)) ** 2), 0);
    if (sharpness > sharpest) [sharpest, profile] = [sharpness, leaning];
  }
  return profile;
}

/** Least width of a module in pixels, and growth to the next width that is tried. */
const MIN_MODULE = 0.9;
const MODULE_GROWTH = 1.18;
/** Gap within a code: four modules and blur. Beside it are seven at least. */
const MAX_GAP_MODULES = 5.5;
/** Length of a code of 95 modules whose outer bars are blurred or partly lost. */
const [MIN_LENGTH_MODULES, MAX_LENGTH_MODULES] = [87, 105];
/** Slope by the steeper ones of the profile, and in shades, from which something is drawn. */
const MIN_SLOPE_SHARE = 0.15;
const STEEP_QUANTILE = 0.95;
const MIN_SLOPE = 4;
/** Peaks and valleys of a code: 59, fewer where blur joins the narrow ones; and some of noise. */
const [MIN_TURNS, MAX_TURNS] = [34, 66];

/** Finds the stretches of a profile that are as a code between its quiet zones: [from, to] in pixels. */
export function findStretches(profile: Float32Array): [number, number][] {
  const slopes = profile.map((_, x) =>
    x === 0 || x === profile.length - 1 ? 0 : Math.abs((profile[x + 1] ?? 0) - (profile[x - 1] ?? 0)),
  );
  const steep = slopes.slice().sort()[Math.floor(slopes.length * STEEP_QUANTILE)] ?? 0;
  const least = Math.max(MIN_SLOPE, MIN_SLOPE_SHARE * steep);
  const drawn = [...slopes.keys()].filter((x) => (slopes[x] ?? 0) > least);
  const found = new Map<string, [number, number]>();
  for (let module = MIN_MODULE; module * MIN_LENGTH_MODULES < profile.length; module *= MODULE_GROWTH) {
    for (const [from, to] of joinNear(drawn, module * MAX_GAP_MODULES)) {
      const length = (to - from) / module;
      if (length < MIN_LENGTH_MODULES || length > MAX_LENGTH_MODULES) continue;
      const turns = countTurns(profile, from, to, least);
      if (turns >= MIN_TURNS && turns <= MAX_TURNS) found.set(`${from}-${to}`, [from, to + 1]);
    }
  }
  return [...found.values()];
}

function joinNear(places: readonly number[], gap: number): [number, number][] {
  const joined: [number, number][] = [];
  for (const place of places) {
    const last = joined.at(-1);
    if (last !== undefined && place - last[1] <= gap) last[1] = place;
    else joined.push([place, place]);
  }
  return joined;
}

/** Counts the peaks and valleys that differ by more than `least` shades from the one before. */
function countTurns(profile: Float32Array, from: number, to: number, least: number): number {
  let turns = 0;
  let [rises, extreme] = [false, profile[from] ?? 0];
  for (let x = from; x <= to; x++) {
    const shade = profile[x] ?? 0;
    if (rises ? shade > extreme : shade < extreme) extreme = shade;
    else if (Math.abs(shade - extreme) > least) {
      turns++;
      rises = !rises;
      extreme = shade;
    }
  }
  return turns;
}
