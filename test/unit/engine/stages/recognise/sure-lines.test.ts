import { expect, it } from 'vitest';
import { createFragment } from '../../../../../src/engine/model/fragment.js';
import type { Fragment } from '../../../../../src/engine/model/page.js';
import { keepSureLines } from '../../../../../src/engine/stages/recognise/sure-lines.js';

/** A line of words at a height; confidence 0.95 unless given. */
const line = (y: number, text: string, confidence = 0.95, x = 0): Fragment =>
  createFragment(
    text.split(' ').map((word, index) => ({
      ...{ text: word, x0: x + index * 50, x1: x + index * 50 + 40, y0: y, y1: y + 10, baseline: y + 8 },
      ...{ fontSize: 10, bold: false, italic: false, confidence },
    })),
    0,
  );
const kept = (lines: Fragment[]) => keepSureLines(lines).map(({ words }) => words.map(({ text }) => text).join(' '));

const PROSE = [line(0, 'the quick brown fox'), line(20, 'jumps over the lazy dog')];

it('lines of words → kept, as they are and in their order', () => {
  expect(kept(PROSE)).toEqual(['the quick brown fox', 'jumps over the lazy dog']);
});

it('lines on which several readings agree, whose confidence is in proportion → kept', () => {
  expect(kept([line(0, 'the quick brown fox', 0.78), line(20, 'jumps over the lazy dog', 0.78)])).toHaveLength(2);
});

it('scales, signs and misread rules beside them → left out', () => {
  const scale = [line(40, '0.8'), line(60, '| / ~'), line(80, 'H i o'), line(100, '10 20 30')];
  expect(kept([...PROSE, ...scale])).toHaveLength(2);
});

it('figures in one row with words, as in a table → kept; unsure ones are not', () => {
  expect(kept([...PROSE, line(1, '44,4', 0.95, 400)])).toContain('44,4');
  expect(kept([...PROSE, line(1, '44,4', 0.5, 400)])).not.toContain('44,4');
});

it('an unsure line → left out', () => {
  expect(kept([...PROSE, line(40, 'wnat tno devll', 0.6)])).toHaveLength(2);
});

it('few sure words, as on a logo, or a reading that is unsure as a whole → nothing', () => {
  expect(kept([line(0, 'State Library Berlin')])).toEqual([]);
  expect(kept([...PROSE, line(40, 'mmmmmmmmmmmmmmmmmmmm llllllllllllllllllllllllll', 0.4)])).toEqual([]);
  expect(kept([])).toEqual([]);
});

it('letters of another script, which give capitals within words → nothing', () => {
  expect(kept([line(0, 'KopoHaswupyca mHcTpymeHToB bAHkob'), line(20, 'aNa hacEneHue rOcy')])).toEqual([]);
});
