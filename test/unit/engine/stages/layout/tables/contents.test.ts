import { describe, expect, it } from 'vitest';
import { leadsToPage } from '../../../../../../src/engine/model/page-references.js';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import { tablesOf } from '../../../gfm.js';
import { documentOf, readPage, setLine } from '../../../set-words.js';

/** Words that end at x instead of beginning there. */
const setTo = (text: string, right: number, y: number) => setLine(text, right - text.length * 5, y);

/** An entry, its number at the right edge and leaders up to that, if it has one. */
const setEntry = (title: string, page: string, x: number, right: number, y: number) => {
  const words = setLine(title, x, y);
  const end = words.at(-1)?.x1 ?? x;
  const dots = '.'.repeat(Math.max(0, Math.floor((right - page.length * 5 - 4 - end) / 5)));
  return [...words, ...(dots.length > 3 ? setTo(dots, right - page.length * 5 - 1, y) : []), ...setTo(page, right, y)];
};

const placed = (text: string) => setLine(text, 60, 100).map((word) => ({ ...word, baseline: 100, confidence: null }));

const read = (words: ReturnType<typeof setLine>) => {
  const markdown = renderMarkdown(documentOf([readPage(words)]));
  return { markdown, tables: tablesOf(markdown) };
};

const ENTRIES = [
  ['Contents', 'iv'],
  ['1 Keep up the lamps', '1'],
  ['1.1 Oil', '3'],
  ['1.10 Wicks', '14'],
  ['A The books of the keepers', 'A-1'],
];
const setEntries = (entries: string[][], x: number, right: number, y = 120) =>
  entries.flatMap(([title = '', page = ''], row) => setEntry(title, page, x, right, y + row * 14));

describe('a table of contents', () => {
  it('entries with leaders → one row each, the number of the section in the title', () => {
    expect(read(setEntries(ENTRIES, 60, 300)).tables).toEqual([ENTRIES]);
  });

  it('names that lead to their numbers, in pairs of columns → rows of all pairs', () => {
    const names = [...'ABCDEFGHIJKLMNOPQRST'].map((letter) => `${letter}${'orford'.slice(letter.charCodeAt(0) % 4)}`);
    const code = (index: number) => `${index + 1}`.padStart(2, '0');
    // Each pair: where its names begin, where their leaders end, where the numbers begin.
    const pairs = [
      [46, 180, 188],
      [232, 371, 377],
      [415, 540, 544],
    ];
    const place = (index: number) => ({ pair: pairs[Math.floor(index / 8)] ?? [], y: 120 + (index % 8) * 12 });
    const entries = names.flatMap((name, index) => {
      const { pair, y } = place(index);
      return setEntry(name, '', pair[0] ?? 0, pair[1] ?? 0, y).filter(({ text }) => text !== '');
    });
    const codes = names.flatMap((_, index) => setLine(code(index), place(index).pair[2] ?? 0, place(index).y));
    const rows = Array.from({ length: 8 }, (_, row) =>
      [row, row + 8, row + 16].flatMap((index) => (names[index] ? [names[index], code(index)] : ['', ''])),
    );
    expect(read([...entries, ...codes]).tables).toEqual([rows]);
  });

  it('two entries alone → one row each, the text below them whole', () => {
    const [first, second] = ['The text of the keepers follows the book.', 'It was printed once and is not for sale.'];
    const pair = [
      ['Of the lamps', '1'],
      ['Of oil', '13'],
    ];
    const text = [...setLine(first, 60, 170), ...setLine(second, 60, 182)];
    const { markdown, tables } = read([...setEntries(pair, 60, 300), ...text]);
    expect(tables).toEqual([pair]);
    expect(markdown.trim().split('\n\n').at(-1)).toBe(`${first} ${second}`);
  });

  it('a dot at the end of a title → left out if it stands at the step of the dots behind it', () => {
    const spaced = (title: string, page: string, from: number, y: number) => [
      ...setLine(title, 60, y),
      ...Array.from({ length: 12 }, (_, index) => setLine('.', from + index * 10, y)).flat(),
      ...setTo(page, 300, y),
    ];
    // Letters and dots are 5 points wide, spaces 2.5.
    const words = [
      ...spaced('1 The first lamps.', '11', 147.5, 120),
      ...spaced('2 Oil, wicks, etc.', '14', 151, 134),
      ...spaced('3 Storms', '20', 108, 148),
    ];
    expect(read(words).tables).toEqual([
      [
        ['1 The first lamps', '11'],
        ['2 Oil, wicks, etc.', '14'],
        ['3 Storms', '20'],
      ],
    ]);
  });

  it('entries of several lines → one row each, wherever the number of the page stands', () => {
    const words = [
      ...setEntries(ENTRIES, 60, 300),
      ...setLine('2 What to do with the lamps of others that', 60, 200),
      ...setEntry('burn', '20', 60, 300, 212),
      ...setLine('2.1 Those that nobody asked for, and the....', 60, 232),
      ...setLine('22', 60, 244),
      ...setLine('2.2 Those that everybody asked for at sea', 60, 264),
      ...setTo('........................', 289, 276),
      ...setTo('23', 300, 276),
      ...setLine('2.3 Those that were put out by storms', 60, 296),
      ...setTo('.......24', 300, 296),
    ];
    expect(read(words).tables).toEqual([
      [
        ...ENTRIES,
        ['2 What to do with the lamps of others that burn', '20'],
        ['2.1 Those that nobody asked for, and the', '22'],
        ['2.2 Those that everybody asked for at sea', '23'],
        ['2.3 Those that were put out by storms', '24'],
      ],
    ]);
  });

  it('titles of parts without a page → rows; lines above and below the table → text', () => {
    const words = [
      ...setLine('The book of lamps', 60, 90),
      ...setEntries(ENTRIES, 60, 300),
      ...setLine('Second part', 60, 204),
      ...setEntries([['2 Bells', '30']], 60, 300, 218),
      ...setLine('Written by the keepers', 60, 250),
    ];
    const { tables, markdown } = read(words);
    expect(tables).toEqual([[...ENTRIES, ['Second part', ''], ['2 Bells', '30']]]);
    expect(markdown.split('\n\n')[0]).toContain('The book of lamps');
    expect(markdown).toMatch(/Written by the keepers$/);
  });

  it('text or a heading and text between entries → two tables', () => {
    const more = [
      ['3 Bells', '40'],
      ['4 Boats', '50'],
      ['5 Buoys', '60'],
    ];
    const prose = [
      'It is given back within a week where nothing is',
      'broken, and kept where it is.',
      'So the clerk says.',
    ];
    const words = (title: ReturnType<typeof setLine>) => [
      ...setEntries(ENTRIES, 60, 300),
      ...title,
      ...prose.flatMap((line, row) => setLine(line, 60, 218 + row * 14)),
      ...setEntries(more, 60, 300, 260),
    ];
    for (const title of [[], setLine('Deposits', 60, 204, { size: 14, bold: true })]) {
      const { tables, markdown } = read(words(title));
      expect(tables).toEqual([ENTRIES, more]);
      expect(markdown).toContain(prose.join(' '));
    }
  });

  it('an entry of an index with several pages → all of them in one cell', () => {
    const others = [
      ['Oil', '2, 24, 34'],
      ['Wicks', '7'],
      ['Lamps', '12, 13'],
      ['Storms', '20'],
    ];
    expect(read(setEntries(others, 60, 300)).tables).toEqual([others]);
  });

  it('two columns of entries, close and level → read column by column', () => {
    const others = ENTRIES.map(([title = '', page = '']) => [`The other ${title.toLowerCase()}`, page]);
    const words = [...setEntries(ENTRIES, 60, 280), ...setEntries(others, 285, 540)];
    // The words are printed line by line.
    words.sort((a, b) => a.originY - b.originY || a.x0 - b.x0);
    expect(read(words).tables.flat()).toEqual([...ENTRIES, ...others]);
  });

  it('leaders to a page → an entry; to the number of the line, as in forms, or to an amount → none', () => {
    const isEntry = (text: string) => leadsToPage({ words: placed(text) });
    expect(['7 Oil ....... 12', 'Oil . . . . . xii', 'Oil ....... B-2'].map(isEntry)).toEqual([true, true, true]);
    expect(['7 Oil ....... 7', 'Oil ....... 1.20', 'Oil and so on 12'].map(isEntry)).toEqual([false, false, false]);
  });
});
