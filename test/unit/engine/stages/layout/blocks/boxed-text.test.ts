import { describe, expect, it } from 'vitest';
import type { Area } from '../../../../../../src/engine/model/geometry.js';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { documentOf, readPage, setLine, setLines } from '../../../set-words.js';

const blocksOf = (words: RawWord[], rules: Area[], shades: Area[] = []): string[] =>
  renderMarkdown(documentOf([readPage(words, 600, 800, { rules, shades })])).split('\n\n');

const box = (x0: number, y0: number, x1: number, y1: number): Area[] => [
  { x0, y0, x1, y1: y0 },
  { x0, y0: y1, x1, y1 },
  { x0, y0, x1: x0, y1 },
  { x0: x1, y0, x1, y1 },
];

const STORY = [
  'The keeper of the lighthouse wrote',
  'down each ship that went past, and',
  'what the weather was like, and how',
  'much of the oil was left. Nobody',
  'ever asked him for those books, so',
  'he kept on writing to please himself.',
];
const NOTE = ['Oil was brought twice', 'a year, by boat.'];

describe('text in boxes below each other', () => {
  it('text in two boxes → not joined from one to the next', () => {
    const words = setLines(['Books of the keeper', 'Kept in the tower', 'to please himself'], 50, 100);
    const border = { x0: 40, y0: 103, x1: 340, y1: 103 };
    expect(blocksOf(words, [...box(40, 90, 340, 130), border])).toEqual([
      'Books of the keeper',
      'Kept in the tower to please himself',
    ]);
  });
});

it('a frame around a link → text continues over it', () => {
  const [first = '', second = '', third = ''] = STORY;
  const frame = box(49, 103.5, 49 + second.length * 5, 114);
  expect(blocksOf(setLines([first, second, third], 50, 100), frame)).toEqual([[first, second, third].join(' ')]);
});

describe('short lines on a ground beside other text', () => {
  const items = ['Open daily', 'Entry £4.50', 'Dogs welcome', 'Bus 47'];
  const ground = [{ x0: 40, y0: 85, x1: 140, y1: 300 }];

  it('not level with the text → a text of its own', () => {
    const posts = ['Keeper of the tower', 'West Pier', 'Second keeper', 'East Pier', 'Rower of the boat'];
    const words = [...setLines(items, 50, 100, 12), ...setLines(posts, 160, 100, 15)];
    expect(blocksOf(words, [], ground).join(' ')).toBe([...items, ...posts].join(' '));
  });

  it('level with the text, on a ground that reaches far below both → a text of its own', () => {
    const words = [...setLines(items, 50, 100, 24), ...setLines(STORY.slice(0, 4), 160, 100, 24)];
    expect(blocksOf(words, [], ground).join(' ')).toBe([...items, ...STORY.slice(0, 4)].join(' '));
  });

  it('level with lines beside them, on a ground that ends with them → cells of rows', () => {
    const words = [...setLines(items, 50, 100, 24), ...setLines(STORY.slice(0, 4), 160, 100, 24)];
    const cells = ground.map((column) => ({ ...column, y1: 180 }));
    expect(blocksOf(words, [], cells)).toEqual([expect.stringMatching(/^\| Open daily \| The keeper/)]);
  });
});

describe('text in a box beside other text', () => {
  it('a boxed note level with the lines of a paragraph → a text of its own', () => {
    const words = [...setLines(STORY, 50, 100), ...setLines(NOTE, 330, 111)];
    expect(blocksOf(words, box(320, 92, 470, 164))).toEqual([STORY.join(' '), NOTE.join(' ')]);
  });

  it('a paragraph that runs on below the box → whole, before it', () => {
    const words = [...setLines(STORY, 50, 100), ...setLines(NOTE, 330, 108), ...setLines(STORY, 50, 190)];
    const story = STORY.join(' ');
    expect(blocksOf(words, box(320, 92, 470, 126))).toEqual([story, NOTE.join(' '), story]);
  });

  it('a flow chart → read shape by shape', () => {
    const shapes = [
      ['Weigh the sacks', 'at the gate'],
      ['Store the sacks', 'in the barn'],
    ];
    const words = [0, 1].flatMap((line) =>
      shapes.flatMap((shape, column) => setLine(shape[line] ?? '', 60 + column * 180, 100 + line * 12)),
    );
    const sides = [...box(50, 85, 180, 120), ...box(230, 85, 360, 120)];
    expect(blocksOf(words, sides)).toEqual(shapes.map((shape) => shape.join(' ')));
  });

  it('a boxed field in one line → stays with its label', () => {
    const words = [...setLine('Name of the ship', 50, 100), ...setLine('Marigold', 142, 100)];
    expect(blocksOf(words, box(138, 90, 300, 104))).toEqual(['Name of the ship Marigold']);
  });

  describe('the box of a field', () => {
    const words = [...setLine('Ship', 50, 110), ...setLines(['Marigold', 'Heron', 'Swift'], 140, 100)];
    const outline = { x0: 135, y0: 88, x1: 240, y1: 130 };
    const blocks = ['Ship', 'Marigold Heron Swift'];

    it('a label below the upper edge of the box → the text of the box after it', () => {
      expect(blocksOf(words, box(135, 88, 240, 130))).toEqual(blocks);
    });

    it('an outline filled below the ground → a box', () => {
      const ground = { x0: 136, y0: 89, x1: 239, y1: 129 };
      expect(blocksOf(words, [], [outline, ground])).toEqual(blocks);
    });

    it('a ground without an outline → no box', () => {
      expect(blocksOf(words, [], [outline])).not.toEqual(blocks);
    });
  });

  it('boxes that run into the frame of the page → one list for each box', () => {
    const names = ['Marigold', 'Heron', 'Swift'];
    const words = names.flatMap((name, row) => [
      ...setLine(name, 60, 110 + row * 14),
      ...setLine(`${row}`, 150, 110 + row * 14),
      ...setLine(name.toUpperCase(), 260, 110 + row * 14),
    ]);
    const grounds = [55, 255].map((x) => ({ x0: x, y0: 96, x1: x + 120, y1: 150 }));
    const frames = [box(40, 60, 560, 150), ...grounds.map(({ x0, y0, x1, y1 }) => box(x0, y0, x1, y1))];
    const text = blocksOf(words, frames.flat(), grounds).join(' ');
    expect(text).toMatch(/Marigold.*0.*Heron.*1.*Swift.*2.*MARIGOLD HERON SWIFT/s);
  });

  it('columns of boxes → read in their order', () => {
    const lines = (from: number) => STORY.map((line, index) => (index === 0 ? `${from} ${line}` : line));
    const words = [
      ...setLines(lines(1), 50, 100),
      ...setLines(lines(3), 320, 106),
      ...setLines(lines(2), 50, 220),
      ...setLines(lines(4), 320, 250),
    ];
    const boxes = [box(45, 88, 290, 170), box(315, 94, 560, 176), box(45, 208, 290, 290), box(315, 238, 560, 320)];
    expect(blocksOf(words, boxes.flat()).join(' ').match(/\d/g)).toEqual(['1', '2', '3', '4']);
  });
});

describe('a column beside a table', () => {
  it('a column beside a table → read whole, its lines no cells', () => {
    const rows = [
      ['Ship', 'Barrels'],
      ['Marigold', '120'],
      ['Heron', '85'],
    ];
    const words = [
      ...setLine('What was landed in the harbour in the last week of the year, and by whom.', 50, 70),
      ...setLines(STORY, 50, 100),
      ...rows.flatMap((row, index) =>
        row.flatMap((text, column) => setLine(text, 325 + column * 90, 105 + index * 24)),
      ),
    ];
    const rules = [90, 114, 138, 164]
      .map((y): Area => ({ x0: 320, y0: y, x1: 500, y1: y }))
      .concat([320, 410, 500].map((x): Area => ({ x0: x, y0: 90, x1: x, y1: 164 })));
    const [lead, story, table] = blocksOf(words, rules);
    expect([lead, story]).toEqual([
      'What was landed in the harbour in the last week of the year, and by whom.',
      STORY.join(' '),
    ]);
    expect(table).toBe('| Ship | Barrels |\n| --- | --- |\n| Marigold | 120 |\n| Heron | 85 |');
  });
});

describe('cards side by side', () => {
  const cards = ['Heron', 'Marigold', 'Swift', 'Tern'].map((title, index) => ({
    ...{ x: 50 + (index % 2) * 250, y: 100 + Math.floor(index / 2) * 90 },
    lines: [`${title} boats`, `The ${title} is tied to the`, 'pier with a rope of hemp'],
  }));
  const words = cards.flatMap(({ x, y, lines }) => setLines(lines, x, y));
  const inOrder = cards.map(({ lines }) => lines.join(' ')).join(' ');
  const grounds = cards.map(({ x, y }) => ({ x0: x - 10, y0: y - 15, x1: x + 200, y1: y + 45 }));
  const read = (shades: Area[], boxes: Area[] = []) =>
    renderMarkdown(documentOf([readPage(words, 600, 800, { shades, boxes })]))
      .replace(/\s+/g, ' ')
      .trim();

  it('a ground for each, or a box with round corners → card after card, row after row', () => {
    expect(read(grounds)).toBe(inOrder);
    expect(read([], grounds)).toBe(inOrder);
  });

  it('grounds that touch → cells', () => {
    expect(read(grounds.map((ground) => ({ ...ground, x0: ground.x0 - 40 })))).not.toBe(inOrder);
  });
});
