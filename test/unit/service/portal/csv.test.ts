import { expect, test } from 'vitest';
import { renderCsvLine } from '../../../../src/service/portal/csv.js';

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  [' =1', `' =1`],
  ['＝1', `'＝1`],
  ['a=1', 'a=1'],
  ['a,b', '"a,b"'],
  ['a"b', '"a""b"'],
  ['a\nb', '"a\nb"'],
])('the text %j → the cell %j', (text, cell) => {
  expect(renderCsvLine([text])).toBe(`${cell}\r\n`);
});

test('numbers stay numbers, nothing is empty', () => {
  expect(renderCsvLine([-5, null, ''])).toBe('-5,,\r\n');
});
