import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { tablesOf } from '../../../gfm.js';
import { documentOf, readPage, setLine } from '../../../set-words.js';

/** Width of a line at 10 points. */
const widthOf = (text: string): number => text.length * 5 - (text.split(' ').length - 1) * 2.5;
const setRight = (text: string, right: number, y: number, bold = false) =>
  setLine(text, right - widthOf(text), y, { bold });
const tablesIn = (words: RawWord[], rules: number[] = []) => {
  const drawn = { rules: rules.map((y) => ({ x0: 50, x1: 540, y0: y, y1: y })) };
  return tablesOf(renderMarkdown(documentOf([readPage(words, 600, 800, drawn)])));
};

describe('tables of few rows whose first line is known to be a head', () => {
  /** An invoice of one item; the labels of its sums stand across the columns of the quantity and its unit. */
  const setInvoice = (bold: boolean) => [
    ...setLine('Group', 60, 120, { bold }),
    ...setLine('Goods', 150, 120, { bold }),
    ...setRight('Count', 400, 120, bold),
    ...setLine('Unit', 415, 120, { bold }),
    ...setRight('Price', 540, 120, bold),
    ...setLine('Rope of hemp', 150, 138),
    ...setRight('1', 400, 138),
    ...setLine('coil', 415, 138),
    ...setRight('239.00', 540, 138),
    ...['Sum:', 'Discount (10%):', 'To be paid (EUR):'].flatMap((label, row) => [
      ...setRight(label, 442, 156 + row * 18),
      ...setRight('239.00', 540, 156 + row * 18),
    ]),
  ];

  it.each([
    ['a head in bold type', true, []],
    ['a head above a rule', false, [125]],
  ])('%s → its columns, whatever the sums stand over', (_, bold, rules) => {
    const [table] = tablesIn(setInvoice(bold), rules);
    expect(table?.slice(0, 2)).toEqual([
      ['Group', 'Goods', 'Count', 'Unit', 'Price'],
      ['', 'Rope of hemp', '1', 'coil', '239.00'],
    ]);
    expect(table).toHaveLength(5);
  });

  it('heads set left over figures set right → each over its figures', () => {
    const heads = ['Goods', 'Count', 'Price', 'Amount'];
    const words = [
      ...setLine('Goods', 60, 120, { bold: true }),
      ...heads.slice(1).flatMap((head, index) => setLine(head, 250 + index * 100, 120, { bold: true })),
      ...['Rope of hemp', 'Salt', 'Timber'].flatMap((goods, row) => [
        ...setLine(goods, 60, 136 + row * 16),
        ...['1', '5.00', '5.00'].flatMap((figure, index) => setRight(figure, 300 + index * 100, 136 + row * 16)),
      ]),
    ];
    const [table] = tablesIn(words);
    expect(table?.slice(0, 2)).toEqual([heads, ['Rope of hemp', '1', '5.00', '5.00']]);
  });

  it('heads set left, no nearer to their narrow figures than to those before them → each over its own', () => {
    const heads = ['Goods', 'Qty', 'Unit price', 'Amount'];
    const xs = [60, 226, 290, 394];
    const words = [
      ...heads.flatMap((head, index) => setLine(head, xs[index] ?? 0, 120, { bold: true })),
      ...['Rope of hemp', 'Salt', 'Timber'].flatMap((goods, row) => [
        ...setLine(goods, 60, 136 + row * 16),
        ...['4', '23.50', '94.00'].flatMap((figure, index) =>
          setRight(figure, [276, 380, 480][index] ?? 0, 136 + row * 16),
        ),
      ]),
    ];
    expect(tablesIn(words)[0]?.slice(0, 2)).toEqual([heads, ['Rope of hemp', '4', '23.50', '94.00']]);
  });

  it('heads that close the space between two columns of figures → the columns of the rows', () => {
    const words = [
      ...setLine('Goods', 60, 120),
      ...setLine('Qty', 266, 120),
      ...setLine('Back order', 305, 120),
      ...['Rope of hemp', 'Salt', 'Timber', 'Oil'].flatMap((goods, row) => [
        ...setLine(goods, 60, 136 + row * 16),
        ...setRight(['215', '4', '30', '16'][row] ?? '', 300, 136 + row * 16),
        ...setRight('0', 420, 136 + row * 16),
      ]),
    ];
    expect(tablesIn(words)[0]?.slice(0, 2)).toEqual([
      ['Goods', 'Qty', 'Back order'],
      ['Rope of hemp', '215', '0'],
    ]);
  });

  it.each([[['2018', '2019', '2020', '2021']], [['2018/19', '2019/20', '2020/21', '2021/22']]])(
    'years over one row, no head over its label → a table: %s',
    (years) => {
      const words = years.flatMap((year, index) => [
        ...setRight(year, 250 + index * 80, 120, true),
        ...setRight(`1,${index}45`, 250 + index * 80, 136),
      ]);
      expect(tablesIn([...words, ...setLine('Profit', 60, 136)])).toEqual([
        [
          ['', ...years],
          ['Profit', '1,045', '1,145', '1,245', '1,345'],
        ],
      ]);
    },
  );

  it('two heads close together, a cell missing in a row → the columns of the rows', () => {
    const words = [
      ...setLine('Goods', 60, 120, { bold: true }),
      ...setRight('Net', 300, 120, true),
      ...setRight('Tax', 360, 120, true),
      ...setLine('Price with tax', 362.5, 120, { bold: true }),
      ...[136, 152].flatMap((y, row) => [
        ...setLine(['Rope of hemp', 'Salt'][row] ?? '', 60, y),
        ...(row === 0 ? setRight('24.00', 300, y) : []),
        ...setRight('21', 360, y),
        ...setRight('29.04', 430, y),
      ]),
    ];
    expect(tablesIn(words)).toEqual([
      [
        ['Goods', 'Net', 'Tax', 'Price with tax'],
        ['Rope of hemp', '24.00', '21', '29.04'],
        ['Salt', '', '21', '29.04'],
      ],
    ]);
  });

  it('figures in the first line, or fewer cells in the second → no table', () => {
    const figures = ['2.5', '20.1', '30.8', '41.2'].flatMap((text, index) => [
      ...setRight(text, 250 + index * 80, 120, true),
      ...setRight(`${index}%`, 250 + index * 80, 136),
    ]);
    expect(tablesIn([...figures, ...setLine('2030', 60, 136)])).toEqual([]);
    const fields = ['Yes', 'No', 'Name', 'Place', 'Date'].flatMap((text, index) =>
      setLine(text, 60 + index * 90, 120, { bold: true }),
    );
    expect(tablesIn([...fields, ...setLine('Phone', 60, 136), ...setLine('Fax', 160, 136)])).toEqual([]);
  });
});

describe('heads as close to each other as words', () => {
  const setRows = (head: RawWord[]) => [
    ...head,
    ...setLine('Goods', 60, 120),
    ...setRight('Net', 300, 120),
    ...['Rope of hemp', 'Salt', 'Timber'].flatMap((goods, row) => [
      ...setLine(goods, 60, 136 + row * 16),
      ...setRight('24.00', 300, 136 + row * 16),
      ...setRight('21', 360, 136 + row * 16),
      ...setRight('29.04', 430, 136 + row * 16),
    ]),
  ];

  it('one of them ends where its column does → one head for each column', () => {
    const [table] = tablesIn(setRows([...setRight('Tax', 360, 120), ...setLine('Price with tax', 362.5, 120)]));
    expect(table?.[0]).toEqual(['Goods', 'Net', 'Tax', 'Price with tax']);
  });

  it('none of their words in line with a column → one head over both columns', () => {
    const [table] = tablesIn(setRows(setLine('Prices with taxes', 345, 120)));
    expect(table?.[0]).toEqual(['Goods', 'Net', 'Prices with taxes', 'Prices with taxes']);
  });
});

describe('tables below each other with nothing between them', () => {
  const setRows = (rows: readonly string[][], xs: readonly number[], y: number, bold = false) =>
    rows.flatMap((row, line) => row.flatMap((text, cell) => setLine(text, xs[cell] ?? 0, y + line * 14, { bold })));
  const PARTNERS = [
    ['Anna Albrecht', 'Bruno Castelli'],
    ['from the mill', 'from the harbour'],
    ['in Graz with a long name', 'in Turin'],
  ];
  const HEAD = ['Goods', 'Count', 'Price', 'Amount'];
  const GOODS = [
    ['Rope', '2', '5.00', '10.00'],
    ['Salt', '4', '1.00', '4.00'],
  ];
  const setGoods = (y: number) => [
    ...setRows([HEAD], [60, 150, 240, 330], y, true),
    ...setRows(GOODS, [60, 150, 240, 330], y + 14),
  ];

  it('a bold head of other columns → two tables', () => {
    expect(tablesIn([...setRows(PARTNERS, [60, 300], 120), ...setGoods(162)])).toEqual([PARTNERS, [HEAD, ...GOODS]]);
  });

  it('a bold line with figures, or below a single line → one table', () => {
    const sum = setRows([['Sum', '6', '6.00', '14.00']], [60, 150, 240, 330], 162, true);
    expect(tablesIn([...setGoods(120), ...sum, ...setRows(PARTNERS, [60, 300], 176)])).toHaveLength(1);
    const over = setRows([['Year of the sale and of these', 'Prices and sums']], [60, 265], 106);
    expect(tablesIn([...over, ...setGoods(120)])[0]).toHaveLength(4);
  });
});

describe('a bold title between tables', () => {
  const ITEMS = [
    ['Article', 'Qty', 'Price'],
    ['Chair', '4', '79.00'],
    ['Table', '1', '249.00'],
    ['Lamp', '2', '35.50'],
  ];
  const XS = [60, 240, 350];
  const setRows = (rows: readonly string[][], xs: readonly number[], y: number) =>
    rows.flatMap((row, line) =>
      row.flatMap((text, cell) => setLine(text, xs[cell] ?? 0, y + line * 20, { bold: text === rows[0]?.[cell] })),
    );
  const setTitle = (y: number) => setLine('How they came', 57, y, { bold: true });
  const plain = (rows: readonly string[][], xs: readonly number[], y: number) =>
    rows.flatMap((row, line) => row.flatMap((text, cell) => setLine(text, xs[cell] ?? 0, y + line * 20)));
  const SENT = [
    ['Date', 'Carrier', 'Parcel'],
    ['3 Nov', 'Royal Mail', 'RM 001 228'],
    ['9 Nov', 'Coach', '1550 2281'],
    ['12 Nov', 'Coach', '1550 9910'],
  ];

  it('the head of other rows below it, in columns between those above → two tables', () => {
    const words = [...setRows(ITEMS, XS, 120), ...setTitle(209), ...setRows(SENT, [60, 170, 340], 238)];
    expect(tablesIn(words)).toEqual([ITEMS, SENT]);
  });

  it('rows without a head below it: level with the columns above → one table, with others → two', () => {
    const rows = SENT.slice(1);
    const words = (xs: readonly number[]) => [...setRows(ITEMS, XS, 120), ...setTitle(209), ...plain(rows, xs, 238)];
    expect(tablesIn(words([60, 170, 350]))).toEqual([ITEMS, rows]);
    expect(tablesIn(words(XS))[0]).toHaveLength(ITEMS.length + 1 + rows.length);
  });

  it('text further below, whose words stand over the gaps of the rows below it → no part of these: two tables', () => {
    const close = (rows: readonly string[][], xs: readonly number[], y: number) =>
      rows.flatMap((row, line) => row.flatMap((text, cell) => setLine(text, xs[cell] ?? 0, y + line * 12)));
    const given = [
      ['Apixaban 5 mg', '1-0-1-0'],
      ['Bisoprolol 2.5 mg', '1-0-0-0'],
      ['Metformin 500 mg', '1-0-1-0'],
    ];
    const signed = [
      ['Dr T. Aalto', 'Dr S. Kim from the ward'],
      ['Consultant', 'Registrar'],
    ];
    const words = [
      ...close(ITEMS, XS, 120),
      ...setTitle(176),
      ...close(given, [60, 190], 195),
      ...setLine('We recommend an echocardiogram in three months.', 60, 239),
      ...close(signed, [60, 130], 260),
    ];
    expect(tablesIn(words)).toEqual([ITEMS, given]);
  });

  it('a title no further from the rows than these from each other → one table', () => {
    const words = [...setRows(ITEMS, XS, 120), ...setTitle(200), ...setRows(SENT, [60, 170, 340], 220)];
    expect(tablesIn(words)).toHaveLength(1);
  });

  it('a title in larger type above a head, rules below all rows → no part of the head', () => {
    const title = setLine('What was sold', 57, 98, { bold: true, size: 12 });
    expect(tablesIn([...title, ...setRows(ITEMS, XS, 120)], [125, 145, 165, 185])).toEqual([ITEMS]);
  });
});

describe('stripes, the ground of every other row', () => {
  const HEAD = ['Code', 'Name', 'Unit', 'Price'];
  const ROWS = [
    ['AX-1', 'Rope of hemp', 'box of ten', '82.06'],
    ['AX-2', 'Salt', 'piece', '8.96'],
    ['AX-3', 'Timber', 'box of two', '21.02'],
    ['AX-4', 'Nails', 'box of ten', '3.48'],
    ['AX-5', 'Paint', 'piece', '6.15'],
    ['AX-6', 'Brushes', 'box of two', '1.15'],
  ];
  const XS = [60, 150, 300, 420];
  /** Rows of 26 points from 130 on, each about the middle of the lines of its unit. */
  const setRow = ([code = '', name = '', unit = '', price = '']: readonly string[], row: number) => {
    const y = 145 + row * 26;
    return [
      ...[code, name, price].flatMap((text, cell) => setLine(text, [60, 150, 420][cell] ?? 0, y)),
      ...(unit === 'piece'
        ? setLine(unit, 300, y)
        : [...setLine(unit.slice(0, 6), 300, y - 6), ...setLine(unit.slice(7), 300, y + 6)]),
    ];
  };
  const words = [
    ...HEAD.flatMap((head, cell) => setLine(head, XS[cell] ?? 0, 125, { bold: true })),
    ...ROWS.flatMap(setRow),
  ];
  const stripe = (row: number, x0 = 50) => ({ x0, x1: 500, y0: 130 + row * 26, y1: 156 + row * 26 });
  const read = (shades: ReturnType<typeof stripe>[]) =>
    tablesOf(renderMarkdown(documentOf([readPage(words, 600, 800, { shades })])));

  it('stripes below the ground of a head as wide as they are → rows between their edges', () => {
    const head = { ...stripe(0), y0: 112, y1: 130 };
    expect(read([head, stripe(1), stripe(3), stripe(5)])).toEqual([[HEAD, ...ROWS]]);
  });

  it('the title of a part right below a head with years under heads of two columns, rules below all rows → one table', () => {
    const heads = [
      ...setLine('Region', 60, 108, { bold: true }),
      ...setLine('Office', 130, 108, { bold: true }),
      ...setLine('Orders', 325, 108, { bold: true }),
      ...setLine('Revenue', 445, 108, { bold: true }),
      ...['2024', '2025', '2024', '2025'].flatMap((year, at) => setRight(year, 340 + at * 60, 122, true)),
    ];
    const lines = [
      ['North'],
      ['Oslo', 'Head office, Kari Nordmann and', '1204', '1310', '84100', '91330'],
      ['Bergen', 'Branch', '310', '402', '20150', '28400'],
      ['South'],
      ['Rome', 'Branch, Giulia', '512', '498', '31900', '30100'],
      ['Bari', 'Agency', '88', '120', '4100', '6900'],
    ];
    const tops = [130, 148, 176, 194, 212, 240, 258];
    const set = lines.flatMap((cells, row) => {
      const y = (tops[row] ?? 0) + 13;
      const words = cells.slice(0, 2).flatMap((cell, at) => setLine(cell, [60, 130][at] ?? 0, y));
      const figures = cells.slice(2).flatMap((cell, at) => setRight(cell, 340 + at * 60, y));
      return [...words, ...figures, ...(cells[1]?.includes(',') ? setLine('with a team', 130, y + 12) : [])];
    });
    const [table, another] = tablesIn([...heads, ...set], [95, ...tops]);
    expect(another).toBeUndefined();
    expect(table?.slice(0, 4)).toEqual([
      ['Region', 'Office', 'Orders', 'Orders', 'Revenue', 'Revenue'],
      ['Region', 'Office', '2024', '2025', '2024', '2025'],
      ['North', '', '', '', '', ''],
      ['Oslo', 'Head office, Kari Nordmann and with a team', '1204', '1310', '84100', '91330'],
    ]);
    expect(table).toHaveLength(8);
  });

  it('titles of parts on bands, cells that wrap from the top, and a head over two columns → one table', () => {
    const heads = [
      ...['Code', 'Name', 'Size'].flatMap((head, cell) =>
        setLine(head, [60, 150, 300][cell] ?? 0, 108, { bold: true }),
      ),
      ...setLine('Price per box', 402, 108, { bold: true }),
      ...setLine('1 to 9', 390, 122, { bold: true }),
      ...setLine('from 10', 450, 122, { bold: true }),
    ];
    const lines = [
      ['Screws'],
      ['WS-1', 'Zinc, for wood,', '4 x 30', '3.12', '2.85'],
      ['WS-2', 'Zinc, for walls,', '5 x 40', '4.66', '4.20'],
      ['WS-3', 'Stainless', '6 x 70', '8.90', '7.95'],
      ['Anchors'],
      ['AN-1', 'Bolt', '8 x 75', '7.35', '5.90'],
      ['AN-2', 'Plug', '6 x 30', '1.05', '0.92'],
    ];
    const tops = [130, 148, 176, 204, 222, 240, 258, 276];
    const set = lines.flatMap((cells, row) => [
      ...cells.flatMap((cell, at) => setLine(cell, [60, 150, 300, 390, 450][at] ?? 0, (tops[row] ?? 0) + 13)),
      ...(cells[1]?.endsWith(',') ? setLine('box of 200', 150, (tops[row] ?? 0) + 25) : []),
    ]);
    const band = (row: number) => ({ x0: 50, x1: 500, y0: tops[row] ?? 0, y1: tops[row + 1] ?? 0 });
    const shades = [0, 1, 3, 4, 6].map(band);
    const table = tablesOf(renderMarkdown(documentOf([readPage([...heads, ...set], 600, 800, { shades })])));
    expect(table).toHaveLength(1);
    expect(table[0]?.slice(0, 4)).toEqual([
      ['Code', 'Name', 'Size', 'Price per box', 'Price per box'],
      ['Code', 'Name', 'Size', '1 to 9', 'from 10'],
      ['Screws', '', '', '', ''],
      ['WS-1', 'Zinc, for wood, box of 200', '4 x 30', '3.12', '2.85'],
    ]);
    expect(table[0]).toHaveLength(9);
  });
});

describe('the title of a part between the head and the first stripe', () => {
  const ROWS = [
    ['Screws'],
    ['WS-1', 'Zinc, for wood, box of 200', '4 x 30', '3.12', '2.85', '2.49'],
    ['WS-2', 'Zinc, for walls, box of 200', '5 x 40', '4.66', '4.20', '3.71'],
    ['WS-3', 'Stainless', '6 x 70', '8.90', '7.95', '7.10'],
    ['Anchors'],
    ['AN-1', 'Bolt', '8 x 75', '7.35', '5.90', '5.20'],
    ['AN-2', 'Plug', '6 x 30', '1.05', '0.92', '0.78'],
    ['AN-3', 'Hook', '6 x 50', '2.15', '1.92', '1.66'],
  ];
  const TOPS = [128, 144, 172, 200, 216, 232, 248, 264, 280];
  /** Rows of cells at their top or about their middle; every other one from the second on has a ground. */
  const read = (heads: RawWord[], fromTop: boolean) => {
    const placed = ROWS.flatMap((cells, row) => {
      const [top = 0, bottom = 0] = TOPS.slice(row);
      const y = fromTop ? top + 12 : (top + bottom) / 2 + 4;
      const [code = '', name = '', size = '', ...figures] = cells;
      const [, first = name, second = ''] = /^(.*,) (box.*)$/.exec(name) ?? [];
      return [
        ...setLine(code, 60, y),
        ...setLine(first, 130, second === '' || fromTop ? y : y - 6),
        ...setLine(second, 130, fromTop ? y + 12 : y + 6),
        ...setLine(size, 240, y),
        ...figures.flatMap((figure, at) => setRight(figure, 360 + at * 70, y)),
      ];
    });
    const words = [...heads, ...placed].filter(({ text }) => text !== '');
    const shades = [1, 3, 5, 7].map((row) => ({ x0: 50, x1: 510, y0: TOPS[row] ?? 0, y1: TOPS[row + 1] ?? 0 }));
    return tablesOf(renderMarkdown(documentOf([readPage(words, 600, 800, { shades })])));
  };
  const set = (heads: readonly string[], y: number) =>
    heads.flatMap((head, cell) =>
      cell < 3 ? setLine(head, [60, 130, 240][cell] ?? 0, y, { bold: true }) : setRight(head, 150 + cell * 70, y, true),
    );
  const rows = ROWS.map((cells) => [...cells, '', '', '', '', ''].slice(0, 6));

  it.each([true, false])('a head of one line, cells from the top: %s → a row of its own below the head', (fromTop) => {
    const head = ['Code', 'Name', 'Size', '2023', '2024', '2025'];
    expect(read(set(head, 124), fromTop)).toEqual([[head, ...rows]]);
  });

  it('heads of one column between the lines of a head and those that it spans → two rows of heads', () => {
    const heads = [
      ...set(['Code', 'Name', 'Size'], 116),
      ...setLine('Price a box', 408, 108, { bold: true }),
      ...set(['', '', '', '1–9', '10–49', '50+'], 124),
    ];
    const head = ['Code', 'Name', 'Size', 'Price a box', 'Price a box', 'Price a box'];
    const below = ['Code', 'Name', 'Size', '1–9', '10–49', '50+'];
    expect(read(heads, false)).toEqual([[head, below, ...rows]]);
  });
});

it('monospaced labels, the longest with a unit right of all others → one cell', () => {
  const setTyped = (text: string, x: number, y: number): RawWord[] => {
    let at = x;
    return text.split(' ').flatMap((word) => {
      const placed = setLine(word, at, y, { monospaced: true });
      at = (placed[0]?.x1 ?? at) + 6.1;
      return placed;
    });
  };
  const goods = ['Rope', 'Salt', 'Oil', 'Paint and brushes 5 l', 'Nails', 'Timber', 'Paint and brushes 5 l', 'Wicks'];
  const rows = goods.map((label, row) => [label, `${row + 2}`, `${row + 1}4.20`]);
  const words = rows.flatMap(([label = '', count = '', price = ''], row) => [
    ...setTyped(label, 60, 120 + row * 16),
    ...setTyped(count, 260, 120 + row * 16),
    ...setTyped(price, 340, 120 + row * 16),
  ]);
  expect(tablesIn(words)).toEqual([rows]);
});

it('currency signs of any form left of figures → in the cells of the figures', () => {
  const words = ['Rope of hemp', 'Salt', 'Timber'].flatMap((goods, row) => [
    ...setLine(goods, 60, 120 + row * 16),
    ...setLine(['R$', 'EUR', 'Rs.'][row] ?? '', 200, 120 + row * 16),
    ...setRight(`${row + 1}24.00`, 300, 120 + row * 16),
  ]);
  expect(tablesIn(words)).toEqual([
    [
      ['Rope of hemp', 'R$ 124.00'],
      ['Salt', 'EUR 224.00'],
      ['Timber', 'Rs. 324.00'],
    ],
  ]);
});

describe('heads over several columns', () => {
  const sides = [200, 260, 330, 390];
  const rows = ['Heron', 'Marigold', 'Tern', 'Plover'].flatMap((ship, row) => [
    ...setLine(ship, 60, 160 + row * 16),
    ...sides.flatMap((x, index) => setRight(`${row + 1}${index}4`, x, 160 + row * 16)),
  ]);
  const lower = ['In', 'Out', 'In', 'Out'].flatMap((head, index) => setRight(head, sides[index] ?? 0, 144));
  const expected = [
    ['Ship', 'Salt and rope', 'Salt and rope', 'Timber oil', 'Timber oil'],
    ['Ship', 'In', 'Out', 'In', 'Out'],
  ];

  it('a space between two words over the one between the columns → one head over both', () => {
    const wide = (left: string, right: string, middle: number) => [
      ...setLine(left, middle - widthOf(left) - 3, 130),
      ...setLine(right, middle + 3, 130),
    ];
    const words = [
      ...wide('Salt', 'and rope', 222),
      ...wide('Timber', 'oil', 362),
      ...setLine('Ship', 60, 144),
      ...lower,
    ];
    expect(tablesIn([...words, ...rows])[0]?.slice(0, 2)).toEqual(expected);
  });

  it.each([
    ['over the space between two columns', 'Salt', 219],
    ['as wide as two columns', 'Salt and rope in bales', 177],
  ])('one head %s, below the first rule of the table → over both', (_, head, x) => {
    const words = ['Heron', 'Marigold', 'Tern', 'Plover'].flatMap((ship, row) => [
      ...setLine(ship, 60, 160 + row * 16),
      ...[200, 260].flatMap((right, index) => setRight(`${row + 1}${index}4`, right, 160 + row * 16)),
    ]);
    const heads = [
      setLine(head, x, 130),
      setLine('Ship', 60, 144),
      setRight('Bought', 208, 144),
      setRight('Sold', 264, 144),
    ];
    const [table] = tablesIn([...heads.flat(), ...words], [118, 149, 214]);
    expect(table?.slice(0, 2)).toEqual([
      ['Ship', head, head],
      ['Ship', 'Bought', 'Sold'],
    ]);
    const others = tablesIn([...heads.flat(), ...words], [149, 214]);
    expect(others[0]?.[0]).not.toEqual(['Ship', head, head]);
  });

  it('labels a little lower than the heads beside them → the rules are under the heads', () => {
    const words = [
      ...setLine('Cargo', 272, 114),
      ...setLine('Salt', 178, 130),
      ...setLine('Oil', 310, 130),
      ...setLine('Name of the ship', 60, 132),
      ...setLine('(all)', 60, 144),
      ...lower,
    ];
    const under = (x0: number, x1: number, y: number) => ({ x0, x1, y0: y, y1: y });
    const rules = [under(178, 392, 117), under(178, 262, 131), under(310, 392, 131)];
    const [table] = tablesOf(renderMarkdown(documentOf([readPage([...words, ...rows], 600, 800, { rules })])));
    expect(table?.[1]).toEqual(['Name of the ship (all)', 'Salt', 'Salt', 'Oil', 'Oil']);
  });

  it('heads wider than the figures below them → one about the middle of the heads is over their columns', () => {
    const rights = [197, 252, 280, 337, 392, 420];
    const words = [
      ...setLine('2024', 210, 130),
      ...setLine('2025', 350, 130),
      ...['1 person', '2 persons', '3+', '1 person', '2 persons', '3+'].flatMap((head, index) =>
        setRight(head, rights[index] ?? 0, 146),
      ),
      ...['North', 'South', 'East'].flatMap((region, row) => [
        ...setLine(region, 60, 162 + row * 16),
        ...rights.flatMap((right, index) => setRight(`${row + 4}1${index}`, right, 162 + row * 16)),
      ]),
    ];
    const rules = [{ x0: 145, x1: 430, y0: 134, y1: 134 }];
    const [table] = tablesOf(renderMarkdown(documentOf([readPage(words, 600, 800, { rules })])));
    expect(table?.[0]).toEqual(['', '2024', '2024', '2024', '2025', '2025', '2025']);
  });

  it('words in two lines beside them → one cell over both rows, but not below a figure or with a capital', () => {
    const over = [...setLine('Salt', 215, 130), ...setLine('Timber', 337, 130), ...setLine('Ship', 60, 144)];
    const tableWith = (above: string, below: string) => {
      const sums = Array.from({ length: 4 }, (_, row) => setRight(`${row}94`, 480, 160 + row * 16));
      const head = [...setLine(above, 462, 130), ...setLine(below, 462, 144)];
      return tablesIn([...over, ...lower, ...rows, ...head, ...sums.flat()])[0]
        ?.slice(0, 2)
        .map((row) => row.at(-1));
    };
    expect(tableWith('Tons', 'in all')).toEqual(['Tons in all', 'Tons in all']);
    expect(tableWith('Tons', 'Sum')).toEqual(['Tons', 'Sum']);
    expect(tableWith('2018', 'sum')).toEqual(['2018', 'sum']);
  });
});

describe('fields of a form, each below its label', () => {
  const form = [
    ['Given name', 'Surname', 'Maria', 'Rossi'],
    ['Street', 'Town', 'Via Roma 5', 'Torino'],
    ['Trade', 'Tongue', 'Weaver', 'Italian'],
    ['Bank', 'Account', 'Quay Bank', 'Number 61'],
  ];
  /** Each row has two labels and the values below them. */
  const set = (rows: string[][]) =>
    rows.flatMap((row, band) =>
      row.flatMap((text, index) => setLine(text, 60 + (index % 2) * 240, 120 + band * 40 + (index > 1 ? 13 : 0))),
    );
  const rules = form.map((_, index) => 137 + index * 40);

  it('a rule below each row of fields → a row of labels over each row of values', () => {
    const [table] = tablesIn(set(form), rules);
    expect(table).toEqual(form.flatMap(([left, right, ...values]) => [[left, right], values]));
  });
});
