import { describe, expect, it } from 'vitest';
import { withoutBands } from '../../../../../../src/engine/stages/layout/columns/bands.js';
import { areClose, areTextsBeside, rowsOf } from '../../../../../../src/engine/stages/layout/columns/column-rows.js';
import { rulesAt, scoreColumns } from '../../../../../../src/engine/stages/layout/columns/column-rules.js';
import { toStrips } from '../../../../../../src/engine/stages/layout/lines/strips.js';
import { renderText } from '../../../../../../src/engine/stages/render/text.js';
import { fragmentsOf, readPage, setLine, setLines } from '../../../set-words.js';

const textOf = (words: ReturnType<typeof setLine>, width = 600): string[] =>
  renderText({ pages: [readPage(words, width)], warnings: [] }).split('\n\n');

const SIDE = ['Clara Novak', '12 Mill Lane', 'Bristol', 'mail@tides.org', 'Planning', 'Speaking', 'First aid'];
const MAIN = [
  'Profile',
  'Keeper of a lighthouse for twelve years, who wrote',
  'down each ship and painted the tower.',
  'Experience',
  'Second keeper, West Pier',
  'Rowed the boat with the oil, wound the clockwork,',
  'and cooked on Sundays.',
  'Education',
];
const MAIN_AT = [100, 123, 135, 158, 174, 190, 202, 226];

it('short lines at the side, not level with the text → read apart from it', () => {
  const words = [
    ...setLines(SIDE, 40, 106, 15),
    ...MAIN.flatMap((line, index) => setLine(line, 200, MAIN_AT[index] ?? 0)),
  ];
  const read = textOf(words).join('\n').split('\n');
  expect(read).toEqual([...SIDE, ...MAIN]);
});

it('dates level with jobs, heads between them → each date beside its job', () => {
  const jobs: [y: number, date: string, title: string, lines: string[]][] = [
    [
      160,
      '03/2021 – today',
      'Keeper of the light, West Pier',
      [
        'Wrote down each ship that passed the pier by day and by night,',
        'and painted the tower twice in those years, in white and in',
        'red.',
      ],
    ],
    [212, 'Sept 2017 – 2021', 'Second keeper', ['Wound the clockwork of the light.']],
    [250, '2015', 'Hand on a tug', ['Rowed the boat with the oil, and cooked for all on Sundays.']],
    [310, '2012 to 2014', 'Student of mathematics', ['University of Bristol, with distinction']],
    [345, '2009 to 2012', 'Pupil', ['School of the harbour']],
  ];
  const head = (text: string, y: number) => setLine(text, 40, y, { size: 13, bold: true });
  const words = [
    ...head('Experience', 135),
    ...jobs.flatMap(([y, date, title, lines]) => [
      ...setLine(date, 40, y),
      ...setLine(title, 170, y, { bold: true }),
      ...setLines(lines, 170, y + 12),
    ]),
    ...head('Education', 285),
    ...head('Interests', 395),
    ...setLine('Chess, gulls, tides.', 40, 420),
  ];
  const read = textOf(words).join('\n');
  for (const [, date, title] of jobs) expect(read).toContain(`${date}  ${title}`);
});

it('short lines at the side, half of them nearly level with the text by chance → read apart from it', () => {
  const side = [...SIDE, 'Rowing'];
  const words = [
    ...setLines(side, 40, 102, 14),
    ...MAIN.flatMap((line, index) => setLine(line, 200, MAIN_AT[index] ?? 0)),
  ];
  expect(textOf(words).join('\n').split('\n')).toEqual([...side, ...MAIN]);
});

describe('bold titles on rules, level lines below them on both sides', () => {
  const bold = { bold: true };
  const score = (left: number[], right: number[], style = bold) => {
    const section = (x: number) => (y: number) => [
      ...setLine('Experience', x, y, style),
      ...setLines(['Keeper, West Pier', 'Rower, East Pier'], x, y + 20, 12),
    ];
    const rules = [...left.map((y) => ({ x0: 40, x1: 250, y0: y + 4, y1: y + 4 }))];
    rules.push(...right.map((y) => ({ x0: 300, x1: 510, y0: y + 4, y1: y + 4 })));
    const words = [...left.flatMap(section(40)), ...right.flatMap(section(300))];
    return scoreColumns(fragmentsOf(words), 280, rulesAt(rules, 280));
  };

  it('some of the rules on one side alone → columns', () => {
    expect(score([100, 150], [100, 162])).toBeGreaterThan(0);
  });

  it('all rules level, or titles that are not bold → none', () => {
    expect(score([100, 150], [100, 150])).toBe(0);
    expect(score([100, 150], [100, 162], { bold: false })).toBe(0);
  });
});

describe('few lines level with those of prose at their left', () => {
  const PROSE = Array.from(
    { length: 12 },
    (_, line) => `${line % 6 === 0 ? 'The' : 'the'} ferry left the harbour at dawn with mail`,
  );
  const prose = setLines(PROSE, 40, 100);

  it('lines of another column → read after the prose', () => {
    const short = ['Short note.', 'References', '[1] Marsh, 2011.'];
    const words = [...prose, ...[0, 3, 5].flatMap((row, index) => setLine(short[index] ?? '', 300, 100 + row * 12))];
    const read = textOf(words).join(' ').replace(/\s+/g, ' ');
    expect(read).toBe([...PROSE, ...short].join(' '));
  });

  it('figures right below a rule across both sides → no column', () => {
    const setRight = (texts: readonly string[]) =>
      fragmentsOf(texts.flatMap((text, row) => setLine(text, 300, 105 + row * 24)));
    const score = (texts: readonly string[], rules = [112]) => {
      const parts = rules.map((y) => ({ x0: 30, x1: 400, y0: y, y1: y }));
      return scoreColumns([...fragmentsOf(prose), ...setRight(texts)], 280, rulesAt(parts, 280));
    };
    const rows = ['Amount', '12.50', '8.00 EUR', '110.00'];
    expect(score(rows)).toBe(0);
    expect(score(rows, [])).toBeGreaterThan(0);
    expect(score(['Amount', 'twelve', 'eight', 'a hundred'])).toBeGreaterThan(0);
  });

  it('answers to check → no column', () => {
    const answers = fragmentsOf([2, 5, 8].flatMap((row) => setLine('Yes', 300, 100 + row * 12)));
    const score = (right: typeof answers) => scoreColumns([...fragmentsOf(prose), ...right], 280);
    expect(score(answers)).toBeGreaterThan(0);
    for (const {
      words: [box],
    } of answers)
      if (box) box.check = { x0: 300, x1: 305, sign: '☐' };
    expect(score(answers)).toBe(0);
  });
});

describe('names and prices on both sides', () => {
  const priced = (rows: readonly [string, string][], x: number, ys: readonly number[]) =>
    rows.flatMap(([name, price], row) => [...setLine(name, x, ys[row] ?? 0), ...setLine(price, x + 190, ys[row] ?? 0)]);
  const LEFT: [string, string][] = [
    ['Leek soup', '5.50'],
    ['Smoked eel', '9.00'],
    ['Lamb shoulder', '18.50'],
  ];
  const RIGHT: [string, string][] = [
    ['Treacle tart', '6.00'],
    ['Cheese board', '8.50'],
    ['House white', '4.50'],
  ];

  it('rows and titles that are not all level → one list after the other', () => {
    const words = [
      ...setLine('Starters', 40, 100, { bold: true }),
      ...priced(LEFT, 40, [115, 130, 170]),
      ...setLine('Mains', 40, 155, { bold: true }),
      ...setLine('Puddings', 320, 100, { bold: true }),
      ...priced(RIGHT, 320, [115, 130, 177]),
      ...setLine('Wine', 320, 162, { bold: true }),
    ];
    const read = textOf(words).join(' ').replace(/\s+/g, ' ');
    expect(read).toBe(
      'Starters Leek soup 5.50 Smoked eel 9.00 Mains Lamb shoulder 18.50 ' +
        'Puddings Treacle tart 6.00 Cheese board 8.50 Wine House white 4.50',
    );
  });

  it('rows that are all level → one table', () => {
    const ys = [115, 130, 145];
    const read = textOf([...priced(LEFT, 40, ys), ...priced(RIGHT, 320, ys)])
      .join(' ')
      .replace(/\s+/g, ' ');
    expect(read).toMatch(/^Leek soup 5.50 Treacle tart 6.00/);
  });
});

it('labels beside texts set about their middle → kept together', () => {
  const labels = setLines(
    ['Keeper of it', 'Place of it', 'Height of it', 'Light of it', 'Year of it', 'Oil of it'],
    40,
    106,
    36,
  );
  const values = [0, 1, 2, 3, 4, 5].flatMap((row) =>
    setLines(['what is said of this in a line', 'or in two, as it may be'], 200, 100 + row * 36),
  );
  expect(textOf([...labels, ...values]).join(' ')).toMatch(/Keeper of it.*what is said.*Place of it/s);
});

it('a title in the middle of three columns that crosses no gutter → read first', () => {
  const column = (name: string) => Array.from({ length: 8 }, (_, line) => `the ${name} column has a line ${line} here`);
  const columns = ['first', 'other', 'third'].flatMap((name, place) =>
    setLines(column(name), 30 + place * 190, 120 + place),
  );
  const read = textOf([...columns, ...setLine('The Gazette', 254, 95, { size: 16 })], 600);
  expect(read[0]).toBe('The Gazette');
  expect(read).toHaveLength(4);
});

it('a dateline and an imprint in the middle of three columns → first and last', () => {
  const column = (name: string) => Array.from({ length: 8 }, (_, line) => `the ${name} column has a line ${line} here`);
  const columns = ['first', 'other', 'third'].flatMap((name, place) =>
    setLines(column(name), 30 + place * 190, 120 + place),
  );
  const read = textOf([...columns, ...setLine('Monday, 1 April', 261, 104), ...setLine('Printed here', 267, 232)], 600);
  expect(read.map((text) => text.slice(0, 15))).toEqual([
    'Monday, 1 April',
    'the first colum',
    'the other colum',
    'the third colum',
    'Printed here',
  ]);
});

describe('texts beside each other', () => {
  const rowsAt = (lines: readonly string[], x: number, at: readonly number[]) =>
    rowsOf(fragmentsOf(lines.flatMap((line, index) => setLine(line, x, at[index] ?? 0))));
  const steps = (count: number, from: number, step: number) =>
    Array.from({ length: count }, (_, row) => from + row * step);
  const SIDE_AT = steps(SIDE.length, 106, 15);
  const side = rowsAt(SIDE, 40, SIDE_AT);
  const main = rowsAt(MAIN, 200, MAIN_AT);

  it('lines of their own that begin not quite level → texts beside each other', () => {
    expect(areTextsBeside(side, main)).toBe(true);
    const off = MAIN.flatMap((line, index) =>
      setLine(line, 200.4 + (index % 2) * 0.2 + (index % 3 === 0 ? 10 : 0), MAIN_AT[index] ?? 0),
    );
    expect(areTextsBeside(side, rowsOf(fragmentsOf(off)))).toBe(true);
  });

  it('few lines, columns of a table or level lines → no texts beside each other', () => {
    expect(areTextsBeside(side.slice(1), main)).toBe(true);
    expect(areTextsBeside(side.slice(2), main)).toBe(false);
    const cells = SIDE.flatMap((line, row) => [
      ...setLine(line, 40, SIDE_AT[row] ?? 0),
      ...setLine('twelve', 140, SIDE_AT[row] ?? 0),
    ]);
    expect(areTextsBeside(rowsOf(fragmentsOf(cells)), main)).toBe(false);
    expect(areTextsBeside(rowsAt(MAIN.slice(0, 7), 40, MAIN_AT), main)).toBe(false);
  });

  it('labels of a drawing → no texts beside each other', () => {
    const scattered = rowsOf(fragmentsOf(SIDE.flatMap((line, row) => setLine(line, 40 + row * 7, SIDE_AT[row] ?? 0))));
    expect(areTextsBeside(scattered, main)).toBe(false);
    const labels = ['Lamp', 'Lens of glass', 'Stairs', 'Store', 'Door', 'Rock', 'Sea'];
    expect(areTextsBeside(side, rowsAt(labels, 200, steps(7, 99, 15)))).toBe(false);
  });

  it('level rows, one continued above and one below → no texts beside each other', () => {
    const lines = Array.from({ length: 18 }, () => 'a line of some words');
    const [upper, lower] = [rowsAt(lines, 40, steps(18, 100, 12)), rowsAt(lines, 200, steps(18, 100 + 12 * 12, 12))];
    expect(areTextsBeside(upper, lower)).toBe(false);
  });

  it('a close gap without a line in it → texts beside each other', () => {
    expect(areClose([])).toBe(true);
  });
});

describe('titles over columns', () => {
  const column = (x: number) =>
    setLines(
      Array.from({ length: 8 }, () => 'a line that fills this column'),
      x,
      120,
    );
  const columns = [column(30), column(230), column(430)].flat();
  const middle = (text: string, y: number, size = 10) => setLine(text, 296.25 - (text.length * size) / 4, y, { size });
  const countOver = (words: ReturnType<typeof setLine>) => {
    const strips = toStrips(fragmentsOf([...columns, ...words]));
    return withoutBands(strips, { from: 0, to: strips.length - 1, gutter: 200 }).from;
  };

  it('large lines in the middle of all columns → a title over them', () => {
    expect(countOver(middle('Gazette', 80, 16))).toBe(1);
    expect(countOver([...middle('Gazette', 80, 16), ...middle('Monday', 100)])).toBe(2);
  });

  it('small type in the middle, at no edge of a column → over all columns', () => {
    expect(countOver(middle('Gazette', 80))).toBe(1);
    expect(countOver(middle('a line that fills this', 80))).toBe(0);
  });

  it('a line over one column → no title over columns', () => {
    expect(countOver(setLine('Gazette', 230, 80, { size: 16 }))).toBe(0);
    expect(countOver(setLine('Gazette', 30, 80, { size: 16 }))).toBe(0);
  });

  it('a large line across a gutter, wherever the last column ends → a title over columns', () => {
    const short = columns.filter(({ text, x0 }) => x0 < 430 || text === 'a');
    const countOverShort = (x: number) => {
      const strips = toStrips(fragmentsOf([...short, ...setLine('Gazette', x, 80, { size: 16 })]));
      return withoutBands(strips, { from: 0, to: strips.length - 1, gutter: 200 }).from;
    };
    expect(countOverShort(200)).toBe(1);
    expect(countOverShort(230)).toBe(0);
  });

  it('a title above a row of heads → ends there', () => {
    const heads = [...middle('Monday', 100), ...setLine('Tuesday', 480, 100)];
    expect(countOver([...middle('Gazette', 80, 16), ...heads])).toBe(1);
    expect(countOver([...middle('Gazette', 80, 16), ...setLine('Extra', 480, 80, { size: 16 })])).toBe(0);
  });
});
