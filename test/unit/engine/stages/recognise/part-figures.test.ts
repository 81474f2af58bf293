import { expect, it } from 'vitest';
import type { PageBlock } from '../../../../../src/engine/model/page.js';
import { parseHocr } from '../../../../../src/engine/stages/recognise/hocr.js';
import { partFigures } from '../../../../../src/engine/stages/recognise/part-figures.js';
import { textsOf } from './read-words.js';

const [WIDTH, HEIGHT] = [600, 300];
const [DIGIT_WIDTH, DIGIT_HEIGHT] = [13, 20];

type Word = [text: string, x0: number, x1: number];

/** A line of words for each row, with its place from the top. */
const read = (...rows: Word[][]): PageBlock[] =>
  parseHocr(
    rows
      .map((words, row) => {
        const y = 20 + row * 40;
        const spans = words.map(
          ([text, x0, x1]) =>
            `<span class='ocrx_word' title='bbox ${x0} ${y} ${x1} ${y + DIGIT_HEIGHT}; x_wconf 90'>${text}</span>`,
        );
        return `<p class='ocr_par' title=''><span class='ocr_line' title='x_size 27'>${spans.join('')}</span></p>`;
      })
      .join(''),
  ).blocks;

/** Draws digits as boxes, at their left sides. */
function draw(...rows: number[][]) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  rows.forEach((places, row) => {
    for (const x of places)
      for (let y = 20 + row * 40; y < 20 + row * 40 + DIGIT_HEIGHT; y++)
        data.fill(0, y * WIDTH + x, y * WIDTH + x + DIGIT_WIDTH);
  });
  return { data, width: WIDTH, height: HEIGHT };
}

const known = (x: number): Word => ['7', x, x + DIGIT_WIDTH];
const column = [
  [known(100), known(160)],
  [known(100), known(160)],
];
const places = [
  [100, 160],
  [100, 160],
];

it('digits of two columns that were read as one number, with a point or without → two figures', () => {
  const picture = draw(...places, [87, 100, 160]);
  for (const text of ['12.9', '129', '12,9'])
    expect(textsOf(partFigures(picture, read(...column, [[text, 87, 173]]))).slice(4)).toEqual(['12', '9']);
  expect(textsOf(partFigures(draw(...places, [100, 160]), read(...column, [['43', 100, 173]]))).slice(4)).toEqual([
    '4',
    '3',
  ]);
});

it('the digits of one number in boxes, digits close to each other, a letter, a digit that is not drawn → one word', () => {
  const spaced = draw(...places, [100, 160]);
  expect(textsOf(partFigures(spaced, read([['43', 100, 173]])))).toEqual(['43']);
  expect(textsOf(partFigures(draw(...places, [100, 116]), read(...column, [['43', 100, 129]]))).slice(4)).toEqual([
    '43',
  ]);
  for (const text of ['A3', '431', '4'])
    expect(textsOf(partFigures(spaced, read(...column, [[text, 100, 173]]))).slice(4)).toEqual([text]);
});
