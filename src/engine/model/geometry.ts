/** A stretch across the page, in points from its left side. */
export interface Span {
  x0: number;
  x1: number;
}

/** A rectangle of the displayed page, in points from its top left. */
export interface Area extends Span {
  y0: number;
  y1: number;
}

export const middleOf = ({ x0, x1 }: Span): number => (x0 + x1) / 2;

/** The stretch from the first beginning of the spans to their last end; without any, an impossible one. */
export function extentOf(spans: readonly Span[]): Span {
  let [x0, x1] = [Infinity, -Infinity];
  for (const span of spans) {
    x0 = Math.min(x0, span.x0);
    x1 = Math.max(x1, span.x1);
  }
  return { x0, x1 };
}

/** The area around all areas; without any, an impossible one. */
export function boundsOf(areas: readonly Area[]): Area {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const area of areas) {
    x0 = Math.min(x0, area.x0);
    y0 = Math.min(y0, area.y0);
    x1 = Math.max(x1, area.x1);
    y1 = Math.max(y1, area.y1);
  }
  return { x0, y0, x1, y1 };
}

/** The area with a margin of this width around it. */
export const grow = ({ x0, y0, x1, y1 }: Area, by: number): Area => ({
  x0: x0 - by,
  y0: y0 - by,
  x1: x1 + by,
  y1: y1 + by,
});

/** Content of an area, in units of the page squared. */
export const sizeOfArea = ({ x0, y0, x1, y1 }: Area): number => (x1 - x0) * (y1 - y0);

/** The gap between the two; negative where one stands over the other. */
export const gapBetween = (a: Span, b: Span): number => Math.max(a.x0 - b.x1, b.x0 - a.x1);

/** True when the span covers more than this share of the other one. */
export const covers = (span: Span, { x0, x1 }: Span, share: number): boolean =>
  Math.min(span.x1, x1) - Math.max(span.x0, x0) > (x1 - x0) * share;

/** True when the two share more than their borders; `least` is the least overlap in both directions. */
export const overlap = (a: Area, b: Area, least = 0): boolean =>
  a.x0 < b.x1 - least && b.x0 < a.x1 - least && a.y0 < b.y1 - least && b.y0 < a.y1 - least;

/** True when the outer area holds the inner one, which may stand out of it by `reach`. */
export const contains = (outer: Area, inner: Area, reach = 0): boolean =>
  outer.x0 <= inner.x0 + reach &&
  outer.y0 <= inner.y0 + reach &&
  outer.x1 >= inner.x1 - reach &&
  outer.y1 >= inner.y1 - reach;

/** True when the middle of a part is in the area. */
export function holdsMiddle({ x0, y0, x1, y1 }: Area, part: Area): boolean {
  const [x, y] = [(part.x0 + part.x1) / 2, (part.y0 + part.y1) / 2];
  return x > x0 && x < x1 && y > y0 && y < y1;
}

/** True when the two have more than this share of the lower one's height in common. */
export const areLevel = (a: Area, b: Area, share: number): boolean =>
  Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0) > share * Math.min(a.y1 - a.y0, b.y1 - b.y0);

/** The area that two share; one without content where they share none. */
export const sharedBy = (a: Area, b: Area): Area => ({
  x0: Math.max(a.x0, b.x0),
  y0: Math.max(a.y0, b.y0),
  x1: Math.min(a.x1, b.x1),
  y1: Math.min(a.y1, b.y1),
});
