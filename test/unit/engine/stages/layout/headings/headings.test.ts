import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { outline } from '../../../gfm.js';
import { documentOf, readPages, setLine, setLines } from '../../../set-words.js';

const BODY = [
  'The lamp is lit at dusk and put out at dawn, and whoever keeps it',
  'writes down in the book what the night was like and who passed by.',
];
const body = (y: number) => setLines(BODY, 60, y);
const BODY_TEXT = `p ${BODY.join(' ')}`;
const outlineOf = (...words: RawWord[][]) => outline(renderMarkdown(documentOf(readPages([words.flat()]))));
const headingsOf = (...words: RawWord[][]) => outlineOf(...words).filter((line) => /^h\d/.test(line));
const bold = { bold: true };

describe('titles of parts of a document', () => {
  it('numbered titles that follow each other, from any number → headings', () => {
    const part = (first: string, second: string) =>
      headingsOf(setLine(first, 60, 100), body(118), setLine(second, 60, 170), body(188));
    expect(part('8.5 Oil of rape', '8.6 Tallow')).toEqual(['h1 8.5 Oil of rape', 'h1 8.6 Tallow']);
    expect(part('8.5 Oil of rape', '9.9 Tallow')).toEqual([]);
    const long = '8.7 What whoever keeps a lamp in the north has to know of oil, of tallow and of the';
    const rest = 'wicks that are made of cotton or of rushes in these isles';
    const read = (type: { bold?: boolean }) =>
      headingsOf(setLine('8.6 Tallow', 60, 100, bold), body(118), setLines([long, rest], 60, 170, 12, type), body(206));
    expect(read(bold)).toEqual(['h1 8.6 Tallow', `h1 ${long} ${rest}`]);
    expect(read({})).toEqual(['h1 8.6 Tallow']);
    expect(part('III. OIL OF RAPE', 'IV. TALLOW')).toEqual(['h1 III. OIL OF RAPE', 'h1 IV. TALLOW']);
  });
});

describe('large or bold text that is no heading', () => {
  it('a caption whose number begins with the letters of its chapter → no heading', () => {
    const caption = setLine('Figure BR2. Lamps that burn oil', 60, 170, { size: 13, bold: true });
    expect(headingsOf(setLine('On Lamps', 60, 90, { size: 18 }), body(120), caption, body(200))).toEqual([
      'h1 On Lamps',
    ]);
  });

  it('an item with a bullet, and lines among such items → no heading', () => {
    const slide = ['• Oil from the shop', '1. Matches', '• A clean cloth'];
    const large = { size: 16 };
    const section = [...setLine('Afterwards', 60, 430, { size: 13 }), ...body(450)];
    const set = [setLine('What to bring', 60, 90, { size: 24 }), setLines(slide, 60, 130, 30, large), body(240)];
    expect(headingsOf(...set, setLine('• A wick', 60, 300, large), body(340), body(380), section)).toEqual([
      ...['h1 What to bring', 'h2 Afterwards'],
    ]);
  });

  it('a line of contents, an address, a caption, figures → no heading', () => {
    const lines = [
      'Diagnosis ............ 13',
      'https://example.org/lamps',
      'keeper@example.org',
      'Figure 3 Wicks',
      '17,81,841 kg',
    ];
    const set = lines.map((line, index) => [
      ...setLine(line, 60, 100 + index * 70, { size: 13, bold: true }),
      ...body(120 + index * 70),
    ]);
    expect(headingsOf(...set)).toEqual([]);
  });

  it('figures with a name → no heading, except the large number of an invoice', () => {
    const set = (text: string, size: number) => headingsOf(setLine(text, 60, 90, { size, bold: true }), body(120));
    expect(set('Lamp 2024-0815', 20)).toEqual(['h1 Lamp 2024-0815']);
    expect(set('Lamp 2024-0815', 11)).toEqual([]);
    expect(set('Lamp 2024-0815-2024', 20)).toEqual([]);
  });

  it('words before a sum of money in large type → no heading; before another number → a heading', () => {
    const set = (text: string) => headingsOf(setLine(text, 60, 90, { size: 18, bold: true }), body(120));
    for (const sum of ['Amount due 3.146,48 €', 'Total 63.11 EUR', 'Total due $45', 'Grand total 17,658.09'])
      expect(set(sum), sum).toEqual([]);
    for (const title of ['Exhibit 10.17', 'Release of 2026', 'Lamps of 1,200 candles'])
      expect(set(title), title).toEqual([`h1 ${title}`]);
  });

  it('a day, a telephone number or a note under a star in large type → no heading; several days → one each', () => {
    const set = (text: string) => headingsOf(setLine(text, 60, 90, { size: 18 }), body(120));
    for (const line of ['January 19, 2023', 'Monday, 5. December 2011', 'Phone: (425) 000-0000', '* without oil'])
      expect(set(line), line).toEqual([]);
    expect(set('The night of January 19, 2023')).toHaveLength(1);
    const days = ['September 3, 2025', 'September 4, 2025'].flatMap((day, index) => [
      ...setLine(day, 60, 90 + index * 80, { size: 18 }),
      ...body(120 + index * 80),
    ]);
    expect(headingsOf(days)).toEqual(['h1 September 3, 2025', 'h1 September 4, 2025']);
  });

  it('the bold end of a sentence, a keyword of code, a title that runs into its paragraph → no heading', () => {
    const end = [...body(60), ...setLine('of the lamps.', 60, 84, bold)];
    const code = [...body(120), ...setLine('RETURN WICK', 80, 144, { bold: true, monospaced: true }), ...body(170)];
    const runIn = [
      ...setLine('Where the oil for the lamps is bought', 60, 240, bold),
      ...setLine('In', 230, 240),
      ...setLines(BODY, 60, 252),
    ];
    expect(headingsOf(end, code, runIn)).toEqual([]);
  });

  it('the bold last line of a full paragraph, an option, a command → no heading', () => {
    const lines = [...BODY, 'as it is also called by those who have read the chapters about'];
    const end = [...setLines(lines, 60, 60), ...setLine('Oil of Lamps.', 60, 96, bold), ...body(120)];
    const option = [...setLine('--wick SIZE', 60, 170, bold), ...body(184)];
    const command = [...setLine('$ trim --both', 60, 230, bold), ...body(250)];
    expect(outlineOf(end, option, command)).toEqual([
      `p ${lines.join(' ')} Oil of Lamps.`,
      ...[BODY_TEXT, 'p --wick SIZE', BODY_TEXT, 'p $ trim --both', BODY_TEXT],
    ]);
  });

  it('short lines in the type of paragraphs → no heading', () => {
    const large = { size: 13 };
    const notice = [0, 1, 2].flatMap((index) => setLines([...BODY, ...BODY], 60, 100 + index * 90, 15, large));
    const small = Array.from({ length: 30 }, (_, index) => setLines(BODY, 60, 420 + index * 12, 6, { size: 5 })).flat();
    expect(headingsOf(notice, setLine('Nothing else is known', 60, 390, large), small)).toEqual([]);
  });

  it('authors and addresses above an abstract → no headings, unlike its own heading and the title', () => {
    const front = [
      ...setLine('On the Keeping of Lamps', 60, 80, { size: 20 }),
      ...setLine('Ada Keeper', 60, 110, { size: 13 }),
      ...setLine('Department of Lamps, University of Oil', 60, 126, { size: 12 }),
      ...setLine('Grace Wick', 330, 110, { size: 13 }),
    ];
    const rest = [
      ...setLine('ABSTRACT', 60, 160, { size: 12, bold: true }),
      ...body(180),
      ...setLine('1 The oil', 60, 230, { size: 12, bold: true }),
      ...body(250),
    ];
    expect(headingsOf(front, rest)).toEqual(['h1 On the Keeping of Lamps', 'h2 ABSTRACT', 'h2 1 The oil']);
    expect(headingsOf(setLine('LampLetters', 60, 40, { size: 26 }), front, rest)).toContain(
      'h2 On the Keeping of Lamps',
    );
  });

  it('a whole sentence → no heading', () => {
    const sentence = 'This is how the lamp is lit at dusk and put out at dawn.';
    const title = setLine('How the Lamp Is Lit', 60, 60, { size: 14 });
    expect(headingsOf(title, body(90), setLine(sentence, 60, 160, { size: 14 }), body(200))).toEqual([
      'h1 How the Lamp Is Lit',
    ]);
    expect(headingsOf(setLine('黄昏点灯，黎明熄灯。', 60, 60, { size: 14 }), body(90))).toEqual([]);
  });

  it('authors above an abstract that begins with its name → no heading', () => {
    const front = [...setLine('On Lamps', 60, 80, { size: 20 }), ...setLine('Ada Keeper', 60, 110, { size: 13 })];
    expect(headingsOf(front, setLine('Abstract—We kept lamps', 60, 160), body(220))).toEqual(['h1 On Lamps']);
  });

  it('a call alone in bold type → no heading', () => {
    expect(headingsOf(body(60), setLine('Light the lamps!', 60, 120, bold), body(150))).toEqual([]);
  });

  it('rows of a form, with blanks or row numbers → no headings', () => {
    const body = setLines(BODY, 50, 300);
    expect(headingsOf([...setLine('Name of the Court: ____________', 50, 100, { size: 14 }), ...body])).toEqual([]);
    expect(headingsOf([...setLine('17 C) exemptions', 50, 100, { size: 14 }), ...body])).toEqual([]);
    expect(headingsOf([...setLine('17 Exemptions', 50, 100, { size: 14 }), ...body])).toEqual(['h1 17 Exemptions']);
  });

  it('a label in larger type than its value → no heading', () => {
    const field = (style: object) => [
      ...setLine('Country:', 60, 100, { size: 11 }),
      ...setLine('Italy', 110, 100, style),
    ];
    expect(headingsOf(field({}), body(140))).toEqual([]);
    expect(headingsOf(field({ size: 11 }), body(140))).toEqual(['h1 Country: Italy']);
  });

  it('a line with the marks of several affiliations → no heading', () => {
    const names = [
      ...setLine('Ada Keeper', 60, 110, { size: 14 }),
      ...setLine('1', 133, 105, { size: 8 }),
      ...setLine('and Grace Wick', 140, 110, { size: 14 }),
      ...setLine('2', 242, 105, { size: 8 }),
    ];
    expect(headingsOf(setLine('Lamps', 60, 80, { size: 20 }), names, body(150))).toEqual(['h1 Lamps']);
  });
});

describe('the last of bold items', () => {
  it('the last bold item after one that is not all bold → no heading', () => {
    const items = [
      ...setLine('5. What', 60, 100),
      ...setLine('now', 97.5, 100, bold),
      ...setLine('6. Sources', 60, 116, bold),
    ];
    expect(headingsOf(items, body(140))).toEqual([]);
  });
});

describe('the level of a heading', () => {
  const chapter = (title: string) => [...setLine(title, 60, 100, { size: 18, bold: true }), ...body(130)];
  const levelsOf = (...pages: RawWord[][]) =>
    outline(renderMarkdown(documentOf(readPages(pages)))).filter((line) => /^h\d/.test(line));

  it('the title, though chapters are set larger → level 1', () => {
    const title = [...setLine('The Keeper', 200, 90, { size: 14 }), ...body(200)];
    expect(levelsOf(title, chapter('Wicks'), chapter('Oil'))).toEqual(['h1 The Keeper', 'h2 Wicks', 'h2 Oil']);
  });

  it('numbered and other titles of one type → one level', () => {
    const title = [...setLine('The Keeper', 60, 60, { size: 24 }), ...chapter('Abstract')];
    expect(levelsOf(title, chapter('1 Wicks'), chapter('2 Oil'), chapter('References'))).toEqual([
      ...['h1 The Keeper', 'h2 Abstract', 'h2 1 Wicks', 'h2 2 Oil', 'h2 References'],
    ]);
  });

  it('the same, hardly larger than the text → one level', () => {
    const chapter = (title: string) => [...setLine(title, 60, 120, { size: 11, bold: true }), ...body(160)];
    const title = [...setLine('The Keeper', 60, 60, { size: 24 }), ...chapter('Abstract')];
    expect(
      levelsOf(title, chapter('1 Wicks'), chapter('1.1 Long wicks'), chapter('2 Oil'), chapter('References')),
    ).toEqual([...['h1 The Keeper', 'h2 Abstract', 'h2 1 Wicks', 'h3 1.1 Long wicks', 'h2 2 Oil', 'h2 References']]);
  });
});

describe('a heading in large type', () => {
  it('three plain lines that begin level, each like a sentence → no heading; a title that wraps → one', () => {
    const certificates = ['2019 Chartered engineer', '2020 Confined spaces', '2023 First aid at work'];
    const title = ['Engineers who were chartered', 'in the years between 2019', 'and 2023'];
    const read = (lines: string[]) => headingsOf(setLines(lines, 60, 100, 15, { size: 12 }), body(170), body(230));
    expect(read(certificates)).toEqual([]);
    expect(read(title)).toEqual([`h1 ${title.join(' ')}`]);
  });

  it('large type over three lines → a heading; hardly larger type → none', () => {
    const lines = [
      'What the keeper of the lamp writes down',
      'in the book about the ships and the',
      'weather of a night',
    ];
    const title = (size: number) => setLines(lines, 60, 100, size * 1.2, { size });
    expect(headingsOf(title(12), body(180))).toEqual([`h1 ${lines.join(' ')}`]);
    expect(headingsOf(title(11.2), body(180))).toEqual([]);
  });
});

describe('headings in bold type', () => {
  const section = (title: string, y: number, style: object) => [...setLine(title, 60, y, style), ...body(y + 24)];

  it('bold titles, more than the text below them → headings', () => {
    const titles = ['A question of the wick and its length', 'Where the oil for the lamps is bought'];
    const notes = titles.map((title, index) => [
      ...setLine(title, 60, 100 + index * 60, bold),
      ...setLine('Nobody knows what it was.', 60, 118 + index * 60),
    ]);
    expect(headingsOf(...notes)).toEqual(titles.map((title) => `h1 ${title}`));
  });

  it('several bold lines smaller than the text → headings', () => {
    const small = { bold: true, size: 8.5 };
    const set = [section('Lamps', 60, { size: 20 }), section('The wick', 140, small), section('The oil', 220, small)];
    expect(headingsOf(...set)).toEqual(['h1 Lamps', 'h2 The wick', 'h2 The oil']);
    expect(headingsOf(section('The wick', 140, small))).toEqual([]);
    expect(headingsOf(section('The wick,', 140, small), section('Figure 1 Oil', 220, small))).toEqual([]);
  });

  it('a further one above few words, level with them → a heading', () => {
    const small = { bold: true, size: 8.5 };
    const set = [section('The wick', 60, small), section('The oil', 140, small)];
    const short = (x: number) => [...setLine('The glass', x, 230, small), ...setLine('Clean it.', x, 250)];
    expect(headingsOf(...set, short(60))).toEqual(['h1 The wick', 'h1 The oil', 'h1 The glass']);
    expect(headingsOf(...set, short(80))).toEqual(['h1 The wick', 'h1 The oil']);
  });

  it('further ones that begin elsewhere, above rules as they are → headings', () => {
    const small = { bold: true, size: 8.5 };
    const side = ['Glass', 'Matches', 'Rags'].flatMap((title, row) => [
      ...setLine(title, 200, 240 + row * 60, small),
      ...setLine('Clean.', 200, 264 + row * 60),
    ]);
    const words = [section('The wick', 60, small), section('The oil', 140, small), side].flat();
    const below = ({ originX, originY }: RawWord) => ({
      x0: originX,
      x1: originX + 160,
      y0: originY + 5,
      y1: originY + 5,
    });
    const rules = words.filter(({ bold: isBold, text }) => isBold && text !== 'wick' && text !== 'oil').map(below);
    const read = (drawn: { rules?: typeof rules }) =>
      outline(renderMarkdown(documentOf(readPages([words], [600, 800], drawn)))).filter((line) => /^h\d/.test(line));
    expect(read({ rules })).toEqual(['The wick', 'The oil', 'Glass', 'Matches', 'Rags'].map((title) => `h1 ${title}`));
    expect(read({})).toEqual(['h1 The wick', 'h1 The oil']);
  });

  it('bold type without two letters in a row → a heading', () => {
    expect(headingsOf(section('नोट्स', 140, bold))).toEqual(['h1 नोट्स']);
  });

  it('a keyword of code in small letters at the start → a heading', () => {
    const title = [
      ...setLine('let', 60, 100, { bold: true, monospaced: true }),
      ...setLine('Statements', 77.5, 100, bold),
    ];
    expect(headingsOf(title, body(118))).toEqual(['h1 let Statements']);
  });

  it('the number of the chapter above a bold title → one heading', () => {
    const title = [...setLine('Chapter 1', 60, 60, { size: 16 }), ...setLine('The Wick', 60, 100, { size: 22 })];
    expect(headingsOf(title, body(140))).toEqual(['h1 Chapter 1 The Wick']);
    const part = [...setLine('Part I', 60, 60, { size: 22 }), ...setLine('Chapter 1', 60, 100, { size: 16 })];
    expect(headingsOf(part, body(140))).toEqual(['h1 Part I', 'h2 Chapter 1']);
  });
});

describe('headings that only their place identifies', () => {
  it('several lines in italics over paragraphs → headings', () => {
    const section = (title: string, y: number) => [...setLine(title, 60, y, { italic: true }), ...body(y + 12)];
    expect(outlineOf(section('The cotton wick', 100), section('The woollen wick', 140))).toEqual([
      ...['h1 The cotton wick', BODY_TEXT, 'h1 The woollen wick', BODY_TEXT],
    ]);
    expect(headingsOf(section('The cotton wick', 100), body(140))).toEqual([]);
    expect(headingsOf(section('The wick is wet.', 100), section('So is the oil,', 140))).toEqual([]);
  });

  it('consecutive Roman numerals and letters, in any type → headings', () => {
    const middle = Math.max(...body(0).map(({ x1 }) => x1)) / 2 + 30;
    const title = (text: string, y: number, style = {}) => setLine(text, middle - text.length * 2.4, y, style);
    const section = (text: string, y: number, style = {}) => [...title(text, y, style), ...body(y + 18)];
    const paper = [
      section('I. INTRODUCTION', 100),
      section('II. What They Burn', 160),
      [...setLine('A. Oil of rape', 60, 220, { italic: true }), ...body(238)],
      [...setLine('B. Tallow (beef)', 60, 280, { italic: true }), ...body(298)],
      section('IV. RESULTS', 340, { size: 9 }),
      section('REFERENCES', 400, { size: 9 }),
    ];
    expect(headingsOf(...paper)).toEqual([
      ...['h1 I. INTRODUCTION', 'h1 II. What They Burn', 'h2 A. Oil of rape', 'h2 B. Tallow (beef)'],
      ...['h1 IV. RESULTS', 'h1 REFERENCES'],
    ]);
    // One number alone, numbers out of order, and lines like sentences are no headings.
    expect(headingsOf(section('I. INTRODUCTION', 100), section('REFERENCES', 160))).toEqual([]);
    expect(headingsOf(section('IX. RESULTS', 100), section('II. METHOD', 160))).toEqual([]);
    expect(
      headingsOf(
        [0, 1].flatMap((row) => [
          ...setLine(`${'I'.repeat(row + 1)}. Of wicks and oil`, 60, 100 + row * 60),
          ...body(118 + row * 60),
        ]),
      ),
    ).toEqual([]);
  });

  it('consecutive numbers of several parts in the type of the text → headings', () => {
    const centre = Math.max(...body(0).map(({ x1 }) => x1)) / 2 + 30;
    const paper = [
      [...setLine('1. Wicks', centre - 20, 100), ...body(118)],
      [...setLine('1.1. Of cotton', 60, 160), ...body(178)],
      [...setLine('1.2. Of reed', 60, 220), ...body(238)],
      [...setLine('2. Oils', centre - 18, 280), ...body(298)],
      [...setLine('2.1. Of rape', 60, 340), ...body(358)],
    ];
    expect(headingsOf(...paper)).toEqual([
      ...['h1 1. Wicks', 'h2 1.1. Of cotton', 'h2 1.2. Of reed', 'h1 2. Oils', 'h2 2.1. Of rape'],
    ]);
    // Entries of a list, sentences, and numbers out of order are no headings.
    const entries = ['1.1 Of cotton', '1.2 Of reed', '1.3 Of flax', '1.4 Of wool'];
    expect(headingsOf(...entries.map((entry, index) => setLine(entry, 60, 100 + index * 30)), body(220))).toEqual([]);
    const at = (lines: string[]) =>
      lines.flatMap((line, index) => [...setLine(line, 60, 100 + index * 60), ...body(118 + index * 60)]);
    expect(headingsOf(at(['2.1 The keeper trims it.', '2.2 Nobody else does.']))).toEqual([]);
    expect(headingsOf(at(['2.1 Wicks', '7.2 Parts of wax', '2.7 Parts of oil']))).toEqual([]);
  });

  it('two sentences behind a number, bold words that run over to another number → a paragraph', () => {
    const start = '2.1 The lift in the tower was out of service.';
    const action = 'Action: claim for it by';
    const width = setLine(start, 60, 130).at(-1)?.x1 ?? 0;
    const words = [
      ...setLine('1.1 The keeper of the lamp was thanked', 60, 60),
      ...body(84),
      ...setLine(start, 60, 130),
      ...setLine(action, width + 2.5, 130, bold),
      ...setLine('31 May.', 60, 142, bold),
      ...setLine('2.2 Three lamps were bought', 60, 170),
      ...body(194),
    ];
    expect(outlineOf(words)).toContain(`p ${start} ${action} 31 May.`);
  });

  it('italic titles that begin with a name in small letters → headings', () => {
    const italic = { italic: true };
    const section = (title: string, y: number) => [...setLine(title, 60, y, italic), ...body(y + 12)];
    const paper = [section('1.1. Bower', 100), section('1.2. npm', 160), section('1.2.1. Installing npm', 220)];
    expect(headingsOf(...paper)).toEqual(['h1 1.1. Bower', 'h1 1.2. npm', 'h2 1.2.1. Installing npm']);
  });

  it('an indented title right below another → two headings', () => {
    const set = [setLine('The oil', 60, 60, bold), setLine('Where it is bought', 75, 72, bold), setLines(BODY, 90, 84)];
    expect(headingsOf(...set, body(140))).toEqual(['h1 The oil', 'h1 Where it is bought']);
  });

  it('a title apart below another that had room for it → two headings; closer, or a long one → one', () => {
    const read = (second: string, step: number) =>
      headingsOf(
        setLine('The oil', 60, 60, bold),
        setLine(second, 60, 60 + step, bold),
        body(60 + step + 15),
        body(140),
      );
    expect(read('Where it is bought', 15)).toEqual(['h1 The oil', 'h1 Where it is bought']);
    expect(read('Where it is bought', 12)).toEqual(['h1 The oil Where it is bought']);
    const long = 'Where it is bought, and by whom, and what else is for sale';
    expect(read(long, 15)).toEqual([`h1 The oil ${long}`]);
  });

  it('a title over two lines with a name that is not bold → one heading', () => {
    const large = { size: 14 };
    const name = setLine('LampKeeper:', 140, 60, large);
    const first = setLine('A Book of Wicks for the Houses of', 226, 60, { ...large, bold: true });
    const second = setLine('Archipelagos in the North', 204, 76, { ...large, bold: true });
    const wide = setLine(`${BODY[0]} there or elsewhere in these islands`, 60, 120);
    expect(headingsOf(name, first, second, wide, body(132))).toEqual([
      'h1 LampKeeper: A Book of Wicks for the Houses of Archipelagos in the North',
    ]);
  });

  it('titles close below each other, the second in smaller type or another typeface → two; in small letters → one', () => {
    const read = (second: string, style: { size?: number; face?: number }) =>
      headingsOf(
        body(60),
        setLine('Where the oil is bought', 60.001, 110, { size: 11, ...bold, face: 1 }),
        setLine(second, 60, 122, { size: 11, ...bold, face: 1, ...style }),
        body(134),
      );
    expect(read('Of the oils and their keepers', { size: 10 })).toHaveLength(2);
    expect(read('Of the oils and their keepers', { face: 2 })).toHaveLength(2);
    expect(read('Of the oils and their keepers', {})).toHaveLength(1);
    expect(read('of the oils and their keepers', { face: 2 })).toHaveLength(1);
  });

  it('bold words with a colon over a text → a heading; a note, a sentence, a label over a short value → none', () => {
    const read = (title: string, below = body(124)) => headingsOf(body(60), setLine(title, 60, 110, bold), below);
    for (const title of ['KEEPERS AND LAMPS:', 'Lamps and Wicks:']) expect(read(title)).toEqual([`h1 ${title}`]);
    for (const title of ['Note:', 'The lamps that are lit at night:', 'Lamp No.:']) expect(read(title)).toEqual([]);
    expect(read('Lamps and Wicks:', setLine('two of each', 60, 124))).toEqual([]);
  });

  it('a line alone on a coloured band → a heading; one that fills its band, a date, stripes → none', () => {
    const band = (y: number, x1 = 400) => ({ x0: 50, y0: y - 14, x1, y1: y + 6 });
    const read = (title: string, shades: ReturnType<typeof band>[], size = 10.5) => {
      const words = [...body(60), ...setLine(title, 60, 110, { size }), ...[140, 164, 188].flatMap(body)];
      return outline(renderMarkdown(documentOf(readPages([words], [600, 800], { shades })))).filter((line) =>
        /^h\d/.test(line),
      );
    };
    expect(read('Where oil is bought', [band(110)])).toEqual(['h1 Where oil is bought']);
    expect(read('Where oil is bought', [band(110)], 10)).toEqual(['h1 Where oil is bought']);
    expect(read('Where oil is bought', [band(110, 180)])).toEqual([]);
    expect(read('November 20, 2015', [band(110)])).toEqual([]);
    expect(read('Where oil is bought', [band(110), band(131)])).toEqual([]);
  });

  it('lines in capitals above rules that go on behind them → headings; others → none', () => {
    const rule = (y: number, x0 = 60) => ({ x0, x1: 400, y0: y + 6, y1: y + 6 });
    const read = (titles: [string, string], rules: ReturnType<typeof rule>[]) => {
      const words = [...setLine(titles[0], 60, 100), ...body(130), ...setLine(titles[1], 60, 200), ...body(230)];
      const pages = readPages([words], [600, 800], { rules });
      return outline(renderMarkdown(documentOf(pages))).filter((line) => /^h\d/.test(line));
    };
    const rules = [rule(100), rule(200)];
    expect(read(['WICKS', 'THE OIL'], rules)).toEqual(['h1 WICKS', 'h1 THE OIL']);
    expect(read(['Wicks', 'The oil'], rules)).toEqual([]);
    expect(read(['WICKS', 'THE OIL'], rules.slice(0, 1))).toEqual([]);
    expect(read(['WICKS', 'THE OIL'], [rule(100, 40), rule(200, 40)])).toEqual([]);
  });

  it('two sentences or an equation in type a little larger than the text → none; the title of a part → a heading', () => {
    const of = (text: string) => headingsOf(body(60), setLine(text, 60, 120, { size: 12.5 }), body(140), body(180));
    expect(of('Proof of the tide. Let the moon be at the full of it, and the sea where it is')).toEqual([]);
    expect(of('x + y = z')).toEqual([]);
    expect(of('Part II of the tide. Let the moon be at the full of it, and the sea where it is')).toHaveLength(1);
    expect(of('Supply = demand')).toHaveLength(1);
  });

  it('one ideograph → a heading', () => {
    expect(headingsOf(setLine('例', 60, 60, { size: 14 }), body(80))).toEqual(['h1 例']);
  });

  it('a number after another number → two headings', () => {
    const titles = [...setLine('3. WICKS', 60, 100, bold), ...setLine('3.1 Of cotton', 60, 112, bold)];
    expect(headingsOf(body(60), titles, body(124))).toEqual(['h1 3. WICKS', 'h2 3.1 Of cotton']);
  });
});
