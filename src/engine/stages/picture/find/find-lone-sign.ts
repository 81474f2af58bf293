import { type Area, boundsOf } from '../../../model/geometry.js';
import { pixelsOf, type Raster } from '../raster.js';
import { type DashShape, isDash } from './dash.js';
import { findParts, type Part } from './parts.js';

/** A dash or dots that stand for a value. */
export interface LoneSign extends Area {
  sign: '-' | '–' | '—' | '..' | '…';
}

/** Ink is darker than this share of the paper. */
const INK_SHARE = 0.6;
/** From a hyphen to an em dash, by the size of the type. */
const DASH: DashShape = { width: [0.2, 1.2], maxHeight: 0.16, minAspect: 2, raised: [0.12, 0.42] };
/** Width from which a dash is an en dash, and an em dash. */
const EN_DASH_EM = 0.42;
const EM_DASH_EM = 0.75;
/** Sides of a dot, the longer by the shorter, the distance of its foot from the base line, and that of two dots. */
const MAX_DOT_EM = 0.22;
const MAX_DOT_ASPECT = 1.7;
const MAX_FOOT_EM = 0.1;
const MAX_STEP_EM = 0.6;
/** Differences of dots and of their steps. */
const ALIKE_EM = 0.1;
/** Ink of a speck. */
const MIN_AREA_PX = 4;

/** The line of text that a sign stands in: the shade of its paper, and the size of its type and its base line in pixels. */
interface Line {
  paper: number;
  size: number;
  baseline: number;
}

/** Finds the dash, the two or the three dots that are all of the ink in an area. */
export function findLoneSign(raster: Raster, area: Area, { paper, size, baseline }: Line): LoneSign | undefined {
  const searched = pixelsOf(raster, area);
  const parts = findParts(raster, paper * INK_SHARE, { area: searched })
    .filter((part) => part.area >= MIN_AREA_PX)
    .sort((a, b) => a.x0 - b.x0);
  const isCut = ({ x0, x1 }: Part) => x0 <= searched.x0 || x1 >= searched.x1;
  if (parts.length === 0 || parts.some(isCut)) return undefined;
  const bounds = boundsOf(parts);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && isDash(only, size, baseline, DASH)) {
    const width = only.x1 - only.x0;
    return { ...bounds, sign: width > size * EM_DASH_EM ? '—' : width > size * EN_DASH_EM ? '–' : '-' };
  }
  if (!areDots(parts, size, baseline)) return undefined;
  return parts.length === 3 ? { ...bounds, sign: '…' } : parts.length === 2 ? { ...bounds, sign: '..' } : undefined;
}

/** True for dots on the base line, alike and at equal distances. */
function areDots(parts: readonly Part[], size: number, baseline: number): boolean {
  const steps = parts.slice(1).map(({ x0 }, index) => x0 - (parts[index]?.x0 ?? 0));
  const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
  return (
    parts.every((part) => isDot(part, size, baseline)) &&
    steps.every((step) => step < size * MAX_STEP_EM) &&
    [steps, parts.map(({ x0, x1 }) => x1 - x0), parts.map(({ y1 }) => y1)].every(
      (values) => spread(values) <= size * ALIKE_EM,
    )
  );
}

function isDot({ x0, x1, y0, y1 }: Part, size: number, baseline: number): boolean {
  const [width, height] = [x1 - x0, y1 - y0];
  return (
    Math.max(width, height) < size * MAX_DOT_EM &&
    Math.max(width, height) <= Math.min(width, height) * MAX_DOT_ASPECT &&
    Math.abs(baseline - y1) < size * MAX_FOOT_EM
  );
}
