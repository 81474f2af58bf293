import type { Area } from '../../../model/geometry.js';
import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';
import { MAX_DOT_SIZE } from './dots.js';
import { boundsOf, type Point } from './points.js';

/** Thickness of a filled bar that is a rule, in points. */
const MAX_RULE_WIDTH = 3;
/** Thinner bars, in points, are left by rounding where a box has no side. */
const MIN_RULE_WIDTH = 0.05;

/** Length of a rule, and of a dash, in points: the shortest dash is an underscore in small type. */
const MIN_RULE_LENGTH = 3;
const MIN_DASH_LENGTH = 1.8;
/** Thickness of a dash, in points. */
const MAX_DASH_WIDTH = 0.8;
/** Upper bound of the dashes of a page: more of them make a drawing. */
const MAX_DASHES = 400;

/** Adds a level line that is too short for a rule. */
export function addDash(points: readonly Point[], frame: PageFrame, dashes: Area[]): void {
  if (points.length > 6 || dashes.length > MAX_DASHES) return;
  const area = boundsOf(points, frame);
  const [wide, high] = [area.x1 - area.x0, area.y1 - area.y0];
  if (wide >= MIN_DASH_LENGTH && wide < MIN_RULE_LENGTH && high < MAX_DASH_WIDTH) dashes.push(area);
}

export function addSides(points: readonly Point[], frame: PageFrame, rules: Area[]): void {
  for (let index = 1; index < points.length; index++) {
    const [from, to] = [points[index - 1], points[index]];
    if (from === undefined || to === undefined) continue;
    addRule(frame.place(from.x, from.y, to.x, to.y), 0.6, rules);
  }
}

export function addBar(points: readonly Point[], frame: PageFrame, rules: Area[]): void {
  if (points.length > 6) return;
  addRule(boundsOf(points, frame), MAX_RULE_WIDTH, rules);
}

/**
 * Takes one rectangle in another, with only the area between them filled: the sides of a box, or one of them, without
 * a ground inside. A small one is a box to check.
 */
export function takeRing(shades: Area[], rules: Area[]): void {
  const [a, b] = shades.slice(-2);
  if (a === undefined || b === undefined) return;
  const [outer, inner] = b.x1 - b.x0 > a.x1 - a.x0 || b.y1 - b.y0 > a.y1 - a.y0 ? [b, a] : [a, b];
  if (inner.x0 < outer.x0 || inner.y0 < outer.y0 || inner.x1 > outer.x1 || inner.y1 > outer.y1) return;
  if (Math.max(outer.x1 - outer.x0, outer.y1 - outer.y0) < MAX_DOT_SIZE) return;
  shades.length -= 2;
  const bars = [
    { ...outer, y1: inner.y0 },
    { ...outer, y0: inner.y1 },
    { ...outer, x1: inner.x0 },
    { ...outer, x0: inner.x1 },
  ];
  for (const bar of bars) {
    const width = Math.min(bar.x1 - bar.x0, bar.y1 - bar.y0);
    if (width > MAX_RULE_WIDTH) shades.push(bar);
    else if (width > MIN_RULE_WIDTH) addRule(bar, MAX_RULE_WIDTH, rules);
  }
}

function addRule(area: Area, mostWidth: number, rules: Area[]): void {
  const wide = area.x1 - area.x0;
  const high = area.y1 - area.y0;
  if (Math.min(wide, high) > mostWidth || Math.max(wide, high) < MIN_RULE_LENGTH) return;
  const x = (area.x0 + area.x1) / 2;
  const y = (area.y0 + area.y1) / 2;
  rules.push(wide >= high ? { x0: area.x0, x1: area.x1, y0: y, y1: y } : { x0: x, x1: x, y0: area.y0, y1: area.y1 });
}
