import columnsOf from 'string-width';
import { expect, test } from 'vitest';
import { cutMiddle, fitLine } from '../../../../src/io/terminal/fit-line.js';

const PARTS = {
  head: '3 of 10 done',
  name: 'contracts/2026/a-long-name-of-a-file.pdf',
  words: 'page 12 of 352',
  extras: ['1:02', 'about 25 min left'],
};
const fitted = (width: number, parts = {}) => fitLine({ ...PARTS, ...parts }, width, columnsOf);

test.each([
  [120, '3 of 10 done · contracts/2026/a-long-name-of-a-file.pdf: page 12 of 352 · 1:02 · about 25 min left'],
  [77, '3 of 10 done · contracts…-file.pdf: page 12 of 352 · 1:02 · about 25 min left'],
  [60, '3 of 10 done · contracts/…-a-file.pdf: page 12 of 352 · 1:02'],
  [37, '3 of 10 done · co…pdf: page 12 of 352'],
  [20, '3 of 10 done · co…p…'],
])('%i columns → the name is cut in its middle, then the estimate and the time go', (width, line) => {
  expect(fitted(width)).toBe(line);
  expect(columnsOf(line)).toBeLessThanOrEqual(width);
});

test('a line without a name, or without a head → no signs around what is absent', () => {
  expect(fitted(80, { name: '', words: 'waiting for its turn', extras: ['0:05'] })).toBe(
    '3 of 10 done · waiting for its turn · 0:05',
  );
  expect(fitted(80, { head: '', name: 'a.pdf', extras: [] })).toBe('a.pdf: page 12 of 352');
  expect(fitted(80, { name: '', words: '', extras: ['0:05'] })).toBe('3 of 10 done · 0:05');
});

test('wide characters → counted by their columns', () => {
  expect(cutMiddle('文書文書文書.pdf', 10, columnsOf)).toBe('文書文…pdf');
  for (let width = 1; width < 30; width++)
    expect(columnsOf(fitted(width, { name: '文書'.repeat(20) }))).toBeLessThanOrEqual(width);
});
