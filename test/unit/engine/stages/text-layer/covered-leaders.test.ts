import { expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { documentOf, readPage, setLine, setLines } from '../../set-words.js';

const RIGHT = 500;
const LEFT = 72;
const PROSE = setLines(
  ['The kitchen is open from noon until nine and', 'closed on Mondays, as it has always been.'],
  LEFT,
  60,
);
const DISHES = ['Salmon Ravioli', 'Fish and Chips with Mushy Peas', 'Pasta Fagioli', 'Baseball Steak'];
const PRICES = ['7.95', '10', '19.50', '120'];
const TABLE = [
  '| Salmon Ravioli | 7.95 |',
  '| --- | --- |',
  '| Fish and Chips with Mushy Peas | 10 |',
  '| Pasta Fagioli | 19.50 |',
  '| Baseball Steak | 120 |',
].join('\n');

const setRight = (text: string, y: number) => setLine(text, RIGHT - text.length * 5, y);

/** Dots from `x` on, one in 7.5 points. */
const setDots = (count: number, x: number, y: number) => setLine(Array(count).fill('.').join(' '), x, y);

const markdownOf = (words: readonly RawWord[]) => renderMarkdown(documentOf([readPage(words)]));

const read = (line: (dish: string, price: string, y: number) => RawWord[]) =>
  markdownOf([...PROSE, ...DISHES.flatMap((dish, i) => line(dish, PRICES[i] ?? '', 110 + i * 14))]);

it.each<[string, (dish: string, price: string, y: number) => RawWord[]]>([
  [
    'right across, below the title and the number',
    (dish, price, y) => [...setDots(60, LEFT, y), ...setLine(dish, LEFT, y), ...setRight(price, y)],
  ],
  [
    'across, with the number first',
    (dish, price, y) => [...setDots(60, LEFT, y), ...setRight(price, y), ...setLine(dish, LEFT, y)],
  ],
  [
    'without spaces',
    (dish, price, y) => [...setLine('.'.repeat(90), LEFT, y), ...setLine(dish, LEFT, y), ...setRight(price, y)],
  ],
  [
    'from the title on, and on behind the number',
    (dish, price, y) => [...setLine(dish, LEFT, y), ...setDots(60, LEFT + dish.length * 5, y), ...setRight(price, y)],
  ],
])('dots of a leader %s → those between them', async (_, line) => {
  expect(read(line)).toContain(TABLE);
});

it('dots of a leader that a small sign stands on → kept', () => {
  const words = [...setDots(40, LEFT + 80, 200), ...setLine('ADD', 300, 200, { size: 6 }), ...setRight('23', 200)];
  const text = markdownOf([...PROSE, ...setLine('Other credits', LEFT, 200), ...words]);
  expect(text.match(/ \./g)).toHaveLength(40);
});
