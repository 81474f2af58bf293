import { describe, expect, it } from 'vitest';
import { takeHeadRuledTables } from '../../../../../../src/engine/stages/layout/tables/head-ruled-tables.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { tablesOf } from '../../../gfm.js';
import { fragmentsOf, setLine, setLines } from '../../../set-words.js';
import { flat, HEAD, ROWS, read, render, setNewspaper, setRow, TABLE, TEXT } from '../../../wrapped-rows.js';

/** The rows below each other, with space between them. */
function setTable(space: number): { words: RawWord[]; tops: number[]; end: number } {
  let y = 140;
  const tops: number[] = [];
  const words = ROWS.flatMap((row) => {
    tops.push(y - 10);
    const set = setRow(row, y);
    y += Math.max(...row.map(({ length }) => length)) * 12 + space;
    return set;
  });
  return { words: [...setRow(HEAD, 120), ...words], tops, end: y - 8 - space };
}

describe('tables ruled at their head and end', () => {
  it('words that had room in the line above → a new row', () => {
    const { words, end } = setTable(0);
    const markdown = render(words, [108, 126, end]);
    expect(tablesOf(markdown)).toEqual([TABLE]);
    expect(markdown.split('\n\n')).toHaveLength(3);
  });

  it('the edges of the grounds of every other row → as rules', () => {
    const { words, tops, end } = setTable(0);
    const [first = 0, second = 0, third = 0] = tops;
    const shades = [
      [108, 126],
      [first + 3, second + 3],
      [third + 3, end],
    ].map(([y0 = 0, y1 = 0]) => ({ ...flat(y0), y1 }));
    expect(tablesOf(read(words, { shades }))).toEqual([TABLE]);
  });

  it('wider space between lines → a new row', () => {
    const { words, end } = setTable(6);
    expect(tablesOf(render(words, [108, 126, end]))).toEqual([TABLE]);
  });

  it('rules between the rows, none above the head → a table', () => {
    const { words, tops, end } = setTable(6);
    expect(tablesOf(render(words, [...tops, end]))).toEqual([TABLE]);
  });

  /** Lines 14 points apart, also within an item: no space shows where the next item begins. */
  function setItems(items: number): { words: RawWord[]; end: number; cells: string[][] } {
    const cells: string[][] = [];
    const words = Array.from({ length: items }, (_, item) => {
      const y = 140 + item * 42;
      const described = ['Rope of hemp', `Delivery to berth ${item + 3}`, `0${item + 1}.05.2014`];
      cells.push([`${item + 1}`, described.join(' '), `${item + 3},89`]);
      return [
        ...setLine(`${item + 1}`, 54, y),
        ...setLines(described, 184, y, 14),
        ...setLine(`${item + 3},89`, 364, y),
      ];
    });
    return { words: words.flat(), end: 132 + items * 42, cells };
  }

  it('labels beside descriptions of several lines → one row for each label', () => {
    const { words, end, cells } = setItems(4);
    const head = setRow([['Number'], ['Description'], ['Price']], 120);
    expect(tablesOf(render([...head, ...words], [108, 126, end]))).toEqual([
      [['Number', 'Description', 'Price'], ...cells],
    ]);
  });

  it('lines of other columns right below the end → not in the table', () => {
    const { words, end } = setTable(6);
    const below = [120, 290].flatMap((x) => setLines(['Office of the harbour', 'on the old pier'], x, end + 14, 10));
    expect(tablesOf(render([...words, ...below], [108, 126, end]))[0]).toEqual(TABLE);
  });

  it('no rule below the last row, and the first rule of another table below wide space → two tables', () => {
    const risks = [
      [
        ['R-01'],
        ['Supplier of pumps', 'goes out of business', 'before the delivery'],
        ['J. Kerr'],
        ['16'],
        ['Second supplier approved in July. Advance', 'payment limited to 20%, bank guarantee.'],
      ],
      [
        ['R-02'],
        ['Ground water higher', 'than surveyed'],
        ['A. Sato'],
        ['12'],
        ['Three more boreholes by 15 October; piles', 'on call.'],
      ],
      [
        ['R-03'],
        ['Loss of key staff'],
        ['HR'],
        ['9'],
        ['Notice periods raised to three months. All', 'posts have deputies named. Interviews are', 'held.'],
      ],
      [['R-04'], ['Planning appeal by', 'neighbours'], ['Legal'], ['6'], ['None needed at present.']],
    ];
    const place = (cells: string[][], y: number, xs: number[]) =>
      cells.flatMap((lines, column) => setLines(lines, xs[column] ?? 0, y, 11, { size: 8.5 }));
    const xs = [54, 96, 218, 285, 318];
    const head = [['Ref.'], ['Risk'], ['Owner'], ['Score'], ['Mitigation']];
    const starts = [140, 180, 210, 250];
    const words = [
      ...place(head, 122, [54, 96, 218, 272, 318]),
      ...risks.flatMap((row, index) => place(row, starts[index] ?? 0, xs)),
      ...place([['Region'], ['2024'], ['2025'], ['Change']], 291, [54, 190, 340, 460]),
      ...place([['North'], ['1,204'], ['1,377'], ['+14.4']], 308, [54, 190, 340, 460]),
      ...place([['Overseas'], ['58'], ['9'], ['n/a']], 320, [54, 190, 340, 460]),
    ];
    const rules = [110, 128, 168, 198, 238, 281, 296, 326];
    const found = { tables: [], rest: fragmentsOf(words), turned: [], frames: [], boxes: [] };
    const { tables } = takeHeadRuledTables(found, { horizontal: rules.map((y) => flat(y)), vertical: [] });
    expect(tables.map(({ block }) => block?.table?.columns)).toContain(head.length);
    expect(tablesOf(render(words, rules))[0]?.map((row) => row[4])).toEqual([
      ...['Mitigation', ...risks.map((row) => row[4]?.join(' '))],
    ]);
  });

  it('a program with a title between rules → no table', () => {
    const words = [
      ...setLine('Algorithm 1: Counting of gulls', 54, 120),
      ...setLines(['repeat', 'look at the next gull', 'until it is dark', 'write the number down'], 54, 140),
    ];
    expect(tablesOf(render(words, [108, 126, 190]))).toEqual([]);
  });

  it('figures less than an em apart beside a description with a second line → a column for each', () => {
    // The right edges of the figures, as browsers set an order.
    const figures = [370, 403, 455];
    const setFigures = (texts: readonly string[], y: number) =>
      texts.flatMap((text, column) => setLine(text, (figures[column] ?? 0) - text.length * 5, y));
    const rows: [code: string, lines: string[], ...figures: string[]][] = [
      ['PAP-80', ['Paper, 80 g', 'in boxes of five'], '10', '21,90', '208,05'],
      ['STY-B', ['Blue pen'], '200', '0,35', '70,00'],
      ['ENV-C5', ['Envelopes', 'with a window'], '150', '0,048', '64,80'],
    ];
    const head = [
      ...setLine('Code', 54, 120),
      ...setLine('Item', 124, 120),
      ...setFigures(['Number', 'Price', 'Sum'], 120),
    ];
    const words = rows.flatMap(([code, lines, ...texts], row) => {
      const y = 140 + row * 32;
      return [...setLine(code, 54, y), ...setLines(lines, 124, y), ...setFigures(texts, y)];
    });
    expect(tablesOf(render([...head, ...words], [126, 158, 190, 222]))).toEqual([
      [
        ['Code', 'Item', 'Number', 'Price', 'Sum'],
        ...rows.map(([code, lines, ...texts]) => [code, lines.join(' '), ...texts]),
      ],
    ]);
  });

  it('labels in the middle of cells of two and three lines, a rule below each row → rows, whatever the head', () => {
    const rows: [label: string, lines: string[]][] = [
      ['Length', ['Twelve metres']],
      ['Engine', ['Diesel, with a reserve tank of two hundred litres that lasts for', 'eight hours at full speed']],
      ['Cabin', ['Two berths forward, two aft', 'and a table that folds down', 'to make a fifth']],
      ['Built', ['At Whitby']],
    ];
    let y = 120;
    const rules: number[] = [];
    const words = rows.flatMap(([label, lines]) => {
      const set = [...setLine(label, 54, y + (lines.length - 1) * 6), ...setLines(lines, 184, y)];
      y += lines.length * 12 + 8;
      rules.push(y - 13);
      return set;
    });
    expect(tablesOf(render(words, rules))).toEqual([rows.map(([label, lines]) => [label, lines.join(' ')])]);
  });

  it('columns of text between the rules of the page → no table', () => {
    const markdown = render(setNewspaper(), [108, 126, 510]);
    expect(tablesOf(markdown)).toEqual([]);
  });

  it('rows of one line each across two columns of text → one table', () => {
    const rows = [
      ['Ship', 'Port', 'Cargo', 'Crew'],
      ['Sea Lark', 'Oslo', 'Salt and rope', '12'],
      ['Old Whale', 'Bergen', 'Lamp oil', '31'],
      ['Grey Gull', 'Bari', 'Timber', '8'],
      ['Tide', 'Malta', 'Dates', '19'],
    ];
    const words = rows.flatMap((row, line) =>
      row.flatMap((text, cell) => setLine(text, [54, 170, 320, 440][cell] ?? 0, 110 + line * 15)),
    );
    const columns = [54, 290].flatMap((x) => setLines([...TEXT, ...TEXT], x, 220));
    const rules = [98, 114, 176].map((y) => flat(y));
    expect(tablesOf(read([...words, ...columns], { rules }))).toEqual([rows]);
  });

  describe('tables side by side, a rule below each of their lines', () => {
    const TIMBER = [
      ['Size', 'Grade', 'Price'],
      ['38 × 63', 'C16', '1.42'],
      ['47 × 100', 'C24', '2.95'],
      ['47 × 150', 'C24', '4.40'],
      ['75 × 225', 'C24', '11.85'],
    ];
    const SHEETS = [
      ['Type', 'Width', 'Each'],
      ['Oak', '11', '18.90'],
      ['Plywood', '18', '52.00'],
      ['Ash', '12', '23.75'],
    ];
    const setTitled = (title: string, rows: string[][], x: number, isHeadBold: boolean) => [
      ...setLine(title, x, 120, { bold: true }),
      ...rows.flatMap((row, line) =>
        row.flatMap((text, cell) =>
          setLine(text, x + 2 + cell * 80, 146 + line * 17, { bold: isHeadBold && line === 0 }),
        ),
      ),
    ];
    const rulesOf = (rows: string[][], x: number) => rows.map((_, line) => flat(151 + line * 17, x, x + 215));
    const readBoth = (isHeadBold: boolean) => {
      const words = [...setTitled('Timber', TIMBER, 50, isHeadBold), ...setTitled('Boards', SHEETS, 310, isHeadBold)];
      return read(words, { rules: [...rulesOf(TIMBER, 50), ...rulesOf(SHEETS, 310)] });
    };

    it('bold heads → two tables, each below its title', () => {
      const markdown = readBoth(true);
      expect(tablesOf(markdown)).toEqual([TIMBER, SHEETS]);
      const places = ['Timber', '75 × 225', 'Boards', 'Plywood'].map((text) => markdown.indexOf(text));
      expect(places).toEqual([...places].sort((a, b) => a - b));
    });

    it('no head in bold type, as in a form → rows across both', () => {
      expect(tablesOf(readBoth(false))).toHaveLength(1);
    });
  });
});
