import type { Area } from '../../../model/geometry.js';
import type { Fragment } from '../../../model/page.js';
import { haveCells, headAbove, reachOf, within } from './table-area.js';

/** Finds the heads above a rule at which a table may begin, each as wide as its rule, from the top. */
export const findHeads = (fragments: readonly Fragment[], horizontal: readonly Area[]): Area[] =>
  horizontal
    .toSorted((a, b) => a.y0 - b.y0)
    .flatMap((rule) => {
      const y0 = headAbove(rule, fragments);
      return y0 === undefined ? [] : [{ ...rule, y0, y1: rule.y0 }];
    })
    .filter(({ y0, ...head }) => !haveCells(within(fragments, { ...head, y0: y0 - reachOf(fragments), y1: y0 })));
