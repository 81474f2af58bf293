import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { tablesOf } from '../../../gfm.js';
import { documentOf, readPage, type Style, setLine } from '../../../set-words.js';

const setRight = (text: string, right: number, y: number, style: Style = {}): RawWord[] => {
  const words = setLine(text, 0, y, style);
  const by = right - (words.at(-1)?.x1 ?? 0);
  return words.map((word) => ({ ...word, x0: word.x0 + by, x1: word.x1 + by, originX: word.originX + by }));
};

const ENDS = [330, 440, 540];
const setItem = ([label = '', ...figures]: readonly string[], y: number, style?: Style): RawWord[] => [
  ...setLine(label, 60, y, style),
  ...figures.flatMap((figure, index) => setRight(figure, ENDS[index] ?? 0, y, style)),
];

const HEAD = ['Goods', 'Count', 'Price', 'Amount'];
const ITEMS = [
  ['Rope of hemp', '2', '20.00', '40.00'],
  ['Salt', '1', '70.00', '70.00'],
  ['Timber', '5', '30.00', '150.00'],
];

const markdownOf = (words: readonly RawWord[], rules: readonly number[] = []) =>
  renderMarkdown(
    documentOf([readPage(words, 600, 800, { rules: rules.map((y) => ({ x0: 50, x1: 540, y0: y, y1: y })) })]),
  );

describe('items with a second line', () => {
  const NOTES = ['SKU 8811 / 3 months', 'Art. no. 4471-22', 'Delivered by courier'];
  const sum = ['In all', '8', '', '260.00'];
  const whole = [...ITEMS.map(([label, ...figures], row) => [`${label} ${NOTES[row]}`, ...figures]), sum];
  const setNotes = (pitch: number, style: Style = {}) => [
    ...ITEMS.flatMap((item, row) => [
      ...setItem(item, 146 + row * pitch),
      ...setLine(NOTES[row] ?? '', 60, 158 + row * pitch, style),
    ]),
    ...[0, 1, 3].flatMap((cell) =>
      cell === 0
        ? setLine('In all', 60, 146 + 3 * pitch)
        : setRight(sum[cell] ?? '', ENDS[cell - 1] ?? 0, 146 + 3 * pitch),
    ),
  ];

  it('closer than the rows → in the row of its item, below the title of a group too', () => {
    const head = setItem(HEAD, 120, { bold: true });
    expect(tablesOf(markdownOf([...head, ...setNotes(26)]))).toEqual([[HEAD, ...whole]]);
    const title = [...setItem(HEAD, 108, { bold: true }), ...setLine('By sea', 60, 134, { bold: true })];
    expect(tablesOf(markdownOf([...title, ...setNotes(26)]))).toEqual([[HEAD, ['By sea', '', '', ''], ...whole]]);
  });

  it('in bold type, or as far from it as the rows from each other → a row', () => {
    const head = setItem(HEAD, 120, { bold: true });
    expect(tablesOf(markdownOf([...head, ...setNotes(26, { bold: true })]))[0]).toHaveLength(8);
    expect(tablesOf(markdownOf([...head, ...setNotes(24)]))[0]).toHaveLength(8);
  });
});

describe('a statement of an account without rules', () => {
  it('dates in two lines, marks below amounts → in the row of their item', () => {
    const rows = [
      ['Date', 'Description', 'Paid out', 'Balance'],
      ['01\nNov', 'Standing order rent\nfor flat 3', '720.51', '-75.88'],
      ['02\nNov', 'Withdrawal', '40.00', '-115.88\nOD'],
      ['', 'Card payment\nin town', '12.20', '-128.08'],
      ['03\nNov', 'Salary', '', '1,400.00\nCR'],
      ['', 'Interest', '1.20', '1,398.80'],
    ];
    const setCell = (cell: string, column: number, y: number, style: Style) =>
      column < 2
        ? setLine(cell, [60, 110][column] ?? 0, y, style)
        : setRight(cell, [420, 520][column - 2] ?? 0, y, style);
    const words = rows.flatMap((row, index) =>
      row.flatMap((cell, column) =>
        (cell === '' ? [] : cell.split('\n')).flatMap((line, at) =>
          setCell(line, column, 120 + index * 27 + at * 12, { bold: index === 0 }),
        ),
      ),
    );
    const expected = rows.map((row) => row.map((cell) => cell.replaceAll('\n', ' ')));
    expect(tablesOf(markdownOf(words))).toEqual([expected]);
  });
});

describe('a label that is too long for its line', () => {
  it.each([',', ';'])('broken after "%s" → one row, whatever the second line begins with', (sign) => {
    const [label, rest] = [`Common stock at a par value of $0.001${sign}`, '41,223 shares issued'];
    const words = [
      ...setItem(['', '2026', '2025'], 120, { bold: true }),
      ...setItem(['Accounts payable', '4,210', '3,998'], 138),
      ...setLine(label, 60, 152),
      ...setItem([rest, '41', '42'], 166),
      ...setItem(['Total', '29,545', '30,093'], 180),
    ];
    expect(tablesOf(markdownOf(words))[0]?.slice(1)).toEqual([
      ['Accounts payable', '4,210', '3,998'],
      [`${label} ${rest}`, '41', '42'],
      ['Total', '29,545', '30,093'],
    ]);
  });
});

describe('sums below items', () => {
  it('between two rules, with the code of their currency → a row each', () => {
    const sums = [
      ['', '', 'Subtotal', '260.00 EUR'],
      ['', '', 'VAT', '52.00 EUR'],
    ];
    const words = [
      ...setItem(HEAD, 120, { bold: true }),
      ...ITEMS.flatMap((item, row) => setItem(item, 146 + row * 26)),
      ...sums.flatMap(([, , label = '', sum = ''], row) => [
        ...setRight(label, 440, 224 + row * 13),
        ...setRight(sum, 540, 224 + row * 13),
      ]),
      ...setRight('Total', 440, 263),
      ...setRight('312.00 EUR', 540, 263),
    ];
    const rules = [128, 154, 180, 206, 243];
    expect(tablesOf(markdownOf(words, rules))[0]?.slice(4)).toEqual([...sums, ['', '', 'Total', '312.00 EUR']]);
  });
});

describe('an invoice that a browser set without space between its columns', () => {
  const large = { size: 12 };
  const setCells = ([pos = '', goods = '', ...figures]: readonly string[], y: number, style: Style = large) => [
    ...(pos === '' ? [] : setLine(pos, 58, y, style)),
    ...(goods === '' ? [] : setLine(goods, 78, y, style)),
    ...figures.flatMap((figure, index) =>
      figure === '' ? [] : setRight(figure, [446, 494, 538][index] ?? 0, y, style),
    ),
  ];
  const address = ['Hart Timber', '14 Quay Road', 'Penryn'].flatMap((line, row) => setLine(line, 57, 68 + row * 12));
  const dates = ['Invoice no. 2026-0417', 'Date: 3 March 2026', 'Due: 2 April 2026'].flatMap((line, row) =>
    setRight(line, 538, 68 + row * 12),
  );
  const texts = [
    ...setLine('To be paid by Mrs. A. Lindqvist, 7 Mill Lane, Falmouth', 57, 150),
    ...setLine('Please pay within thirty days. Quote the number of the invoice.', 57, 340),
  ];
  const items = [
    ...setCells(['', 'Oak planks, planed on four sides, dried to nine in the hundred'], 211),
    ...setCells(['1', '', '12', '48.50', '582.00'], 218),
    ...setCells(['', 'and delivered to the yard'], 225),
    ...setCells(['2', 'Brass screws', '500', '0.09', '45.00'], 240),
    ...setCells(['3', 'Delivery', '1', '35.00', '35.00'], 255),
  ];
  const head = [
    ...setCells(['', '', '', 'Unit'], 181.5, { ...large, bold: true }),
    ...setCells(['Pos', 'Description', 'Qty', '', 'Amount'], 188, { ...large, bold: true }),
    ...setCells(['', '', '', 'price'], 194.5, { ...large, bold: true }),
  ];
  const sums = [
    ...setCells(['', '', '', 'Subtotal', '662.00'], 270),
    ...setCells(['', '', '', 'VAT 20', ''], 285),
    ...setCells(['', '', '', '', '132.40'], 291.5),
    ...setCells(['', '', '', '%', ''], 298),
    ...setCells(['', '', '', 'Total', '794.40'], 313, { ...large, bold: true }),
  ];

  it('heads in two lines, long descriptions, sums that wrap and dates at the right → one table', () => {
    const markdown = markdownOf([...address, ...dates, ...texts, ...head, ...items, ...sums], [199]);
    expect(markdown.indexOf('Due: 2 April 2026')).toBeLessThan(markdown.indexOf('Pos'));
    const oak = 'Oak planks, planed on four sides, dried to nine in the hundred and delivered to the yard';
    expect(tablesOf(markdown).at(-1)).toEqual([
      ['Pos', 'Description', 'Qty', 'Unit price', 'Amount'],
      ['1', oak, '12', '48.50', '582.00'],
      ['2', 'Brass screws', '500', '0.09', '45.00'],
      ['3', 'Delivery', '1', '35.00', '35.00'],
      ['', '', '', 'Subtotal', '662.00'],
      ['', '', '', 'VAT 20 %', '132.40'],
      ['', '', '', 'Total', '794.40'],
    ]);
  });
});

describe('an invoice whose heads stand as close as words', () => {
  const HEADS = ['Pos.', 'Description', 'Qty', 'Unit', 'Price', 'VAT', 'Amount'];
  const ROWS = [
    ['1', 'Glass shelf', '2', 'set', '270.77', '20 %', '541.54'],
    ['2', 'Oak worktop, oiled', '1', 'pc', '138.94', '20 %', '138.94'],
    ['3', 'Edge banding', '3', 'm', '89.51', '20 %', '268.53'],
  ];
  const bold = { bold: true };
  /** Heads without the room that the cells below have at their sides: those of two columns almost touch. */
  const heads = [
    ...[setLine('Pos.', 57, 120, bold), setLine('Description', 78, 120, bold), setRight('Qty', 303, 120, bold)],
    ...[setLine('Unit', 308, 120, bold), setRight('Price', 396, 120, bold), setLine('VAT', 405, 120, bold)],
    setRight('Amount', 540, 120, bold),
  ].flat();
  const setBody = (row: readonly string[], y: number, wraps: boolean) => [
    ...setLine(row[0] ?? '', 60, y),
    ...setLine(row[1] ?? '', 82, y),
    ...setRight(row[2] ?? '', 300, y),
    ...setLine(row[3] ?? '', 311, y),
    ...setRight(row[4] ?? '', 393, y),
    ...(wraps ? [...setLine('20', 408, y - 6), ...setLine('%', 408, y + 6)] : setLine('20 %', 408, y)),
    ...setRight(row[6] ?? '', 537, y),
  ];
  const body = (wraps: boolean) => ROWS.flatMap((row, index) => setBody(row, 144 + index * 30, wraps));

  it('rules between the rows, cells that wrap, or both → a head for each column', () => {
    for (const wraps of [false, true])
      expect(tablesOf(markdownOf([...heads, ...body(wraps)], [126, 158, 188, 218]))).toEqual([[HEADS, ...ROWS]]);
  });

  it('no rule under the last row, as before a page break → a row', () => {
    expect(tablesOf(markdownOf([...heads, ...body(true)], [126, 158, 188]))).toEqual([[HEADS, ...ROWS]]);
  });

  it('sums below that hide the space between columns → the columns as without them, and their rows', () => {
    const sum = 'Net total to be paid';
    const sums = [...setLine(sum, 311, 234), ...setRight('949.01', 537, 234)];
    const [table] = tablesOf(markdownOf([...heads, ...body(false), ...sums], [126, 158, 188, 218, 248]));
    // Markdown has a cell over several columns in each of them.
    expect(table).toEqual([HEADS, ...ROWS, ['', '', '', sum, sum, '', '949.01']]);
  });
});

describe('a receipt whose items stand between two rules', () => {
  const goods = [
    ['Espresso', '2,40'],
    ['Cappuccino', '7,80'],
    ['Apple pie', '4,20'],
    ['Soda water', '3,10'],
    ['Welsh rarebit', '8,90'],
  ];
  const sums = [
    ['Sum', '26,40'],
    ['Paid', '30,00'],
  ];

  it.each([
    [3, ''],
    [4, ' *'],
    [5, ' A'],
  ])('%i of them, with the mark of their tax "%s" → a row each', (count, tax) => {
    const items = goods.slice(0, count).map(([label = '', price]) => [label, `${price}${tax}`]);
    const end = 120 + count * 12;
    const words = [
      ...items.flatMap((item, row) => setItem(item, 120 + row * 12)),
      ...sums.flatMap((sum, row) => setItem(sum, end + 6 + row * 12)),
    ];
    expect(tablesOf(markdownOf(words, [108, end - 5]))).toEqual([[...items, ...sums]]);
  });
});
