import { describe, expect, it } from 'vitest';
import type { Area } from '../../../../../../src/engine/model/geometry.js';
import { renderText } from '../../../../../../src/engine/stages/render/text.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { readPage, setLine, setLines } from '../../../set-words.js';

const COLUMN = [
  'begins here and is read for several lines',
  'that are as wide as the column they fill,',
  'until it has come to its foot, after which',
  'the reader turns up to the head of another',
];

/** Lines of one column that begin with its name. */
const column = (name: string, x: number, y: number, lines = COLUMN): RawWord[] =>
  setLines([`${name} ${lines[0]}`, ...lines.slice(1)], x, y);

const upper = [...column('Anchor', 50, 100), ...column('Beacon', 310, 104)];
const lower = (y: number) => [...column('Cable', 50, y), ...column('Derrick', 310, y + 4)];

/** The first words of the columns, in the order in which they are read. */
const order = (words: RawWord[], drawn: { rules?: Area[]; images?: Area[] } = {}): string[] =>
  renderText({ pages: [readPage(words, 600, 800, drawn)], warnings: [] })
    .match(/Anchor|Beacon|Cable|Derrick|Notices|They/g)
    ?.map(String) ?? [];

const across = (y: number, height = 0): Area => ({ x0: 50, x1: 550, y0: y, y1: y + height });
const ZONES = ['Anchor', 'Beacon', 'Cable', 'Derrick'];
const COLUMNS = ['Anchor', 'Cable', 'Beacon', 'Derrick'];
const titleAt = (y: number, x = 50) => setLine('Notices', x, y, { size: 16, bold: true });

describe('columns above and below a barrier', () => {
  it('columns above and below a rule → read zone after zone', () => {
    const words = [...upper, ...lower(166)];
    expect(order(words, { rules: [across(150)] })).toEqual(ZONES);
    expect(order(words)).toEqual(COLUMNS);
  });

  it('columns above and below a picture → read zone after zone', () => {
    expect(order([...upper, ...lower(220)], { images: [across(150, 50)] })).toEqual(ZONES);
    expect(order([...upper, ...lower(220)], { images: [{ ...across(150, 50), x1: 290 }] })).toEqual(COLUMNS);
  });

  it('rules between the lines of one column → columns read down', () => {
    const rules = [across(150), { x0: 310, x1: 550, y0: 122, y1: 122 }];
    expect(order([...upper, ...lower(166)], { rules })).toEqual(COLUMNS);
  });
});

describe('a title over columns that end above it', () => {
  const ZONES_WITH_TITLE = ['Anchor', 'Beacon', 'Notices', 'Cable', 'Derrick'];

  const DOWN = ['Anchor', 'Notices', 'Cable', 'Beacon', 'Derrick'];

  it('a title below two columns → read after both', () => {
    expect(order([...upper, ...titleAt(172), ...lower(196)])).toEqual(ZONES_WITH_TITLE);
  });

  it('a title over columns, with space before the text below → read before it', () => {
    const said = setLine('They are new.', 50, 196);
    const expected = [...ZONES_WITH_TITLE.slice(0, 3), 'They', ...ZONES_WITH_TITLE.slice(3)];
    expect(order([...upper, ...titleAt(172), ...said, ...lower(220)])).toEqual(expected);
  });

  it('the second column continues beside the title → a title of the first column', () => {
    const beside = setLine('reading what stands beside the title here', 310, 166);
    expect(order([...upper, ...beside, ...titleAt(172), ...lower(196)])).toEqual(DOWN);
  });

  it('the second column begins with a title of its own below → a title of the first column', () => {
    const other = setLine('They', 310, 190, { size: 16, bold: true });
    const words = [...upper, ...titleAt(172), ...column('Cable', 50, 196), ...other, ...column('Derrick', 310, 208)];
    expect(order(words)).toEqual(['Anchor', 'Notices', 'Cable', 'Beacon', 'They', 'Derrick']);
  });

  it('the second column ends far above the title → a title of the first column', () => {
    const long = [...COLUMN, ...COLUMN, ...COLUMN];
    const words = [...column('Anchor', 50, 100, long), ...column('Beacon', 310, 104), ...titleAt(268), ...lower(292)];
    expect(order(words)).toEqual(DOWN);
  });

  it('the second column ends far below the title → a title of the first column', () => {
    const end = setLines(['read on below what the first one ends with,', 'while a picture stands there.'], 310, 152);
    expect(order([...upper, ...end, ...titleAt(196), ...lower(220)])).toEqual(DOWN);
  });

  it('the second column continues far below the title → a title of the first column', () => {
    const words = [...upper, ...titleAt(172), ...column('Cable', 50, 196), ...column('Derrick', 310, 226)];
    expect(order(words)).toEqual(DOWN);
  });

  it('no space above the title → a title of the first column', () => {
    const words = [...column('Anchor', 50, 100), ...column('Beacon', 310, 100)];
    expect(order([...words, ...setLine('Notices', 50, 149, { bold: true }), ...lower(161)])).toEqual(DOWN);
  });

  it('columns and content that is no text → not parted', () => {
    const cells = ['Cable', 'rope', 'chain'].flatMap((name, index) => [
      ...setLine(name, 50, 196 + index * 12),
      ...setLine(index === 0 ? 'Derrick' : '12', 310, 199 + index * 12),
    ]);
    expect(order([...upper, ...titleAt(172), ...cells])).toEqual(DOWN);
  });

  it('a title of several lines → one title', () => {
    const title = setLines(['Notices', 'They are long', 'and go on'], 50, 172, 17, { size: 16, bold: true });
    expect(order([...upper, ...title, ...lower(230)])).toEqual([
      'Anchor',
      'Beacon',
      'Notices',
      'They',
      'Cable',
      'Derrick',
    ]);
  });
});
