import { expect, it } from 'vitest';
import { renderText } from '../../../src/engine/render/text.js';
import { readPage, setLine, setLines } from './set-words.js';

const textOf = (words: ReturnType<typeof setLine>, width = 600): string[] =>
  renderText({ pages: [readPage(words, width)], warnings: [] }).split('\n\n');

const SIDE = ['Clara Novak', '12 Mill Lane', 'Bristol', 'mail@tides.org', 'Planning', 'Speaking', 'First aid'];
const MAIN = [
  'Profile',
  'Keeper of a lighthouse for twelve years, who wrote',
  'down each ship and painted the tower.',
  'Experience',
  'Second keeper, West Pier',
  'Rowed the boat with the oil, wound the clockwork,',
  'and cooked on Sundays.',
  'Education',
];
const MAIN_AT = [100, 123, 135, 158, 174, 190, 202, 226];

it('reads a side of short lines apart from the text, with whose lines it is not level', () => {
  const words = [
    ...setLines(SIDE, 40, 106, 15),
    ...MAIN.flatMap((line, index) => setLine(line, 200, MAIN_AT[index] ?? 0)),
  ];
  const read = textOf(words).join('\n').split('\n');
  expect(read).toEqual([...SIDE, ...MAIN]);
});

it('keeps labels with what stands beside them, though it is set about their middle', () => {
  const labels = setLines(
    ['Keeper of it', 'Place of it', 'Height of it', 'Light of it', 'Year of it', 'Oil of it'],
    40,
    106,
    36,
  );
  const values = [0, 1, 2, 3, 4, 5].flatMap((row) =>
    setLines(['what is said of this in a line', 'or in two, as it may be'], 200, 100 + row * 36),
  );
  expect(textOf([...labels, ...values]).join(' ')).toMatch(/Keeper of it.*what is said.*Place of it/s);
});

it('reads a title in the middle of three columns before them, though it crosses no gutter', () => {
  const column = (name: string) => Array.from({ length: 8 }, (_, line) => `the ${name} column has a line ${line} here`);
  const columns = ['first', 'other', 'third'].flatMap((name, place) =>
    setLines(column(name), 30 + place * 190, 120 + place),
  );
  const read = textOf([...columns, ...setLine('The Gazette', 254, 95, { size: 16 })], 600);
  expect(read[0]).toBe('The Gazette');
  expect(read).toHaveLength(4);
});
