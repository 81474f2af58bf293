import { describe, expect, it } from 'vitest';
import { renderText } from '../../../../../../src/engine/stages/render/text.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { readPage, setLine, setLines } from '../../../set-words.js';

const LINES = ['is tied to the pier with a rope', 'that holds in wind and in tide', 'and is looked at each morning'];

/** A card: its title, and its lines below. */
const card = (title: string, x: number, y: number, lines = LINES): RawWord[] => [
  ...setLine(title, x, y, { bold: true }),
  ...setLines(lines, x, y + 14),
];

/** The numbers before the titles of cards, in the order in which they are read. */
const order = (words: readonly RawWord[], width = 600): string =>
  (renderText({ pages: [readPage(words, width)], warnings: [] }).match(/\d+(?=[.)]? Boat)|^\d+$/gm) ?? []).join(' ');

describe('cards in rows and columns', () => {
  it('numbers go across → read row by row', () => {
    const words = [
      ...[...card('1. Boat', 50, 100), ...card('2. Boat', 320, 100)],
      ...[...card('3. Boat', 50, 180), ...card('4. Boat', 320, 180)],
    ];
    expect(order(words)).toBe('1 2 3 4');
  });

  it('numbers go down → read column by column', () => {
    const words = [
      ...[...card('1. Boat', 50, 100), ...card('3. Boat', 320, 100)],
      ...[...card('2. Boat', 50, 180), ...card('4. Boat', 320, 180)],
    ];
    expect(order(words)).toBe('1 2 3 4');
  });

  it('three columns, the last card alone, numbers above the titles → read row by row, text below last', () => {
    const numbered = (number: number, x: number, y: number) => [
      ...setLine(String(number), x, y, { size: 20 }),
      ...setLines(LINES, x, y + 16),
    ];
    const rows = [1, 4, 7].flatMap((first, row) =>
      [0, 1, 2]
        .slice(0, row === 2 ? 1 : 3)
        .flatMap((column) => numbered(first + column, 50 + column * 250, 100 + row * 90)),
    );
    const below = setLine('Boats that are tied up in this way have never been lost in all these years', 50, 400);
    const text = renderText({ pages: [readPage([...rows, ...below], 850)], warnings: [] });
    expect(order([...rows, ...below], 850)).toBe('1 2 3 4 5 6 7');
    expect(text.trim().endsWith('in all these years')).toBe(true);
  });

  it('cards of one line, as answers → rows', () => {
    const answers = [1, 3, 5].flatMap((number, row) => [
      ...setLine(`${number}) Boat`, 50, 100 + row * 14),
      ...setLine(`${number + 1}) Boat`, 320, 100 + row * 14),
    ]);
    const text = renderText({ pages: [readPage(answers)], warnings: [] });
    expect(text.split('\n')[0]).toMatch(/1\) Boat.*2\) Boat/);
  });

  it('text across the space between the columns → no cards', () => {
    const words = [
      ...[...card('1. Boat', 50, 100), ...card('2. Boat', 320, 100)],
      ...setLine('All of these boats belong to the harbour and to nobody else in the town', 50, 165),
      ...[...card('3. Boat', 50, 190), ...card('4. Boat', 320, 190)],
    ];
    expect(renderText({ pages: [readPage(words)], warnings: [] })).toContain('All of these boats belong');
    expect(order(words)).toBe('1 2 3 4');
  });
});
