import { describe, expect, it } from 'vitest';
import { createFragment } from '../../../../../src/engine/model/fragment.js';
import { partsItems } from '../../../../../src/engine/stages/layout/lists/parted-items.js';
import { renderMarkdown } from '../../../../../src/engine/stages/render/markdown.js';
import { renderText } from '../../../../../src/engine/stages/render/text.js';
import { readPage, readPages, setLine, setLines } from '../../set-words.js';

const textOf = (words: ReturnType<typeof setLine>) => renderText({ pages: [readPage(words)], warnings: [] });
const markdownOf = (words: ReturnType<typeof setLine>) => renderMarkdown({ pages: [readPage(words)], warnings: [] });

const LEFT = [
  'the first column begins here and',
  'goes on for several full lines',
  'until it has come to its foot',
  'where the reader turns up',
];
const RIGHT = [
  'the second column is read after',
  'the whole of the first column',
  'has been read from the top to',
  'the very bottom of the page',
];

describe('reading order', () => {
  it('two columns, also drawn line by line → one after the other', () => {
    const words = LEFT.flatMap((line, index) => [
      ...setLine(line, 50, 100 + index * 12),
      ...setLine(RIGHT[index] ?? '', 320, 100 + index * 12),
    ]);
    expect(textOf(words)).toBe(`${LEFT.join('\n')}\n\n${RIGHT.join('\n')}`);
  });

  it('a title over both columns and a footer → title first, footer last', () => {
    const title = 'One long title that runs across both of the columns of this page';
    const words = [
      ...setLines(RIGHT, 320, 100),
      ...setLine('Printed by the readers themselves', 290, 690),
      ...setLines(LEFT, 50, 100),
      ...setLine(title, 60, 60, { size: 12 }),
    ];
    expect(textOf(words).split('\n\n')).toEqual([
      title,
      LEFT.join('\n'),
      RIGHT.join('\n'),
      'Printed by the readers themselves',
    ]);
  });

  it('three columns → one after the other', () => {
    const third = [
      'and a third one stands beside',
      'them, as newspapers have it',
      'for reasons of their own in',
      'every issue that they print',
    ];
    const words = [...setLines(third, 580, 104), ...setLines(LEFT, 20, 100), ...setLines(RIGHT, 300, 102)];
    expect(renderText({ pages: [readPage(words, 900)], warnings: [] })).toBe(
      [LEFT, RIGHT, third].map((c) => c.join('\n')).join('\n\n'),
    );
  });

  it('a hanging quotation mark, or a title that reaches into the gutter → columns kept whole', () => {
    const left = [...LEFT, ...LEFT].map((line) => line.padEnd(38, 'n'));
    const right = [...RIGHT, ...RIGHT];
    const words = left.flatMap((line, index) => [
      ...setLine(line, 50, 100 + index * 12),
      ...setLine(`${index === 5 ? '“' : ''}${right[index]}`, index === 5 ? 254 : 260, 100 + index * 12),
    ]);
    right[5] = `“${right[5]}`;
    const title = 'A title that ends in the gutter';
    expect(textOf([...setLine(title, 89, 70, { size: 12 }), ...words]).split('\n\n')).toEqual([
      title,
      left.join('\n'),
      right.join('\n'),
    ]);
  });

  it('bullets close to the column before → kept with their items', () => {
    const left = [...LEFT, ...LEFT].map((line) => line.padEnd(38, 'n'));
    const words = [
      ...setLines(left, 50, 100),
      ...[0, 2, 4, 6].flatMap((line) => setLine('–', 252, 106 + line * 12)),
      ...setLines([...RIGHT, ...RIGHT], 270, 106),
    ];
    const items = [0, 2].map((line) => `- ${RIGHT[line]} ${RIGHT[line + 1]}`).join('\n');
    expect(markdownOf(words)).toBe([left.join(' '), `${items}\n${items}`].join('\n\n'));
  });

  it('dashes in empty cells → no bullets of items across the gutter', () => {
    const besides = (text: string) =>
      [0, 1].flatMap((row) =>
        [setLine('–', 250, 100 + row * 12), setLine(text, 270, 100 + row * 12)].map((words, at) =>
          createFragment(
            words.map((word) => ({ ...word, baseline: word.y1, confidence: null })),
            row * 2 + at,
          ),
        ),
      );
    expect(partsItems(besides('Oil'), 260)).toBe(true);
    expect(partsItems(besides('96.2'), 260)).toBe(false);
    expect(partsItems(besides('–'), 260)).toBe(false);
  });

  it('two lists → one after the other; answers counted across → row by row', () => {
    const beside = (left: string[], right: string[]) =>
      textOf(
        left.flatMap((line, index) => [
          ...setLine(line, 50, 100 + index * 14),
          ...setLine(right[index] ?? '', 320, 100 + index * 14),
        ]),
      ).replace(/\s+/g, ' ');
    expect(beside(['• oil', '• wicks', '• matches'], ['• water', '• bread', '• salt'])).toBe(
      '• oil • wicks • matches • water • bread • salt',
    );
    expect(beside(['1. oil', '2. wicks', '3. matches'], ['4. water', '5. bread', '6. salt'])).toBe(
      '1. oil 2. wicks 3. matches 4. water 5. bread 6. salt',
    );
    expect(beside(['1. oil', '3. wicks', '5. matches'], ['2. water', '4. bread', '6. salt'])).toBe(
      '1. oil 2. water 3. wicks 4. bread 5. matches 6. salt',
    );
  });

  it.each(['', '☐ '])('questions over answers counted across → row by row: box "%s"', (box) => {
    const words = ['Reef', 'Keel', 'Sheet'].flatMap((word, index) => [
      ...setLine(`${index + 1}. ${word} is`, 50, 100 + index * 60),
      ...['A rope', 'C sail'].flatMap((text, row) => setLine(`${box}${text}`, 60, 118 + index * 60 + row * 16)),
      ...['B wood', 'D knot'].flatMap((text, row) => setLine(`${box}${text}`, 320, 118 + index * 60 + row * 16)),
      ...setLine('[1 mark]', 480, 100 + index * 60),
    ]);
    expect(
      textOf(words)
        .match(/(Reef|Keel|Sheet|rope|wood|sail|knot)/g)
        ?.join(' '),
    ).toBe(['Reef', 'Keel', 'Sheet'].map((word) => `${word} rope wood sail knot`).join(' '));
  });

  it.each(['•', '▶', '1.'])('two short lists with heads, as on a slide → one after the other: %s', (first) => {
    const second = first === '1.' ? '2.' : first;
    const list = (x: number, head: string, items: readonly [string, string?][]) => [
      ...setLine(head, x, 100),
      ...items.flatMap(([line, rest = ''], index) => [
        ...setLine(`${index === 0 ? first : second} ${line}`, x + 14, 120 + index * 28),
        ...setLine(rest, x + 28, 134 + index * 28),
      ]),
    ];
    const words = [
      ...list(50, 'Before', [['oil of the lamps', 'and their wicks'], ['matches']]),
      ...list(320, 'After', [
        ['light for all who', 'read at night'],
        ['warmth nobody has', 'ever asked for'],
      ]),
    ];
    expect(textOf(words).replace(/\s+/g, ' ')).toBe(
      `Before ${first} oil of the lamps and their wicks ${second} matches ` +
        `After ${first} light for all who read at night ${second} warmth nobody has ever asked for`,
    );
  });

  it('three lists that look like rows of a table → one after the other', () => {
    const lists = [
      ['North', 'South', 'East'],
      ['Red', 'Green', 'Blue'],
      ['Oil', 'Water', 'Bread'],
    ];
    const words = [0, 1, 2].flatMap((row) =>
      lists.flatMap((list, column) => setLine(`• ${list[row]}`, 50 + column * 150, 100 + row * 14)),
    );
    expect(textOf(words).match(/\w+/g)).toEqual(lists.flat());
  });

  it('a side note that is not level with the text → read apart', () => {
    const note = ['the wick', 'of a lamp', 'draws oil'];
    const words = [...setLines([...LEFT, ...RIGHT], 50, 100), ...setLines(note, 320, 104, 10, { size: 8 })];
    expect(textOf(words)).toBe(`${[...LEFT, ...RIGHT].join('\n')}\n\n${note.join('\n')}`);
  });

  it('the rows of a table → kept together', () => {
    const rows = [
      ['Branch', 'Hours', 'Loans'],
      ['Central', '9 to 19', '131'],
      ['Millbrook', '10 to 18', '30'],
      ['Oakfield', '13 to 18', '9'],
    ];
    const columns = [0, 1, 2].flatMap((column) =>
      rows.flatMap((row, index) => setLine(row[column] ?? '', 50 + column * 150, 100 + index * 14)),
    );
    expect(textOf(columns).replace(/\n+/g, '\n')).toBe(rows.map((row) => row.join('  ')).join('\n'));
  });

  it('a bill whose descriptions have more lines than its numbers → rows kept together', () => {
    const described = (item: number) => [
      `Rope of hemp number ${item}`,
      'Delivered to the pier',
      'In the first week of May',
    ];
    const words = [1, 2, 3, 4, 5].flatMap((item) => [
      ...setLine(`${item}`, 50, 100 + item * 60),
      ...setLine('12', 110, 100 + item * 60),
      ...setLines(described(item), 150, 100 + item * 60, 14),
      ...setLine('3,89', 400, 100 + item * 60),
    ]);
    const above = setLines(['The harbour office', 'Berth of the ferry', 'Pier of the bay 12'], 50, 90);
    const below = [50, 230].flatMap((x) => setLines(Array(4).fill('Old pier number 17'), x, 440));
    const text = textOf([...above, ...words, ...below]);
    const rows = [1, 2, 3, 4, 5].map((item) => `${item}  12  ${described(item).join(' ')}  3,89`);
    expect(text).toContain(rows.join('\n'));
  });

  it('an address beside a longer list of fields → one after the other', () => {
    const address = ['Manufacturing Centre', 'of the Old Pier', 'Berth 7', 'Harbour Road', 'Sundvik', 'Norway'];
    const fields = Array.from({ length: 14 }, (_, row) => [
      ...setLine(`Field of cargo ${row + 1}:`, 300, 100 + row * 12),
      ...setLine(row % 3 === 0 ? 'paid for by the sender' : 'paid', 420, 100 + row * 12),
    ]);
    expect(textOf([...setLines(address, 50, 100), ...fields.flat()])).toContain(address.join('\n'));
  });

  it('a line that runs out of its column → columns one after the other', () => {
    const lines = (word: string) =>
      Array.from({ length: 16 }, (_, index) => `${word} ${index} of the words that fill it`);
    const right = lines('right').map((line, index) => (index === 4 ? `--${'o'.repeat(105)}` : line));
    const words = [...setLines(lines('left'), 50, 100), ...setLines(right, 250, 100)];
    expect(textOf(words).replace(/\n+/g, '\n')).toBe([...lines('left'), ...right].join('\n'));
  });

  it('separate lines and paragraphs → one line each, an empty line between paragraphs', () => {
    const receipt = ['Lamp oil, clear, one gallon', '36.97', 'Wick, round', '9.99', 'Paid in cash'];
    expect(textOf(setLines(receipt, 60, 160))).toBe(receipt.join('\n'));
    const far = [...setLines(receipt, 60, 160), ...setLines(LEFT, 60, 260)];
    expect(textOf(far)).toBe(`${receipt.join('\n')}\n\n${LEFT.join('\n')}`);
  });

  it('columns around the caption of a picture → columns first, then the caption', () => {
    const caption = ['The lamps of', 'the harbour', 'as they stood'];
    const column = (lines: string[], x: number) =>
      [0, 1, 2].flatMap((part) =>
        setLines(part === 1 ? lines.map((line) => line.slice(0, 16)) : lines, x, 100 + part * 48),
      );
    const right = [0, 2].flatMap((part) => setLines(RIGHT, 230, 100 + part * 48));
    const narrow = setLines(
      RIGHT.map((line) => line.slice(-16)),
      300,
      148,
    );
    const words = [...column(LEFT, 50), ...right, ...narrow, ...setLines(caption, 190, 152, 12, { size: 8 })];
    const text = textOf(words).replace(/\s+/g, ' ');
    const of = (lines: string[]) => lines.join(' ');
    const cut = (lines: string[], from: number, to?: number) => lines.map((line) => line.slice(from, to).trim());
    expect(text).toBe(
      [of(LEFT), of(cut(LEFT, 0, 16)), of(LEFT), of(RIGHT), of(cut(RIGHT, -16)), of(RIGHT), of(caption)].join(' '),
    );
  });

  it.each([
    { y: 190, lines: 8 },
    { y: 158, lines: 7 },
  ])(
    'columns of $lines lines below a table that leaves their gutter free, at $y → one after the other',
    ({ y, lines }) => {
      const cells = ['Tide', 'High', 'Low', 'Mean', 'Least'];
      const table = cells.flatMap((cell, row) =>
        [0, 90, 180, 290, 380].flatMap((x, column) =>
          setLine(column === 0 ? cell : `${row}.${column}`, 60 + x, 80 + row * 12),
        ),
      );
      const [left, right] = [LEFT, RIGHT].map((column) => [...column, ...column]) as [string[], string[]];
      const columns = [...setLines(left, 50, y), ...setLines(right.slice(0, lines), 320, y)];
      expect(textOf([...table, ...columns])).toContain(`${left.join('\n')}\n\n${right.slice(0, lines).join('\n')}`);
    },
  );

  const LONG_LEFT = [
    ...LEFT,
    'to begin the second one and so',
    'the sheet is full of lines at',
    'both of its sides and nothing',
    'is left to be set on it',
  ];
  const LONG_RIGHT = [
    ...RIGHT,
    'where it ends before the foot',
    'of the page is reached at all',
    'since there was no more to be',
    'said of it by anybody',
  ];

  it('raised signs of degrees at the ends of lines, level with the other column → signs within columns', () => {
    const words = LONG_LEFT.flatMap((line, index) => [
      ...setLine(index === 1 || index === 5 ? 'and the water was heated to 37' : line, 50, 100 + index * 12),
      ...(index === 1 || index === 5
        ? [...setLine('◦', 191, 98 + index * 12, { size: 8 }), ...setLine('C', 196, 100 + index * 12)]
        : []),
      ...setLine(LONG_RIGHT[index] ?? '', 226, 100 + index * 12),
    ]);
    expect(textOf(words)).toMatch(/was heated to 37\s?◦\s?C/);
    expect(textOf(words)).toContain(LONG_RIGHT.slice(0, 4).join('\n'));
  });

  it('numbers that hang left of the second column → each with its source', () => {
    const sources = (from: number) =>
      [0, 1, 2, 3].flatMap((item) => [
        `Weaver, A. and Spinner, B. (190${from + item}) On`,
        'the threads that hold a long tale together',
        'from its beginning to the very end of it',
      ]);
    const words = [1, 5].flatMap((from, column) => [
      ...setLines(sources(from), 72 + column * 260, 100),
      ...[0, 1, 2, 3].flatMap((item) => setLine(`${from + item}`, 50 + column * 260, 100 + item * 36)),
    ]);
    const text = textOf(words).replace(/ +/g, ' ');
    for (const item of [1, 2, 3, 4, 5, 6, 7, 8])
      expect(text).toContain(`${item} Weaver, A. and Spinner, B. (190${item}) On`);
    expect(text.indexOf('5 Weaver')).toBeGreaterThan(text.indexOf('4 Weaver'));
  });

  it('two lines of a sentence beside a word above columns with their gutter → columns, too', () => {
    const words = [
      ...setLine('The Readers', 50, 60, { size: 30 }),
      ...setLines(['the readers are a club of men and', 'women who love to read aloud'], 50, 100),
      ...setLines(['readers.example', 'Members: many'], 320, 100),
      ...setLine('In the box across both columns stands one line', 50, 160),
      ...setLines(LONG_LEFT, 50, 220),
      ...setLines(LONG_RIGHT, 320, 220),
    ];
    expect(textOf(words)).toContain('the readers are a club of men and\nwomen who love to read aloud');
  });

  it('lines on a ground across both columns → between what stands above and below it', () => {
    const words = [
      ...setLines(LONG_LEFT, 50, 100),
      ...setLines(LONG_RIGHT, 320, 100),
      ...setLines(['Told on a winter evening', 'Written by one of them'], 60, 230),
      ...setLines(
        LONG_LEFT.map((line) => line.replace('the', 'that')),
        50,
        280,
      ),
      ...setLines(
        LONG_RIGHT.map((line) => line.replace('the', 'that')),
        320,
        280,
      ),
    ];
    const shades = [{ x0: 46, y0: 210, x1: 500, y1: 255 }];
    const text = renderText({ pages: readPages([words], undefined, { shades }), warnings: [] });
    expect(text.indexOf('Told on a winter')).toBeGreaterThan(text.indexOf('said of it by anybody'));
    expect(text.indexOf('Told on a winter')).toBeLessThan(text.indexOf('that first column'));
  });

  it('the labels of a drawing above the text of one column → columns', () => {
    const labels = Array.from({ length: 26 }, (_, row) => `x${row} y${row}`);
    const left = Array.from({ length: 13 }, (_, line) => `the text of the first column, line ${line + 10}`);
    const right = Array.from({ length: 39 }, (_, line) => `the text of the second column, line ${line + 10}`);
    const words = [...setLines(labels, 80, 100), ...setLines(left, 50, 412), ...setLines(right, 320, 100)];
    expect(textOf(words)).toContain(right.join('\n'));
  });

  it('columns close below the last rule of a table over both, which leaves their gutter free → columns', () => {
    const cells = Array.from({ length: 30 }, (_, row) => [`Kind ${row}`, `${row}.5`, `${row}.25`, `${row}.75`]);
    const table = cells.flatMap((row, line) =>
      row.flatMap((cell, column) => setLine(cell, [70, 180, 330, 440][column] ?? 0, 100 + line * 11)),
    );
    const rules = [{ x0: 60, x1: 490, y0: 424, y1: 424 }];
    const column = (name: string) =>
      Array.from({ length: 8 }, (_, line) => `the text of the ${name} column, line ${line + 10}`);
    const words = [...table, ...setLines(column('first'), 50, 446), ...setLines(column('second'), 310, 446)];
    const text = renderText({ pages: readPages([words], undefined, { rules }), warnings: [] });
    expect(text).toContain(column('second').join('\n'));
  });

  it('labels that end with colons, some of several lines, level with their values → rows', () => {
    const fields = [
      ['Day of the call:', 'Monday, 25 September of this year'],
      ['Tenders are taken:', 'Tuesday, 26 September of this year,'],
      ['', 'from half past eight to half past eleven'],
      ['They are listed on the', ''],
      ['Harbour exchange:', 'Tuesday, 26 September of this year'],
      ['Day of payment:', 'Thursday, 28 September of this year'],
    ];
    const words = fields.flatMap(([label = '', value = ''], row) => [
      ...(label === '' ? [] : setLine(label, 60, 100 + row * 15)),
      ...(value === '' ? [] : setLine(value, 250, 100 + row * 15)),
    ]);
    const text = textOf(words).replace(/\s+/g, ' ');
    expect(text).toContain('Day of the call: Monday');
    expect(text).toContain('Harbour exchange: Tuesday, 26 September of this year Day of payment: Thursday');
  });

  it('labels and, level with them, values that begin with colons → rows', () => {
    const labels = ['a) Its address', 'b) Numbers of telephones', 'c) Address of its post'];
    const values = [
      [
        ': The house of the keepers of the lamp at the end of',
        'the pier, beside the light and the store of the oil and',
        'of the wicks, which is the last of all the houses there',
      ],
      [': 0212 404 07 95 and 0212 404 07 01'],
      [': keepers@lamp.example'],
    ];
    let y = 100;
    const words = values.flatMap((lines, index) => {
      const set = [...setLine(labels[index] ?? '', 60, y), ...setLines(lines, 250, y)];
      y += lines.length * 12;
      return set;
    });
    const wide = LEFT.map((line, index) => `${line} ${RIGHT[index]} and the page below`);
    const text = textOf([...setLines(wide, 60, 52), ...words, ...setLines(wide, 60, y)]);
    expect(text.replace(/\s+/g, ' ')).toContain(
      'b) Numbers of telephones : 0212 404 07 95 and 0212 404 07 01 c) Address of its post : keepers',
    );
  });

  it('large type beside a table → text, not cells', () => {
    const large = ['Want to learn', 'more about', 'how columns', 'are found?'];
    const small = Array.from({ length: 9 }, (_, index) => (index % 2 === 0 ? 'what stands' : 'beside it'));
    const words = [
      ...large.flatMap((line, index) => setLine(line, 50, 112 + index * 27, { size: 24 })),
      ...setLines(small, 320, 100),
    ];
    expect(textOf(words).replace(/\s+/g, ' ')).toBe(`${large.join(' ')} ${small.join(' ')}`);
    // Bullets in another type are no column.
    const items = ['•', '•', '•', '•'].flatMap((bullet, index) => [
      ...setLine(bullet, 50, 101 + index * 24, { size: 16 }),
      ...setLines(['an item', 'of two lines'], 90, 98 + index * 24),
    ]);
    expect(textOf(items)).toMatch(/^• +an item/);
  });

  it('a drop capital → joined to its word', () => {
    const begun = (letter: string, first: string) =>
      textOf([
        ...setLine(letter, 50, 124, { size: 38 }),
        ...setLines(
          [`${first} is what the paragraph`, 'begins with, in a letter of', 'three lines, beside which all'],
          72,
          100,
        ),
        ...setLines(['its words stand, and one such as these', 'that many magazines have.'], 50, 136),
      ]).split('\n')[0];
    expect(begun('O', 'ver')).toBe('Over is what the paragraph');
    expect(begun('I', 'n')).toBe('In is what the paragraph');
    // The page has "such" as a separate word.
    expect(begun('A', 'such')).toBe('A such is what the paragraph');
    // "Figure" begins a caption.
    expect(begun('A', 'Figure')).not.toMatch(/^A ?Figure/);
  });

  it('a page of single letters, as a puzzle is → none is a drop capital', () => {
    const parts = (count: number) =>
      Array.from({ length: count }, (_, index) => [
        ...setLine('O', 50, 64 + index * 30, { size: 30 }),
        ...setLines(['ver the hills', 'and far away'], 76, 52 + index * 30, 11),
      ]).flat();
    expect(textOf(parts(20))).toContain('Over the hills');
    expect(textOf(parts(21))).not.toContain('Over the hills');
  });

  it('a superscript → at its place in the line', () => {
    const words = [
      ...setLine('see the note', 50, 100),
      ...setLine('2', 113, 96.5, { size: 6 }),
      ...setLine('for more', 120, 100),
    ];
    expect(textOf(words)).toBe('see the note 2 for more');
  });

  it('a line of Hebrew → read from its right end', () => {
    const words = [...setLine('לכולם', 300, 100), ...setLine('שלום', 400, 100)];
    expect(textOf(words)).toBe('שלום  לכולם');
  });

  it('a page whose text runs upwards → turned upright', () => {
    const word = (text: string, x: number, y: number) => ({
      ...{ text, x0: x - 8, x1: x + 2, y0: y - text.length * 5, y1: y, originX: x, originY: y },
      ...{ fontSize: 10, bold: false, italic: false, angle: 270 },
    });
    const page = readPage([
      word('second', 62, 700),
      word('line', 62, 665),
      word('first', 50, 700),
      word('line', 50, 670),
    ]);
    expect(renderText({ pages: [page], warnings: [] })).toBe('first line\nsecond line');
    expect(page).toMatchObject({ rotation: 90, width: 800, height: 600 });
    expect(page.blocks[0]?.box[0]).toBeCloseTo(100 / 800, 3);
  });

  it('boxes → from 0 to 1, measured from the top left', () => {
    const [block] = readPage(setLine('corner', 60, 88)).blocks;
    expect(block?.box).toEqual([0.1, 0.1, 0.15, 0.1125]);
    expect(block?.lines[0]?.words[0]).toMatchObject({ text: 'corner', confidence: null });
  });
});

describe('text', () => {
  it('a word parted by a hyphen → joined; a dash → kept', () => {
    expect(textOf(setLines(['it is hyphen-', 'ated at the end', 'of the line -', 'here not'], 50, 100))).toBe(
      'it is hyphenated\nat the end\nof the line -\nhere not',
    );
  });

  it('recognised text → its lines as printed', () => {
    const page = { ...readPage(setLines(['it is hyphen-', 'ated'], 50, 100)), source: 'ocr' as const };
    expect(renderText({ pages: [page], warnings: [] })).toBe('it is hyphen-\nated');
  });
});

describe('markdown', () => {
  const BODY = [
    'Body text of a paragraph that runs over',
    'more than one line, and makes most of',
    'the page, so that its size is known.',
  ];

  it('size and weight of type → headings, and paragraphs as one line', () => {
    const words = [
      ...setLine('The Title', 50, 50, { size: 20 }),
      ...setLine('A Section', 50, 90, { size: 14 }),
      ...setLines(BODY, 50, 110),
      ...setLine('A bold line', 50, 170, { bold: true }),
      ...setLines(BODY, 50, 190),
    ];
    const body = BODY.join(' ');
    expect(markdownOf(words)).toBe(`# The Title\n\n## A Section\n\n${body}\n\n### A bold line\n\n${body}`);
  });

  it('lists with items over several lines → markdown lists', () => {
    const words = [
      ...setLines(BODY, 50, 100),
      ...setLine('• first item, which is long', 60, 150),
      ...setLine('and goes on', 68, 162),
      ...setLine('• second item', 60, 174),
      ...setLine('1. one', 60, 200),
      ...setLine('2. two', 60, 212),
    ];
    expect(markdownOf(words)).toBe(
      `${BODY.join(' ')}\n\n- first item, which is long and goes on\n- second item\n1. one\n2. two`,
    );
  });

  it('text that looks like markup → escaped', () => {
    expect(markdownOf(setLine('# not *a* heading [x](y) <b> snake_case _em_ a|b `c`', 50, 100))).toBe(
      '\\# not \\*a\\* heading \\[x\\](y) \\<b\\> snake_case \\_em\\_ a\\|b \\`c\\`',
    );
    expect(markdownOf(setLine('2024. was a year', 50, 100))).toBe('2024\\. was a year');
    expect(markdownOf(setLine('see https://a.b/~c_d, or (https://a.b/c_d)', 50, 100))).toBe(
      'see <https://a.b/~c_d>, or (https://a.b/c_d)',
    );
  });

  it('a title in another typeface → a heading; the first words of a sentence → none', () => {
    const words = [
      ...setLine('A paragraph that is set in one typeface goes on over several lines here', 50, 100, { face: 1 }),
      ...setLine('and ends after all of its words. It goes on as long as the one before', 50, 112, { face: 1 }),
      ...setLine('and ends in a short one.', 50, 124, { face: 1 }),
      ...setLine('Its title', 50, 136, { face: 2 }),
      ...setLine('The text below is set in the first typeface, over the whole of its width', 50, 148, { face: 1 }),
      ...setLine('Names', 50, 160, { face: 2 }),
      ...setLine('in sentences begin lines too, as the one above does, and part nothing.', 77.5, 160, { face: 1 }),
    ];
    expect(markdownOf(words)).toMatch(/short one\.\n\nIts title\n\nThe text .* width Names in sentences/);
  });

  it('a numbered title in larger type above indented text → a heading apart from it', () => {
    const title = { face: 2, size: 11 };
    const text = [
      'The text below is set in as the first line of',
      'a paragraph is and goes on at the left in the',
      'same type.',
    ];
    const set = (below: typeof title) => [
      ...setLine('(1) On what the harbour master has to keep', 50, 100, title),
      ...setLine(text[0] ?? '', 62, 114, { face: 1 }),
      ...setLine(text[1] ?? '', 50, 126, below),
      ...setLine(text[2] ?? '', 50, 138, { face: 1 }),
    ];
    expect(markdownOf(set({ face: 1, size: 10 }))).toBe(
      `# (1) On what the harbour master has to keep\n\n${text.join(' ')}`,
    );
    // One line in another type is quoted in its sentence.
    expect(markdownOf(set(title))).toContain(`to keep ${text[0]}`);
  });

  it('fields → below each other; a sentence with a colon → one line', () => {
    const fields = ['Name: Oluwaseun Adeyemi', 'Home port : Sundvik on the bay'];
    const prose = [
      'The keeper of the light wrote into his book what he',
      'Called: the true reason of it. Whoever reads that',
    ];
    const words = [...setLines(fields, 50, 100), ...setLines(prose, 50, 200)];
    expect(markdownOf(words)).toBe([...fields, prose.join(' ')].join('\n\n'));
  });

  it('a line that begins with a word and a colon within a sentence → joined', () => {
    const lines = [
      'Drive: what moves all of us, and why, in a book by the keeper',
      'of the light, his daughter and all of their friends, New',
      'York: Penguin, 2009, was what he read in the long nights.',
    ];
    expect(markdownOf(setLines(lines, 50, 100))).toBe(lines.join(' '));
  });

  it('a field in large type with only its label bold → no title', () => {
    const field = [...setLine('Date:', 50, 60, { size: 14, bold: true }), ...setLine('Monday', 95, 60, { size: 14 })];
    const text = setLines(['The keeper of the light wrote into his book what he had', 'seen in the night.'], 50, 100);
    expect(markdownOf([...field, ...text])).toMatch(/^\*\*Date:\*\* Monday/);
  });

  it('a title whose word is split over its lines, the second one set in → one title', () => {
    const title = [
      ...setLine('§ 12.25', 50, 60, { bold: true }),
      ...setLine('On what the master of the harbour is to meas-', 97, 60, { bold: true }),
      ...setLine('ure in spring', 66, 72, { bold: true }),
    ];
    const text = setLines(['The keeper of the light wrote into his book what he had', 'seen in the night.'], 50, 100);
    expect(markdownOf([...title, ...text])).toContain('is to measure in spring');
  });

  it('an indented first line → a new paragraph', () => {
    const words = [
      ...setLines(['a paragraph with two', 'lines in it.'], 50, 100),
      ...setLine('The next one', 62, 124),
      ...setLine('follows at once.', 50, 136),
    ];
    expect(markdownOf(words)).toBe('a paragraph with two lines in it.\n\nThe next one follows at once.');
  });
});

describe('rows of labels and values below a table', () => {
  it('the gutter of the page between label and value → rows kept', () => {
    const counts = Array.from({ length: 12 }, (_, index) => {
      const y = 60 + index * 12;
      return [...setLine('Barley', 50, y), ...setLine(`${index + 12}`, 200, y), ...setLine(`${index + 31}`, 330, y)];
    });
    const sizes = Array.from({ length: 9 }, (_, index) => {
      const y = 260 + index * 12;
      return [...setLine('Height of the upper hull', 50, y), ...setLine(`2 ft ${index + 1} in (690 mm)`, 330, y)];
    });
    const text = markdownOf([...counts, ...sizes].flat());
    expect(text).toContain('| Height of the upper hull | 2 ft 1 in (690 mm) |');
  });
});
