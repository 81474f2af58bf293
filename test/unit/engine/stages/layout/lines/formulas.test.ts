import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { type Drawn, documentOf, readPage, setLine } from '../../../set-words.js';

const markdownOf = (words: readonly RawWord[], drawn: Drawn = {}): string =>
  renderMarkdown(documentOf([readPage(words, 600, 800, drawn)]), {});

const bar = (x0: number, x1: number, y: number) => ({ x0, x1, y0: y, y1: y });
const small = { size: 7 };
const text = [
  ...setLine('The mean that the keeper of the harbour found in all his years is told', 50, 60),
  ...setLine('below, and it has not been changed since the day of the great flood.', 50, 160),
];

describe('joinFormulas', () => {
  it('a sum, its sign on a base line of its own, with limits over and under it → one line', () => {
    const sum = [
      ...setLine('m =', 150, 100),
      ...setLine('∑', 172, 90.5),
      ...setLine('n', 173, 87, small),
      ...setLine('k=1', 169, 113, small),
      ...setLine('w(k) + 1', 182, 100),
    ];
    expect(markdownOf([...text, ...sum])).toContain('\n\nm = ∑ k=1 n w(k) + 1\n\n');
  });

  it('the limits of two sums side by side in one run → each behind its own sign', () => {
    const sums = [
      ...setLine('m =', 150, 100),
      ...setLine('∑', 172, 90.5),
      ...setLine('∑', 190, 90.5),
      ...setLine('i=1', 169, 113, small),
      ...setLine('k=1', 187, 113, small),
      ...setLine('w(i, k)', 200, 100),
    ];
    expect(markdownOf([...text, ...sums])).toContain('m = ∑ i=1 ∑ k=1 w(i, k)');
  });

  it('a condition under a name → behind it; an exponent and a line below stay', () => {
    const most = [...setLine('f = max g(x) / s', 150, 100), ...setLine('x>0', 167, 106, small)];
    expect(markdownOf([...text, ...most])).toContain('f = max x\\>0 g(x) / s');
    const speed = [...setLine('It turns 2900 min', 50, 100), ...setLine('-1', 136, 96, small)];
    expect(markdownOf([...text, ...speed])).toContain('2900 min -1');
  });

  it('two texts over and under a bar beside a line → a fraction within it', () => {
    const line = [...setLine('It is', 50, 100), ...setLine('of all, and', 95, 100)];
    const half = [...setLine('1', 80, 96, small), ...setLine('2', 80, 105, small)];
    const drawn = { rules: [bar(79.5, 84, 97.5)] };
    expect(markdownOf([...text, ...line, ...half], drawn)).toContain('It is 1/2 of all, and');
    const long = [
      ...setLine('m =', 150, 100),
      ...setLine('a + b', 172, 93),
      ...setLine('n', 182, 107),
      ...setLine('.', 200, 100),
    ];
    const fraction = { rules: [bar(171, 198, 97.5)] };
    expect(markdownOf([...text, ...long], fraction)).toContain('m = (a + b)/n .');
  });

  it('a fraction in a fraction; a root → in their places', () => {
    const nested = [
      ...setLine('m =', 150, 100),
      ...setLine('a', 176, 84),
      ...setLine('b', 176, 95),
      ...setLine('+ 1', 184, 91),
      ...setLine('√', 180, 101),
      ...setLine('n', 185.5, 108),
      ...setLine('.', 204, 100),
    ];
    const rules = [bar(175, 182, 87.5), bar(173, 201, 98), bar(185.2, 191, 100)];
    expect(markdownOf([...text, ...nested], { rules })).toContain('m = (a/b + 1)/√n .');
  });

  it('several parts below a bar, or under a root → in brackets; those that have some → as they are', () => {
    const fraction = (below: string, x: number, bars: ReturnType<typeof bar>[]) =>
      markdownOf(
        [
          ...text,
          ...setLine('m =', 160, 100),
          ...setLine('a', 190, 93),
          ...setLine(below, x, 107),
          ...setLine('√', 300, 93),
          ...setLine('n k', 305.5, 100),
          ...setLine('.', 330, 100),
          ...setLine('k', 214, 100),
        ],
        { rules: [...bars, bar(305.2, 318, 92)] },
      );
    expect(fraction('n + 1', 181, [bar(180, 206, 97.5)])).toContain('m = a/(n + 1) k');
    expect(fraction('[n + 1]', 176, [bar(175, 209, 97.5)])).toContain('m = a/\\[n + 1\\] k');
    expect(fraction('n', 190, [bar(189, 196, 97.5)])).toContain('√(n k)');
  });

  it('a word over a line, a heading over its column → no fraction', () => {
    const underlined = [
      ...setLine('This is', 50, 100),
      ...setLine('important', 84, 100),
      ...setLine('captain', 85, 112),
    ];
    expect(markdownOf([...text, ...underlined], { rules: [bar(84, 129, 101.5)] })).not.toContain('/');
    const amounts = [...setLine('Rent', 50, 100), ...setLine('50', 80, 96), ...setLine('60', 80, 107)];
    const side = { x0: 93, x1: 93, y0: 80, y1: 120 };
    expect(markdownOf([...text, ...amounts], { rules: [bar(79, 93, 97.5)] })).toContain('50/60');
    expect(markdownOf([...text, ...amounts], { rules: [bar(79, 93, 97.5), side] })).not.toContain('/');
    const column = [bar(79, 93, 97.5), bar(79, 93, 300), bar(79, 93, 500)];
    expect(markdownOf([...text, ...amounts], { rules: column })).not.toContain('/');
  });
});
