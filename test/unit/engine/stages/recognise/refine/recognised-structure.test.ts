import { describe, expect, it } from 'vitest';
import type { Block } from '../../../../../../src/engine/model/document.js';
import type { PageBlock } from '../../../../../../src/engine/model/page.js';
import { parseHocr } from '../../../../../../src/engine/stages/recognise/hocr.js';
import { markBold } from '../../../../../../src/engine/stages/recognise/mark-bold.js';
import { layOutRecognised } from './lay-out-recognised.js';

interface RecognisedLine {
  text: string;
  x?: number;
  /** The y of the base line. */
  y: number;
  size?: number;
  /** Space after the first word, in pixels. */
  gap?: number;
  /** Confidence of its words, in per cent. */
  confidence?: number;
}

/** Paragraphs as a recogniser gives them: words as wide as a half of an em for each letter. */
const recognise = (paragraphs: RecognisedLine[][]): PageBlock[] =>
  parseHocr(
    paragraphs.map((lines) => `<p class='ocr_par' title="bbox 0 0 1 1">${lines.map(toHocr).join('')}</p>`).join(''),
  ).blocks;

function toHocr({ text, x = 60, y, size = 20, gap = size / 4, confidence = 90 }: RecognisedLine): string {
  let at = x;
  const words = text.split(' ').map((word, index) => {
    const [x0, x1] = [Math.round(at), Math.round(at + (word.length * size) / 2)];
    at = x1 + (index === 0 ? gap : size / 4);
    return `<span class='ocrx_word' title='bbox ${x0} ${Math.round(y - size)} ${x1} ${y}; x_wconf ${confidence}'>${word}</span>`;
  });
  return `<span class='ocr_line' title="bbox ${x} ${Math.round(y - size)} ${Math.round(at)} ${y}; baseline 0 0; x_size ${size}">\n${words.join('\n')}</span>`;
}

const BODY = [
  'Much of this page is set in type of one size, and the',
  'lines of it are as wide as its column, so that nobody',
  'could take them for anything other than what they are.',
];
const body = (y: number, sizes = [20, 20, 20]): RecognisedLine[] =>
  BODY.map((text, index) => ({ text, y: y + index * 26, size: sizes[index] ?? 20 }));

const layOut = (blocks: PageBlock[]) => layOutRecognised({ width: 1000, height: 1400, blocks, rules: [] });
const show = (blocks: readonly Block[]) =>
  blocks.map(({ kind, lines }) => `${kind}: ${lines.flatMap(({ words }) => words.map(({ text }) => text)).join(' ')}`);
const prose = `paragraph: ${BODY.join(' ')}`;

/** Makes the page lean down to the right, in place. */
function lean(blocks: PageBlock[]): PageBlock[] {
  for (const line of blocks.flatMap(({ lines }) => lines)) {
    for (const part of [line, ...line.words]) {
      const down = (part.x0 + part.x1 - 1000) * 0.006;
      for (const side of ['y0', 'y1', 'baseline'] as const) part[side] += down;
    }
  }
  return blocks;
}

describe('the structure of recognised pages', () => {
  it('lines whose measured sizes vary a little → one paragraph, no headings', () => {
    expect(show(layOut(recognise([body(400), body(600, [22, 20, 18.5]), body(800, [22.5, 22.5, 22.5])])))).toEqual([
      prose,
      prose,
      prose,
    ]);
  });

  it('a heading that was read as part of a paragraph → a block of its own', () => {
    const page = recognise([body(400), [{ text: 'A Title', y: 560, size: 27 }, ...body(600)]]);
    expect(show(layOut(page))).toEqual([prose, 'heading: A Title', prose]);
  });

  it.each(['and the last of them', 'The drive holds all the songs of a year!'])(
    'type hardly larger, the words of no title → text: %s',
    (text) => {
      const page = recognise([body(400), [{ text, y: 600, size: 25 }], body(700)]);
      expect(show(layOut(page))).toEqual([prose, `paragraph: ${text}`, prose]);
    },
  );

  it('a paragraph that was read as two → one, and no heading', () => {
    const [first, ...rest] = body(600, [24, 21, 21]);
    expect(show(layOut(recognise([body(400), first ? [first] : [], rest])))).toEqual([prose, prose]);
  });

  it('large type of low confidence → no heading', () => {
    const page = (confidence: number) =>
      recognise([body(400), [{ text: 'Linnaeus', y: 560, size: 40, confidence }], body(700)]);
    expect(show(layOut(page(90)))).toContain('heading: Linnaeus');
    expect(show(layOut(page(60)))).toContain('paragraph: Linnaeus');
  });

  it('a title below two columns → before the text that it is the title of', () => {
    const column = (x: number) => body(400).map((line) => ({ ...line, x }));
    const title = recognise([[{ text: 'Below the columns', y: 502, size: 20 }]]);
    for (const { lines } of title) for (const word of lines.flatMap(({ words }) => words)) word.bold = true;
    const wide = BODY.map((text, index) => ({ text: `${text} ${text}`, y: 530 + index * 26 }));
    const blocks = [...recognise([column(60)]), ...title, ...recognise([column(700), wide])];
    const below = `paragraph: ${wide.map(({ text }) => text).join(' ')}`;
    expect(show(layOut(blocks))).toEqual([prose, prose, 'heading: Below the columns', below]);
  });

  it('lines read across two columns → cut at the gutter', () => {
    const across = BODY.map((text, index): RecognisedLine[] => [
      { text, y: 400 + index * 26 },
      { text, x: 700, y: 400 + index * 26 },
    ]);
    const [first = []] = recognise([across.flat()]).map(({ lines }) => lines);
    const pairs = BODY.map((_, index) => {
      const [left, right] = [first[index * 2], first[index * 2 + 1]];
      if (left === undefined || right === undefined) throw new Error('no line');
      return { ...left, words: [...left.words, ...right.words], x1: right.x1 };
    });
    expect(show(layOut([{ lines: pairs }]))).toEqual([prose, prose]);
  });

  it('a row on a leaning page → one row, with boxes where it was read', () => {
    const page = () => {
      const fields = ['Name', 'Street', 'Town', 'Country'].map((text, index) => ({ text, y: 700 + index * 30 }));
      const values = ['Jane Doe', 'High Street', 'Leeds', 'England'].map((text, index) => ({
        ...{ text, x: 700, y: 700 + index * 30 },
      }));
      return recognise([body(400), body(500), fields, values]);
    };
    const leaning = layOut(lean(page()));
    expect(show(leaning)).toEqual(show(layOut(page())));
    const [given] = lean(page()).flatMap(({ lines }) => lines.flatMap(({ words }) => words));
    const [x0 = 0, y0 = 0] = leaning[0]?.lines[0]?.words[0]?.box ?? [];
    expect(x0 * 1000).toBeCloseTo(given?.x0 ?? 0, 0);
    expect(y0 * 1400).toBeCloseTo(given?.y0 ?? 0, 0);
  });

  it('a leaning table with narrow cells → its rows', () => {
    const columns = [
      ['Jane Doe', 'Ann Roe', 'Max Poe', 'Tim Low', 'Sue Ray', 'Ida Fox'],
      ['High Street 12', 'Mill Lane 7', 'Old Road 31', 'New Road 8', 'Park Row 20', 'Sea View 4'],
      ['Leeds North', 'York West', 'Hull East', 'Bath Spa', 'Deal Pier', 'Rye Town'],
      ['11 42', '12 43', '13 44', '14 45', '15 46', '16 47'],
    ];
    const page = () =>
      recognise(
        columns.map((cells, column) => cells.map((text, row) => ({ text, x: 60 + column * 280, y: 200 + row * 30 }))),
      );
    const [table] = layOut(lean(page()));
    expect(table?.table).toMatchObject({ rows: 6, columns: 4 });
    expect(show(layOut(lean(page())))).toEqual(show(layOut(page())));
  });

  it('fields beside a text, not level with its lines → apart from them', () => {
    const text = [...Array(4)].flatMap((_, index) => body(200 + index * 78));
    const fields = ['Maker', 'Version', 'Kernel', 'Licence', 'Price', 'Size'];
    const labels = fields.map((text, index) => ({ text, x: 640, y: 212 + index * 37 }));
    const values = fields.map((text, index) => ({ text: `of ${text}`, x: 800, y: 212 + index * 37 }));
    expect(show(layOut(recognise([text, labels, values])))).toEqual([
      `paragraph: ${Array(4).fill(BODY.join(' ')).join(' ')}`,
      `table: ${fields.map((field) => `${field} of ${field}`).join(' ')}`,
    ]);
  });

  it('two columns → two paragraphs', () => {
    const right = body(400).map((line) => ({ ...line, x: 700 }));
    expect(show(layOut(recognise([body(400), right])))).toEqual([prose, prose]);
  });

  it('a number whose full stop was misread, beside a numbered item → an item', () => {
    const page = recognise([
      body(300),
      [{ text: '1, Bread and butter', y: 500 }],
      [{ text: '2. Two eggs', y: 530 }],
      [{ text: '3.Coffee with milk', y: 560 }],
      [{ text: '4 Sugar', y: 590 }],
      [{ text: '5: oats', y: 620 }],
      [{ text: '6. Salt', y: 650 }],
      [{ text: '9 Lives of a cat', y: 700 }],
      [{ text: '5 of them', y: 800 }],
      [{ text: '3.Bis', x: 200, y: 900 }],
    ]);
    expect(show(layOut(page)).slice(1)).toEqual([
      'list-item: 1. Bread and butter',
      'list-item: 2. Two eggs',
      'list-item: 3. Coffee with milk',
      'list-item: 4. Sugar',
      'list-item: 5. oats',
      'list-item: 6. Salt',
      'paragraph: 9 Lives of a cat',
      'paragraph: 5 of them',
      'paragraph: 3.Bis',
    ]);
  });

  it('a number without room for a full stop → no item', () => {
    const page = recognise([body(300), [{ text: '12. December', y: 500 }], [{ text: '13 Mill Road', y: 530 }]]);
    expect(show(layOut(page)).at(-1)).toBe('paragraph: 13 Mill Road');
  });

  it('a number that other text parts from the list → no item', () => {
    const page = recognise([
      body(300),
      [{ text: '1 Onion', y: 500, gap: 15 }],
      [{ text: 'How it is made', y: 550 }],
      [{ text: '1. Peel the onion', y: 600 }],
      [{ text: 'and cut it in two', x: 85, y: 630 }],
      [{ text: '2. Boil the eggs', y: 660 }],
      [{ text: '3 Serve', y: 690, gap: 15 }],
    ]);
    expect(show(layOut(page)).slice(1)).toEqual([
      'paragraph: 1 Onion',
      'paragraph: How it is made',
      'list-item: 1. Peel the onion and cut it in two',
      'list-item: 2. Boil the eggs',
      'list-item: 3. Serve',
    ]);
  });

  it('a number with a leading zero → kept as it is', () => {
    const page = recognise([
      body(300),
      [{ text: '01.Bread and butter', y: 500 }],
      [{ text: '02. Two eggs', y: 530 }],
      [{ text: '03, Coffee with milk', y: 560 }],
    ]);
    expect(show(layOut(page)).slice(1)).toEqual([
      'list-item: 01. Bread and butter',
      'list-item: 02. Two eggs',
      'list-item: 03. Coffee with milk',
    ]);
  });

  it.each(['©', '¢', '«', '*', 'e«'])('%s before an item → a bullet', (sign) => {
    const page = recognise([
      body(400),
      [
        { text: `${sign} Bread and butter`, y: 600 },
        { text: `${sign} Two eggs`, y: 626 },
      ],
    ]);
    expect(show(layOut(page))).toEqual([prose, 'list-item: • Bread and butter', 'list-item: • Two eggs']);
  });

  it('« on a page with » → a quotation mark', () => {
    const page = recognise([body(400), [{ text: '« Du pain »', y: 600 }], [{ text: '«Du pain et du vin »', y: 700 }]]);
    expect(show(layOut(page)).slice(1)).toEqual(['paragraph: « Du pain »', 'paragraph: «Du pain et du vin »']);
  });

  it('a letter before wide space → a bullet; elsewhere a word', () => {
    const page = recognise([
      body(400),
      [{ text: 'e Bread and butter', y: 600, gap: 14 }],
      [{ text: 'e pane e burro', y: 700 }],
      [{ text: '«Bread', y: 800 }],
      [{ text: '«Bread and butter', y: 900 }],
      [{ text: '© 2024 the authors', y: 1000 }],
    ]);
    expect(show(layOut(page)).slice(1)).toEqual([
      'list-item: • Bread and butter',
      'paragraph: e pane e burro',
      'paragraph: «Bread',
      'list-item: • Bread and butter',
      'paragraph: © 2024 the authors',
    ]);
  });
});

describe('bold type of recognised pages', () => {
  /** Upright strokes of the given width where the words are. */
  const draw = (
    blocks: readonly PageBlock[],
    strokeOf: (line: number, word: number) => number,
    shade = 0,
    foot = 0,
  ) => {
    const [width, height] = [1000, 1400];
    const data = new Uint8Array(width * height).fill(255);
    const lines = blocks.flatMap((block) => block.lines);
    for (const [index, line] of lines.entries()) {
      for (const [word, { x0, x1, y0, y1 }] of line.words.entries()) {
        for (let y = y0; y < y1; y++)
          for (let x = x0; x < x1; x += 10)
            data.fill(shade, y * width + x, y * width + x + (y === y1 - 1 && foot > 0 ? foot : strokeOf(index, word)));
      }
    }
    return { data, width, height };
  };
  const titled = () => recognise([body(400), [{ text: 'Another Title', y: 560 }, ...body(600)], body(800)]);
  const boldOf = (blocks: readonly PageBlock[]) =>
    blocks.flatMap(({ lines }) => lines.map(({ words }) => words.every(({ bold }) => bold)));

  it('wide strokes, also in faint print → bold, and a heading', () => {
    for (const shade of [0, 150]) {
      const found = titled();
      const blocks = markBold(
        draw(found, (line) => (line === 3 ? 4 : 3), shade),
        found,
      );
      expect(boldOf(blocks)).toEqual(Array.from({ length: 10 }, (_, line) => line === 3));
      expect(show(layOut(blocks))).toEqual([prose, 'heading: Another Title', prose, prose]);
    }
  });

  it('cells of a line → each by itself; one too short to tell is as its line', () => {
    const cells = (y: number, text: string): RecognisedLine[] => [{ text, y, gap: 200 }];
    const found = recognise([body(400), cells(600, 'Administrator Permissions'), cells(700, 'i Permissions')]);
    const blocks = markBold(
      draw(found, (line, word) => (line === 4 || (line === 3 && word === 0) ? 4 : 3)),
      found,
    );
    const bold = blocks.flatMap(({ lines }) => lines.flatMap(({ words }) => words)).filter((word) => word.bold);
    expect(bold.map(({ text }) => text)).toEqual(['Administrator', 'i', 'Permissions']);
  });

  it('bold first words of a line of text → those alone are bold', () => {
    const found = recognise([body(400), body(600)]);
    const boldWords = (strokeOf: (word: number) => number) =>
      markBold(
        draw(found, (line, word) => (line === 3 ? strokeOf(word) : 3)),
        found,
      )
        .flatMap(({ lines }) => lines.flatMap(({ words }) => words))
        .filter((word) => word.bold).length;
    expect(boldWords((word) => (word < 3 ? 5 : 3))).toBe(3);
    expect(boldWords(() => 5)).toBeGreaterThan(3);
    // Words that are a little bolder than their line are not bold.
    expect(boldWords((word) => (word < 3 ? 3.5 : 3))).toBe(0);
  });

  it('feet of letters that a row of pixels meets in one size only → not bold', () => {
    const blocks = recognise([body(400, [21, 21, 21]), body(600, [21, 20, 21]), body(800, [21, 21, 21])]);
    const marked = markBold(
      draw(blocks, () => 3, 0, 9),
      blocks,
    );
    expect(boldOf(marked)).not.toContain(true);
  });

  it('larger type, equal strokes or no ink → not bold', () => {
    const larger = recognise([body(400), [{ text: 'A Title', y: 560, size: 40 }], body(600)]);
    const pages = [
      { blocks: larger, strokeOf: (line: number) => (line === 3 ? 6 : 3) },
      { blocks: titled(), strokeOf: () => 3 },
      { blocks: titled(), strokeOf: () => 0 },
    ];
    for (const { blocks, strokeOf } of pages) {
      expect(boldOf(markBold(draw(blocks, strokeOf), blocks))).not.toContain(true);
    }
  });
});
