import { describe, expect, it } from 'vitest';
import { barriersAmong, cutAtBarriers } from '../../../../../../src/engine/stages/layout/columns/barriers.js';
import { toStrips } from '../../../../../../src/engine/stages/layout/lines/strips.js';
import { renderText } from '../../../../../../src/engine/stages/render/text.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { fragmentsOf, readPage, setLine, setLines } from '../../../set-words.js';

const LEFT = [
  'the first column begins here and goes on',
  'for several lines that are as wide as it,',
  'until it has come to its foot at the very',
  'end of the page, where the reader turns up',
  'to the head of the other one and goes on',
];
const RIGHT = [
  'reading what stands in the second column,',
  'which is set beside the first and is just',
  'as wide, so that their lines are alike in',
  'length and none of them could be a cell of',
  'some table that has been set without rules',
];

const textOf = (words: RawWord[], rules: number[]): string[] => {
  const drawn = { rules: rules.map((y) => ({ x0: 50, x1: 550, y0: y, y1: y })) };
  return renderText({ pages: [readPage(words, 600, 800, drawn)], warnings: [] }).split('\n\n');
};

const HEAD = [...setLine('Office of the Lighthouses', 50, 70), ...setLine('Notice 1036', 494, 70)];
const columns = (y: number) => [...setLines(LEFT, 50, y), ...setLines(RIGHT, 310, y + 4)];

describe('a rule across the page', () => {
  it('a rule below the head of the page → head apart from the columns', () => {
    const [head, ...rest] = textOf([...HEAD, ...columns(106)], [84]);
    expect(head).toMatch(/^Office of the Lighthouses\s+Notice 1036$/);
    expect(rest).toEqual([LEFT.join('\n'), RIGHT.join('\n')]);
  });

  it('three texts in the line above the rule, a large title close below it → head apart from the columns', () => {
    const dateline = ['No. 47', 'The Lamp', 'Spring'].flatMap((text, index) => setLine(text, 50 + index * 125, 70));
    const title = setLine('The lamp is lit', 50, 98, { size: 22 });
    const [head, ...rest] = textOf([...dateline, ...title, ...columns(126)], [78]);
    expect(head).toMatch(/^No. 47\s+The Lamp\s+Spring$/);
    expect(rest).toEqual(['The lamp is lit', LEFT.join('\n'), RIGHT.join('\n')]);
  });

  it('a rule above the foot → foot apart from the columns', () => {
    const foot = [...setLine('Office of the Lighthouses', 50, 179), ...setLine('Notice 1036', 494, 179)];
    const read = textOf([...columns(106), ...foot], [166]);
    expect(read.slice(0, 2)).toEqual([LEFT.join('\n'), RIGHT.join('\n')]);
    expect(read[2]).toMatch(/^Office of the Lighthouses\s+Notice 1036$/);
  });

  it('columns above a rule → no head of the columns below', () => {
    const words = [...columns(106), ...columns(186)];
    const texts = [LEFT, RIGHT, LEFT, RIGHT].map((lines) => lines.join('\n'));
    expect(textOf(words, [174])).toEqual(texts);
  });

  it('a rule inside one column above its further text → no barrier', () => {
    const words = [...columns(106), ...setLines(LEFT, 50, 179)];
    expect(textOf(words, [166]).at(-1)).toBe(RIGHT.join('\n'));
  });
});

describe('rules among columns', () => {
  /** Cuts a head on base line 70 and columns at rules of these heights; returns by how many strips the start and the end move. */
  const cut = (rules: number[], head: RawWord[] = HEAD) => {
    const strips = toStrips(fragmentsOf([...head, ...columns(106)]));
    const run = { from: 0, to: strips.length - 1, gutter: 300 };
    const barriers = rules.map((y) => ({ x0: 50, x1: 550, y0: y, y1: y }));
    const left = cutAtBarriers(strips, run, barriers, (fragments) => fragments.length > 6);
    return left === undefined ? undefined : [left.from, left.to - run.to];
  };

  it('rules from one side to the other → columns parted, other rules no barriers', () => {
    const fragments = fragmentsOf(columns(106));
    const rule = (x1: number) => ({ x0: 50, x1, y0: 84, y1: 84 });
    expect(barriersAmong(fragments, [rule(400)])).toEqual([]);
    expect(barriersAmong(fragments, [rule(400), rule(520)])).toEqual([rule(520)]);
  });

  it('a head well above the columns → parted from them', () => {
    expect(cut([84])).toEqual([1, 0]);
    expect(cut([60])).toBeUndefined();
    const close = [...setLine('Office of the Lighthouses', 50, 92), ...setLine('Notice 1036', 494, 92)];
    expect(cut([95], close)).toBeUndefined();
  });

  it('a row of three texts, maybe below a title → parted; two rows of several cells → not parted', () => {
    const row = [...HEAD, ...setLine('of this coast', 200, 70)];
    expect(cut([84], row)).toEqual([1, 0]);
    const above = setLine('Of all', 50, 58);
    expect(cut([84], [...above, ...setLine('of 1911', 494, 58), ...row])).toBeUndefined();
    expect(cut([84], [...above, ...row])).toEqual([2, 0]);
  });
});

describe('the title of a column', () => {
  it('a smaller line close beside a title in the next column → no part of the title', () => {
    const title = setLine('General Instructions now', 50, 94, { size: 18, bold: true });
    const end = Math.max(...title.map(({ x1 }) => x1));
    const right = ['They are set in the lines of that column,', ...RIGHT];
    const words = [
      ...title,
      ...right.flatMap((line, index) => [
        ...setLine(line, end + 14, 94 + index * 12),
        ...(index === 0 ? [] : setLine(LEFT[index - 1] ?? '', 50, 94 + index * 12)),
      ]),
    ];
    expect(textOf(words, []).map((part) => part.split('\n')[0])).toEqual([
      'General Instructions now',
      LEFT[0],
      right[0],
    ]);
  });
});
