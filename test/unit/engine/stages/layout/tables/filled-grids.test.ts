import { describe, expect, it } from 'vitest';
import type { Area } from '../../../../../../src/engine/model/geometry.js';
import { findFilledGrids } from '../../../../../../src/engine/stages/layout/tables/filled-grids.js';
import { findGrids } from '../../../../../../src/engine/stages/layout/tables/grids.js';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import { tablesOf } from '../../../gfm.js';
import { documentOf, readPage, setLines } from '../../../set-words.js';

const XS = [50, 150, 250, 400];
const YS = [100, 140, 180, 220];

/** The grounds of all cells, with `border` points left white around each. */
const groundsOf = (border = 0, xs = XS, ys = YS): Area[] =>
  ys.slice(1).flatMap((y1, row) =>
    xs.slice(1).map((x1, column) => ({
      ...{ x0: (xs[column] ?? 0) + border, x1: x1 - border },
      ...{ y0: (ys[row] ?? 0) + border, y1: y1 - border },
    })),
  );
const NONE = { horizontal: [], vertical: [] };
const flat = (x0: number, x1: number, y: number): Area => ({ x0, x1, y0: y, y1: y });
const sizesOf = (shades: readonly Area[], rules = NONE as Parameters<typeof findFilledGrids>[1]) =>
  findFilledGrids(shades, rules, []).map(({ xs, ys }) => [xs.length - 1, ys.length - 1]);

describe('filled cells', () => {
  it('cells that touch or leave a white line → a grid', () => {
    expect(sizesOf(groundsOf())).toEqual([[3, 3]]);
    expect(sizesOf(groundsOf(0.5))).toEqual([[3, 3]]);
    expect(sizesOf(groundsOf(0, [50, 200, 300, 400], [100, 160, 200, 240]))).toEqual([[3, 3]]);
  });

  it('cells upon the grounds of their rows → a grid', () => {
    const rows = YS.slice(1).map((y1, row) => ({ x0: 50, x1: 400, y0: YS[row] ?? 0, y1 }));
    expect(sizesOf([...rows, ...groundsOf(1)])).toEqual([[3, 3]]);
  });

  it('marks, paragraphs and the page with grounds of their own → the same grid', () => {
    const cells = groundsOf();
    const pills = cells
      .filter(({ x0 }) => x0 === 250)
      .map(({ x0, y0 }) => ({ x0: x0 + 20, x1: x0 + 80, y0: y0 + 12, y1: y0 + 26 }));
    const paragraphs = cells
      .filter(({ x0 }) => x0 === 50)
      .map(({ x0, x1, y0, y1 }) => ({ x0, x1, y0: y0 + 6, y1: y1 - 12 }));
    expect(sizesOf([...cells, ...pills])).toEqual([[3, 3]]);
    expect(sizesOf([...cells, ...paragraphs])).toEqual([[3, 3]]);
    const page = { x0: 0, x1: 600, y0: 0, y1: 800 };
    expect(sizesOf([page, ...cells, ...pills, ...paragraphs])).toEqual([[3, 3]]);
  });

  it('each cell drawn twice → a grid; every other cell drawn twice → none', () => {
    expect(sizesOf([...groundsOf(), ...groundsOf(0.5)])).toEqual([[3, 3]]);
    const board = groundsOf(0, [...XS, 500, 600], [...YS, 260, 300]).filter((_, index) => index % 2 === 0);
    expect(sizesOf([...board, ...board])).toEqual([]);
  });

  it('a cell or a row without a ground → no grid', () => {
    expect(sizesOf(groundsOf().filter((_, index) => index !== 4))).toEqual([]);
    expect(sizesOf(groundsOf().filter(({ y0 }) => y0 !== 140))).toEqual([]);
  });

  it('cells around a picture → no grid', () => {
    const places = [100, 140, 180, 220, 260, 300];
    const around = groundsOf(0, places, places).filter(({ x0, y0 }) => [x0, y0].some((at) => at === 100 || at === 260));
    expect(sizesOf(around)).toEqual([]);
  });

  it('boxes apart, two rows only, or bars → no grid', () => {
    expect(sizesOf(groundsOf(6))).toEqual([]);
    expect(sizesOf(groundsOf(0, XS, YS.slice(0, 3)))).toEqual([]);
    expect(sizesOf(groundsOf(0, XS, [100, 106, 112, 118]))).toEqual([]);
  });

  it('rules that run out of the cells, as in a wider table → no grid', () => {
    expect(sizesOf(groundsOf(), { ...NONE, horizontal: [flat(20, 400, 140)] })).toEqual([]);
    expect(sizesOf(groundsOf(), { ...NONE, horizontal: [flat(50, 430, 140)] })).toEqual([]);
    const others = [flat(50, 400, 140), flat(20, 50, 140), flat(400, 430, 140), flat(20, 430, 80), flat(20, 430, 240)];
    expect(sizesOf(groundsOf(), { ...NONE, horizontal: others })).toEqual([[3, 3]]);
  });

  it('a grid of rules in the same place → no second grid', () => {
    const ruled = findGrids(
      YS.map((y) => flat(50, 400, y)),
      XS.map((x) => ({ x0: x, x1: x, y0: 100, y1: 220 })),
    );
    expect(findFilledGrids(groundsOf(), NONE, ruled)).toEqual([]);
  });

  it('words close to those of the next cell → each in its own cell', () => {
    const cells = [
      [['Ship'], ['Cargo'], ['Where to']],
      [['Marigold of', 'Old Harbour'], ['salt, rope and', 'whatever else'], ['the far islands']],
      [['Heron'], ['timber, some', 'of it wet'], ['along the coast', 'and back again']],
    ];
    const words = cells.flatMap((row, y) =>
      row.flatMap((lines, x) => setLines(lines, (XS[x] ?? 0) + 10, (YS[y] ?? 0) + 15)),
    );
    const markdown = renderMarkdown(documentOf([readPage(words, 600, 800, { shades: groundsOf() })]));
    expect(tablesOf(markdown)).toEqual([cells.map((row) => row.map((lines) => lines.join(' ')))]);
  });
});
