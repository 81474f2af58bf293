import { describe, expect, it } from 'vitest';
import type { Area } from '../../../../../../src/engine/model/geometry.js';
import type { PageBlock } from '../../../../../../src/engine/model/page.js';
import { parseHocr } from '../../../../../../src/engine/stages/recognise/hocr.js';
import { layOutRecognised } from './lay-out-recognised.js';

/** Paragraphs of lines as a recogniser gives them: each line is words at x, on base line y. */
const hocr = (paragraphs: [number, number, string][][]) =>
  paragraphs
    .map(
      (lines) =>
        `<p class='ocr_par' title="bbox 0 0 1 1">${lines
          .map(([x, y, text]) => {
            let at = x;
            const words = text.split(' ').map((word) => {
              const x0 = at;
              at += word.length * 10 + 6;
              return `<span class='ocrx_word' title='bbox ${x0} ${y - 20} ${at - 6} ${y}; x_wconf 90'>${word}</span>`;
            });
            return `<span class='ocr_line' title="bbox 0 0 1 1; x_size 20">\n${words.join('\n')}</span>`;
          })
          .join('')}</p>`,
    )
    .join('');
const layOut = (paragraphs: [number, number, string][][], rules: Area[] = []) => {
  const { blocks }: { blocks: PageBlock[] } = parseHocr(hocr(paragraphs));
  return layOutRecognised({ width: 1000, height: 1400, blocks, rules });
};
const textsOf = (blocks: ReturnType<typeof layOut>) =>
  blocks.map(({ kind, lines }) => `${kind}: ${lines.flatMap(({ words }) => words.map(({ text }) => text)).join(' ')}`);

describe('tables of recognised pages', () => {
  const columns: [number, number, string][][] = [
    [
      [60, 100, 'Bought at the corner'],
      [60, 130, 'and paid in coins'],
    ],
    [
      [60, 200, 'Bread'],
      [60, 230, 'Salted butter'],
      [60, 260, 'Two eggs'],
    ],
    [
      [500, 202, '2.10'],
      [500, 231, '3.40'],
      [500, 262, '0.90'],
    ],
    [[60, 340, 'Thank you']],
  ];

  it('columns that were read one after the other → one table', () => {
    expect(textsOf(layOut(columns))).toEqual([
      'paragraph: Bought at the corner and paid in coins',
      'table: Bread 2.10 Salted butter 3.40 Two eggs 0.90',
      'paragraph: Thank you',
    ]);
  });

  it('numbers whose base lines are those of the second lines of other cells → each in its row', () => {
    const rows = ['Bread', 'Butter', 'Eggs', 'Salt', 'Sugar', 'Tea'].map((name, row): [number, number, string][] => [
      [60, 150 + row * 66, `${row + 1}`],
      [200, 138 + row * 66, 'AX-'],
      [200, 162 + row * 66, `10${row}7`],
      [400, 150 + row * 66, name],
      [700, 150 + row * 66, `${row}.40`],
    ]);
    const heads = ['No', 'Code', 'Name', 'Price'];
    const head = heads.map((text, column): [number, number, string] => [[60, 200, 400, 700][column] ?? 0, 90, text]);
    const { blocks }: { blocks: PageBlock[] } = parseHocr(hocr([...head, ...rows.flat()].map((line) => [line])));
    for (const { words, ...line } of blocks.flatMap(({ lines }) => lines))
      for (const word of words) if (/^\d$/.test(word.text)) word.baseline = line.baseline + 12;
    const rules = [0, 1, 2, 3, 4, 5, 6].map((row) => ({ x0: 50, x1: 780, y0: 107 + row * 66, y1: 107 + row * 66 }));
    const [table] = layOutRecognised({ width: 1000, height: 1400, blocks, rules });
    const cells = table?.table?.cells.map(({ lines }) => lines.flatMap(({ words }) => words.map(({ text }) => text)));
    const codes = rows.map(([number, mark, code, ...others]) => [
      number,
      [0, 0, `${mark?.[2]} ${code?.[2]}`],
      ...others,
    ]);
    expect(cells?.map((words) => words.join(' '))).toEqual([...heads, ...codes.flat().map((cell) => cell?.[2])]);
  });

  it('wrapped cells beside running text → one cell each', () => {
    const text: [number, number, string][] = [
      [60, 100, 'What is wanted in the week before'],
      [60, 130, 'the feast, and who is to bring it'],
      [60, 160, 'from the shops of the old town'],
      [60, 190, 'to the hall.'],
    ];
    const cells: [number, number, string][][] = [
      [60, 260, 'Name'],
      [360, 260, 'Wanted'],
      [700, 260, 'Kept'],
      [60, 300, 'Bread and'],
      [60, 330, 'salted butter'],
      [360, 300, 'Twelve loaves'],
      [360, 330, 'of the dark one'],
      [700, 300, 'Kitchen'],
      [60, 372, 'Eggs'],
      [360, 372, 'Sixty of them'],
      [360, 402, 'from the farm'],
      [700, 372, 'Cellar'],
      [60, 444, 'Apples'],
      [360, 444, 'A full basket'],
      [700, 444, 'Cellar'],
    ].map((line) => [line as [number, number, string]]);
    expect(layOut([text, ...cells]).at(-1)?.table).toMatchObject({ rows: 4, columns: 3 });
    expect(layOut(cells).at(-1)?.table?.rows).toBeGreaterThan(4);
  });

  it('columns of text → no table', () => {
    const text: [number, number, string][][] = [
      [
        [60, 200, 'in the year of the flood'],
        [60, 230, 'the corner shop floated'],
        [60, 260, 'as far as the bridge, and'],
      ],
      [
        [500, 202, 'stayed there until autumn'],
        [500, 231, 'when it was brought home'],
        [500, 262, 'by the baker and his sons'],
      ],
    ];
    expect(textsOf(layOut(text)).map((line) => line.split(':')[0])).toEqual(['paragraph', 'paragraph']);
  });
});

describe('tables with lines around their cells, on recognised pages', () => {
  const flat = (y: number) => ({ x0: 50, x1: 700, y0: y, y1: y });
  const steep = (x: number) => ({ x0: x, x1: x, y0: 170, y1: 290 });
  const rules = [...[170, 210, 250, 290].map(flat), ...[50, 300, 500, 700].map(steep)];
  /** A ruled table as a recogniser reads it: row by row, its rules as signs. */
  const rows: [number, number, string][][] = [
    [[60, 100, 'What came into the harbour']],
    [
      [60, 200, 'Ship | Cargo | Tons'],
      [60, 240, 'Heron'],
      [320, 241, 'timber of many'],
      [520, 240, '88'],
      [60, 280, 'Gull'],
      [520, 281, '[ 14'],
    ],
    [[60, 340, 'and what went out again']],
  ];
  // Each text stands in its column.
  const [head = [], gull = []] = [rows[1]?.[0], rows[1]?.[5]];
  rows[1]?.splice(0, 1, [60, 200, 'Ship'], [290, 200, '| Cargo'], [495, 200, '| Tons']);

  it('rules → their cells, without the signs read in their place', () => {
    expect([head[2], gull[2]]).toEqual(['Ship | Cargo | Tons', '[ 14']);
    const blocks = layOut(rows, rules);
    expect(textsOf(blocks)).toEqual([
      'paragraph: What came into the harbour',
      'table: Ship Cargo Tons Heron timber of many 88 Gull 14',
      'paragraph: and what went out again',
    ]);
    const table = blocks[1]?.table;
    expect(table).toMatchObject({ rows: 3, columns: 3 });
    expect(table?.cells[7]).toMatchObject({ row: 2, column: 1, lines: [] });
    expect(table?.cells[4]?.box).toEqual([0.3, 210 / 1400, 0.5, 250 / 1400].map((value) => expect.closeTo(value, 4)));
  });

  it('rules read at the ends of words → dropped', () => {
    const glued = rows.map((lines) =>
      lines.map(([x, y, text]): [number, number, string] => {
        if (text === 'Heron') return [46, y, '|Heron'];
        if (text === '88') return [675, y, '88)'];
        return [x, y, text === 'Gull' ? 'Gull (a)' : text];
      }),
    );
    expect(textsOf(layOut(glued, rules))[1]).toBe('table: Ship Cargo Tons Heron timber of many 88 Gull (a) 14');
  });

  it('tables side by side → from left to right', () => {
    const grid = (x: number) => [
      ...[170, 210, 250, 290].map((y) => ({ x0: x, x1: x + 400, y0: y, y1: y })),
      ...[x, x + 200, x + 400].map((side) => ({ x0: side, x1: side, y0: 170, y1: 290 })),
    ];
    const table = (x: number, name: string): [number, number, string][] =>
      [200, 240, 280].flatMap((y, row): [number, number, string][] => [
        [x + 10, y, name],
        [x + 220, y, String(row)],
      ]);
    const blocks = layOut([table(500, 'Gull'), table(50, 'Heron')], [...grid(50), ...grid(500)]);
    expect(textsOf(blocks)).toEqual(['table: Heron 0 Heron 1 Heron 2', 'table: Gull 0 Gull 1 Gull 2']);
  });

  it('words beside a table in one of its lines → in their place', () => {
    const beside = structuredClone(rows);
    beside[1]?.push([730, 280, 'see below']);
    expect(textsOf(layOut(beside, rules))).toEqual([
      'paragraph: What came into the harbour',
      expect.stringMatching(/^table: /),
      'paragraph: see below',
      'paragraph: and what went out again',
    ]);
  });

  it('boxes of a form → no table', () => {
    const boxes = Array.from({ length: 11 }, (_, index) => 50 + index * 60);
    const labels = [
      'Name of the harbour and its owner',
      'Ships that moored there since',
      'Fees that are still to be paid',
    ];
    const lines = [170, 210, 250, 290, 330, 370].map((y) => ({ x0: 50, x1: 650, y0: y, y1: y }));
    const sides = boxes.flatMap((x) => [290, 330].map((y) => ({ x0: x, x1: x, y0: y, y1: y + 40 })));
    const ends = [50, 650].map((x) => ({ x0: x, x1: x, y0: 170, y1: 370 }));
    const digits = boxes
      .slice(0, -1)
      .flatMap((x, index) => [320, 360].map((y): [number, number, string][] => [[x + 20, y, String(index)]]));
    const form = [...labels.map((label, row): [number, number, string][] => [[60, 200 + row * 40, label]]), ...digits];
    const tables = layOut(form, [...lines, ...sides, ...ends]).filter(({ kind }) => kind === 'table');
    expect(textsOf(tables).filter((text) => labels.some((label) => text.includes(label)))).toEqual([]);
  });

  it('strokes of letters traced as rules → no table', () => {
    const text: [number, number, string][][] = [
      [
        [60, 100, 'HHHH HHHH'],
        [60, 140, 'EEEE EEEE'],
      ],
    ];
    const strokes = [
      ...[62, 80, 98].map((x) => ({ x0: x, x1: x, y0: 81, y1: 99 })),
      ...[82, 98].map((y) => ({ x0: 61, x1: 99, y0: y, y1: y })),
    ];
    expect(textsOf(layOut(text, strokes))).toEqual(textsOf(layOut(text)));
  });
});
