import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { outline, parseGfm, plainText } from '../../gfm.js';
import { type Drawn, documentOf, readPage, readPages, setLine, setLines } from '../../set-words.js';

const BODY = [
  'The lamp is lit at dusk and put out at dawn, and whoever keeps it',
  'writes down in the book what the night was like and who passed by.',
];
const body = (y: number) => setLines(BODY, 60, y);
const BODY_TEXT = `p ${BODY.join(' ')}`;
const outlineOf = (pages: RawWord[][], drawn: Drawn = {}) =>
  outline(renderMarkdown(documentOf(readPages(pages, [600, 800], drawn))));

describe('headings', () => {
  it('numbered headings of one type → levels by the depth of their numbers', () => {
    const set = (text: string, y: number) => setLine(text, 60, y, { size: 13, bold: true });
    expect(
      outlineOf([
        [
          ...setLine('Keeping the Lamp', 60, 90, { size: 22 }),
          ...body(130),
          ...set('1. The oil', 180),
          ...body(200),
          ...set('1.1 Where it is bought', 250),
          ...body(270),
          ...set('2. The wick', 320),
          ...body(340),
          ...setLine('A word of caution', 60, 390, { bold: true }),
          ...body(410),
        ],
      ]),
    ).toEqual([
      ...['h1 Keeping the Lamp', BODY_TEXT, 'h2 1. The oil', BODY_TEXT, 'h3 1.1 Where it is bought', BODY_TEXT],
      ...['h2 2. The wick', BODY_TEXT, 'h4 A word of caution', BODY_TEXT],
    ]);
  });

  it('headings of one type on several pages → the same level', () => {
    const pages = [1, 2, 3].map((page) => [
      ...(page === 1 ? setLine('Keeping the Lamp', 60, 90, { size: 22 }) : []),
      ...setLine(`Night ${['one', 'two', 'three'][page - 1]}`, 60, 140, { size: 15 }),
      ...body(170),
    ]);
    expect(outlineOf(pages).filter((line) => line.startsWith('h'))).toEqual([
      ...['h1 Keeping the Lamp', 'h2 Night one', 'h2 Night two', 'h2 Night three'],
    ]);
  });

  it('two lines, centred or hanging under their number → one heading', () => {
    const centred = [
      ...setLine('On the Keeping of Lamps in Winter', 100, 80, { size: 18 }),
      ...setLine('and in Spring', 181, 102, { size: 18 }),
    ];
    const hanging = [
      ...setLine('2 Of oils that burn', 60, 200, { size: 12, bold: true }),
      ...setLine('and of others', 69, 214, { size: 12, bold: true }),
    ];
    expect(outlineOf([[...centred, ...body(140), ...hanging, ...body(240)]])).toEqual([
      ...['h1 On the Keeping of Lamps in Winter and in Spring', BODY_TEXT],
      ...['h2 2 Of oils that burn and of others', BODY_TEXT],
    ]);
  });

  it('a caption, bold lines in a row, the words of a drawing → no headings', () => {
    const bold = (text: string, y: number) => setLine(text, 100, y, { bold: true });
    const caption = [...body(100), ...bold('Figure 3. The lamp', 150), ...body(200)];
    const cover = [
      ...body(100),
      ...['Oil', 'Wick', 'Glass', 'Chain'].flatMap((text, i) => bold(text, 160 + i * 30)),
      ...body(320),
    ];
    const drawing = [...body(100), ...setLine('Draught', 200, 200, { size: 12 }), ...body(320)];
    const frame = [
      ...[160, 260].map((y) => ({ x0: 100, x1: 400, y0: y, y1: y })),
      ...[100, 400].map((x) => ({ x0: x, x1: x, y0: 160, y1: 260 })),
    ];
    for (const [words, drawn] of [
      [caption, {}],
      [cover, {}],
      [drawing, { rules: frame }],
    ] as const) {
      expect(outlineOf([words], drawn).filter((line) => line.startsWith('h'))).toEqual([]);
    }
  });
});

describe('lists', () => {
  it('boxes before the items → a list of tasks; boxes among words or signs → text', () => {
    const set = ['☐ buy oil', '☑ trim the wick', '☒ light the lamp', '• sleep'];
    const page = readPage(set.flatMap((item, index) => setLine(item, 60, 100 + index * 14)));
    expect(renderMarkdown(documentOf([page]))).toBe(
      '- [ ] buy oil\n- [x] trim the wick\n- [x] light the lamp\n- sleep',
    );
    expect(renderMarkdown(documentOf([readPage(setLine('Yes ☒ No ☐', 60, 100))]))).toBe('Yes ☒ No ☐');
    expect(renderMarkdown(documentOf([readPage(setLine('☐ △ △☐', 60, 100))]))).toBe('☐ △ △☐');
  });

  it('ordinals before wide space → items whose text comes back below them; within a sentence → text', () => {
    const items = ['of the light that the keeper has to trim before the evening comes in', 'of the oil.'];
    const set = (gap: number) =>
      items.flatMap((text, index) => [
        ...setLine(`${index + 1}°`, 60, 100 + index * 30),
        ...setLine(text, 70 + gap, 100 + index * 30),
      ]);
    const rest = setLine('over the bay;', 60, 112);
    expect(outlineOf([[...set(25), ...rest]])).toEqual([`- 1° ${items[0]} over the bay;`, `- 2° ${items[1]}`]);
    expect(outlineOf([set(2.5)])[0]).toMatch(/^p 1°/);
  });

  it('a star below text whose word ends with one → a note; stars below each other, or without one above → items', () => {
    const read = (...lines: string[]) => outlineOf([lines.flatMap((line, row) => setLine(line, 60, 100 + row * 30))]);
    expect(read('Lamps cost 12.50* each.', '* without oil')).toEqual(['p Lamps cost 12.50* each.', 'p * without oil']);
    expect(read('The keeper of lamps:*', '* without oil')).toEqual(['p The keeper of lamps:*', 'p * without oil']);
    expect(read('Lamps cost 12.50 each.', '* without oil')).toEqual(['p Lamps cost 12.50 each.', '- without oil']);
    expect(read('Lamps cost 12.50* each.', '* oil', '* wicks').slice(1)).toEqual(['- oil', '- wicks']);
  });

  it('a dash below a quotation → its author; dashes below each other, or one below a colon → items', () => {
    const read = (...lines: string[]) => outlineOf([setLines(lines, 60, 100)]);
    expect(read('“Nobody is left behind.”', '— The master')).toEqual(['p “Nobody is left behind.”', 'p — The master']);
    expect(read('Please bring:', '— ropes')).toEqual(['p Please bring:', '- ropes']);
    expect(read('Please bring these.', '— ropes', '— oil')).toEqual(['p Please bring these.', '- ropes', '- oil']);
  });

  it('indented items, numbered or not → nested lists', () => {
    const item = (marker: string, text: string, x: number, y: number) => [
      ...setLine(marker, x, y),
      ...setLine(text, x + 18, y),
    ];
    expect(
      outlineOf([
        [
          ...body(80),
          ...item('1.', 'Oil the lamp', 70, 120),
          ...item('•', 'with colza', 92, 134),
          ...item('•', 'never with tar, which smells', 92, 148),
          ...setLine('and clouds the glass', 110, 160),
          ...item('–', 'not even in winter', 114, 174),
          ...item('2.', 'Trim the wick', 70, 188),
          ...item('a)', 'by a finger', 92, 202),
          ...body(240),
        ],
      ]),
    ).toEqual([
      BODY_TEXT,
      '1. Oil the lamp',
      '  - with colza',
      '  - never with tar, which smells and clouds the glass',
      '    - not even in winter',
      '2. Trim the wick',
      '  - a) by a finger',
      BODY_TEXT,
    ]);
  });

  it('a nested list over pages with the same left edge → continues; with another left edge → does not', () => {
    const first = [...body(100), ...setLine('• Oil', 80, 140), ...setLine('a. of whales', 100, 152)];
    const rest = (left: number) => [
      ...setLine('b. of olives', left + 40, 100),
      ...setLine('• Wicks', left + 20, 112),
      ...setLines(BODY, left, 140),
    ];
    const items = ['- Oil', '  - a. of whales', '  - b. of olives', '- Wicks'];
    expect(outlineOf([first, rest(60)])).toEqual([BODY_TEXT, ...items, BODY_TEXT]);
    expect(outlineOf([first, rest(90)])).not.toContain('  - b. of olives');
  });

  it('a line at the marker below the hanging lines of an item → the same item within a sentence, else a paragraph', () => {
    const withEnd = (end: string) =>
      outlineOf([
        [
          ...body(80),
          ...setLine('1. The lamp is lit by whoever keeps the book of the night,', 60, 120),
          ...setLine(`and no one else may trim the wick or carry the oil up in ${end}`, 72, 132),
          ...setLine('Winter storms, which few of the keepers ever forget.', 60, 144),
          ...body(190),
        ],
      ]).slice(1, -1);
    expect(withEnd('the')).toHaveLength(1);
    expect(withEnd('it.')).toHaveLength(2);
  });

  it('a telephone number → no item', () => {
    const number = setLine('(308) 236-8491', 70, 130);
    expect(outlineOf([[...body(80), ...number, ...body(170)]])).toEqual([BODY_TEXT, 'p (308) 236-8491', BODY_TEXT]);
  });

  it('an abbreviation before a name → no item', () => {
    const name = setLine('i. V. Jane Carter', 70, 130);
    expect(outlineOf([[...body(80), ...name, ...body(170)]])).toEqual([BODY_TEXT, 'p i. V. Jane Carter', BODY_TEXT]);
  });

  it('capital letters with wide space after them → items; with a usual space → initials', () => {
    const item = (marker: string, gap: number, text: string, y: number) => [
      ...setLine(marker, 70, y),
      ...setLine(text, 80 + gap, y),
    ];
    const lettered = (gap: number) => [
      ...item('A.', gap, 'Oil the lamp', 120),
      ...item('B.', gap, 'Trim the wick', 132),
    ];
    expect(outlineOf([[...body(80), ...lettered(8), ...body(170)]])).toEqual([
      ...[BODY_TEXT, '- A. Oil the lamp', '- B. Trim the wick', BODY_TEXT],
    ]);
    expect(outlineOf([[...body(80), ...lettered(2.5), ...body(170)]])).toEqual([
      ...[BODY_TEXT, 'p A. Oil the lamp', 'p B. Trim the wick', BODY_TEXT],
    ]);
    // Words of a justified line have such space between them, too.
    let x = 70;
    const justified = ['A.', 'Wick', 'and', 'G.', 'Oil'].flatMap((word) => {
      const set = setLine(word, x, 132);
      x += word.length * 5 + 7;
      return set;
    });
    const told = outlineOf([[...body(80), ...setLine('As was told by', 70, 120), ...justified]]);
    expect(told).toEqual([BODY_TEXT, 'p As was told by A. Wick and G. Oil']);
  });

  it('items after a heading, indented further than those before it → not nested', () => {
    const above = setLine('1. Keep the lamp', 60, 100);
    const heading = setLine('In winter', 78, 130, { size: 14 });
    const below = setLines(['1. Keep the oil', '2. Keep the wick'], 78, 160, 14);
    expect(markdownOf([[...above, ...heading, ...below, ...body(220), ...body(270)]])).toContain(
      '1. Keep the oil\n2. Keep the wick',
    );
  });

  it('numbers of items with a gap → kept', () => {
    const words = ['7. seven', '8. eight', '10. ten'].flatMap((text, index) => setLine(text, 70, 120 + index * 14));
    expect(outlineOf([[...body(80), ...words]])).toEqual([BODY_TEXT, '7. seven', '8. eight', '10. ten']);
  });

  it('a part of an item with the number 1.1. → the list ends before it', () => {
    const lines = ['1. The oil', '1.1. Where it is bought', '1.2. How it is kept', '2. The wick'];
    const markdown = renderMarkdown(documentOf(readPages([setLines(lines, 60, 100)])));
    expect(markdown.split('\n').filter((line) => line !== '')).toEqual(lines);
  });

  it('letters of a pictorial font before texts → bullets', () => {
    const boxes = ['with salt', 'without'].flatMap((text, index) => [
      ...setLine('n', 70, 120 + index * 14).map((word) => ({ ...word, pictorial: true })),
      ...setLine(text, 95, 120 + index * 14),
    ]);
    expect(outlineOf([[...body(80), ...boxes]])).toEqual([BODY_TEXT, '- with salt', '- without']);
  });

  it('a letter in place of a bullet, smaller or far from the words → an item; like the words → text', () => {
    const item = (mark: string, x: number, y: number, style: object) => [
      ...setLine(mark, 60, y, style),
      ...setLine('Oil from the shop', x, y),
    ];
    const outlineOfItems = (mark: string, x: number, style: object) =>
      outlineOf([[...body(60), ...item(mark, x, 120, style), ...item(mark, x, 132, style)]]).slice(1);
    const items = ['- Oil from the shop', '- Oil from the shop'];
    expect(outlineOfItems('r', 70, { size: 7 })).toEqual(items);
    expect(outlineOfItems('¦', 74, {})).toEqual(items);
    expect(outlineOfItems('r', 70, {})).not.toEqual(items);
  });

  it('a next line of the sentence, set lower → the same item', () => {
    const words = [
      ...body(60),
      ...setLine('•', 60, 120),
      ...setLine('The oil is bought in town and is carried up to the lamp by the one', 70, 120),
      ...setLines(['who keeps it, before the night', 'comes.'], 70, 137),
    ];
    expect(outlineOf([words])[1]).toBe(
      '- The oil is bought in town and is carried up to the lamp by the one who keeps it, before the night comes.',
    );
  });

  it('a line left of the items, with room for it above → the list ends', () => {
    const items = (y: number) =>
      ['Oil', 'Wicks'].flatMap((text, index) => [
        ...setLine('•', 60, y + index * 14),
        ...setLine(text, 74, y + index * 14),
      ]);
    const words = [
      ...body(60),
      ...setLine('To light:', 60, 100),
      ...items(114),
      ...setLine('To write:', 60, 142),
      ...items(156),
    ];
    expect(outlineOf([words])).toEqual([
      BODY_TEXT,
      'p To light:',
      '- Oil',
      '- Wicks',
      'p To write:',
      '- Oil',
      '- Wicks',
    ]);
  });

  it('a line left of the item, within its sentence → the same item', () => {
    const setItem = (first: string, second: string) => [
      ...body(60),
      ...setLine(`1. ${first}`, 78, 100),
      ...setLine(second, 60, 112),
    ];
    for (const [first, second] of [
      ['Be sure to know the oil, the lamp', 'and the wick.'],
      ['Be sure to know the oil,', 'Wicks, and lamps.'],
    ] as const)
      expect(outlineOf([setItem(first, second)])).toEqual([BODY_TEXT, `1. ${first} ${second}`]);
  });

  it('a dash below a full line → the same item; below a short one, or before a quote or bracket → an item', () => {
    const item = (text: string[], y: number) => [...setLine('•', 60, y), ...setLines(text, 72, y)];
    const first = [
      'Whoever keeps the lamp does not list all the oils of the world',
      '- he tells which to burn, and when.',
    ];
    expect(outlineOf([item(first, 100)])).toEqual([`- ${first.join(' ')}`]);
    const parts = ['Oil to light the lamps', '– oil of olives', '– oil of whales'];
    expect(outlineOf([item(parts, 100)])).toEqual([
      ...['- Oil to light the lamps', '  - oil of olives', '  - oil of whales'],
    ]);
    const quoted = ['“Oil” for the lamp', '{wick} for the lamp'].flatMap((text, index) =>
      setLine(`– ${text}`, 60, 100 + index * 12),
    );
    expect(outlineOf([quoted])).toEqual(['- “Oil” for the lamp', '- {wick} for the lamp']);
  });

  it('a pair of dashes, a section or a number in brackets where a sentence runs over from a full line → no item', () => {
    const pair = [
      'Whoever keeps the lamp does not list all the oils of the world',
      '– he tells which – to burn, and when.',
    ];
    expect(outlineOf([setLines(pair, 60, 100)])).toEqual([`p ${pair.join(' ')}`]);
    const above = 'Whoever keeps the lamp does not list all oils of the world, as';
    const section = [
      ...setLine(above, 60, 100),
      ...setLine('§', 60, 112),
      ...setLine('14 says to light it, and when.', 74, 112),
    ];
    expect(outlineOf([section])).toEqual([`p ${above} § 14 says to light it, and when.`]);
    const item = (first: string, second: string) => [
      ...setLine('1)', 60, 100),
      ...setLines([first, second, 'oil is bought.'], 80, 100),
    ];
    const full = 'Whoever keeps the lamp is paid for it in the course of three';
    const rest = '(3) years after the';
    expect(outlineOf([item(full, rest)])).toEqual([`1. ${full} ${rest} oil is bought.`]);
    expect(outlineOf([item(`${full}:`, '(3) years after')])).toHaveLength(2);
  });

  it('a number in brackets at the top of the next page, within a sentence → the same paragraph', () => {
    const first = setLines(['Whoever keeps the lamp does not list', 'all the oils of the world, as keeper'], 60, 700);
    const pageWith = (text: string) => setLines([text, 'of lamps in the world.'], 60, 60);
    const [, second] = readPages([first, pageWith('[8] says who made a list')]);
    expect(second?.blocks).toMatchObject([{ kind: 'paragraph', continues: true }]);
    const [, other] = readPages([first, pageWith('[8] The list of oils')]);
    expect(other?.blocks).toMatchObject([{ kind: 'list-item' }]);
  });

  it.each(['-', '\u2010', '\u2012', '\u2013', '\u2014', '\u2015', '*', '·'])(
    'lines that begin with "%s" and a space → items',
    (sign) => {
      const items = ['Oil', 'Wicks', 'Glass'].flatMap((text, index) =>
        setLine(`${sign} ${text}`, 60, 150 + index * 12),
      );
      expect(outlineOf([[...body(100), ...items]])).toEqual([BODY_TEXT, '- Oil', '- Wicks', '- Glass']);
    },
  );

  it('bold first words, dashes of any width as bullets → items', () => {
    const items = ['‒', '―'].flatMap((dash, index) => [
      ...setLine(dash, 60, 100 + index * 24),
      ...setLine('Keepers of lamps by the sea,', 75, 100 + index * 24, { bold: true }),
      ...setLine('who keep them lit', 75, 112 + index * 24),
    ]);
    const item = 'Keepers of lamps by the sea, who keep them lit';
    expect(outlineOf([[...items, ...body(170)]])).toEqual([`- ${item}`, `- ${item}`, BODY_TEXT]);
  });

  it('a full line continued in bold → one item; a sentence that has ended → not', () => {
    const first = setLine('1. The lamp is lit at dusk and put out at dawn, and', 60, 100);
    const second = setLine('the wick is trimmed before that, which', 72.5, 112, { bold: true });
    const last = setLine('the book tells.', 72.5, 124);
    expect(outlineOf([[...first, ...second, ...last]])).toHaveLength(1);
    const ended = setLine('1. The lamp is lit at dusk, put out at dawn, cleaned.', 60, 100);
    expect(outlineOf([[...ended, ...second, ...last]]).length).toBeGreaterThan(1);
  });

  it('an item and a paragraph, only the first line of each indented → two blocks', () => {
    const words = [
      ...setLine('7. The keeper of the lamp was not asked about any of it, and', 90, 100),
      ...setLine('nobody else was there who could have seen it, so that all of it is.', 60, 112),
      ...setLine('13.3 So much is agreed on, and is now the law of all the islands', 90, 124),
      ...setLine('in the north and of those that lie beyond them.', 60, 136),
    ];
    expect(outlineOf([words])[1]).toMatch(/^p 13.3 So much .* beyond them\.$/);
  });

  it('wide space within a line of an item → one item', () => {
    const words = [
      ...setLine('• The lamp is lit at dusk and put out at dawn, and whoever keeps', 60, 100),
      ...setLine('it writes down that it burned', 70, 112),
      ...setLine('oil at ten drams an hour, as it', 222, 112),
      ...setLine('does in all nights of the year.', 70, 124),
    ];
    const [item, other] = outlineOf([words]);
    expect(item).toMatch(/^- The lamp .* drams an hour, as it does in all/);
    expect(other).toBeUndefined();
  });

  it('lines of a sentence that begin with "[18]" or a dot → no items', () => {
    const words = setLines(
      [
        'of storms in the north there are the stories that are told by Aron et al.',
        '[18] and by others, who have seen none of the fires themselves · the lamps',
        '· and the wicks have each a book of their own.',
      ],
      60,
      220,
    );
    expect(outlineOf([[...body(180), ...words]]).every((line) => line.startsWith('p '))).toBe(true);
  });

  it('lines whose numbers of several parts follow each other → a line each, also where one wraps', () => {
    const entries = [
      '1.1 Rivers and becks 4',
      '1.2 The old roads, and all that has been',
      'left of them 19',
      '1.3 Tithes 33',
    ];
    const lines = outlineOf([[...setLines(entries, 60, 120), ...body(200)]]);
    expect(lines.slice(0, 3)).toEqual([`p ${entries[0]}`, `p ${entries[1]} ${entries[2]}`, `p ${entries[3]}`]);
    const apart = ['1.1 Rivers and becks that', '4.7 of the lamps have seen in'];
    expect(outlineOf([[...setLines(apart, 60, 120), ...body(200)]])[0]).toBe(`p ${apart.join(' ')}`);
  });

  it('a line that begins with the end of a time, below a first line set in → no item', () => {
    const words = [
      ...setLine('The sun rises at seven hours and it sets today at nineteen and', 75, 120),
      ...setLines(['14. The moon is in its last quarter, and it will be seen there until', 'it is day.'], 60, 132),
    ];
    const lines = outlineOf([[...body(80), ...words]]);
    expect(lines.at(-1)).toMatch(/^p The sun .* and 14\. The moon .* day\.$/);
  });

  it('lines of a sentence that begin with "2." or "p. 9" → no items', () => {
    const words = setLines(
      [
        'the great storm, as is told, was in the first winter of 1999 or',
        '2. of March in the year after it, p. 7 of the book, and on',
        'p. 9 there is another, which nobody believes.',
      ],
      60,
      120,
    );
    expect(outlineOf([[...body(80), ...words]]).every((line) => line.startsWith('p '))).toBe(true);
  });
});

const markdownOf = (pages: RawWord[][], drawn: Drawn = {}) =>
  renderMarkdown(documentOf(readPages(pages, [600, 800], drawn)));

describe('paragraphs', () => {
  const column = [
    'it was the third night of the gale and',
    'the keeper had not slept for two of',
    'them, when a knock came at the door,',
  ];
  const rest = [
    'which nobody could have reached but',
    'by swimming. He opened it all the',
    'same, since it was his duty to.',
  ];
  const long = [
    'The book says nothing about who it was; the next entry is in',
    'another hand, and speaks of oil. So much is known, and no more.',
  ];

  it('a caption, a note or a table between the parts of a sentence → one paragraph, and then these', () => {
    const [caption, note] = [
      'Table 1. The nights of the gale, and who kept the lamp',
      'He kept it for nine years, as is said.',
    ];
    const parted = markdownOf([
      [
        ...setLines(column, 60, 100),
        ...setLine(caption, 60, 150),
        ...setLine(note, 60, 166, { size: 8 }),
        ...setLines(rest, 60, 190),
      ],
    ]);
    expect(parted).toBe(`${[...column, ...rest].join(' ')}\n\n${caption}\n\n${note}`);
    const split = [...column.slice(0, 2), 'them, when a knock was heard at light-'];
    const joined = markdownOf([
      [
        ...setLines(split, 60, 100),
        ...setLine(note, 60, 150, { size: 8 }),
        ...setLines(['house doors, which nobody could reach', ...rest.slice(1)], 320, 100),
      ],
    ]);
    expect(joined).toContain('was heard at lighthouse doors, which');
    const notes = [
      ['the keepers of such lamps are paid', 'by the harbour that they serve, and'],
      ['by the town, if it has any money.'],
    ];
    const both = markdownOf([
      [
        ...setLines(split, 60, 100),
        ...setLines(notes[0] ?? [], 60, 150, 10, { size: 8 }),
        ...setLines(notes[1] ?? [], 320, 100, 10, { size: 8 }),
        ...setLines(['house doors, which nobody could reach', ...rest.slice(1)], 320, 130),
      ],
    ]);
    expect(both).toContain('was heard at lighthouse doors, which');
    expect(both).toContain(notes.flat().join(' '));
    const second = ['Table 2. The nights of the gale, and who', 'kept the lamp of the two of them, Tom'];
    const captioned = markdownOf([
      [...setLines(column, 60, 100), ...setLines(second, 320, 100), ...setLines(['Nobody', ...rest], 320, 140)],
    ]);
    expect(captioned).toContain(`${column.join(' ')}\n\n${second.join(' ')}\n\nNobody`);
    // A sentence that ends goes on in none.
    const ended = [...column.slice(0, 2), 'them, when a knock came at the doors.'];
    expect(
      markdownOf([[...setLines(ended, 60, 100), ...setLine(caption, 60, 150), ...setLines(rest, 60, 190)]]),
    ).toContain(`${caption}\n\nwhich nobody`);
  });

  it('a sentence at the end of a column → continues in the next one', () => {
    const words = [...setLines(column, 50, 100), ...setLines(rest, 320, 100)];
    expect(outlineOf([words])).toEqual([`p ${[...column, ...rest].join(' ')}`]);
  });

  it('a sentence that ends with the page, a small letter on the next → two paragraphs', () => {
    const [first, second] = [
      setLines(BODY, 60, 640),
      setLines(['de Vries keeps the second lamp of the two.'], 60, 100),
    ];
    expect(outlineOf([first, second])).toEqual([BODY_TEXT, 'p de Vries keeps the second lamp of the two.']);
  });

  /** Words that are turned to the left, one above another. */
  const stamp = (text: string, x = 20): RawWord[] =>
    text.split(' ').map((word, index) => ({
      ...{ text: word, x0: x, x1: x + 10, y0: 300 - index * 60, y1: 355 - index * 60 },
      ...{ originX: x + 8, originY: 355 - index * 60 },
      ...{ fontSize: 10, bold: false, italic: false, angle: 270 },
    }));

  it('a stamp beside all of a page of text → a footer; within the text, beside another one or few lines → text', () => {
    const lines = setLines(Array.from({ length: 8 }, () => BODY).flat(), 60, 60);
    expect(outlineOf([[...lines, ...stamp('Archive of lamps')]]).join()).not.toContain('Archive');
    for (const words of [
      [...lines, ...stamp('Archive of lamps', 70)],
      [...lines, ...stamp('Archive of lamps'), ...stamp('Lent to readers', 570)],
      [...body(60), ...stamp('Archive of lamps')],
    ])
      expect(outlineOf([words]).join()).toContain('Archive');
  });

  it('a sentence over a page break beside a stamp → one paragraph; the stamp on both pages → no text', () => {
    const [first, second] = [setLines(column, 60, 640), setLines(rest, 60, 100)];
    const text = `p ${[...column, ...rest].join(' ')}`;
    expect(outlineOf([[...first, ...stamp('Archive of lamps')], second])).toEqual([text, 'p Archive of lamps']);
    expect(outlineOf([first, second].map((words) => [...words, ...stamp('Archive of lamps')]))).toEqual([text]);
  });

  it('a sentence over a page break, past footer and note → one paragraph', () => {
    const first = [
      ...setLines(column, 60, 640),
      ...setLine('1', 223, 660.5, { size: 6 }),
      ...setLine('1', 60, 701, { size: 5 }),
      ...setLine('Or so he says.', 66, 704, { size: 8 }),
      ...setLine('17', 300, 780),
    ];
    const second = [
      ...setLines([...rest, 'The book says nothing about who it', 'was.'], 60, 100),
      ...setLine('18', 300, 780),
    ];
    const [paragraph, note, ...others] = outlineOf([first, second]);
    expect(paragraph).toContain('came at the door, which nobody could');
    expect(note).toBe('note 1 Or so he says.');
    expect(others).toEqual([]);
  });

  it('a line with room for the next word → ends its paragraph; before a long word → does not', () => {
    const lines = [...BODY, 'Nobody else does.', ...BODY, ...BODY];
    expect(outlineOf([setLines(lines, 60, 100)])).toEqual([
      `p ${[...BODY, 'Nobody else does.'].join(' ')}`,
      `p ${[...BODY, ...BODY].join(' ')}`,
    ]);
    // A ragged line is short because the next word had no room in it.
    const ragged = [
      ...BODY,
      'says the book of the night, which was as',
      'incontrovertibly-and-altogether-black-as-pitch-or-oil as any other,',
      ...BODY,
    ];
    expect(outlineOf([setLines(ragged, 60, 100)])).toHaveLength(1);
  });

  it('double spacing → whole paragraphs, and a whole item with an indented first line', () => {
    const wide = [
      'The keeper of the lamp has not been asked about any of this, and',
      'nobody else was there who could have seen it, so that the court',
      'has to take the book for what it says and the lamp for its own',
      'light. So much is agreed on.',
    ];
    const words = [
      ...setLine('1. The keeper of the lamp was not asked about any of it, and', 90, 100),
      ...setLines(wide.slice(1), 60, 127, 27),
      ...setLines(wide, 60, 208, 27),
      ...setLines(wide, 60, 316, 27),
    ];
    const [item, ...others] = outlineOf([words]);
    expect(item).toContain('any of it, and nobody else was there who could have seen it, so that');
    expect(others).toEqual([`p ${wide.join(' ')}`, `p ${wide.join(' ')}`]);
  });

  it('a sentence over lines as far apart as in double spacing, among others set close → whole', () => {
    const wide = [BODY[0] ?? '', 'writes all of it down in the book, and that the book is kept and'];
    const words = [...body(60), ...setLines(wide, 60, 110, 26), ...body(170), ...body(200)];
    expect(outlineOf([words])).toContain(`p ${wide.join(' ')}`);
    const capital = [BODY[0] ?? '', 'Writes all of it down in the book, and that the book is kept and'];
    const apart = [...body(60), ...setLines(capital, 60, 110, 26), ...body(170), ...body(200)];
    expect(outlineOf([apart])).toContain(`p ${capital[1]}`);
  });

  it('three lines far from each other on a page → a paragraph each; a sentence over them → one', () => {
    const notes = ['Mend the crane by Monday', 'Paint the shed', 'Order oil'];
    expect(outlineOf([setLines(notes, 60, 100, 21)])).toEqual(notes.map((note) => `p ${note}`));
    const [first = '', second = ''] = BODY;
    expect(outlineOf([setLines([first, second], 60, 100, 21)])).toEqual([BODY_TEXT]);
  });

  it('a letter of short paragraphs under an address → a paragraph each; one that runs over a line → whole', () => {
    const address = ['Ann Keeper', '1 Lamp Street', 'Rockhaven'];
    const short = [
      'May 5, 1912',
      'Dear Mr Worm,',
      'thank you for the oil.',
      'We light the lamp at dusk.',
      'Yours, Ann',
    ];
    const letter = [...setLines(address, 60, 100), ...setLines(short, 60, 145, 21)];
    const told = short.map((line) => `p ${line}`);
    expect(outlineOf([letter])).toEqual([`p ${address.join(' ')}`, ...told]);
    const [whole, ...others] = outlineOf([
      [...setLines(BODY, 60, 100), ...setLines(short, 60, 121 + (BODY.length - 1) * 12, 21)],
    ]);
    expect(whole).toBe(BODY_TEXT);
    expect(others).toEqual(told);
  });

  it('two amounts that leaders lead to, far from each other → a line each', () => {
    const entries = ['of the lamp', 'of the wicks'].map(
      (title, index) => `${title} ${'.'.repeat(80 - title.length)} ${index + 2}`,
    );
    expect(outlineOf([setLines(entries, 60, 100, 20)])).toEqual(entries.map((entry) => `p ${entry}`));
  });

  it('a name below wider space, without room for it above → not joined to the text above', () => {
    const text = [
      'Says whether the keeper of the lamp is to be asked about any of this,',
      'and nobody else who was there, so that the court has to take its word.',
    ];
    const names = ['keeperIsAskedAbout', 'courtTakesTheWord', 'nobodyElseWasThere', 'lampIsItsOwnLight'];
    const words = names.flatMap((name, index) => [
      ...setLine(name, 60, 100 + index * 41),
      ...setLines(text, 80, 112 + index * 41),
    ]);
    expect(outlineOf([words]).filter((line) => names.some((name) => line.includes(`word. ${name}`)))).toEqual([]);
  });

  it('numbers of lines in the margin → left out; numbers of the rows of a table → kept', () => {
    const lines = [
      'The keeper of the lamp has not been asked about any of this, and',
      'nobody else was there who could have seen it, so that the court',
      'has to take the book for what it says and the lamp for its own',
    ];
    const counted = (y: number) =>
      Array.from({ length: 12 }, (_, index) => setLine(`${index + 1}`, 40, y + index * 24));
    const text = [0, 1, 2, 3].flatMap((index) => setLines(lines, 72, 100 + index * 72, 24));
    expect(outlineOf([[...counted(100).flat(), ...text]])).toEqual([
      `p ${[...lines, ...lines, ...lines, ...lines].join(' ')}`,
    ]);
    const rows = counted(100).flatMap((number, index) => [
      ...number,
      ...setLine(`Lamp of the ${index}th house`, 72, 100 + index * 24),
      ...setLine(`${index * 7}.50`, 300, 100 + index * 24),
    ]);
    expect(renderMarkdown(documentOf(readPages([rows])))).toContain('| 12 | Lamp of the 11th house | 77.50 |');
  });

  it('a list of works with hanging lines → one paragraph for each work', () => {
    const works = [
      ['Keeper, A. (1901). On the lighting of lamps at dusk, and on their oil. London: Rock', 'and Sons. The first of'],
      ['Lamp, W. (1902). A book of nights, in which is written who passed by, and what the', 'night was like.'],
      ['Wick, O. (1903). Oil. London: Rock and Sons.'],
      ['Worm, G. (1904). What glows in the dark: a history of lamps that nobody lit, and of', 'those who saw them.'],
    ];
    let y = 80;
    const words = works.flatMap(([first = '', ...rest]) => {
      y += 12 * (rest.length + 1);
      return [...setLine(first, 60, y - 12 * rest.length), ...rest.flatMap((line) => setLine(line, 85, y))];
    });
    expect(outlineOf([words])).toEqual(works.map((lines) => `p ${lines.join(' ')}`));
  });

  it('answers with room in the line before → one paragraph each; a narrow column → one paragraph', () => {
    const answers = ['Very often', 'Now and then', 'Never'];
    const question = setLine('How often is the lamp lit?', 60, 148);
    const set = [...body(100), ...question, ...setLines(answers, 60, 160), ...body(220)];
    expect(outlineOf([set])).toEqual([
      `p ${BODY.join(' ')}`,
      ...['How often is the lamp lit?', ...answers].map((line) => `p ${line}`),
      `p ${BODY.join(' ')}`,
    ]);
    // A line of a narrow column has no room for the next word.
    const narrow = ['The lamp is lit', 'at dusk and put', 'out at dawn.'];
    expect(outlineOf([[...body(100), ...setLines(narrow, 60, 160), ...body(220)]])[1]).toBe(`p ${narrow.join(' ')}`);
  });

  it('a receipt → a paragraph ends where the next word had room; narrower text → one paragraph', () => {
    const receipt = [
      'Lamp oil, clear, one gallon AB-5521 2 x',
      'Member discount 2.50',
      '36.97',
      'Wick, round, twelve inches AB-8834 1 x',
      '9.99',
      'Chimney glass for a table lamp AB-4021',
      'reduced 14.00',
      'Subtotal 60.96',
      'Paid in cash',
    ];
    expect(outlineOf([setLines(receipt, 60, 160)])).toEqual([
      ...['p Lamp oil, clear, one gallon AB-5521 2 x Member discount 2.50', 'p 36.97'],
      ...['p Wick, round, twelve inches AB-8834 1 x 9.99', 'p Chimney glass for a table lamp AB-4021 reduced 14.00'],
      ...['p Subtotal 60.96', 'p Paid in cash'],
    ]);
    // Text that is set narrower than the text above it continues within its sentences.
    const narrow = [
      'The lamp is lit at dusk',
      'and put out when dawn',
      'comes. Whoever keeps it',
      'writes in the book.',
    ];
    expect(outlineOf([[...body(100), ...setLines(narrow, 60, 160)]])[1]).toBe(`p ${narrow.join(' ')}`);
  });

  it('rows with the same words and other figures, however long → one paragraph each; a list in a sentence → one', () => {
    const rows = [
      '00001 05.10.2026 Payment to the keeper 2033 262.15 EUR',
      '00002 16.08.2026 Payment to the keeper 8737 668.48 EUR',
      '00003 26.04.2026 Payment to the keeper 2537 500.03 EUR',
    ];
    expect(outlineOf([setLines(rows, 60, 100)])).toEqual(rows.map((row) => `p ${row}`));
    const numbers = ['lamps 1023, 1024, 1025, 1026, 1027, 1028,', 'lamps 1032, 1033, 1034, 1035, 1036, 1037,'];
    expect(outlineOf([setLines(numbers, 60, 100)])).toEqual([`p ${numbers.join(' ')}`]);
  });

  it('a narrow column between wider text, its lines beginning with names → one paragraph', () => {
    const caption = ['The lamp of', 'Aron, Keeper', 'Of the Lamp,', 'as seen in', 'March when', 'the oil is in.'];
    expect(outlineOf([[...body(100), ...setLines(caption, 60, 160), ...body(280)]])[1]).toBe(`p ${caption.join(' ')}`);
  });

  it('a full line, then one mostly in the smaller type of code → one paragraph; all in it → two', () => {
    const full = BODY.slice(0, 1).flatMap((line) => setLine(line, 60, 100));
    const right = Math.max(...full.map(({ x1 }) => x1));
    const address = setLine('example.org/lamps/keepers/books', 60, 112, { size: 8, monospaced: true });
    const rest = setLine('is it', Math.max(...address.map(({ x1 }) => x1)) + 3, 112);
    const read = (words: RawWord[]) => outline(renderMarkdown(documentOf(readPages([words]))));
    expect(read([...full, ...address, ...rest])).toHaveLength(1);
    // A line with room left ends its paragraph, and a line all in another size begins one.
    const short = full.filter(({ x1 }) => x1 < right - 160);
    expect(
      read([...full.map((word) => ({ ...word, originY: 88, y0: 80, y1: 90 })), ...short, ...address, ...rest]),
    ).toHaveLength(2);
    expect(read([...full, ...address])).toHaveLength(2);
  });

  it('bold words over the end of a line → one paragraph, marked once', () => {
    const lines = [
      ...setLine('The keeper climbs the stairs each evening and lights the', 60, 100),
      ...setLine('lamp', 320, 100, { bold: true }),
      ...setLine('with care before the sun has gone down behind the far islands', 60, 112, { bold: true }),
      ...setLine('and nobody else may touch it until the morning has come.', 60, 124),
    ];
    expect(renderMarkdown(documentOf([readPage(lines)]))).toBe(
      'The keeper climbs the stairs each evening and lights the **lamp with care before the sun has gone down behind the far islands** and nobody else may touch it until the morning has come.',
    );
  });

  it('Japanese over the end of a line or stretched → no spaces; Korean → a space', () => {
    const lines = [
      ...setLine('燈台守は毎晩階段を 上って、', 60, 100, { size: 12 }),
      ...setLine('夜通し火を見守る。 Lamp', 60, 114, { size: 12 }),
      ...setLine('등대지기는 계단을', 60, 150, { size: 12 }),
      ...setLine('올라갑니다', 60, 164, { size: 12 }),
    ];
    expect(renderMarkdown(documentOf([readPage(lines)]))).toBe(
      '燈台守は毎晩階段を上って、夜通し火を見守る。 Lamp\n\n등대지기는 계단을 올라갑니다',
    );
  });

  it('few words spread over the full width → a line of the item, no cells', () => {
    const spread = (text: string, y: number) => {
      const words = text.split(' ');
      const gap = (410 - 5 * words.join('').length) / (words.length - 1);
      let x = 100;
      return words.flatMap((word) => {
        const set = setLine(word, x, y);
        x += word.length * 5 + gap;
        return set;
      });
    };
    const item = (y: number, lines: string[]) => [
      ...setLine('•', 80, y),
      ...lines.flatMap((line, index) => spread(line, y + index * 12)),
      ...setLine('to the end', 100, y + lines.length * 12),
    ];
    const first = ['The keeper of the lamp goes', 'up the stairs at dusk'];
    const second = ['A boat comes by in spring', 'with seventeen bottles of oil'];
    expect(outlineOf([[...body(100), ...item(140, first), ...item(180, second)]])).toEqual([
      BODY_TEXT,
      `- ${first.join(' ')} to the end`,
      `- ${second.join(' ')} to the end`,
    ]);
  });

  it('lines that end in line at the right and begin anywhere → one paragraph', () => {
    const lines = [
      'The lamp is lit at dusk and put out at dawn, and the one',
      'who keeps it writes down in the book of the house',
      'what the night was like and who has passed by the lamp house',
    ];
    const words = lines.flatMap((line) => {
      const set = setLine(line, 0, 0);
      return setLine(line, 400 - (set.at(-1)?.x1 ?? 0), 300 + lines.indexOf(line) * 12);
    });
    expect(outlineOf([words])).toEqual([`p ${lines.join(' ')}`]);
  });

  it('a sentence that ends with the page → a new paragraph on the next one', () => {
    expect(outlineOf([setLines(long, 60, 640), setLines(BODY, 60, 100)])).toHaveLength(2);
  });

  it('hyphens at the ends of lines → whole words, compounds with their hyphens', () => {
    const lines = [
      'The light-',
      'house, the first-',
      'built and a well-',
      'known one, stands on the Anglo-',
      'Norman rock, by a sea-',
      'mark. The seamark and the light-',
      'ship are new; the light-ship is red.',
    ];
    expect(outlineOf([setLines(lines, 60, 100)])).toEqual([
      'p The lighthouse, the first-built and a well-known one, stands on the Anglo-Norman rock, by a seamark. The seamark and the light-ship are new; the light-ship is red.',
    ]);
  });

  it('a word divided within a compound, whole elsewhere in the document → whole', () => {
    const lines = ['The users are many, and end-us-', 'ers are all of them, state-of-', 'the-art lamps or not.'];
    expect(outlineOf([setLines(lines, 60, 100)])).toEqual([
      'p The users are many, and end-users are all of them, state-of-the-art lamps or not.',
    ]);
  });

  it('a compound of three parts divided after the first → its hyphen; other words before a hyphen → whole', () => {
    const lines = ['A bag-', 'of-words model, made just-', 'in-time by the key-', 'board-driven lamp of the house.'];
    expect(outlineOf([setLines(lines, 60, 100)])).toEqual([
      'p A bag-of-words model, made just-in-time by the keyboard-driven lamp of the house.',
    ]);
  });

  it('the compound whole elsewhere, its last part with a hyphen → whole', () => {
    const lines = ['Mounts with root-squashing, and root-squash-', 'ing mounts, never squash-ing ones, are', 'slow.'];
    expect(outlineOf([setLines(lines, 60, 100)])).toEqual([
      'p Mounts with root-squashing, and root-squashing mounts, never squash-ing ones, are slow.',
    ]);
  });

  it('hyphens that a browser sets where lines end, beside typed ones → removed, also within compounds', () => {
    const read = (typed: string) =>
      outlineOf([
        setLines([`A long${typed}term co${typed}op\u2010`, 'eration of re\u2010', 'established lamps.'], 60, 100),
      ]);
    expect(read('-')).toEqual(['p A long-term co-operation of reestablished lamps.']);
    expect(read('\u2010')).toEqual(['p A long\u2010term co\u2010operation of reestablished lamps.']);
  });

  it('the tail of many compounds, or two words of the document in English → a compound; not after a prefix', () => {
    const lines = [
      'The readers of the sea find the memory-',
      'efficient lists and the pure-',
      'silica sand that the over-',
      'looked tides leave to the uncor-',
      'related shores; the silica is so pure that the pre-',
      'and post-war lists looked the same.',
    ];
    expect(outlineOf([setLines(lines, 60, 100)])).toEqual([
      'p The readers of the sea find the memory-efficient lists and the pure-silica sand that the overlooked tides leave to the uncorrelated shores; the silica is so pure that the pre- and post-war lists looked the same.',
    ]);
    expect(outlineOf([setLines(['Sable silica, un pure-', 'silica.'], 60, 100)])).toEqual([
      'p Sable silica, un puresilica.',
    ]);
  });

  it('two words of the document, the second of which ends other compounds → a compound', () => {
    const read = (compound: string) => {
      const lines = [
        `The ${compound} lamp is new, a rule for all lamps based on oil and a light-`,
        'house, an old lighthouse, is a rule-',
        'based one that shines page by page, so page-',
        'by-page, and is a cour-',
        'by-page one.',
      ];
      return outlineOf([setLines(lines, 60, 100)])[0];
    };
    expect(read('oil-based')).toMatch(/a rule-based one .* so page-by-page, and is a courby-page one/);
    expect(read('oily')).toMatch(/a rulebased one .* so page-by-page/);
  });

  it('a compound that shares its tail with the one behind "und" → its hyphen and a space', () => {
    const lines = ['Das ist die Wasser-', 'und Abwasserleitung, ein Haus mit Licht-', 'bogen.'];
    expect(outlineOf([setLines(lines, 60, 100)])).toEqual([
      'p Das ist die Wasser- und Abwasserleitung, ein Haus mit Lichtbogen.',
    ]);
  });

  const many = Array.from({ length: 55 }, () => BODY).flat();
  const breaks = ['Lamps that are slow-', 'burning are oil-', 'fed.'];

  it('a document that divides no words, an abbreviation → hyphens kept', () => {
    const lines = [
      ...many,
      'A lamp is GPU-',
      'driven.',
      'The rest is hand-',
      'made, as is what is hand-made.',
      ...breaks,
    ];
    const [text] = outlineOf([setLines(lines, 60, 20, 6.5, { size: 6 })]);
    expect(text).toContain('GPU-driven.');
    expect(text).toContain('hand-made, as is what is hand-made. Lamps that are slow-burning are oil-fed.');
  });

  it('a document that divides words, or many lines with hyphens → hyphens removed', () => {
    const parted = [...many, 'They are light-', 'houses, and lighthouses they are.', ...breaks];
    expect(outlineOf([setLines(parted, 60, 20, 6.5, { size: 6 })]).join(' ')).toContain('slowburning are oilfed');
    expect(outlineOf([setLines(breaks, 60, 60)]).join(' ')).toContain('slowburning are oilfed');
  });

  it('an abbreviation in a document that divides words → its hyphen kept', () => {
    const lines = ['They are light-', 'houses, and lighthouses they are.', 'This lamp is GPU-', 'driven.'];
    expect(outlineOf([setLines(lines, 60, 60)]).join(' ')).toMatch(/They are lighthouses.*GPU-driven\.$/);
  });

  it('addresses over the end of a line → whole', () => {
    const words = [
      ...setLines(['It is all at https://', 'lamps.example/oil and in other', 'places, as the lamps/'], 60, 60),
      ...setLine('oil/wicks).', 60, 96),
    ];
    const link = { url: 'https://lamps.example/lamps/oil/wicks', x0: 60, x1: 400, y0: 80, y1: 99 };
    const [text] = outlineOf([words], {
      links: [
        { ...link, x0: 110, y1: 88 },
        { ...link, y0: 89 },
      ],
    });
    expect(text).toContain('https://lamps.example/oil and');
    expect(text).toContain('lamps/oil/wicks');
  });

  it('hyphens of addresses at the ends of lines → kept', () => {
    const lines = ['Write to us at lamps@dark-', 'tower.example or look at www.dark-', 'tower.example for more wicks.'];
    expect(outlineOf([setLines(lines, 60, 100)])).toEqual([
      'p Write to us at lamps@dark-tower.example or look at www.dark-tower.example for more wicks.',
    ]);
  });

  it('hyphens of numbers, and of names with figures, at the ends of lines → kept', () => {
    const lines = ['The lamp 49e1b7-', 'd2ae-407f-', 'a055 has a 12-', 'inch glass, and 3-', 'to 4-', 'inch wicks.'];
    expect(outlineOf([setLines(lines, 60, 100)])).toEqual([
      'p The lamp 49e1b7-d2ae-407f-a055 has a 12-inch glass, and 3- to 4-inch wicks.',
    ]);
  });
});

describe('emphasis and links', () => {
  it('bold and italic words → marked, as far as they run', () => {
    const words = setLine('all of this is very loud and rather soft (thrice), you see', 60, 100).map((word) => ({
      ...word,
      bold: ['very', 'loud', 'and', 'thrice'].includes(word.text) || word.text === '(thrice),',
      italic: ['and', 'rather', 'soft'].includes(word.text),
    }));
    const [paragraph] = parseGfm(markdownOf([[...words, ...body(130)]])).children;
    const marked =
      paragraph?.type === 'paragraph' ? paragraph.children.map((node) => `${node.type} ${plainText(node)}`) : [];
    expect(marked).toEqual([
      'text all of this is ',
      'strong very loud',
      'text  ',
      'emphasis and',
      'text  ',
      'emphasis rather soft',
      'text  ',
      'strong (thrice),',
      'text  you see',
    ]);
  });

  it('bold signs right beside plain words → not marked', () => {
    const words = setLine('written by Anna Arne and† , Britta Berg ( and others who were', 60, 100).map((word) => ({
      ...word,
      bold: ['Anna', 'Arne', ',', 'Britta', 'Berg', '('].includes(word.text),
      glued: [',', 'and'].includes(word.text),
    }));
    const [first = ''] = markdownOf([[...words, ...body(130)]]).split('\n\n');
    expect(first).toContain('**Anna Arne** and†, **Britta Berg** (and others who were');
  });

  it('a text all in bold → nothing marked', () => {
    expect(markdownOf([setLines(BODY, 60, 100, 12, { bold: true })])).toBe(BODY.join(' '));
  });

  it('a link over the end of a line → one link to its address', () => {
    const words = setLines(['read what the harbour', 'office says, or write'], 60, 100);
    const url = 'https://harbour.example/a_(b)?c=*d*';
    const links = [
      { x0: 115, y0: 90, x1: 200, y1: 104, url },
      { x0: 55, y0: 104, x1: 90, y1: 116, url },
    ];
    const [paragraph] = parseGfm(markdownOf([words], { links })).children;
    const link = paragraph?.type === 'paragraph' ? paragraph.children.find(({ type }) => type === 'link') : undefined;
    expect(link).toMatchObject({ url: 'https://harbour.example/a_%28b%29?c=*d*' });
    expect(link === undefined ? '' : plainText(link)).toBe('harbour office');
  });
});

describe('footnotes', () => {
  it('the same number on two pages → two notes, each linked from its raised number', () => {
    const page = (text: string) => [
      ...setLine('The oil is bought', 60, 600),
      ...setLine('1', 147, 596, { size: 6 }).map((word) => ({ ...word, glued: true })),
      ...setLine('in town.', 155, 600),
      ...setLine('1', 60, 698, { size: 5 }),
      ...setLine(text, 66, 700, { size: 8 }),
    ];
    const markdown = markdownOf([page('At the chandler, as a rule.'), page('Not any more.')]);
    expect(outline(markdown)).toEqual([
      'p The oil is bought in town.',
      'note 1 At the chandler, as a rule.',
      'p The oil is bought in town.',
      'note 1-2 Not any more.',
    ]);
    expect(markdown).toContain('bought[^1] in town');
    expect(markdown).toContain('bought[^1-2] in town');
  });

  const raised = (mark: string, x: number, y: number, glued: boolean) =>
    setLine(mark, x, y, { size: 6 }).map((word) => ({ ...word, glued }));
  const glue = (words: RawWord[]) => words.map((word, index) => (index === 0 ? { ...word, glued: true } : word));

  it('notes that hang under their first word, room in the line above or not → one block each', () => {
    const hang = ['The keepers, who', 'were asked in the spring of the year'];
    const words = [
      ...setLines(
        ['Nobody was asked again, and nobody said a word of it to', 'those who came later in the year.'],
        60,
        600,
      ),
      ...[1, 2].flatMap((mark) => [
        ...raised(String(mark), 60, 667 + mark * 30, false),
        ...setLines(hang, 68, 670 + mark * 30, 12, { size: 9 }),
      ]),
    ];
    expect(markdownOf([words]).split('\n\n').slice(1)).toEqual([1, 2].map((mark) => `${mark} ${hang.join(' ')}`));
  });

  it('a note as large as the text, its mark raised → a note', () => {
    const page = [
      ...setLine('Ada Keeper', 60, 600),
      ...raised('∗', 113, 596, true),
      ...raised('∗', 60, 696, false),
      ...glue(setLine('Of the lamp house.', 64, 700)),
    ];
    expect(markdownOf([page])).toBe('Ada Keeper[^note-1]\n\n[^note-1]: Of the lamp house.');
  });

  it('figures along an axis, lines of a program → no notes', () => {
    const text = [...setLine('Ada Keeper', 60, 200), ...raised('2', 113, 196, true)];
    const axis = setLine('2 4 6 8', 60, 600, { size: 8 });
    expect(markdownOf([[...text, ...axis]])).not.toContain('[^2]');
    const program = setLines(['2 lamp = light(oil);', '3 put_out(lamp);'], 60, 600, 10, { size: 8, monospaced: true });
    expect(markdownOf([[...text, ...body(240), ...program]])).not.toContain('[^2]');
  });

  it('notes side by side → one each', () => {
    const page = [
      ...[...setLine('Ada Keeper', 60, 600), ...raised('1', 113, 597, true)],
      ...[...setLine('and Grace Wick', 120, 600), ...raised('2', 193, 597, true)],
      ...[...raised('1', 60, 697, false), ...glue(setLine('Lamp house', 64, 700, { size: 8 }))],
      ...[...raised('2', 110, 697, false), ...glue(setLine('Oil store', 114, 700, { size: 8 }))],
    ];
    expect(markdownOf([page])).toBe('Ada Keeper[^1] and Grace Wick[^2]\n\n[^1]: Lamp house\n\n[^2]: Oil store');
  });
});

describe('figures', () => {
  it('pictures → one block where it stands, without text; page-wide and tiny ones → none', () => {
    const words = [...body(100), ...body(420)];
    const images = [
      { x0: 100, y0: 150, x1: 400, y1: 380 },
      { x0: 0, y0: 0, x1: 600, y1: 800 },
      { x0: 50, y0: 390, x1: 60, y1: 395 },
    ];
    const [page] = readPages([words], [600, 800], { images });
    expect(page?.blocks.map(({ kind, lines }) => [kind, lines.length])).toEqual([
      ['paragraph', 2],
      ['figure', 0],
      ['paragraph', 2],
    ]);
    expect(page?.blocks[1]?.box).toEqual([0.16667, 0.1875, 0.66667, 0.475]);
    expect(outlineOf([words], { images })).toEqual([BODY_TEXT, BODY_TEXT]);
  });
});
