import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import { renderText } from '../../../../../../src/engine/stages/render/text.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { tablesOf } from '../../../gfm.js';
import { type Drawn, documentOf, readPage, readPages, setLine, setLines } from '../../../set-words.js';

const PROSE = [
  'The harbour keeps a list of what comes in and what goes out again, and',
  'the list is read aloud on the first of every month to whoever is there.',
];
const intro = setLines(PROSE, 50, 60);
const outro = setLines(PROSE, 50, 700);

const render = (words: RawWord[], drawn: Drawn = {}) => {
  const document = documentOf([readPage([...intro, ...words, ...outro], 600, 800, drawn)]);
  const markdown = renderMarkdown(document);
  return { markdown, text: renderText(document), tables: tablesOf(markdown), document };
};
/** Cells at the given x, one row every `step` points. */
const set = (rows: (string | undefined)[][], xs: number[], y = 120, step = 16) =>
  rows.flatMap((row, index) =>
    row.flatMap((cell, column) => (cell ? setLine(cell, xs[column] ?? 0, y + index * step) : [])),
  );
/** Width of a line at 10 points. */
const widthOf = (text: string): number => text.length * 5 - (text.split(' ').length - 1) * 2.5;
const flat = (x0: number, x1: number, y: number) => ({ x0, x1, y0: y, y1: y });
const steep = (x: number, y0: number, y1: number) => ({ x0: x, x1: x, y0, y1 });

const CARGO = [
  ['Ship', 'Cargo', 'Tons'],
  ['Marigold', 'salt and rope', '120'],
  ['Heron', 'timber', '88'],
  ['Old Tom', 'nothing', '0'],
];
const CARGO_X = [60, 200, 340];
const grid = (xs: number[], ys: number[]) => [
  ...ys.map((y) => flat(xs[0] ?? 0, xs.at(-1) ?? 0, y)),
  ...xs.map((x) => steep(x, ys[0] ?? 0, ys.at(-1) ?? 0)),
];
const CARGO_GRID = grid([54, 194, 334, 420], [108, 124, 140, 156, 172]);

describe('ruled tables', () => {
  const FORM = [
    ['40 Initial investment in the fund', '40'],
    ['41 Income reported on your returns for the', ''],
    ['years before that of the discovery', '41'],
    ['42 Withdrawals for all years', '42'],
    ['43 Add up the lines above and enter', ''],
    ['what they come to', '43'],
  ];
  const formRules = [
    ...[108, 204].map((y) => flat(54, 420, y)),
    ...[124, 156, 172].map((y) => flat(330, 420, y)),
    ...[54, 330, 360, 420].map((x) => steep(x, 108, 204)),
  ];

  it('texts of a form beside the ruled rows of their numbers → each in the row of its number', () => {
    const { tables } = render(set(FORM, [60, 340]), { rules: formRules });
    expect(tables).toEqual([
      [
        ['40 Initial investment in the fund', '40', ''],
        ['41 Income reported on your returns for the years before that of the discovery', '41', ''],
        ['42 Withdrawals for all years', '42', ''],
        ['43 Add up the lines above and enter what they come to', '43', ''],
      ],
    ]);
  });

  it('figures without rules between them, more of them than names beside them → each in its row', () => {
    const votes = ['36', '27', '1', '6', '0', '0'];
    const names = ['Holm', 'Rossi', 'Esk', 'Belle', '', ''];
    const ys = Array.from({ length: 8 }, (_, index) => 108 + index * 16);
    const rows = [['Name', 'Votes'], ...votes.map((vote, index) => [names[index], vote])];
    const rules = [
      ...[108, 124, 220].map((y) => flat(54, 420, y)),
      ...ys.slice(2, -1).map((y) => flat(54, 300, y)),
      ...[54, 300, 420].map((x) => steep(x, 108, 220)),
    ];
    expect(render(set(rows, [60, 340]), { rules }).tables).toEqual([rows]);
  });

  it('numbers without rules between them, one beside each ruled group of rows → each over the rows of its group', () => {
    const groups = ['Lamp', 'Oil', 'Book'];
    const ys = Array.from({ length: 8 }, (_, index) => 108 + index * 16);
    const steps = ['fetch', 'light', 'fetch', 'pour', 'fetch', 'write'];
    const rules = [
      ...[108, 124, 220].map((y) => flat(54, 420, y)),
      ...ys.slice(2, -1).map((y, index) => flat(index % 2 === 0 ? 300 : 120, 420, y)),
      ...[54, 120, 300, 420].map((x) => steep(x, 108, 220)),
    ];
    const words = [
      ...set([['No.', 'Thing', 'Step'], ...steps.map((step) => ['', '', step])], [60, 130, 310]),
      ...groups.flatMap((group, index) => [
        ...setLine(group, 130, 144 + index * 32),
        ...setLine(`T-${index + 1}`, 60, 152 + index * 32),
      ]),
    ];
    expect(render(words, { rules }).tables[0]?.map(([number]) => number)).toEqual([
      ...['No.', 'T-1', 'T-1', 'T-2', 'T-2', 'T-3', 'T-3'],
    ]);
  });

  it('a text over several rows that is level with boxes of several lines by chance → one cell', () => {
    const rents = FORM.flatMap(([, number]) => (number ? [`${number} Rents`, '$'] : []));
    const levels = [120, 128, 136, 144, 160, 168, 184, 192];
    const boxes = rents.flatMap((line, index) => setLine(line, 340, levels[index] ?? 0));
    const sums = [120, 136, 160, 184].flatMap((y) => setLine('12.50', 385, y));
    const texts = set(
      FORM.map(([text]) => [text?.replace(/^\d+ /, '')]),
      [60],
    );
    const rules = [
      ...[108, 204].map((y) => flat(54, 420, y)),
      ...[132, 156, 180].map((y) => flat(330, 420, y)),
      ...[54, 330, 380, 420].map((x) => steep(x, 108, 204)),
    ];
    const { tables } = render([...texts, ...boxes, ...sums], { rules });
    expect(tables[0]?.[0]?.[0]).toContain('discovery');
  });

  it('a grid of rules → one cell in each of its fields, the text around it left alone', () => {
    const { tables, markdown, text } = render(set(CARGO, CARGO_X), { rules: CARGO_GRID });
    expect(tables).toEqual([CARGO]);
    expect(markdown.split('\n\n')[0]).toBe(PROSE.join(' '));
    expect(text).toContain(CARGO.map((row) => row.join('  ')).join('\n'));
  });

  it('a head over a body whose last border is drawn beside the head alone → a row for each line', () => {
    const rows = [
      ['Scale', 'New', 'Rank'],
      ...Array.from({ length: 5 }, (_, index) => [`${800 - index * 10}`, `${170 - index}`, `${99 - index * 3}`]),
    ];
    const rules = [
      ...[108, 124, 204].map((y) => flat(54, 420, y)),
      ...[54, 194, 420].map((x) => steep(x, 108, 204)),
      steep(314, 108, 124),
    ];
    expect(render(set(rows, [60, 210, 330]), { rules }).tables).toEqual([rows]);
  });

  it('a border beside the labels alone, several figures in each row → the columns of the figures', () => {
    const rows = [
      ['Harbour', 'Salt', 'Rope', 'Oil', 'Sum'],
      ...['North', 'South', 'East', 'West'].map((name, at) => [name, `${12 + at}`, `${40 - at}`, `${71 + at}`, '186']),
    ];
    const rules = grid([54, 134, 420], [108, 124, 140, 156, 172, 188]);
    expect(render(set(rows, [60, 150, 220, 290, 360]), { rules }).tables).toEqual([rows]);
  });

  it('items in one ruled row, figures about the middle of descriptions that wrap → a row for each figure', () => {
    const items = [
      ['1', 'Lamps for the harbour', 'and its piers', '201.76', '201.76'],
      ['2', 'Oil of whales for all', 'lamps there', '507.83', '1015.66'],
      ['3', 'Wicks of cotton, cut', 'for these', '3.10', '31.00'],
    ];
    const head = ['No.', 'Item', 'Price', 'Sum'];
    const xs = [60, 110, 240, 330];
    const words = [
      ...head.flatMap((text, cell) => setLine(text, xs[cell] ?? 0, 119)),
      ...items.flatMap(([number = '', first = '', second = '', ...figures], row) => {
        const y = 146 + row * 30;
        const level = [number, '', ...figures].flatMap((text, cell) => (text ? setLine(text, xs[cell] ?? 0, y) : []));
        return [...level, ...setLines([first, second], 110, y - 6, 12)];
      }),
    ];
    const rules = grid([54, 100, 230, 320, 420], [108, 124, 230]);
    expect(render(words, { rules }).tables).toEqual([
      [head, ...items.map(([number, first, second, ...figures]) => [number, `${first} ${second}`, ...figures])],
    ]);
  });

  it('a ruled cell of two lines beside a cell of one → its lines together', () => {
    const words = [
      ...set([['Ship', 'Cargo']], [60, 200]),
      ...setLine('Marigold', 60, 140),
      ...setLines(['salt, rope and', 'whatever else there was'], 200, 136, 12),
    ];
    const rules = grid([54, 194, 420], [108, 124, 156]);
    expect(render(words, { rules }).tables).toEqual([
      [
        ['Ship', 'Cargo'],
        ['Marigold', 'salt, rope and whatever else there was'],
      ],
    ]);
  });

  it('cells over several columns and rows → spans in the model, labels repeated in Markdown', () => {
    const words = set(
      [
        ['Ship', 'Tons', undefined],
        [undefined, 'in', 'out'],
        ['Heron', '88', '90'],
      ],
      [60, 200, 300],
    );
    const rules = [
      ...[108, 140, 156].map((y) => flat(54, 380, y)),
      flat(194, 380, 124),
      ...[54, 194, 380].map((x) => steep(x, 108, 156)),
      steep(294, 124, 156),
    ];
    const { tables, document, text } = render(words, { rules });
    expect(tables).toEqual([
      [
        ['Ship', 'Tons', 'Tons'],
        ['Ship', 'in', 'out'],
        ['Heron', '88', '90'],
      ],
    ]);
    const table = document.pages[0]?.blocks.find(({ kind }) => kind === 'table')?.table;
    expect(table?.cells.slice(0, 2)).toMatchObject([
      { row: 0, column: 0, rowSpan: 2, columnSpan: 1 },
      { row: 0, column: 1, rowSpan: 1, columnSpan: 2 },
    ]);
    expect(text.match(/Ship/g)).toHaveLength(1);
  });

  describe('rows over all columns of a grid', () => {
    const title = 'Table 4. What the ships of the harbour had on board';
    const note = 'Note: ships that carry nothing pay nothing, and ships that carry salt pay twice.';
    const read = (top: string, foot: string, rows = CARGO) => {
      const words = [...setLine(top, 60, 104), ...set(rows, CARGO_X), ...setLine(foot, 60, 184)];
      const rules = [
        ...[92, 108, 124, 140, 156, 172, 188].map((y) => flat(54, 520, y)),
        ...[54, 520].map((x) => steep(x, 92, 188)),
        ...[194, 334].map((x) => steep(x, 108, 172)),
      ];
      return render(words, { rules });
    };

    it('a title above the head, a note below the last row → no rows', () => {
      const { tables, markdown } = read(title, note);
      expect(tables).toEqual([CARGO]);
      const parts = markdown.split('\n\n').map((part) => part.replaceAll('\\', ''));
      expect(parts.findIndex((part) => part.includes(title))).toBeLessThan(
        parts.findIndex((part) => /^\| Ship/.test(part)),
      );
      expect(parts.at(-2)).toContain('salt pay twice.');
    });

    it('a short last row → a row', () => {
      expect(read(title, 'All: 208').tables[0]).toHaveLength(CARGO.length + 1);
    });

    it('titles of parts → rows, the first too', () => {
      const words = [
        ...setLine('Ships of the west', 60, 104),
        ...set(CARGO.slice(1, 3), CARGO_X),
        ...setLine('Ships of the east', 60, 152),
        ...set(CARGO.slice(1, 3), CARGO_X, 168),
      ];
      const rules = [
        ...[92, 108, 124, 140, 156, 172, 188].map((y) => flat(54, 520, y)),
        ...[54, 520].map((x) => steep(x, 92, 188)),
        ...[194, 334].flatMap((x) => [steep(x, 108, 140), steep(x, 156, 188)]),
      ];
      expect(render(words, { rules }).tables[0]).toHaveLength(6);
    });
  });

  it('a long text over several columns → given once', () => {
    const text = 'to be paid for before they leave the harbour';
    const words = set(
      [
        ['Ship', 'Tons', 'Men'],
        ['Heron', '88', '90'],
        ['All', text],
      ],
      [60, 200, 300],
    );
    const rules = [
      ...[108, 124, 140, 156].map((y) => flat(54, 480, y)),
      ...[54, 194, 480].map((x) => steep(x, 108, 156)),
      steep(294, 108, 140),
    ];
    expect(render(words, { rules }).tables).toEqual([
      [
        ['Ship', 'Tons', 'Men'],
        ['Heron', '88', '90'],
        ['All', text, ''],
      ],
    ]);
  });

  it('a ruled table in Hebrew → its first column at the right', () => {
    const words = set(
      [
        ['טון', 'מטען', 'אונייה'],
        ['120', 'מלח', 'נשר'],
        ['88', 'עץ', 'שחף'],
        ['15', 'פחם', 'סיס'],
      ],
      CARGO_X,
    );
    const { tables, document } = render(words, { rules: CARGO_GRID });
    expect(tables).toEqual([
      [
        ['אונייה', 'מטען', 'טון'],
        ['נשר', 'מלח', '120'],
        ['שחף', 'עץ', '88'],
        ['סיס', 'פחם', '15'],
      ],
    ]);
    const [first] = document.pages[0]?.blocks.find(({ kind }) => kind === 'table')?.table?.cells ?? [];
    expect(first).toMatchObject({ row: 0, column: 0 });
    expect(first?.box[0]).toBeCloseTo(334 / 600, 3);
  });

  it('rules in pieces, no rules at the sides, an empty cell → a table', () => {
    const rows = [
      ['Ship', 'Tons'],
      ['Heron', undefined],
      ['Old Tom', '0'],
    ];
    const rules = [
      ...[108, 124, 140, 156].flatMap((y) => [flat(54, 200, y), flat(201, 380, y)]),
      ...[108, 124, 140].map((y) => steep(194, y, y + 16)),
    ];
    expect(render(set(rows, [60, 200]), { rules }).tables).toEqual([
      [
        ['Ship', 'Tons'],
        ['Heron', ''],
        ['Old Tom', '0'],
      ],
    ]);
  });

  it('rules between the columns alone → one row for each line of text', () => {
    const rules = [
      ...[108, 124, 172].map((y) => flat(54, 420, y)),
      ...[54, 194, 334, 420].map((x) => steep(x, 108, 172)),
    ];
    expect(render(set(CARGO, CARGO_X), { rules }).tables).toEqual([CARGO]);
    const words = CARGO.map(([ship = '', cargo = '']) => [ship, cargo, 'by sea']);
    expect(render(set(words, CARGO_X), { rules }).tables).toEqual([words]);
  });

  it('boxes side by side with a text each, whose sentences run on → box after box, no rows', () => {
    const boxes = [
      ['Head office', '12 Castle Street', 'Dene DH1 3NA', 'Second floor'],
      ['Out of hours', 'Call us. You will', 'be put through to', 'the engineer.'],
    ];
    const words = boxes.flatMap((lines, column) => setLines(lines, 66 + column * 150, 120));
    const rules = [flat(60, 360, 106), flat(60, 360, 164), ...[60, 210, 360].map((x) => steep(x, 106, 164))];
    const { tables, markdown } = render(words, { rules });
    expect(tables).toEqual([]);
    expect(markdown.replace(/\s+/g, ' ')).toContain(boxes.flat().join(' '));
  });

  it('a ruled head and sum → one row for each line of figures, one cell for lines of words', () => {
    const rows = [...CARGO, ['In all', 'three cargoes', '208']];
    const ys = [108, 124, 172, 188];
    const rules = grid([54, 194, 334, 420], ys);
    expect(render(set(rows, CARGO_X), { rules }).tables).toEqual([rows]);
    // Lines of words are one cell: only figures separate rows.
    const words = rows.map(([ship, cargo], index) => [ship, cargo, index === 0 || index === 4 ? '1' : 'tons of it']);
    expect(render(set(words, CARGO_X), { rules }).tables[0]).toHaveLength(3);
  });

  it('two lines between rules, each with a label and a last amount → two rows, also with an empty cell', () => {
    const rules = grid([54, 194, 334, 420], [108, 124, 156]);
    const read = (rows: (string | undefined)[][]) => render(set(rows, CARGO_X), { rules }).tables;
    const [head = []] = CARGO;
    const rows = [head, ['Heron', 'timber', '88.00'], ['Old Tom', '', '12.50']];
    expect(read(rows)).toEqual([rows]);
    // A label that goes on, a deviation in brackets and a single amount are parts of one row.
    expect(read([head, ['Heron and', '3', '88.00'], ['her boat', '4', '12.50']])[0]).toHaveLength(2);
    expect(read([head, ['Load', '3', '88.00'], ['Mean (SD)', '(1)', '(12.50)']])[0]).toHaveLength(2);
    expect(read([head, ['Heron', '555-12', '88.00'], ['Harbour', '555-13', undefined]])[0]).toHaveLength(2);
  });

  it('an empty column with borders → a column; a narrow one, or one drawn beside the head alone → none', () => {
    const rows = CARGO.map(([ship = '', cargo = '', tons = '']) => [ship, cargo, '', tons]);
    const ys = [108, 124, 140, 156, 172];
    const read = (xs: number[], high = 172) => {
      const sides = xs.map((x, index) => steep(x, 108, index === 2 ? high : 172));
      const rules = [...ys.map((y) => flat(54, 420, y)), ...sides];
      return render(set(CARGO, CARGO_X), { rules }).tables;
    };
    expect(read([54, 194, 290, 334, 420])).toEqual([rows]);
    expect(read([54, 194, 328, 334, 420])).toEqual([CARGO]);
    expect(read([54, 194, 290, 334, 420], 124)).toEqual([CARGO]);
  });

  it('a title alone between lines of figures → a row of its own; a label of two lines → one row', () => {
    const labels = ['What came in:', 'Salt and', 'other goods', 'Rope', 'What went out:', 'Timber', 'Coal'];
    const words = [
      ...set([['Cargo', 'Spring', 'Autumn']], CARGO_X),
      ...setLines(labels, 60, 138),
      ...[150, 174, 198, 210].flatMap((y, index) => set([[undefined, `${index + 1}7`, `${index + 3}5`]], CARGO_X, y)),
    ];
    expect(render(words, { rules: grid([54, 194, 334, 420], [108, 126, 218]) }).tables).toEqual([
      [
        ['Cargo', 'Spring', 'Autumn'],
        ['What came in:', '', ''],
        ['Salt and other goods', '17', '35'],
        ['Rope', '27', '45'],
        ['What went out:', '', ''],
        ['Timber', '37', '55'],
        ['Coal', '47', '65'],
      ],
    ]);
  });

  it('rows of two lines with space between them in all cells → one row for each label', () => {
    const words = [
      ...set([['Ship', 'Cargo', 'Port']], CARGO_X),
      ...setLine('Sailing:', 60, 138),
      ...[158, 194].flatMap((y) => [
        ...setLine('Heron', 60, y),
        ...setLines(['salt and', 'some rope'], 200, y, 11),
        ...setLine('Old Town', 340, y),
      ]),
      ...set([['Gull', 'coal', 'New Town']], CARGO_X, 230),
    ];
    const row = ['Heron', 'salt and some rope', 'Old Town'];
    const rules = grid([54, 194, 334, 420], [108, 126, 214, 240]);
    expect(render(words, { rules }).tables).toEqual([
      [['Ship', 'Cargo', 'Port'], ['Sailing:', '', ''], row, row, ['Gull', 'coal', 'New Town']],
    ]);
  });

  it('rows without drawn sides → the columns of the head; a text alone → over all of them', () => {
    const rules = [
      ...[108, 124, 140, 156, 172].map((y) => flat(54, 420, y)),
      ...[54, 420].map((x) => steep(x, 108, 172)),
      ...[194, 334].flatMap((x) => [steep(x, 108, 124), steep(x, 156, 172)]),
    ];
    expect(render(set(CARGO, CARGO_X), { rules }).tables).toEqual([CARGO]);
    const [head = [], , ...others] = CARGO;
    const line = [head, ['All of these ships', undefined, undefined], ...others];
    const filled = [head, ['All of these ships', 'All of these ships', 'All of these ships'], ...others];
    expect(render(set(line, CARGO_X), { rules }).tables).toEqual([filled]);
  });

  it('a column without drawn rows → the rows of the others; text between their levels → one cell', () => {
    const rules = [
      ...[108, 124, 172].map((y) => flat(54, 420, y)),
      ...[140, 156].map((y) => flat(194, 420, y)),
      ...[54, 194, 334, 420].map((x) => steep(x, 108, 172)),
    ];
    expect(render(set(CARGO, CARGO_X), { rules }).tables).toEqual([CARGO]);
    // Text between the levels of the rows is one cell for all of them.
    const [head = [], ...rows] = CARGO;
    const merged = [
      ...set([head, ...rows.map((row) => [undefined, ...row.slice(1)])], CARGO_X),
      ...set([['a fleet'], ['of three'], ['ships']], CARGO_X, 131, 14),
    ];
    expect(render(merged, { rules }).tables[0]?.[2]?.[0]).toBe('a fleet of three ships');
  });

  it('a head set upwards → the head of its column', () => {
    const upward = (text: string, x: number): RawWord => ({
      ...{ text, x0: x - 8, x1: x + 2, y0: 180 - text.length * 5, y1: 180, originX: x, originY: 180 },
      ...{ fontSize: 10, bold: false, italic: false, angle: 270 },
    });
    const words = [
      ...set(
        [
          ['Ship', undefined],
          ['Heron', 'X'],
        ],
        [60, 200],
        176,
      ),
      upward('Afloat', 205),
    ];
    const { tables } = render(words, { rules: grid([54, 190, 220], [140, 184, 204]) });
    expect(tables).toEqual([
      [
        ['Ship', 'Afloat'],
        ['Heron', 'X'],
      ],
    ]);
  });

  it('a row ruled as one, nothing in its middle → a cell in every place', () => {
    const rows = [...CARGO.slice(0, 3), ['Source: harbour', undefined, '12/14']];
    const rules = [
      ...[108, 124, 140, 156, 172].map((y) => flat(54, 420, y)),
      ...[54, 420].map((x) => steep(x, 108, 172)),
      ...[194, 334].map((x) => steep(x, 108, 156)),
    ];
    const [block] = render(set(rows, CARGO_X), { rules }).document.pages[0]?.blocks.filter(({ table }) => table) ?? [];
    const last = block?.table?.cells.filter(({ row }) => row === 3) ?? [];
    expect(last.map(({ column, columnSpan, lines }) => [column, columnSpan, lines.length])).toEqual([
      [0, 1, 1],
      [1, 1, 0],
      [2, 1, 1],
    ]);
  });

  it('a coloured head without a rule below it → a row; a coloured cell or lower row → no new row', () => {
    const rows = CARGO.map(([ship = '', cargo = '']) => [ship, cargo, 'by sea']);
    const rules = grid([54, 194, 334, 420], [108, 140, 156, 172]);
    const headOf = (x0: number, x1: number) => [{ x0, x1, y0: 108, y1: 124 }];
    expect(render(set(rows, CARGO_X), { rules, shades: headOf(54, 420) }).tables).toEqual([rows]);
    // The ground of one cell separates no rows, nor does that of a lower row.
    expect(render(set(rows, CARGO_X), { rules, shades: headOf(194, 334) }).tables[0]).toHaveLength(3);
    const below = grid([54, 194, 334, 420], [108, 124, 172]);
    const stripe = [{ x0: 54, x1: 420, y0: 140, y1: 156 }];
    expect(render(set(rows, CARGO_X), { rules: below, shades: stripe })).toEqual(
      render(set(rows, CARGO_X), { rules: below }),
    );
  });

  it('a ground that ends at the first rule under heads of several columns → no row of its own', () => {
    const rows = [
      ['', 'Cargo', 'Cargo'],
      ['Ship', 'salt', 'rope'],
      ['Heron', '12', '88'],
    ];
    const words = set([[undefined, 'Cargo'], ...rows.slice(1)], CARGO_X);
    const rules = [
      ...[108, 140, 156].map((y) => flat(54, 420, y)),
      ...[flat(194, 420, 124), steep(334, 124, 156)],
      ...[54, 194, 420].map((x) => steep(x, 108, 156)),
    ];
    const shades = [{ x0: 54, x1: 420, y0: 108, y1: 122.5 }];
    expect(render(words, { rules, shades }).tables).toEqual([[['Ship', 'Cargo', 'Cargo'], ...rows.slice(1)]]);
  });

  it('the grounds of lines on those of their cells → one row', () => {
    const rows = [['Name of the ship', 'Cargo of the ship', 'Tons'], ...CARGO.slice(1)];
    const words = [
      ...set(
        [
          ['Name of', 'Cargo of', 'Tons'],
          ['the ship', 'the ship'],
        ],
        CARGO_X,
        118,
        12,
      ),
      ...set(rows.slice(1), CARGO_X, 152),
    ];
    const cellsAt = (y0: number, y1: number, by: number) =>
      [
        [54, 194],
        [194, 334],
        [334, 420],
      ].map(([x0 = 0, x1 = 0]) => ({ x0: x0 + by, x1: x1 - by, y0, y1 }));
    const shades = [...cellsAt(108, 140, 0), ...cellsAt(109, 121, 1), ...cellsAt(121, 133, 1)];
    const rules = grid([54, 194, 334, 420], [108, 140, 156, 172, 188]);
    expect(render(words, { rules, shades }).tables).toEqual([rows]);
  });

  it('the border of columns drawn beside the head alone → the columns of all rows', () => {
    const rows = [...CARGO.map(([ship = '', , tons = '']) => [ship, tons]), ['Gull', '7']];
    const rules = [
      ...[108, 124, 140, 156, 172, 188].map((y) => flat(54, 420, y)),
      ...[54, 420].map((x) => steep(x, 108, 188)),
      steep(334, 108, 124),
    ];
    const { document } = render(set(rows, [60, 340]), { rules });
    const cells = document.pages[0]?.blocks.find(({ table }) => table)?.table?.cells ?? [];
    // A table of white space has no borders: its first cell begins at its words.
    expect(cells[0]?.box[0]).toBeCloseTo(54 / 600, 2);
    expect(tablesOf(renderMarkdown(document))).toEqual([rows]);
  });

  it('a head across the border between two columns, none drawn beside it → over both', () => {
    const xs = [54, 194, 260, 334, 420];
    const rules = [
      ...[108, 124, 140, 156].map((y) => flat(54, 420, y)),
      ...[54, 194, 420].map((x) => steep(x, 108, 156)),
      ...[260, 334].map((x) => steep(x, 124, 156)),
    ];
    const words = [
      ...set([['Ship', '12/31/1809', 'Spring']], [60, 225, 365]),
      ...set(
        [
          ['', 'in', 'out', 'in', 'out'],
          ['Heron', '1', '2', '3', '4'],
        ],
        xs.map((x) => x + 6),
        136,
      ),
    ];
    expect(render(words, { rules }).tables[0]?.[0]?.slice(0, 3)).toEqual(['Ship', '12/31/1809', '12/31/1809']);
  });

  it('a ruled sheet with few entries → a table where its rows begin with labels', () => {
    const names = ['Heron', 'Marigold', 'Tern', 'Plover', 'Gull', 'Petrel', 'Dunlin', 'Curlew', 'Knot'];
    const sheet = (labels: string[]) =>
      labels.map((label, row) => [label, ...Array.from({ length: 13 }, (_, column) => (column === row ? '7' : ''))]);
    const xs = [60, ...Array.from({ length: 13 }, (_, column) => 140 + column * 30)];
    const rules = grid([54, ...xs.slice(1).map((x) => x - 6), 530], [108, ...names.map((_, row) => 124 + row * 16)]);
    const read = (labels: string[]) => render(set(sheet(labels), xs), { rules }).tables;
    // Columns that are empty throughout stay: they are ruled.
    expect(read(names)).toEqual([sheet(names)]);
    expect(read(names.map((name, row) => (row === 4 ? name : '')))).toEqual([]);
  });

  it('a head above figures alone, rules below each row → a row of its own', () => {
    const votes = [
      ['', 'TOTAL', 'By mail'],
      ['Brock Pierce, Karla Ballard', '17', '2'],
      ['Kanye West, Michelle Tidball', '4', '0'],
      ['Jo Jorgensen, Jeremy Cohen', '160', '31'],
      ['Gloria La Riva', '12', '3'],
    ];
    const read = (rows: string[][]) => {
      const rules = rows.slice(1).map((_, row) => flat(60, 400, 139 + row * 16));
      return render(set(rows, [60, 260, 340]), { rules }).tables;
    };
    expect(read(votes)).toEqual([votes]);
    expect(read(votes.map((row) => row.slice(0, 2)))).toEqual([votes.map((row) => row.slice(0, 2))]);
  });

  it('a frame around text, the lines of a drawing → no table', () => {
    const box = grid([40, 560], [110, 160]);
    expect(render(setLines(PROSE, 50, 130), { rules: box }).tables).toEqual([]);
    // Its lines run through the words.
    const across = grid([45, 118, 231, 344, 420], [114, 126, 138, 150]);
    expect(render(setLines([...PROSE, ...PROSE].slice(0, 3), 50, 123), { rules: across }).tables).toEqual([]);
    const drawing = [...grid([60, 110, 160, 210], [114, 117, 120]), flat(40, 560, 118)];
    expect(render(setLines(PROSE, 50, 120), { rules: drawing }).tables).toEqual([]);
  });
});

describe('tables over pages', () => {
  const more = [
    ['Tern', 'hemp and tar', '61'],
    ['Plover', 'oil', '14'],
    ['Gull', 'rum', '7'],
  ];
  const read = (second: (string | undefined)[][], xs = CARGO_X, between: RawWord[] = [], first: RawWord[] = []) => {
    const numbered = (words: RawWord[], number: number) => [...words, ...setLine(String(number), 300, 780)];
    const pages = readPages([
      numbered([...setLines(PROSE, 50, 60), ...first, ...set(CARGO, CARGO_X, 680)], 1),
      numbered([...between, ...set(second, xs, 60), ...setLines(PROSE, 50, 300)], 2),
    ]);
    return {
      pages,
      tables: (headersFooters: boolean) => tablesOf(renderMarkdown(documentOf(pages), { headersFooters })),
    };
  };

  it('a table on two pages with footers between → one table, its head once', () => {
    for (const rows of [more, [...CARGO.slice(0, 1), ...more]]) {
      const { tables, pages } = read(rows);
      for (const headersFooters of [false, true]) expect(tables(headersFooters)).toEqual([[...CARGO, ...more]]);
      expect(pages[1]?.blocks.find(({ table }) => table !== undefined)?.continues).toBe(true);
    }
  });

  it('another margin on the second page → one table', () => {
    expect(read(more, [160, 300, 440]).tables(false)).toEqual([[...CARGO, ...more]]);
  });

  it('other columns or text between them → two tables', () => {
    const pairs = more.map((row) => row.slice(0, 2));
    expect(read(pairs, [60, 340]).tables(false)).toHaveLength(2);
    expect(read(more, CARGO_X, setLines(PROSE.toReversed(), 50, 20)).tables(false)).toHaveLength(2);
  });

  it('the title again above the second part, or a note that it continues → one table, the title once', () => {
    const first = setLine('Ships in the harbour', 60, 650, { bold: true });
    const rows = [...CARGO.slice(0, 1), ...more];
    for (const again of ['Ships in the harbour', 'Ships (continued)']) {
      const { tables, pages } = read(rows, CARGO_X, setLine(again, 60, 40, { bold: true }), first);
      expect(tables(false)).toEqual([[...CARGO, ...more]]);
      expect(pages[1]?.blocks.find(({ lines }) => lines[0]?.words[0]?.text === 'Ships')?.kind).toBe('header');
    }
  });

  it('a note and a page number below the first part → one table', () => {
    const below = [...setLine('(continued on the next page)', 300, 750), ...setLine('17', 560, 765)];
    expect(read(more, CARGO_X, [], below).tables(false)).toEqual([[...CARGO, ...more]]);
  });

  it('another title, or one that stood above an earlier table → two tables', () => {
    const title = (text: string, y: number) => setLine(text, 60, y, { bold: true });
    expect(
      read(more, CARGO_X, title('Ships at sea', 40), title('Ships in the harbour', 650)).tables(false),
    ).toHaveLength(2);
    const first = [...title('Harbour', 500), ...set(CARGO, CARGO_X, 530), ...title('Ships', 650)];
    expect(read(more, CARGO_X, title('Harbour', 40), first).tables(false)).toHaveLength(3);
  });

  it('two tables of as many columns side by side → two tables', () => {
    const words = [...set(CARGO, [40, 130, 230], 120), ...set(more, [330, 420, 520], 120)];
    expect(render(words).document.pages[0]?.blocks.some((block) => block.continues)).toBe(false);
  });

  it('the same rows again on the next page, nothing below them → all rows kept', () => {
    expect(read(CARGO).tables(false)).toEqual([[...CARGO, ...CARGO]]);
  });
});

describe('cells', () => {
  const tableIn = (words: RawWord[], drawn: Drawn = {}) =>
    render(words, drawn).document.pages[0]?.blocks.find(({ table }) => table !== undefined);
  const share = (x0: number, y0: number, x1: number, y1: number) => [x0 / 600, y0 / 800, x1 / 600, y1 / 800];
  const close = (box: readonly number[] | undefined, expected: readonly number[]) =>
    expected.forEach((value, index) => {
      expect(box?.[index]).toBeCloseTo(value, 3);
    });

  it('a ruled table → boxes of cells between the rules, box of the table at its border', () => {
    const block = tableIn(set(CARGO, CARGO_X), { rules: CARGO_GRID });
    close(block?.box, share(54, 108, 420, 172));
    close(block?.table?.cells[5]?.box, share(334, 124, 420, 140));
  });

  it('cells over several rows and columns → boxes over all of them', () => {
    const rows = [
      ['Ship', 'Load', undefined],
      [undefined, 'Cargo', 'Tons'],
      ['Heron', 'timber', '88'],
    ];
    const rules = [
      ...[108, 156].map((y) => flat(54, 420, y)),
      ...[flat(194, 420, 124), flat(54, 420, 140)],
      ...[54, 194, 420].map((x) => steep(x, 108, 156)),
      steep(334, 124, 156),
    ];
    const cells = tableIn(set(rows, CARGO_X), { rules })?.table?.cells;
    expect(cells?.[0]).toMatchObject({ rowSpan: 2, columnSpan: 1 });
    close(cells?.[0]?.box, share(54, 108, 194, 140));
    expect(cells?.[1]).toMatchObject({ rowSpan: 1, columnSpan: 2 });
    close(cells?.[1]?.box, share(194, 108, 420, 124));
  });

  it('cells without rules, also empty ones → boxes as wide as the column, as high as the row', () => {
    const rows = [
      ['Month', 'In', 'Out'],
      ['May', '12', ''],
      ['September', '', '7'],
      ['July', '9', '4'],
    ];
    const cells = tableIn(set(rows, [60, 180, 260]))?.table?.cells;
    const empty = cells?.find(({ row, column }) => row === 1 && column === 2);
    expect(empty?.lines).toEqual([]);
    close(empty?.box, share(260, 128, 275, 138));
    // A cell is as wide as the longest of its column.
    close(cells?.find(({ row, column }) => row === 0 && column === 0)?.box, share(60, 112, 105, 122));
  });
});

describe('tables made by white space', () => {
  it('full lines of one text with gaps anywhere, as beside signs that are not read → no table', () => {
    const lines = [
      ['Let us assume that all of the ships wish to form a', ''],
      ['group of their own, and that the oldest of', 'them has'],
      ['keys of which each is known to the other', 'ships, so'],
      ['that the keys of the harbour, which never', 'leave it,'],
      ['are used by those that wish to send a note', 'to the'],
      ['keeper of the light.', ''],
    ];
    const rest = lines.flatMap(([, text = ''], row) =>
      text ? setLine(text, 310 - widthOf(text), 120 + row * 12) : [],
    );
    expect(
      render([
        ...set(
          lines.map(([text]) => [text]),
          [60],
          120,
          12,
        ),
        ...rest,
      ]).tables,
    ).toEqual([]);
    // Columns begin at one place.
    const cells = lines.slice(1, 5);
    expect(render(set(cells, [60, 270], 120, 12)).tables).toEqual([cells]);
  });

  it('cells set left, centred and right → one column each', () => {
    const words = CARGO.flatMap(([ship = '', cargo = '', tons = ''], row) => [
      ...setLine(ship, 60, 120 + row * 14),
      ...setLine(cargo, 250 - cargo.length * 2.5, 120 + row * 14),
      ...setLine(tons, 400 - tons.length * 5, 120 + row * 14),
    ]);
    expect(render(words).tables).toEqual([CARGO]);
  });

  it('empty cells → kept in their places', () => {
    const rows = [
      ['Month', 'In', 'Out', 'Left'],
      ['May', '12', '', '30'],
      ['June', '', '7', '23'],
      ['July', '9', '4', '28'],
      ['August', '1', '', '29'],
    ];
    expect(render(set(rows, [60, 180, 260, 340])).tables).toEqual([rows]);
  });

  it('a text that wraps in its cell → joined to its row', () => {
    const words = [
      ...set(
        [
          ['Heron', 'timber of many kinds,', '88'],
          [undefined, 'and a little tar'],
          ['Gull', 'coal', '14'],
        ],
        [60, 200, 400],
        120,
        12,
      ),
      ...set(
        [
          ['Marigold', 'salt', '120'],
          ['Old Tom', 'nothing', '0'],
        ],
        [60, 200, 400],
        156,
        12,
      ),
    ];
    expect(render(words).tables).toEqual([
      [
        ['Heron', 'timber of many kinds, and a little tar', '88'],
        ['Gull', 'coal', '14'],
        ['Marigold', 'salt', '120'],
        ['Old Tom', 'nothing', '0'],
      ],
    ]);
  });

  it('cells of several lines between two rules → one row', () => {
    const marigold = [
      ['Marigold', 'salt, rope and', 'the islands,'],
      ['of Hull', 'whatever else', 'and home'],
      [undefined, 'there was on'],
      [undefined, 'the quay'],
    ];
    const heron = [
      ['Heron', 'timber', 'the mainland,'],
      ['of York', undefined, 'by the inner'],
      [undefined, undefined, 'passage'],
    ];
    const words = [
      ...set([['Ship', 'Cargo', 'Bound for']], CARGO_X),
      ...set(marigold, CARGO_X, 140, 12),
      ...set(heron, CARGO_X, 194, 12),
      ...set([['Old Tom', 'nothing', 'nowhere']], CARGO_X, 236),
    ];
    const rules = [126, 181, 223].map((y) => flat(54, 420, y));
    expect(render(words, { rules }).tables).toEqual([
      [
        ['Ship', 'Cargo', 'Bound for'],
        ['Marigold of Hull', 'salt, rope and whatever else there was on the quay', 'the islands, and home'],
        ['Heron of York', 'timber', 'the mainland, by the inner passage'],
        ['Old Tom', 'nothing', 'nowhere'],
      ],
    ]);
  });

  it('rules between sections alone → one row for each line of figures', () => {
    const section = [
      ['Marigold', '120', '4'],
      ['Heron', '88', '3'],
      ['Old Tom', '0'],
    ];
    const words = [
      ...set([['Ship', 'Tons', 'Crew']], CARGO_X),
      ...[140, 180].flatMap((y) => set(section, CARGO_X, y, 12)),
    ];
    const rules = [126, 168, 208].map((y) => flat(54, 420, y));
    expect(render(words, { rules }).tables[0]).toHaveLength(7);
  });

  it('a line with text below it, indented as far as the second column → the table ends above it', () => {
    const rows = [
      ['+n', 'more of it'],
      ['-n', 'less of it'],
      ['n', 'so much'],
    ];
    const next = [
      ...setLine('All signs:', 60, 168),
      ...setLine('-oil n', 60, 190),
      ...setLine('What the lamp has had.', 120, 202),
    ];
    expect(render([...set(rows, [60, 120]), ...next]).tables).toEqual([rows]);
  });

  it('sentences between two tables → two tables, the sentences a paragraph', () => {
    const votes = (y: number) => set(CARGO.slice(0, 3), CARGO_X, y, 12);
    const between = [
      ...setLine('2. The keepers of the harbour have found that all of the ships that are', 50, 166),
      ...setLine('in the list above came home.', 50, 178),
    ];
    const { tables, markdown } = render([...votes(120), ...between, ...votes(200)]);
    expect(tables).toEqual([CARGO.slice(0, 3), CARGO.slice(0, 3)]);
    expect(markdown).toContain('all of the ships that are in the list above came home.');
  });

  it.each([true, false])('lines of fields above a head of other columns, bold: %s → no rows of its table', (bold) => {
    const fields = [
      ['Ship: Heron', 'Keeper: A. Wick', 'Port: Vale'],
      ['Master: B. Oar', 'Left: 3 May 2026', 'Back: 9 May 2026'],
    ];
    const head = ['Cargo', 'Tons', 'Mark', 'Hold', 'Range of weights'];
    const rows = CARGO.slice(0, 4).map(([, goods = '', tons = ''], index) => [
      goods,
      tons,
      'H',
      `no. ${index}`,
      '4.0 to 11.0',
    ]);
    const x = [50, 155, 215, 270, 350];
    const words = [
      ...fields.flatMap((row, line) => set([row], [50, 200, 340], 120 + line * 12)),
      ...head.flatMap((text, column) => setLine(text, x[column] ?? 0, 153, { bold })),
      ...set(rows, x, 165, 12),
    ];
    const { tables, markdown } = render(words);
    expect(tables).toEqual([[head, ...rows]]);
    expect(markdown).not.toMatch(/\|.*Heron/);
  });

  it('a heading between two tables → two tables', () => {
    const rows = [...CARGO, ['Swift', 'coal', '15']];
    const words = [
      ...set(rows, CARGO_X, 120),
      ...setLine('Of the winter', 60, 222, { size: 14 }),
      ...set(rows, CARGO_X, 244),
    ];
    const { markdown, tables } = render(words);
    expect(tables).toEqual([rows, rows]);
    expect(markdown).toMatch(/^#+ Of the winter$/m);
  });

  it('a sentence before the names of those who sign, apart from the rows above → no rows', () => {
    const rows = [
      ['Boats and tackle of all kinds', '7', '1,884'],
      ['Creditors: amounts that fall due within one year', '10', '(88)'],
      ['Creditors: amounts that fall due after that', '11', '(402)'],
      ['Net assets', undefined, '1,394'],
    ];
    const approval = setLine('Approved by the keepers on 8 July and signed for them by:', 56, 183);
    const names = [...setLine('A. Wick, Keeper', 56, 204), ...setLine('B. Oar, Treasurer', 160, 204)];
    const { tables, markdown } = render([...set(rows, [60, 330, 420], 120, 13), ...approval, ...names]);
    expect(tables.flat()).toHaveLength(rows.length);
    expect(markdown).toMatch(/signed for them by:\n\nA\. Wick, Keeper B\. Oar/);
  });

  it('a last row whose cells, set right, leave no wide space → a row', () => {
    const scores = [
      ['Corran', '0 – 3', 'Dene Rovers'],
      ['Harbour', '2 – 2', 'Oakfield'],
      ['Lower Dene', '1 – 2', 'St Anne'],
      ['Millbrook Town', '4 – 0', 'Railway Institute'],
    ];
    const ends = [130, 162, 257];
    const words = scores.flatMap((row, index) =>
      row.flatMap((text, column) => setLine(text, (ends[column] ?? 0) - widthOf(text), 120 + index * 16)),
    );
    expect(render(words).tables).toEqual([scores]);
  });

  it('two lines of a label about the middle of its row → one label', () => {
    const words = [
      ...set(CARGO, CARGO_X),
      ...set([['Gull, which came'], ['from the north']], CARGO_X, 184, 12),
      ...set([[undefined, 'coal', '14']], CARGO_X, 190),
      ...set([['Tern, which was'], ['built on the spot']], CARGO_X, 214, 12),
      ...set([[undefined, 'slate', '30']], CARGO_X, 220),
    ];
    expect(render(words).tables).toEqual([
      [
        ...CARGO,
        ['Gull, which came from the north', 'coal', '14'],
        ['Tern, which was built on the spot', 'slate', '30'],
      ],
    ]);
  });

  it('two lines of a label, longer than all others, about its row → one label', () => {
    const words = [
      ...set([...CARGO, ['Swift', 'coal', '15']], [60, 320, 420]),
      ...set([['Gull, which came to us from the north in the summer'], ['and left again']], [60], 200, 12),
      ...set([[undefined, 'coal', '14']], [60, 320, 420], 206),
    ];
    const label = 'Gull, which came to us from the north in the summer and left again';
    expect(render(words).tables[0]?.at(-1)).toEqual([label, 'coal', '14']);
  });

  it('a title of a part → a row of its own; rules that underline words → no borders of rows', () => {
    const long = 'Discussion and analysis of all that was found at sea';
    const items = [
      ['Item 1.', 'Legal proceedings', '1'],
      ['Item 2.', long, '13'],
      ['Item 3.', 'Controls', '19'],
    ];
    const again = set(items, [60, 120, 400], 172, 13);
    const words = [...set(items, [60, 120, 400], 120, 13), ...setLine('Part II', 220, 159, { bold: true }), ...again];
    const end = setLine(long, 120, 0).at(-1)?.x1 ?? 0;
    const rules = [flat(120, end, 134.5), flat(120, end, 186.5)];
    expect(render(words, { rules }).tables.map((rows) => rows.map((row) => row.join('|').replaceAll('*', '')))).toEqual(
      [[...items, ['', 'Part II', ''], ...items].map((row) => row.join('|'))],
    );
  });

  it('labels without figures → rows of the same table; a label of three lines → one row', () => {
    const rows = [
      ['Kept in the store', '120', '88'],
      ['In all', '120', '88'],
      ['Lost at sea'],
      ['To the wind:'],
      ['Ropes and sails that the keeper found,'],
      ['of the boat and'],
      ['of the book', '7', '9'],
      ['Lamps', '1', '2'],
    ];
    const { tables } = render(set(rows, [60, 260, 340], 120, 13));
    expect(tables).toEqual([
      [
        ...rows.slice(0, 2),
        ['Lost at sea', '', ''],
        ['To the wind:', '', ''],
        ['Ropes and sails that the keeper found, of the boat and of the book', '7', '9'],
        ['Lamps', '1', '2'],
      ],
    ]);
  });

  it('lines below an open bracket → joined in all cells of the row', () => {
    const rows = [
      ['Harbour', '17-A', '52-1'],
      ['(Place or', '(Store', '(Keeper’s'],
      ['country)', 'number)', 'number)'],
    ];
    expect(render(set(rows, CARGO_X, 120, 12)).tables).toEqual([
      [rows[0], ['(Place or country)', '(Store number)', '(Keeper’s number)']],
    ]);
  });

  it('lines below an open bracket, far apart or below an empty cell → joined too', () => {
    const rows = [
      ['Harbour', '17-A', '52-1'],
      ['(Place or', '(Store', undefined],
      ['country)', 'number)', '(Keeper’s number)'],
    ];
    expect(render(set(rows, CARGO_X, 120, 17)).tables).toEqual([
      [rows[0], ['(Place or country)', '(Store number)', '(Keeper’s number)']],
    ]);
  });

  it('a first line in smaller type than the rows → the head', () => {
    const head = ['(in tons)', '1801', '1802'].flatMap((text, index) =>
      setLine(text, CARGO_X[index] ?? 0, 108, { size: 8 }),
    );
    const rows = [['What came in:'], ['Salt', '120', '88'], ['Rope', '7', '9'], ['Oil', '1', '2']];
    const words = [...head, ...set(rows, CARGO_X, 120, 12)];
    expect(render(words).tables).toEqual([
      [['(in tons)', '1801', '1802'], ['What came in:', '', ''], ...rows.slice(1)],
    ]);
  });

  it('a first rule above the sum → the lines above it are rows, no head', () => {
    const bill = [
      ['Item', 'Amount', 'Tax'],
      ['Salted butter', '90.10', 'SR'],
      ['Bread', '4.20', 'SR'],
      ['Sum', '94.30', 'SR'],
      ['Discount', '0.00', 'SR'],
    ];
    const rules = [flat(60, 400, 120 + 2.3 * 14)];
    expect(render(set(bill, CARGO_X, 120, 14), { rules }).tables).toEqual([bill]);
  });

  it('two lines above the first rule → one head', () => {
    const words = [
      ...set(
        [
          ['Name of', 'Cargo', 'Weight'],
          ['the ship', undefined, 'in tons'],
        ],
        CARGO_X,
        120,
        11,
      ),
      ...set(CARGO.slice(1), CARGO_X, 150, 12),
    ];
    const rules = [108, 136, 182].map((y) => flat(54, 420, y));
    expect(render(words, { rules }).tables).toEqual([
      [['Name of the ship', 'Cargo', 'Weight in tons'], ...CARGO.slice(1)],
    ]);
  });

  it('heads centred over several columns → repeated over each of them', () => {
    const xs = [60, 150, 220, 290, 360, 430, 500];
    const words = [
      ...set([['Ship', 'Outward', 'Homeward']], [60, 213, 420]),
      ...set([[undefined, 'salt', 'rope', 'coal', 'salt', 'rope', 'coal']], xs, 132),
      ...set([['Heron', '12', '88', '7', '15', '3', '40']], xs, 152),
      ...set([['Gull', '10', '81', '9', '17', '1', '46']], xs, 172, 12),
      ...set([['Swift', '14', '80', '5', '12', '8', '43']], xs, 184, 12),
      ...set([['Tern', '11', '84', '6', '10', '4', '44']], xs, 204, 12),
      ...set([['Wren', '13', '86', '8', '14', '2', '47']], xs, 216, 12),
    ];
    const table = [
      ['Ship', 'Outward', 'Outward', 'Outward', 'Homeward', 'Homeward', 'Homeward'],
      ['Ship', 'salt', 'rope', 'coal', 'salt', 'rope', 'coal'],
      ['Heron', '12', '88', '7', '15', '3', '40'],
      ['Gull', '10', '81', '9', '17', '1', '46'],
      ['Swift', '14', '80', '5', '12', '8', '43'],
      ['Tern', '11', '84', '6', '10', '4', '44'],
      ['Wren', '13', '86', '8', '14', '2', '47'],
    ];
    for (const ys of [
      [108, 138, 158, 190, 222],
      [138, 158, 174, 190, 208],
    ]) {
      const rules = ys.map((y) => flat(54, 530, y));
      expect(render(words, { rules }).tables).toEqual([table]);
    }
  });

  it('heads as close as words, each beginning where its column does → one over each column', () => {
    const rows = CARGO.slice(1).map(([ship, , tons]) => [ship, tons, tons, tons]);
    const head = ['In the', 'Mar. 29, 2025', 'Mar. 30, 2024', 'Mar. 29, 2025'];
    const words = [...set([head], [60, 230, 292.5, 355], 104), ...set(rows, [60, 230, 292.5, 355])];
    expect(render(words).tables).toEqual([[head, ...rows]]);
  });

  it('closing brackets apart from their figures → no space before them', () => {
    const rows = CARGO.slice(1).map(([ship, , tons]) => [ship, `(${tons}`, ')', `(${tons}`, ')']);
    const closed = CARGO.slice(1).map(([ship, , tons]) => [ship, `(${tons})`, `(${tons})`]);
    expect(render(set(rows, [60, 230, 260, 330, 360])).tables).toEqual([closed]);
  });

  it('currency signs set at the left of their columns, close to the figures before → with their own figures', () => {
    const rows = [
      ['Cash', '$', '21,105', '$', '19,877'],
      ['Receivables', undefined, ' 8,440', undefined, ' 9,012'],
      ['Deficit', undefined, '(2,034', undefined, '(1,877'],
      ['Total', '$', '29,545', '$', '30,093'],
    ];
    const words = set(rows, [60, 250, 265, 300, 330]);
    const joined = rows.map(([label, sign, one, , two]) => [
      label,
      ...[one, two].map((figure) => `${sign === undefined ? '' : `${sign} `}${figure?.trim()}`),
    ]);
    expect(render(words).tables).toEqual([joined]);
  });

  it('heads beside narrow figures → each over the nearest column', () => {
    const rows = ['April', 'May', 'June', 'July'].map((month) => [month, '0.4', '121.76', '0.4', '7,065.6']);
    const words = [
      ...set([['Part of all', 'Paid to us']], [412, 510], 96),
      ...set([['Month', 'Number']], [60, 250], 108),
      ...set(rows, [60, 280, 360, 466, 520]),
    ];
    const head = ['Month', 'Number', '', 'Part of all', 'Paid to us'];
    expect(render(words).tables).toEqual([[head, ...rows]]);
  });

  it('three lines above the first figures → one head; the title of the first part → a row', () => {
    const rows = [
      ['Heron', '12', '88', '7'],
      ['Gull', '10', '81', '9'],
      ['Swift', '14', '80', '5'],
    ];
    const xs = [60, 200, 300, 400];
    const words = [
      ...set([[undefined, 'Masts', 'Weight', 'Hands']], xs),
      ...set([['Name of', 'and', 'in', 'on']], xs, 131),
      ...set([['the ship', 'sails', 'tons', 'board']], xs, 142),
      ...set([['What came in:']], xs, 157),
      ...set(rows, xs, 172, 14),
    ];
    const head = ['Name of the ship', 'Masts and sails', 'Weight in tons', 'Hands on board'];
    expect(render(words).tables).toEqual([[head, ['What came in:', '', '', ''], ...rows]]);
  });

  it('a line of words above rows of figures, below the head → a row', () => {
    const rows = [
      ['Ship', 'Built', 'Tons'],
      ['Marigold', 'at sea', 'unknown'],
      ['Heron', '1801', '88'],
      ['Gull', '1811', '120'],
      ['Swift', '1807', '15'],
    ];
    expect(render(set(rows, CARGO_X, 120, 12)).tables).toEqual([rows]);
  });

  it('a rule under a part of the head → the texts above it over the columns that it spans', () => {
    const xs = [60, 160, 230, 300, 400, 470];
    const rows = [
      ['Heron', '12', '88', '7', '15', '40'],
      ['Gull', '10', '81', '9', '17', '46'],
      ['Swift', '14', '80', '5', '12', '43'],
    ];
    const words = [
      ...set([['Outward', 'Home']], [230, 400]),
      ...set([['bound']], [230], 131),
      ...set([[undefined, 'Weight']], xs, 131),
      ...set([['Name of', 'of the', 'Number', undefined, 'of the']], xs, 142),
      ...set([['the ship', 'goods', 'of men', 'Boats', 'goods', 'Boats']], xs, 153),
      ...set(rows, xs, 172, 14),
    ];
    const rules = [
      flat(54, 520, 108),
      flat(230, 340, 134),
      flat(400, 520, 134),
      flat(54, 520, 158),
      flat(54, 520, 206),
    ];
    const head = [
      ['Name of the ship', 'Weight of the goods', 'Outward bound', 'Outward bound', 'Home', 'Home'],
      ['Name of the ship', 'Weight of the goods', 'Number of men', 'Boats', 'of the goods', 'Boats'],
    ];
    expect(render(words, { rules }).tables).toEqual([[...head, ...rows]]);
  });

  it('a text over all other columns with a rule below it → a head; a rule under one column → no head', () => {
    const rows = [
      ['Ship', 'salt', 'rope', 'coal'],
      ['Heron', '12', '88', '7'],
      ['Gull', '10', '81', '9'],
      ['Swift', '14', '80', '5'],
    ];
    const xs = [60, 200, 300, 400];
    const words = [...setLine('Cargo in tons', 280, 120), ...set(rows, xs, 136, 14)];
    const rules = [flat(54, 430, 108), flat(200, 430, 124), flat(54, 430, 140), flat(54, 430, 182)];
    const over = ['Ship', 'Cargo in tons', 'Cargo in tons', 'Cargo in tons'];
    expect(render(words, { rules }).tables).toEqual([[over, ...rows]]);
    const border = [flat(54, 430, 108), flat(400, 430, 124), flat(54, 430, 140), flat(54, 430, 182)];
    expect(render(words, { rules: border }).tables).toEqual([rows]);
  });

  it('a text over all other columns, its rule whole or in pieces, no head over the labels → a head', () => {
    const rows = [
      ['', '2023', '2024', '2025'],
      ['Heron', '12', '88', '7'],
      ['Gull', '10', '81', '9'],
      ['Swift', '14', '80', '5'],
    ];
    const xs = [60, 200, 300, 400];
    const words = [
      ...setLine('Years', 300, 120),
      ...set([rows[0]?.slice(1) ?? []], xs.slice(1), 136),
      ...set(rows.slice(1), xs, 150, 14),
    ];
    const over = ['', 'Years', 'Years', 'Years'];
    const border = [140, 182].map((y) => flat(54, 430, y));
    const parts = [flat(194, 290, 124), flat(294, 390, 124), flat(394, 434, 124)];
    for (const under of [[flat(194, 434, 124)], parts])
      expect(render(words, { rules: [...border, ...under] }).tables).toEqual([[over, ...rows]]);
  });

  it('lines of one word above the head, a rule under the first → rows of the head', () => {
    const rows = [
      ['Heron', '12', '88', '7', '15'],
      ['Gull', '10', '81', '9', '17'],
      ['Swift', '14', '80', '5', '12'],
    ];
    const xs = [60, 160, 230, 300, 400];
    const words = [
      ...setLine('Cargo', 280, 112),
      ...setLine('Lamp', 300, 128),
      ...set([['Ship', 'salt', 'rope', 'oil', 'coal']], xs, 140),
      ...set(rows, xs, 160, 14),
    ];
    const rules = [flat(155, 430, 116), flat(54, 430, 146), flat(54, 430, 196)];
    expect(render(words, { rules }).tables).toEqual([
      [['Ship', 'Cargo', 'Cargo', 'Cargo', 'Cargo'], ['Ship', 'salt', 'rope', 'Lamp oil', 'coal'], ...rows],
    ]);
  });

  it('two lines of a head over the middle column → one cell', () => {
    const words = [
      ...set([[undefined, 'Weight', undefined]], CARGO_X),
      ...set([['Ship', 'in tons', 'Crew']], CARGO_X, 131),
      ...set(
        [
          ['Heron', '88', '3'],
          ['Gull', '120', '4'],
          ['Swift', '15', '9'],
        ],
        CARGO_X,
        152,
      ),
    ];
    const rules = [108, 138].map((y) => flat(54, 420, y));
    expect(render(words, { rules }).tables[0]?.[0]).toEqual(['Ship', 'Weight in tons', 'Crew']);
  });

  it('two lines above the first label → one head; currency and percent signs → in the cell of their figure', () => {
    const rows = [
      [undefined, undefined, 'June 28,', undefined, undefined, 'June 29,'],
      [undefined, undefined, '2025', undefined, undefined, '2024'],
      ['Net sales', '$', '94,036', undefined, '$', '85,777'],
      ['Costs', undefined, '50,318', undefined, undefined, '46,099'],
      ['Share of costs', undefined, '53.5', '%', undefined, '53.7'],
      ['Share of taxes', undefined, '46.5', '%', undefined, '46.3'],
      ['Taxes', '$', '43,718', undefined, '$', '39,678'],
    ];
    const words = set(rows, [60, 200, 225, 278, 330, 355], 120, 13);
    expect(render(words).tables).toEqual([
      [
        ['', 'June 28, 2025', 'June 29, 2024'],
        ['Net sales', '$ 94,036', '$ 85,777'],
        ['Costs', '50,318', '46,099'],
        ['Share of costs', '53.5 %', '53.7'],
        ['Share of taxes', '46.5 %', '46.3'],
        ['Taxes', '$ 43,718', '$ 39,678'],
      ],
    ]);
  });

  it('two lines of cells about the same middles → a table; set left → no table', () => {
    const rows = [
      ['Northland', '0-26841', '11-3117311'],
      ['(where the harbour lies)', '(Number of the file)', '(Number of its keeper)'],
    ];
    const centred = (cells: string[], y: number) =>
      cells.flatMap((cell, column) => setLine(cell, 120 + column * 170 - widthOf(cell) / 2, y));
    expect(render(rows.flatMap((row, index) => centred(row, 120 + index * 12))).tables).toEqual([rows]);
    expect(render(set(rows, [60, 230, 400], 120, 12)).tables).toEqual([]);
  });

  it('wider space between pairs of lines → rows of two lines; all lines full → rows of one line', () => {
    const people = [
      ['Harbour master', 'Ada Borg', '$758'],
      ['Keeper of the list', 'Eva Holm', '$640'],
      ['Reader of the list', 'Per Lind', '$895'],
    ];
    const words = people.flatMap(([office = '', name = '', paid = ''], index) => [
      ...setLine(name, 60, 120 + index * 28),
      ...set([[office, undefined, paid]], [60, 200, 320], 132 + index * 28),
    ]);
    expect(render(words).tables).toEqual([people.map(([office, name, paid]) => [`${name} ${office}`, paid])]);
    const ships = [...CARGO.slice(0, 2), ['Gull', 'wool', '9'], ...CARGO.slice(2), ['Swift', 'glass', '4']];
    const sections = ships.flatMap((row, index) => set([row], CARGO_X, 120 + index * 12 + (index >> 1) * 10));
    expect(render(sections).tables).toEqual([ships]);
  });

  it('percent signs outside the right edge of figures, heads set left → one column each', () => {
    const rows = [
      ['Research', '8,866', '8,006'],
      ['Share of sales', '10.4%', '9.6%'],
      ['Rents', '6,650', '6,320'],
      ['Share of sales', '7.8%', '7.6%'],
    ];
    const right = (text: string, x: number, y: number) =>
      setLine(text, x - widthOf(text) + (text.endsWith('%') ? 8.5 : 0), y);
    const words = [
      ...[240, 360].flatMap((x) => [...setLine('June', x, 120), ...setLine('2025', x, 132)]),
      ...rows.flatMap(([label = '', ...figures], row) => [
        ...setLine(label, 60, 144 + row * 12),
        ...figures.flatMap((figure, column) => right(figure, 290 + column * 120, 144 + row * 12)),
      ]),
    ];
    expect(render(words).tables).toEqual([[['', 'June 2025', 'June 2025'], ...rows]]);
  });

  it('heads of three lines without a label beside them → the rows below stay whole', () => {
    const rows = [
      ['Provision for all taxes', '4,597', '4,046', '15,381', '14,875'],
      ['Effective rate of tax', '16.4', '15.9', '15.4', '15.8'],
      ['Statutory rate of tax', '21.2', '21.2', '21.2', '21.2'],
    ];
    const xs = [320, 380, 440, 500];
    const words = [
      ...set([['Three months ended', undefined, 'Twelve months ended']], xs, 120),
      ...set(
        ['June', '2025'].map((text) => xs.map(() => text)),
        xs,
        132,
        10,
      ),
      ...set(rows, [60, ...xs], 156, 12),
    ];
    expect(render(words).tables[0]?.slice(-3)).toEqual(rows);
  });

  it('a text over several columns right below the rows → not in the table', () => {
    const note = setLine('Source: the book of the harbour, read again at its end', 92, 181);
    expect(render([...set(CARGO, CARGO_X), ...note]).tables).toEqual([CARGO]);
  });

  it('a total alone under its figures → the last row', () => {
    const rows = [...CARGO.slice(1), ['', '', '1,208']];
    const words = set(rows, CARGO_X).map((word) =>
      word.x0 >= 340 ? { ...word, x0: word.x0 + 380 - word.x1, x1: 380 } : word,
    );
    expect(render(words).tables).toEqual([rows]);
  });

  it('two lines between two rules → one row; with figures below each other → two rows', () => {
    const lines = [
      ...CARGO.slice(0, 3),
      ['', 'and planks', ''],
      ...CARGO.slice(3),
      ['', 'Sum', '208'],
      ['', 'Tax', '12'],
    ];
    const rules = [108, 124, 140, 172, 188].map((y) => flat(54, 420, y));
    const [head, first, , , last, ...totals] = lines;
    expect(render(set(lines, CARGO_X), { rules }).tables).toEqual([
      [head, first, ['Heron', 'timber and planks', '88'], last, ...totals],
    ]);
  });

  it('figures that end in line beside words that begin in line → two columns; list markers, units → one', () => {
    const rows = (numbers: string[], names: string[]) => {
      const lines = numbers.flatMap((number, row) => [
        ...setLine(number, 78 - number.length * 5, 120 + row * 16),
        ...setLine(names[row] ?? '', 82, 120 + row * 16),
        ...setLine(['120', '88', '0', '1,040'][row] ?? '', 340, 120 + row * 16),
      ]);
      return render(lines)
        .tables.flat()
        .map(([first]) => first);
    };
    const names = ['Marigold', 'Heron', 'Old Tom', 'Gannet'];
    expect(rows(['7', '12', '9', '110'], names)).toEqual(['7', '12', '9', '110']);
    expect(rows(['7.', '8.', '9.', '10.'], names)).toEqual(['7. Marigold', '8. Heron', '9. Old Tom', '10. Gannet']);
    expect(rows(['7', '12', '9', '110'], Array(4).fill('tons'))).toEqual(['7 tons', '12 tons', '9 tons', '110 tons']);
  });

  it('heads as close as words, each ending where its column does → one over each column', () => {
    const x = [60, 200, 240];
    const rows = [
      ['Marigold', '120', '9'],
      ['Heron', '88', '14'],
      ['Gannet', '7', '3'],
      ['Petrel', '41', '28'],
    ];
    const words = set(rows, x, 136).map((word) =>
      word.x0 < 200
        ? word
        : {
            ...word,
            x0: word.x0 < 240 ? 230 - word.text.length * 5 : 262.5 - word.text.length * 5,
            x1: word.x0 < 240 ? 230 : 262.5,
          },
    );
    const heads = [...setLine('Ship', 60, 120), ...setLine('Cargo', 205, 120), ...setLine('Tolls', 237.5, 120)];
    expect(render([...heads, ...words]).tables).toEqual([[['Ship', 'Cargo', 'Tolls'], ...rows]]);
  });

  it('three rows with cells of three lines → a table', () => {
    const cell = ['what is taken on board and', 'what is left behind on the', 'quay for the next ship'];
    const words = ['Heron', 'Gannet', 'Petrel'].flatMap((ship, row) => [
      ...set([[ship, '12']], [60, 140], 120 + row * 36),
      ...setLines(cell, 240, 120 + row * 36, 12),
    ]);
    expect(render(words).tables).toEqual([['Heron', 'Gannet', 'Petrel'].map((ship) => [ship, '12', cell.join(' ')])]);
  });

  it('rows of two cells far apart, a rule halfway between them → a table; no rules, or rules near one row → no table', () => {
    const rows = CARGO.map((row) => row.slice(0, 2));
    const between = [1, 2, 3].map((row) => flat(54, 420, 117 + (row - 0.5) * 40));
    expect(render(set(rows, CARGO_X, 120, 40), { rules: between }).tables).toEqual([rows]);
    expect(render(set(rows, CARGO_X, 120, 40)).tables).toEqual([]);
    // More space stands above the rule that a table begins with.
    const above = [1, 2, 3].map((row) => flat(54, 420, 117 + (row - 0.2) * 40));
    expect(render(set(rows, CARGO_X, 120, 40), { rules: above }).tables).toEqual([]);
  });

  it('rows of three cells far apart, below each other → a table; further apart, or not below each other → no table', () => {
    expect(render(set(CARGO, CARGO_X, 120, 40)).tables).toEqual([CARGO]);
    expect(render(set(CARGO, CARGO_X, 120, 40), { rules: [flat(54, 420, 126)] }).tables).toEqual([CARGO]);
    expect(render(set(CARGO, CARGO_X, 120, 75)).tables).toEqual([]);
    const shifted = CARGO.flatMap((row, index) => set([row], [60, 200 + index * 9, 340 - index * 9], 120 + index * 40));
    expect(render(shifted).tables).toEqual([]);
  });

  it('titles with leaders to their pages → a table without the leaders', () => {
    const entries = [
      ['First steps', '1'],
      ['What to do when it rains', '17'],
      ['Index', '203'],
    ];
    const words = entries.flatMap(([title = '', page = ''], row) => [
      ...setLine(`${title} ${'. '.repeat(36 - Math.round(title.length / 1.5))}${page}`, 60, 120 + row * 14),
    ]);
    const shifted = words.map((word) =>
      /^\d+$/.test(word.text) ? { ...word, x0: 480 - word.text.length * 5, x1: 480 } : word,
    );
    expect(render(shifted).tables).toEqual([entries]);
  });

  it('a title across two columns with leaders to an amount → one cell, a space before the amount', () => {
    const entries = ['Oil', 'Wicks', 'Lamps', 'Glass', 'Chains'].map((title) => [title, '1,200,000']);
    const words = entries.flatMap(([title = '', amount = ''], row) => [
      ...setLine(title, 60, 120 + row * 14),
      ...setLine(amount, 240, 120 + row * 14),
    ]);
    const led = setLine('Notes on the keeping of every lighthouse ...... 7', 60, 190);
    const close = led.map((word, index) => (index > 6 ? { ...word, glued: true } : word));
    expect(
      render([...words, ...close])
        .tables.flat()
        .at(-1)?.[0],
    ).toBe('Notes on the keeping of every lighthouse 7');
  });

  it('a list, two columns of text, lines with space in them by chance → no table', () => {
    const list = [1, 2, 3, 4].flatMap((n) => [
      ...setLine(`${n}.`, 60, 100 + n * 14),
      ...setLine('what has to be done', 100, 100 + n * 14),
    ]);
    expect(render(list).tables).toEqual([]);
    const columns = [0, 1, 2, 3].flatMap((row) => [
      ...setLine('a line of the column at the left', 50, 120 + row * 12),
      ...setLine('a line of the column at the right', 320, 121 + row * 12),
    ]);
    expect(render(columns).tables).toEqual([]);
    const chance = [60, 210, 90, 330].flatMap((x, row) => [
      ...setLine('one', x, 120 + row * 14),
      ...setLine('two', x + 45 + row * 31, 120 + row * 14),
    ]);
    expect(render(chance).tables).toEqual([]);
  });

  it('captions of two figures, the figures along an axis → no table; a column of years → a table', () => {
    const captions = set(
      [
        ['Figure 1: the lamp as it was lit before', 'Figure 2: what is left of it today,'],
        [
          'the gale, with the keeper at the foot of the tower and',
          'as the keeper drew it from memory and the reports of all',
        ],
        ['a boat; drawn by a hand unknown', 'who had passed by, at the request'],
        ['to all who came here later', 'of the board of lamps'],
      ],
      [50, 330],
      120,
      12,
    );
    expect(render(captions).tables).toEqual([]);
    const axis = ['4,500', '4,000', '3,500', '3,000', '2,500', '2,000'].map((tick, index) => [
      tick,
      `${0.5 - index * 0.02}`,
    ]);
    expect(render(set(axis, [60, 400])).tables).toEqual([]);
    const signed = ['150', '100', '50', '0', '-50', '−100'].map((tick) => [tick, tick]);
    expect(render(set([...signed, ['2005 2010', '2015 2020']], [60, 400])).tables).toEqual([]);
    const years = ['2010', '2009', '2008', '2007', '2006', '2005'].map((year, index) => [
      year,
      `${(index * 37) % 11}.5`,
    ]);
    expect(render(set(years, [60, 400])).tables).toEqual([years]);
  });

  it('terms and their meanings → one paragraph each, no table; below a head → a table', () => {
    const terms = [
      ['lamp', 'what is lit on top of the tower at dusk,'],
      [undefined, 'and put out again at dawn'],
      ['boat', 'what the keeper came with and leaves with'],
      ['book', 'where everything is written down.'],
      ['log', 'another name of the same book.'],
    ];
    const { tables, markdown } = render(set(terms, [60, 120], 120, 12));
    expect(tables).toEqual([]);
    expect(markdown).toContain('lamp what is lit on top of the tower at dusk, and put out again at dawn\n\nboat what');
    const headed = [['Word', 'Meaning'], ...terms];
    expect(render(set(headed, [60, 120], 120, 12)).tables[0]).toHaveLength(5);
  });

  it('a program with comments, lines numbered in order → no table; numbers with gaps → a table', () => {
    const program = [
      ['light(lamp)', '// at dusk'],
      ['write(book)', '// at once'],
      ['put_out(lamp)', '// at dawn'],
    ];
    expect(render(set(program, [60, 200])).tables).toEqual([]);
    const numbered = (numbers: string[]) =>
      render(
        set(
          numbers.map((n, i) => [n, `ship ${'abc'[i]}`]),
          [60, 100],
        ),
      ).tables;
    expect(numbered(['7', '8', '9'])).toEqual([]);
    expect(numbered(['7', '9', '12'])).toHaveLength(1);
  });

  it('symbols and signs of equations, few words and figures → a formula, no table', () => {
    const parts = (sign: string, symbol: string) =>
      set(
        [
          [`d${symbol}`, `${sign} k`, `h${symbol}`, '2.1'],
          [`u${symbol}`, `${sign} q`, `f${symbol}`, '2.2'],
          [`w${symbol}`, `${sign} z`, `g${symbol}`, '2.3'],
        ],
        [60, 160, 260, 360],
      );
    expect(render(parts('=', 't')).tables).toEqual([]);
    expect(render(parts('no', 't')).tables).toHaveLength(1);
    expect(render(parts('=', 'ope')).tables).toHaveLength(1);
  });

  it('one sign and the number of an equation at the right → a formula; figures with their errors in brackets → a table', () => {
    const terms = (number: string) => [
      ['A', 'kx', 'beta'],
      ['B =', 'py', `gamma ${number}`],
      ['C', 'qz', 'delta'],
    ];
    expect(render(set(terms('(14)'), [60, 200, 340])).tables).toEqual([]);
    expect(render(set(terms('(b)'), [60, 200, 340])).tables).toHaveLength(1);
    const errors = [
      ['A =', '1.20 (4)', '2.31 (5)'],
      ['B', '1.32 (6)', '2.44 (4)'],
      ['C', '1.41 (5)', '2.52 (6)'],
    ];
    expect(render(set(errors, [60, 200, 340])).tables).toEqual([errors]);
  });

  it('four figures along an axis beside scattered words → a chart; in full rows → a table', () => {
    const ticks = ['8.0', '6.0', '4.0', '2.0'];
    const chart = ticks.map((tick, index) => [tick, index < 2 ? 'lamps' : undefined, index > 1 ? 'boats' : undefined]);
    expect(render(set(chart, [60, 200, 340])).tables).toEqual([]);
    const full = ticks.map((tick, index) => [tick, ['north', 'south', 'east', 'west'][index], 'boats']);
    expect(render(set(full, [60, 200, 340])).tables).toHaveLength(1);
  });

  it('scattered words above the caption of a figure → no table; the caption of a table → a table', () => {
    const drawn = [
      ['read', 'write', undefined],
      ['lamp', undefined, 'boat'],
      ['pier', 'light', undefined],
      ['rope', undefined, 'mast'],
    ];
    const caption = (text: string) => setLine(text, 60, 200);
    const words = set(drawn, CARGO_X);
    expect(render([...words, ...caption('Figure 3: The lamp and the boats')]).tables).toEqual([]);
    expect(render([...words, ...caption('Table 3: The lamp and the boats')]).tables).toHaveLength(1);
  });

  it('terms with their meanings → a paragraph for each; with the caption of a table → its rows', () => {
    const terms = [
      ['gale', 'The wind that takes the roofs of the lower town.'],
      ['lamp', 'What the keeper lights when the sun has gone.'],
      ['pier', 'Where the boats lie that have come in before.'],
      ['rope', 'What holds them there until the tide is back.'],
    ];
    expect(render(set(terms, [60, 120])).tables).toEqual([]);
    expect(render([...set(terms, [60, 120]), ...setLine('Table 1: Words of the harbour', 60, 190)]).tables).toEqual([
      terms,
    ]);
  });

  it('words over all columns but the labels, below a caption → the head over them; without a caption → no head', () => {
    const rows = [
      ['Harbour', 'North', 'South', 'West'],
      ['Boats in', '12', '7', '30'],
      ['Boats out', '11', '9', '23'],
      ['Boats lost', '1', '0', '2'],
    ];
    const words = [...set(rows, [60, 200, 280, 360], 140), ...setLine('Number of boats that each pier had', 212, 126)];
    const [first] = render([...setLine('Table 2: Boats of the year', 60, 100), ...words]).tables;
    expect(first?.[0]).toEqual([
      'Harbour',
      'Number of boats that each pier had',
      'Number of boats that each pier had',
      'Number of boats that each pier had',
    ]);
    expect(render(words).tables).toEqual([rows]);
  });

  it('words of a drawing, scattered or in boxes → no table', () => {
    const scattered = Array.from({ length: 9 }, (_, row) =>
      [0, 1, 2, 3, 4].map((x) => (x % 3 === row % 3 ? 'lamp' : undefined)),
    );
    expect(render(set(scattered, [60, 140, 220, 300, 380])).tables).toEqual([]);
    const boxes = [60, 200, 340].flatMap((x) =>
      [0, 1].flatMap((box) => grid([x - 6, x + 100], [108 + box * 32, 132 + box * 32])),
    );
    const words = CARGO.map(([ship, cargo]) => [ship, cargo, 'by sea']);
    const sides = { rules: boxes.filter(({ x0, x1 }) => x0 === x1) };
    expect(render(set(words, CARGO_X)).tables).toEqual([words]);
    expect(render(set(words, CARGO_X), sides).tables).toEqual([]);
  });

  it('long leaders before three figures → a table of labels and figures', () => {
    const row = (label: string, y: number, figures: string[]) => [
      ...setLine(`${label} . . . . . . . . . . . .`, 60, y),
      ...set([figures], [300, 360, 420], y),
    ];
    const words = [
      ...row('Salt', 120, ['12', '14', '1']),
      ...row('Tar', 136, ['8', '7', '0']),
      ...row('Rope', 152, ['3', '2', '5']),
    ];
    expect(render(words).tables).toEqual([
      [
        ['Salt', '12', '14', '1'],
        ['Tar', '8', '7', '0'],
        ['Rope', '3', '2', '5'],
      ],
    ]);
  });

  it('wide space between the halves of a table → one table', () => {
    const rows = Array.from({ length: 6 }, (_, index) => [
      ...[`Night number ${index + 1}`, `${index}.10`, `${index}.20`, `${index}.30`],
      ...[`${index}.40`, `${index}.50`, `${index}.60`, `${index}.70`, `${index}.80`],
    ]);
    expect(render(set(rows, [50, 140, 180, 220, 330, 370, 410, 450, 490])).tables).toEqual([rows]);
  });

  it('a last column as long as a line of text, or set a little lower → part of the table', () => {
    const notes = [2025, 2026, 2027, 2029, 2031].map((year) => [
      `0.375% notes due ${year}`,
      '—',
      'The New Exchange LLC',
    ]);
    expect(render(set(notes, [60, 260, 360])).tables).toEqual([notes]);
    const weeks = [11, 12, 13, 14, 15].map((day) => [`From May ${day} to June ${day}`, '0.4', `${day}.1`]);
    const words = set(weeks, [60, 260, 330]);
    const paid = weeks.map((row) => [...row, '7,014.0']);
    const head = setLines(['Value of these', 'that may yet be', 'bought by us'], 400, 82, 12);
    const lower = setLines(Array<string>(5).fill('7,014.0'), 420, 122.8, 16);
    expect(render([...words, ...head, ...lower]).tables[0]?.slice(-5)).toEqual(paid);
  });

  it('the two columns of an index → no table', () => {
    const entries = [
      ...['anchors, kinds and weights of, 7', 'barges, 9, 14', 'buoys, 31, 34', 'charts, 2', 'eels, see fish'],
      ...['fish, 18', 'gulls, 4, 5', 'harbours, 77'],
    ];
    const words = entries.flatMap((entry, index) => [
      ...setLine(entry, 50, 120 + index * 12),
      ...setLine(
        [...entry]
          .reverse()
          .join('')
          .replace(/[^a-z ]/g, 'x'),
        320,
        120 + index * 12,
      ),
    ]);
    expect(render(words).tables).toEqual([]);
  });

  it('signs of Markdown in a cell → escaped', () => {
    const rows = [
      ['a|b', 'c'],
      ['d', 'e*f*'],
      ['g', 'h'],
    ];
    expect(render(set(rows, [60, 200])).tables).toEqual([rows]);
  });
});

describe('rows whose cells wrap', () => {
  const XS = [60, 100, 220, 300];
  const HEAD = ['No.', 'Item', 'Code', 'Price'];
  /** Sets the rows below a head, each line of a cell 12 points below the one before; `space`: from one row to the next. */
  function setRows(rows: string[][][], space: number) {
    const words = HEAD.flatMap((text, column) => setLine(text, XS[column] ?? 0, 120, { bold: true }));
    const feet: number[] = [];
    let y = 120 + space;
    for (const row of rows) {
      for (const [column, lines] of row.entries()) words.push(...setLines(lines, XS[column] ?? 0, y));
      y += (Math.max(...row.map(({ length }) => length)) - 1) * 12 + space;
      feet.push(y - space + 3);
    }
    return { words, rules: feet.map((foot) => flat(60, 340, foot)) };
  }
  const ITEMS = [
    [['1'], ['Anchor', 'galvanised'], ['BK-', '2807'], ['8.20']],
    [['2'], ['Lantern', 'of brass'], ['FM-', '8756'], ['12.40']],
    [['3'], ['Gauge'], ['BN-', '7749'], ['5.00']],
    [['4'], ['Buoy', 'for spare'], ['GK-', '9990'], ['31.75']],
  ];
  const TABLE = [HEAD, ...ITEMS.map((row) => row.map((lines) => lines.join(' ').replace('- ', '-')))];

  it('codes that break at their hyphens → one row each', () => {
    expect(render(setRows(ITEMS, 18).words).tables).toEqual([TABLE]);
  });

  it('numbered rows hardly further apart than their lines → one row each', () => {
    expect(render(setRows(ITEMS, 13.2).words).tables).toEqual([TABLE]);
  });

  it('a rule below each row and none below the head → the head apart from the first row', () => {
    const { words, rules } = setRows(ITEMS, 18);
    expect(render(words, { rules }).tables).toEqual([TABLE]);
  });
});

it('rows of two cells among items that reach over both → text and a list', () => {
  const job = (title: string, place: string, item: string, y: number) => [
    ...setLine(title, 60, y),
    ...setLine(place, 400, y),
    ...setLine('Second keeper', 60, y + 13),
    ...setLine('May 1911', 400, y + 13),
    ...setLine(`• ${item}`, 60, y + 26),
  ];
  const item = 'Rowed the boat with the oil, wound the clockwork and wrote the book of the tower at night.';
  const blocks = readPage([
    ...job('West Pier', 'Bristol', item, 100),
    ...job('East Pier', 'Lerwick', item, 145),
  ]).blocks;
  expect(blocks.map(({ kind }) => kind)).not.toContain('table');
  expect(blocks.filter(({ kind }) => kind === 'list-item')).toHaveLength(2);
});
