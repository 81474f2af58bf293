import { expect, it } from 'vitest';
import { parseHocr } from '../../../../../src/engine/stages/recognise/hocr.js';
import type { LetterRow } from '../../../../../src/engine/stages/recognise/letter-row.js';
import { wholeRows } from '../../../../../src/engine/stages/recognise/missed-rows.js';

const SIZE = 29;
const box = (x0: number, y0: number, x1: number, y1: number) => ({ x0, y0, x1, y1 });
const rowOf = (area: ReturnType<typeof box>, letters: number): LetterRow => ({ ...area, letters, runsUp: false });
const title = 'bbox 609 437 677 463; baseline 0 0; x_size 29';
const { blocks } = parseHocr(
  `<p class='ocr_par' title=""><span class='ocr_line' title="${title}"><span class='ocrx_word' title='${title}; x_wconf 48'>2,205</span></span></p>`,
);

it('the figures and the comma of one amount, their boxes a pixel off → one row, the larger, in any order', () => {
  const rows = [rowOf(box(608, 438, 677, 460), 4), rowOf(box(624, 456, 629, 464), 1)];
  for (const given of [rows, rows.toReversed()])
    expect(wholeRows(given, blocks, SIZE)).toMatchObject([{ y0: 437, x1: 677, y1: 464 }]);
});

it('rows beside and below each other → kept', () => {
  const rows = [box(608, 438, 677, 460), box(608, 480, 677, 502), box(800, 438, 860, 460)].map((row) => rowOf(row, 4));
  expect(wholeRows(rows, blocks, SIZE)).toHaveLength(3);
});

it('an unsure number with a short word beside it → the number alone', () => {
  const number = { ...rowOf(box(686, 438, 740, 460), 4), isNumber: true };
  expect(wholeRows([number], blocks, SIZE)).toMatchObject([{ x0: 686, x1: 740 }]);
});
