import { describe, expect, it } from 'vitest';
import { splitCloseColumns } from '../../../../../../src/engine/stages/layout/tables/close-columns.js';
import { splitCloseHeads } from '../../../../../../src/engine/stages/layout/tables/close-heads.js';
import type { Column } from '../../../../../../src/engine/stages/layout/tables/table-columns.js';
import type { TableRow } from '../../../../../../src/engine/stages/layout/tables/table-rows.js';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { tablesOf } from '../../../gfm.js';
import { documentOf, linesOf, readPage, setLine, setLines } from '../../../set-words.js';

/** Words that end at x: a letter of 10 points is 5 wide. */
const setRight = (text: string, x: number, y: number): RawWord[] => {
  const words = setLine(text, 0, y);
  const off = x - (words.at(-1)?.x1 ?? 0);
  return words.map((word) => ({ ...word, x0: word.x0 + off, x1: word.x1 + off, originX: word.originX + off }));
};
const rowsOf = (set: (y: number, row: number) => RawWord[], count = 5): RawWord[] =>
  Array.from({ length: count }, (_, row) => set(100 + row * 16, row)).flat();
const partsOf = (words: readonly RawWord[]): number[][] =>
  splitCloseColumns([{ x0: 40, x1: 400 }], linesOf(words)).map(({ x0, x1 }) => [x0, x1]);

const PLACES = ['Cork', 'Bergen', 'Lyon', 'Porto', 'Graz'];
const FIGURES = ['1.5', '20.25', '3.75', '10.50', '2.25'];

describe('columns whose cells stand as close as words', () => {
  it('words that begin in line, uneven space before them → two columns', () => {
    const words = rowsOf((y, row) => [...setLine(PLACES[row] ?? '', 50, y), ...setLine(PLACES.at(-row) ?? '', 83, y)]);
    expect(partsOf(words)).toEqual([
      [40, 80],
      [83, 400],
    ]);
  });

  it('type of any size, words slightly out of line → two columns', () => {
    for (const size of [5, 10, 20, 40]) {
      const em = size / 10;
      const words = rowsOf((y, row) => [
        ...setLine(PLACES[row] ?? '', 50 * em, y * em, { size }),
        ...setLine(PLACES.at(-row) ?? '', (83 + (row % 2 === 0 ? 0.3 : -0.2)) * em, y * em, { size }),
      ]);
      expect(splitCloseColumns([{ x0: 40 * em, x1: 400 * em }], linesOf(words))).toHaveLength(2);
    }
  });

  it('figures that end in line → two columns', () => {
    const words = rowsOf((y, row) => [
      ...setRight(FIGURES[row] ?? '', 90, y),
      ...setRight(FIGURES.at(-row) ?? '', 118, y),
    ]);
    expect(partsOf(words)).toEqual([
      [40, 90],
      [93, 400],
    ]);
  });

  it('figures that end in line beside words that begin in line → two columns', () => {
    const words = rowsOf((y, row) => [...setRight(FIGURES[row] ?? '', 90, y), ...setLine(PLACES[row] ?? '', 93, y)]);
    expect(partsOf(words)).toHaveLength(2);
  });

  it('text, figures with units, ranges → one column', () => {
    expect(partsOf(rowsOf((y, row) => setLine(`${PLACES[row]} on the sea`, 50, y)))).toHaveLength(1);
    expect(partsOf(rowsOf((y, row) => setRight(`${FIGURES[row]} mm`, 118, y)))).toHaveLength(1);
    const ranges = rowsOf((y, row) => [
      ...setRight(`${FIGURES[row]} -`, 90, y),
      ...setRight(FIGURES.at(-row) ?? '', 120, y),
    ]);
    expect(partsOf(ranges)).toHaveLength(1);
  });

  it('three lines, or lines that run across → one column', () => {
    const row = (y: number, index: number) => [
      ...setLine(PLACES[index] ?? '', 50, y),
      ...setLine(PLACES.at(-index) ?? '', 83, y),
    ];
    expect(partsOf(rowsOf(row, 3))).toHaveLength(1);
    const across = ['Harbours of the west', 'Harbours of the east'].flatMap((text, index) =>
      setLine(text, 50, 180 + index * 16),
    );
    expect(partsOf([...rowsOf(row), ...across])).toHaveLength(1);
  });

  it('heads as close as their columns → one over each column', () => {
    const heads = ['Zone', 'Single', 'Day', 'Week'];
    const ends = [70, 100, 130, 200];
    const table = FIGURES.map((figure, row) => [String(row + 1), figure, FIGURES.at(-row) ?? '', figure]);
    const words = [
      ...setLine('Zone', 50, 84),
      ...heads.slice(1).flatMap((head, column) => setRight(head, ends[column + 1] ?? 0, 84)),
      ...table.flatMap((cells, row) =>
        cells.flatMap((cell, column) => setRight(cell, (ends[column] ?? 0) - (column === 0 ? 8 : 0), 100 + row * 16)),
      ),
    ];
    expect(tablesOf(renderMarkdown(documentOf([readPage(words)])))).toEqual([[heads, ...table]]);
  });
});

describe('columns closer than others, their cells level on both sides', () => {
  it('figures in few rows, letters behind the figures beside them → two columns', () => {
    const heads = ['Date', 'Details', 'Money out', 'Money in', 'Balance'];
    const rows = Array.from({ length: 18 }, (_, row) => {
      const amount = `${row + 11}0.25`;
      const isPaidIn = row % 3 === 0;
      return [
        `${row + 11} Sep`,
        'Card payment',
        isPaidIn ? '' : amount,
        isPaidIn ? amount : '',
        `${row % 10},188.01 OD`,
      ];
    });
    const ends = [0, 0, 280, 343.5, 400];
    const words = [heads, ...rows].flatMap(([date = '', details = '', ...figures], row) => [
      ...setLine(date, 50, 100 + row * 16),
      ...setLine(details, 120, 100 + row * 16),
      ...figures.flatMap((text, column) => (text ? setRight(text, ends[column + 2] ?? 0, 100 + row * 16) : [])),
    ]);
    expect(tablesOf(renderMarkdown(documentOf([readPage(words)])))).toEqual([[heads, ...rows]]);
  });

  it('figures set right beside marks set left, which few rows have → two columns', () => {
    const rows = [
      ['Test', 'Result', 'Flag', 'Unit'],
      ['Haemoglobin', '11.2', 'L', 'g/dl'],
      ['Platelets', '248', '', '/nl'],
      ['Glucose', '5.1', '', 'mmol/l'],
      ['Creatinine', '131', 'H', 'mg/l'],
      ['Thyrotropin', '2.31', '', 'mU/l'],
    ];
    const words = rows.flatMap(([test = '', result = '', flag = '', unit = ''], row) => [
      ...setLine(test, 50, 100 + row * 16),
      ...setRight(result, 220, 100 + row * 16),
      ...(flag ? setLine(flag, 225, 100 + row * 16) : []),
      ...setLine(unit, 280, 100 + row * 16),
    ]);
    expect(tablesOf(renderMarkdown(documentOf([readPage(words)])))).toEqual([rows]);
  });

  it.each([[''], ['Length']])('units of one kind beside their figures, under the head "%s" → one column', (head) => {
    const rows = PLACES.map((place, row) => [place, `${FIGURES[row]} mm`, FIGURES.at(-row) ?? '']);
    if (head !== '') rows.unshift(['Place', `${head} in`, 'Number']);
    const words = rows.flatMap(([place = '', length = '', figure = ''], row) => [
      ...setLine(place, 50, 100 + row * 16),
      ...setRight(length.split(' ')[0] ?? '', 220, 100 + row * 16),
      ...setLine(length.split(' ')[1] ?? '', 224, 100 + row * 16),
      ...setRight(figure, 300, 100 + row * 16),
    ]);
    expect(tablesOf(renderMarkdown(documentOf([readPage(words)])))).toEqual([rows]);
  });
});

describe('a head of words as close as its columns', () => {
  const columns = Array.from({ length: 12 }, (_, column) => ({ x0: 50 + column * 200, x1: 92.5 + column * 200 }));
  /** A name over each column, and signs between it and the next one. */
  const headOver = (over: readonly Column[]): TableRow => {
    const words = over.flatMap(({ x0 }) => setLine('Number of a b c d e f g h', x0, 100));
    const lines = linesOf(words).map((line) => line.words);
    const cell = { column: 0, columnSpan: columns.length, lines: [lines.flat()] };
    return { cells: [cell, ...columns.slice(1).map(() => undefined)], baseline: 100, fontSize: 10, x0: 50 };
  };
  const textsOf = ({ cells }: TableRow) =>
    cells.map((cell) => cell?.lines.map((line) => line.map(({ text }) => text).join(' ')).join(' '));

  it('a word over each column → split, the words between two columns at the second one', () => {
    const parted = splitCloseHeads(headOver(columns), columns);
    expect(textsOf(parted).slice(0, 2)).toEqual(['Number of', 'a b c d e f g h Number of']);
    expect(parted.cells.at(-1)?.column).toBe(11);
  });

  it('no word over one column → the head whole', () => {
    const head = headOver(columns.slice(0, -1));
    expect(splitCloseHeads(head, columns)).toBe(head);
  });
});

describe('the lines of a row set about one middle', () => {
  it('cells of one and of two lines → one row', () => {
    const heads = ['Harbour', 'Miles', 'Depth', 'Open'];
    const head = [
      ...setLine('Harbour', 50, 100),
      ...setRight('Miles', 220, 100),
      ...setRight('Depth', 280, 100),
      ...setLine('Open', 320, 100),
    ];
    const rows = PLACES.flatMap((place, row) => {
      const y = 130 + row * 30;
      return [
        ...setLine(`Harbour of ${place}`, 50, y),
        ...setLine('with its basins', 50, y + 12),
        ...setRight(FIGURES[row] ?? '', 220, y + 6),
        ...setRight(String(row + 7), 280, y + 6),
        ...setLine('open all year', 320, y),
        ...setLine('and at night', 320, y + 12),
      ];
    });
    expect(tablesOf(renderMarkdown(documentOf([readPage([...head, ...rows])])))).toEqual([
      [
        heads,
        ...PLACES.map((place, row) => [
          `Harbour of ${place} with its basins`,
          FIGURES[row],
          String(row + 7),
          'open all year and at night',
        ]),
      ],
    ]);
  });

  /** A course of some lines, its label and its hours about their middle. */
  const setCourse = (lines: readonly string[], row: number, y: number): RawWord[] => [
    ...lines.flatMap((line, index) => setLine(line, 140, y + (index - (lines.length - 1) / 2) * 12)),
    ...setLine(`Course ${PLACES[row]}`, 50, y),
    ...setRight(`${row + 20}`, 480, y),
  ];
  const COURSES = [
    ['Numbers, equations and their solutions, with', 'many exercises and two written tests'],
    ['From the first settlers to the present day, with', 'reading of sources and an essay at the end'],
    ['Singing, notation, and the history of the string', 'quartet from its beginnings until today'],
  ];
  const rows = COURSES.map((lines, row) => [`Course ${PLACES[row]}`, lines.join(' '), String(row + 20)]);
  const set = COURSES.flatMap((lines, row) => setCourse(lines, row, 130 + row * 32));

  it('several lines in one cell alone, below a head → one row', () => {
    const head = [
      ...setLine('Course', 50, 106),
      ...setLine('What is taught', 140, 106),
      ...setRight('Hours', 480, 106),
    ];
    expect(tablesOf(renderMarkdown(documentOf([readPage([...head, ...set])])))).toEqual([
      [['Course', 'What is taught', 'Hours'], ...rows],
    ]);
  });

  it('three lines about their label, hardly closer than rows → one row', () => {
    const items = [
      ['Brought forward'],
      ['Direct debit', 'Water of Leeds', 'No. 99812'],
      ['Card payment'],
      ['Order', 'Rent', 'No. 7'],
    ];
    const words = [...setLine('Date', 50, 100), ...setLine('Item', 140, 100), ...setRight('Balance', 480, 100)];
    const expected: string[][] = [['Date', 'Item', 'Balance']];
    let y = 120;
    for (const [row, lines] of items.entries()) {
      const middle = y + ((lines.length - 1) / 2) * 12;
      words.push(...setLines(lines, 140, y, 12), ...setLine(`0${row + 1} Mar`, 50, middle));
      words.push(...setRight(`${row + 1}204.18`, 480, middle));
      expected.push([`0${row + 1} Mar`, lines.join(' '), `${row + 1}204.18`]);
      y += lines.length * 12 + 1.4;
    }
    expect(tablesOf(renderMarkdown(documentOf([readPage(words)])))).toEqual([expected]);
  });
});
