import type { Area } from '../../../model/geometry.js';
import type { Fragment } from '../../../model/page.js';
import { rulesBetween } from './barriers.js';

/**
 * Parts the strips of columns at rules and pictures across both: the columns end above them and begin anew below.
 * Both zones must be text columns, since the heads of a table have no text below each other.
 */
export function cutZones(
  strips: readonly Fragment[][],
  barriers: readonly Area[],
  areText: (fragments: Fragment[]) => boolean,
): Fragment[][] {
  const begins = strips.flatMap((_, index) => (index > 0 && rulesBetween(strips, index, barriers) ? [index] : []));
  const zones: Fragment[][] = [];
  let from = 0;
  for (const [place, begin] of begins.entries()) {
    const zone = strips.slice(from, begin).flat();
    const next = strips.slice(begin, begins[place + 1]).flat();
    if (!areText(zone) || !areText(next)) continue;
    zones.push(zone);
    from = begin;
  }
  return [...zones, strips.slice(from).flat()];
}
