import { expect, test } from 'vitest';
import type { PageBlock } from '../../../../../src/engine/model/page.js';
import { parseHocr } from '../../../../../src/engine/stages/recognise/hocr.js';
import { mergeReadings, mergeWords } from '../../../../../src/engine/stages/recognise/merge-readings.js';

type Word = [text: string, x0: number, y0: number, confidence: number, height?: number];

/** Makes a reading with one line for each list of words, by default 20 high, and 10 wide for each letter. */
function read(...lines: Word[][]): PageBlock[] {
  const hocr = lines.map((words) => {
    const spans = words.map(
      ([text, x0, y0, confidence, height = 20]) =>
        `<span class='ocrx_word' title='bbox ${x0} ${y0} ${x0 + text.length * 10} ${y0 + height}; x_wconf ${confidence}'>${text}</span>`,
    );
    return `<p class='ocr_par' title=''>\n<span class='ocr_line' title='x_size 20'>\n${spans.join('\n')}</span></p>`;
  });
  return parseHocr(hocr.join('')).blocks;
}
const textOf = (blocks: readonly PageBlock[]) =>
  blocks.flatMap(({ lines }) => lines.map(({ words }) => words.map(({ text }) => text).join(' ')));

test('two readings of a word → the likelier text, at its place in the first', () => {
  const first = read([
    ['TOTAl', 0, 0, 60],
    ['12.00', 300, 0, 90],
  ]);
  const merged = mergeReadings(
    first,
    read([
      ['TOTAL', 2, 1, 85],
      ['l2.OO', 301, 2, 40],
    ]),
  );
  expect(textOf(merged)).toEqual(['TOTAL 12.00']);
  expect(merged[0]?.lines[0]?.words[0]).toMatchObject({ x0: 0, x1: 50, confidence: 0.85 });
});

test('a sure word of the second reading alone → added; a word of the first alone → same confidence', () => {
  const first = read([['alone', 0, 0, 45]]);
  const second = read([
    ['new', 300, 0, 80],
    ['speck', 400, 0, 60],
  ]);
  const merged = mergeReadings(first, second);
  expect(textOf(merged)).toEqual(['alone', 'new']);
  expect(merged[0]?.lines[0]?.words[0]?.confidence).toBe(0.45);
});

test('two equal readings of a word → higher confidence than either, and they win against a third in any order', () => {
  const readings = [60, 65, 80].map((sure) => read([[sure < 80 ? 'RM5.00' : 'RMS.00', 0, 0, sure]]));
  const [first = [], second = [], third = []] = readings;
  const agreed = mergeReadings(first, second);
  expect(agreed[0]?.lines[0]?.words[0]?.confidence).toBeCloseTo(1 - 0.4 * 0.35);
  const orders = [readings, [first, third, second], [third, second, first]];
  for (const [begun = [], ...further] of orders) expect(textOf(mergeReadings(begun, ...further))).toEqual(['RM5.00']);
});

test('two readings of a number → the one that is sure elsewhere on the page, unless it has few digits', () => {
  const pageOf = (total: Word, count: Word) =>
    read(
      [['Total', 0, 0, 90], total],
      [
        ['Sum', 0, 50, 90],
        ['127.37', 300, 50, 95],
      ],
      [['Items', 0, 100, 90], count],
      [
        ['Pages', 0, 150, 90],
        ['12', 300, 150, 95],
      ],
    );
  const first = pageOf(['121.31', 300, 0, 80], ['11', 300, 100, 80]);
  const second = pageOf(['127.37', 300, 0, 75], ['12', 300, 100, 75]);
  expect(textOf(mergeReadings(first, second))).toEqual(['Total 127.37', 'Sum 127.37', 'Items 11', 'Pages 12']);
});

test('decimal and thousands signs in doubt → those of the page', () => {
  const pageOf = (...unsure: Word[]) =>
    read(
      [
        ['3,720', 0, 0, 95],
        ['10,870', 100, 0, 95],
        ['1.50', 200, 0, 95],
        ['22.75', 300, 0, 95],
      ],
      unsure,
    );
  const first = pageOf(['4.271', 0, 50, 80], ['8,65', 200, 50, 80]);
  const second = pageOf(['4,271', 0, 50, 75], ['8.65', 200, 50, 75]);
  expect(textOf(mergeReadings(first, second))).toEqual(['3,720 10,870 1.50 22.75', '4,271 8.65']);
});

test('one word in one reading, two in the other → the likelier reading, never both', () => {
  const parts = (sure: number) =>
    read([
      ['TOTAL', 0, 0, sure],
      ['RM', 60, 0, sure],
    ]);
  const whole = (sure: number) => read([['TOTAL-RM', 0, 0, sure]]);
  expect(textOf(mergeReadings(parts(90), whole(80)))).toEqual(['TOTAL RM']);
  expect(textOf(mergeReadings(parts(80), whole(90)))).toEqual(['TOTAL-RM']);
  expect(textOf(mergeReadings(whole(80), parts(90)))).toEqual(['TOTAL RM']);
});

test('a word as high as two lines → each other word stays in its own line', () => {
  const first = read(
    [
      ['a', 30, 30, 60],
      ['walk', 50, 30, 90],
    ],
    [
      ['S|HE', 0, 0, 40, 50],
      ['went', 50, 0, 90],
    ],
  );
  const second = read(
    [
      ['S', 0, 0, 90, 50],
      ['HE', 20, 0, 90],
    ],
    [['a', 30, 30, 90]],
  );
  expect(textOf(mergeReadings(first, second))).toEqual(['a walk', 'S HE went']);
});

test('a line that the first reading lacks → between its neighbours; words far away → a new line', () => {
  const first = read([['top', 0, 0, 90]], [['bottom', 0, 100, 90]]);
  const second = read(
    [
      ['middle', 0, 50, 90],
      ['too', 70, 50, 90],
    ],
    [['far', 900, 100, 90]],
  );
  expect(textOf(mergeReadings(first, second))).toEqual(['top', 'middle too', 'bottom', 'far']);
});

test('a box that reaches into the line above → a reading of its own word alone; a speck there → not kept beside it', () => {
  const label: Word = ['Surname', 0, 0, 90];
  const speck: Word = ['~', 0, 0, 90];
  const name: Word = ['ERIKSSON', 0, 30, 92];
  const high: Word = ['ERIKSSON', 0, 0, 95, 50];
  expect(textOf(mergeReadings(read([label], [name]), read([high])))).toEqual(['Surname', 'ERIKSSON']);
  expect(
    textOf(mergeReadings(read([high]), read([label], [name])))
      .join(' ')
      .split(' ')
      .toSorted(),
  ).toEqual(['ERIKSSON', 'Surname']);
  expect(textOf(mergeReadings(read([speck], [name]), read([high])))).toEqual(['ERIKSSON']);
});

test('two empty readings → empty; a reading with itself → the same text', () => {
  expect(mergeReadings([], [])).toEqual([]);
  const reading = read(
    [
      ['one', 0, 0, 90],
      ['two', 40, 0, 90],
    ],
    [['three', 0, 50, 90]],
  );
  expect(textOf(mergeReadings(reading, structuredClone(reading)))).toEqual(textOf(reading));
});

test('two readings of the same digits → the one with the decimal sign', () => {
  const first = read([
    ['7950', 0, 0, 90],
    ['21.20', 100, 0, 40],
    ['5', 200, 0, 90],
    ['66', 220, 0, 90],
    ['v2', 300, 0, 80],
  ]);
  const second = read([
    ['79.50', 0, 0, 60],
    ['2120', 100, 0, 80],
    ['5.66', 200, 0, 70],
    ['v.2', 300, 0, 60],
  ]);
  expect(textOf(mergeReadings(first, second))).toEqual(['79.50 21.20 5.66 v2']);
});

test('a line that mixes two rows, which another reading parts → two lines', () => {
  const first = read([
    ['Ta1es', 100, 0, 20, 65],
    ['for', 200, 0, 90],
  ]);
  const second = read(
    [
      ['Door', 100, 2, 96],
      ['for', 200, 2, 96],
    ],
    [
      ['doors', 100, 42, 96],
      ['up', 200, 42, 96],
    ],
  );
  expect(textOf(mergeReadings(first, second))).toEqual(['Door for', 'doors up']);
});

test('a word of the second reading whose box reaches over a sure one that it does not have → the sure one kept', () => {
  const first = read([
    ['l2-I8,', 0, 0, 36],
    ['44', 70, 0, 96],
  ]);
  const [block] = read([['12-18,', 0, 0, 85]]);
  const [word] = block?.lines[0]?.words ?? [];
  if (word === undefined) throw new Error('no word');
  expect(textOf(mergeWords(first, [{ ...word, x1: 90 }]))).toEqual(['12-18, 44']);
  expect(textOf(mergeWords(first, [{ ...word, x1: 90, text: '12-1844' }]))).toEqual(['12-1844']);
});
