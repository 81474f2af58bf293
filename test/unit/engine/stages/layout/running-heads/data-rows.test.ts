import { describe, expect, it } from 'vitest';
import { renderText } from '../../../../../../src/engine/stages/render/text.js';
import { documentOf, readPages, setLine } from '../../../set-words.js';

const PROSE = ['The tide comes in twice a day and', 'takes with it what the sand has', 'written in the hours between.'];

/** Words of rows that come again now and then. */
const GOODS = ['Oats', 'Rice', 'Tea', 'Salt', 'Flour', 'Sugar', 'Butter'];

/** Figures that come neither again nor in steps. */
const figure = (index: number, from: number, size: number) => from + ((index * index * 37 + index * 11) % size);
const count = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));

const proseOf = (page: number) => PROSE.map((line) => `${line} ${'abcdefghijkl'[page]}`);

/** Sets lines from the top of the page; an empty one is a space. Parts of a line stand apart from each other. */
const setRows = (lines: readonly (string | readonly string[])[], step = 18) =>
  lines.flatMap((line, index) =>
    [line].flat().flatMap((text, part) => (text === '' ? [] : setLine(text, 60 + part * 150, 40 + index * step))),
  );
const textOf = (pages: Parameters<typeof readPages>[0]) => renderText(documentOf(readPages(pages)));
const linesOf = (pages: Parameters<typeof readPages>[0]) => textOf(pages).split('\n').filter(Boolean);

describe.each([2, 3, 10])('rows of data that fill %i pages', (pageCount) => {
  const fill = (row: (index: number) => string) =>
    count(pageCount, (page) => count(40, (line) => row(page * 40 + line)));
  const rowsOf: Record<string, string[][]> = {
    'readings of meters': fill((index) => `Meter ${7001 + index}: ${figure(index, 1000, 2000)} kWh`),
    payments: fill((index) => `${10_001 + index} Payment ${figure(index, 1000, 9000)} ${figure(index, 1, 28)}.02.2024`),
    'the same words': fill(() => 'Sensor in order'),
  };

  it.each(Object.entries(rowsOf))('%s → every row', (_, pages) => {
    expect(linesOf(pages.map((lines) => setRows(lines)))).toEqual(pages.flat());
  });

  it('rows of numbers alone, in one column or in several → every number', () => {
    for (const width of [1, 3]) {
      const numbers = count(pageCount, (page) =>
        count(40, (line) => count(width, (cell) => String(figure((page * 40 + line) * width + cell, 1, 97)))),
      );
      const read = textOf(numbers.map((rows) => setRows(rows))).split(/\s+/);
      expect(read.sort()).toEqual(numbers.flat(2).sort());
    }
  });

  it('digits of other scripts → every row', () => {
    const arabic = (value: number) => [...String(value)].map((digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]).join('');
    const pages = count(pageCount, (page) => [`Meter ${arabic(figure(page, 7001, 900))}`, '', '', ...PROSE]);
    expect(linesOf(pages.map((lines) => setRows(lines)))).toEqual(pages.flat().filter(Boolean));
  });

  it('name and total of a timesheet, apart from its rows → kept, also where most totals are equal', () => {
    for (const total of [(page: number) => figure(page, 100, 90), (page: number) => (page === 1 ? 38 : 40)]) {
      const pages = count(pageCount, (page) => [
        ...[`Employee ${figure(page, 4608, 900)}`, ''],
        ...count(35, (day) => `Hours on day ${day + 1}: ${figure(page * 35 + day, 4, 6)}`),
        ...['', `Total hours ${total(page)}`],
      ]);
      expect(linesOf(pages.map((lines) => setRows(lines)))).toEqual(pages.flat().filter(Boolean));
    }
  });
});

it.each(count(12, (seed) => seed))(
  'small numbers in the cells of a table, some of which count with the pages (%i) → kept',
  (seed) => {
    const pages = count(4, (page) =>
      count(40, (line) => [
        GOODS[figure(seed * 31 + page * 40 + line, 0, GOODS.length)] ?? '',
        ...count(2, (cell) => String(figure(seed * 700 + page * 80 + line * 2 + cell, 1, 5))),
      ]),
    );
    const read = textOf(pages.map((rows) => setRows(rows))).split(/\s+/);
    expect(read.sort()).toEqual(pages.flat(2).sort());
  },
);

it('notes at the feet of pages, of one wording or with the name of a version → kept', () => {
  const readNotes = (textOfNote: (page: number) => string) => {
    const pages = count(4, (page) => [
      ...count(40, (line) => setLine(`${proseOf(page)[line % 3]} once more and again`, 60, 40 + line * 14)).flat(),
      ...setLine(textOfNote(page), 60, 742, { size: 8 }),
      ...setLine(String(page + 1), 300, 775),
    ]);
    return linesOf(pages).filter((line) => /^\d/.test(line));
  };
  const ibid = (page: number) => `${2 * page + 1}. Ibid., see page 12 of the log.`;
  expect(readNotes(ibid)).toEqual(count(4, ibid));
  const used = (page: number) =>
    `${page + 1}. The ${GOODS[page]} was weighed with version ${PROSE[page % 3]?.slice(9, 17)}.`;
  expect(readNotes(used)).toEqual(count(4, used));
});

it('titles that count with their pages, days among them → kept', () => {
  for (const name of ['Account 90', 'Invoice No. 2026-1', 'Step ', 'Shift plan week ']) {
    const pages = count(4, (page) => [`${name}${page + 1}`, '', '', ...proseOf(page)]);
    expect(linesOf(pages.map((lines) => setRows(lines)))).toEqual(pages.flat().filter(Boolean));
  }
  for (const day of ['# June 2026', 'Date: #. Juni 2026', 'Report of June #, 2026']) {
    const pages = count(4, (page) => [day.replace('#', String(page + 3)), '', '', ...proseOf(page)]);
    expect(linesOf(pages.map((lines) => setRows(lines)))).toEqual(pages.flat().filter(Boolean));
  }
  const numbered = count(4, (page) => setRows([`Seite ${page + 1}`, '', '', ...proseOf(page)]));
  expect(linesOf(numbered)).toEqual(count(4, proseOf).flat());
});

describe('running heads whose figures change', () => {
  const read = (heads: readonly string[]) => textOf(heads.map((head, page) => setRows([head, '', ...proseOf(page)])));

  it('figures that are equal or count with the pages, on one side of a sheet or on two → left out', () => {
    const heads = ['Sands of 2015, page 1 of 9', 'Sands of 2015, page 2 of 9', 'Sands of 2015, page 3 of 9'];
    expect(read(heads)).not.toContain('Sands');
    expect(read(['1 June 2015 1', '1 June 2015 2', '1 June 2015 3'])).not.toContain('June');
    expect(read(['4 Sands of 2015 5', '6 Sands of 2015 7', '8 Sands of 2015 9'])).not.toContain('Sands');
    expect(read(['Sands of 2015, 31 May', 'Sands of 2015, 7 June', 'Sands of 2016, 19 May'])).toContain('31 May');
  });

  it('page numbers in a line in step with the rows, on most pages → left out', () => {
    const pages = count(4, (page) => [
      `Statement of payments, page ${page + 1} of 4`,
      ...count(35, (line) => `Payment ${figure(page * 35 + line, 1000, 9000)}`),
    ]);
    expect(linesOf(pages.map((lines) => setRows(lines)))).toEqual(pages.flatMap(([, ...rows]) => rows));
  });

  it('numbers of chapters that have several pages → left out', () => {
    expect(read([1, 1, 2, 2, 2, 3, 3, 4, 4].map((chapter) => `Chapter ${chapter} of the tides`))).not.toContain(
      'Chapter',
    );
  });

  it('page numbers beside numbers of sections that change on each page → left out', () => {
    const heads = [2, 7, 9, 14, 15, 21, 28].map((section, page) => `Section ${section} ${page + 31}`);
    expect(read(heads)).not.toContain('Section');
  });

  it('one figure of very many that differs → left out', () => {
    const heads = count(12, (page) => `Form ${page === 4 ? 4725 : 4702} of 16:21 on 5.8.2020, ${page + 1}`);
    expect(read(heads)).not.toContain('Form');
  });
});

it('a running head a little lower on some pages → left out on all', () => {
  const pages = count(8, (page) => [
    ...setLine('The Sand Reader', 60, [40, 47, 55][page % 3] ?? 0),
    ...setRows(['', '', '', '', ...proseOf(page)]),
  ]);
  expect(textOf(pages)).not.toContain('Sand Reader');
});

it('wrapped cells at both ends of a ruled table → kept; the same rows within a frame alone → running heads', () => {
  const uprightsAt = (xs: number[]) => xs.map((x) => ({ x0: x, x1: x, y0: 25, y1: 770 }));
  const pages = count(3, (page) => [
    ...['Art.', 'No.', ''],
    ...count(36, (line) => [`${figure(page * 36 + line, 1000, 900)}-`, GOODS[(page * 36 + line) % GOODS.length] ?? '']),
    ...['', 'A'],
  ]);
  const read = (xs: number[]) => {
    const rules = uprightsAt(xs);
    const content = readPages(
      pages.map((lines) => setRows(lines)),
      [600, 800],
      { rules } as object,
    );
    return renderText(documentOf(content)).match(/^(?:No\.|A)$/gm) ?? [];
  };
  expect(read([55, 560])).toEqual([]);
  expect(read([55, 205, 560])).toEqual(['No.', 'A', 'No.', 'A', 'No.', 'A']);
});
