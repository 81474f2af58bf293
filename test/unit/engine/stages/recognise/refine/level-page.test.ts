import { expect, it } from 'vitest';
import { levelPage } from '../../../../../../src/engine/stages/recognise/refine/level-page.js';
import { recognisedContent } from '../../../../../../src/engine/stages/recognise/to-page-content.js';
import { linesOf, setLine } from '../../../set-words.js';

const [WIDTH, HEIGHT] = [600, 800];
/** A line whose last word begins about 250 points after its first. */
const LONG = `${Array.from({ length: 9 }, () => 'light').join(' ')} lamps`;
const SHORT = 'a lamp';

/** The skew, in degrees, that levelling finds for lines of these slopes. */
const leanOf = (lines: readonly (readonly [text: string, slope: number])[]): number => {
  const turned = lines.flatMap(([text, slope], row) => {
    const [line] = linesOf(setLine(text, 50, 100 + row * 20));
    if (line === undefined) return [];
    const words = line.words.map((word) => ({ ...word, baseline: word.baseline + (word.x0 - line.x0) * slope }));
    return [{ ...line, words }];
  });
  const page = recognisedContent({ width: WIDTH, height: HEIGHT, blocks: [{ lines: turned }], rules: [] });
  return levelPage(page).distortion?.skew ?? 0;
};
const repeat = (count: number, text: string, slope: number) =>
  Array.from({ length: count }, () => [text, slope] as const);

it('lines as long together as the page is wide → the page is levelled by them', () => {
  expect(leanOf(repeat(3, LONG, 0.006))).toBeCloseTo(0.34, 2);
  expect(leanOf(repeat(2, LONG, 0.006))).toBe(0);
});

it('long lines against many short ones → the long ones tell the lean', () => {
  expect(leanOf([...repeat(20, SHORT, -0.01), ...repeat(4, LONG, 0.006)])).toBeCloseTo(0.34, 2);
});

it('lines that lean both ways → no lean', () => {
  expect(leanOf([...repeat(4, LONG, 0.006), ...repeat(4, LONG, -0.006)])).toBe(0);
});
