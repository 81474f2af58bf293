import { expect, test } from 'vitest';
import type { PageBlock } from '../../../../../src/engine/model/page.js';
import { parseHocr } from '../../../../../src/engine/stages/recognise/hocr.js';
import { mergeReadings } from '../../../../../src/engine/stages/recognise/merge-readings.js';

type Word = [text: string, x0: number, y0: number, confidence: number, height?: number];

/** A reading with one line for each list of words, which are 20 high, unless said, and 10 a letter wide. */
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

test('of two readings of a word the likelier stands, at its place in the first', () => {
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

test('what only the second reading has is added where it is sure of it; what only the first has is no surer than before', () => {
  const first = read([['alone', 0, 0, 45]]);
  const second = read([
    ['new', 300, 0, 80],
    ['speck', 400, 0, 60],
  ]);
  const merged = mergeReadings(first, second);
  expect(textOf(merged)).toEqual(['alone', 'new']);
  expect(merged[0]?.lines[0]?.words[0]?.confidence).toBe(0.45);
});

test('a word that is read alike twice is surer than in either reading, and stands against a third, whichever came first', () => {
  const readings = [60, 65, 80].map((sure) => read([[sure < 80 ? 'RM5.00' : 'RMS.00', 0, 0, sure]]));
  const [first = [], second = [], third = []] = readings;
  const agreed = mergeReadings(first, second);
  expect(agreed[0]?.lines[0]?.words[0]?.confidence).toBeCloseTo(1 - 0.4 * 0.35);
  const orders = [readings, [first, third, second], [third, second, first]];
  for (const [begun = [], ...further] of orders) expect(textOf(mergeReadings(begun, ...further))).toEqual(['RM5.00']);
});

test('of two readings of a number the one stands that is sure elsewhere on the page; of few digits, chance may be the cause', () => {
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

test('numbers have the signs of their page, of thousands and of decimals', () => {
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

test('one word here and two there are one place: the likelier parts stand, never both', () => {
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

test('each word stands in its own line where a word as high as two lines holds them together', () => {
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

test('a line that the first reading lacks comes between its neighbours; words far away begin a line of their own', () => {
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

test('nothing twice makes nothing; a reading with itself is itself', () => {
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

test('of two readings of the same digits the one with the decimal sign stands', () => {
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
