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
    .match(/Anchor|Beacon|Cable|Derrick/g)
    ?.map(String) ?? [];

const across = (y: number, height = 0): Area => ({ x0: 50, x1: 550, y0: y, y1: y + height });
const ZONES = ['Anchor', 'Beacon', 'Cable', 'Derrick'];
const COLUMNS = ['Anchor', 'Cable', 'Beacon', 'Derrick'];

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

it('prices at the right of cards that rules part → each with its card', () => {
  const cards = ['Anchor', 'Beacon', 'Cable', 'Derrick'].flatMap((name, index) => [
    ...setLines([`${name} of iron`, 'Made of steel, 96 cm long', 'and painted by hand.'], 50, 100 + index * 60),
    ...setLine(`€ ${index + 1}38.90`, 500, 134 + index * 60, { size: 13, bold: true }),
  ]);
  const rules = [0, 1, 2, 3, 4].map((index) => across(85 + index * 60));
  const text = renderText({ pages: [readPage(cards, 600, 800, { rules })], warnings: [] });
  expect(text.match(/Anchor|Beacon|Cable|Derrick|\d38\.90/g)).toEqual([
    ...['Anchor', '138.90', 'Beacon', '238.90', 'Cable', '338.90', 'Derrick', '438.90'],
  ]);
});
