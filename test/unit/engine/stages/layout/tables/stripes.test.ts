import { describe, expect, it } from 'vitest';
import type { Area } from '../../../../../../src/engine/model/geometry.js';
import { withStripes } from '../../../../../../src/engine/stages/layout/tables/stripes.js';

const stripe = (y0: number, height = 20): Area => ({ x0: 50, x1: 500, y0, y1: y0 + height });
const edge = (y: number): Area => ({ x0: 50, x1: 500, y0: y, y1: y });

/** The heights of the edges that are added to the rules. */
const edgesOf = (shades: readonly Area[], horizontal: readonly Area[] = []): number[] =>
  withStripes({ horizontal: [...horizontal], vertical: [] }, shades)
    .horizontal.slice(horizontal.length)
    .map(({ y0 }) => y0);

describe('the edges of stripes', () => {
  it('the grounds of three rows → rules at their edges; of two → none', () => {
    expect(edgesOf([stripe(100), stripe(140), stripe(180)])).toEqual([100, 120, 140, 160, 180, 200]);
    // Among other shades, two are the grounds of a head and a sum.
    const box = { x0: 20, x1: 40, y0: 400, y1: 420 };
    expect(edgesOf([stripe(100), stripe(140), box])).toEqual([]);
  });

  it('grounds right below each other, the lines of one cell → no rules', () => {
    expect(edgesOf([stripe(100), stripe(120), stripe(140), stripe(160)])).toEqual([]);
  });

  it('more than one row between grounds → no rules', () => {
    expect(edgesOf([stripe(100), stripe(160), stripe(220)])).toEqual([]);
    expect(edgesOf([stripe(100), stripe(140), stripe(180), stripe(300)])).toEqual([100, 120, 140, 160, 180, 200]);
  });

  it('grounds higher than a row → no rules', () => {
    expect(edgesOf([stripe(0, 121), stripe(150, 121), stripe(300, 121)])).toEqual([]);
  });

  it('an edge where a rule is drawn → no second rule', () => {
    expect(edgesOf([stripe(100), stripe(140), stripe(180)], [edge(121), edge(180)])).toEqual([100, 140, 160, 200]);
  });

  it('a ground for each cell, not quite level → one rule for the row', () => {
    const cells = (y: number) => [
      { x0: 50, x1: 200, y0: y + 0.4, y1: y + 20.4 },
      { x0: 200, x1: 500, y0: y, y1: y + 20 },
    ];
    const rules = withStripes({ horizontal: [], vertical: [] }, [100, 140, 180].flatMap(cells));
    expect(rules.horizontal).toHaveLength(6);
    expect(rules.horizontal[0]).toEqual(edge(100));
  });

  it('boxes beside each other that do not meet → rules of their own, not joined', () => {
    const boxes = (y: number) => [
      { x0: 50, x1: 200, y0: y + 0.4, y1: y + 20.4 },
      { x0: 300, x1: 500, y0: y, y1: y + 20 },
    ];
    expect(edgesOf([100, 140, 180].flatMap(boxes))).toHaveLength(12);
  });
});
