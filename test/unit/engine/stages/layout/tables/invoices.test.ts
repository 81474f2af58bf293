import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { tablesOf } from '../../../gfm.js';
import { documentOf, readPage, type Style, setLine } from '../../../set-words.js';

const setRight = (text: string, right: number, y: number, style: Style = {}): RawWord[] => {
  const words = setLine(text, 0, y, style);
  const by = right - (words.at(-1)?.x1 ?? 0);
  return words.map((word) => ({ ...word, x0: word.x0 + by, x1: word.x1 + by, originX: word.originX + by }));
};

const ENDS = [330, 440, 540];
const setItem = ([label = '', ...figures]: readonly string[], y: number, style?: Style): RawWord[] => [
  ...setLine(label, 60, y, style),
  ...figures.flatMap((figure, index) => setRight(figure, ENDS[index] ?? 0, y, style)),
];

const HEAD = ['Goods', 'Count', 'Price', 'Amount'];
const ITEMS = [
  ['Rope of hemp', '2', '20.00', '40.00'],
  ['Salt', '1', '70.00', '70.00'],
  ['Timber', '5', '30.00', '150.00'],
];

const markdownOf = (words: readonly RawWord[], rules: readonly number[] = []) =>
  renderMarkdown(
    documentOf([readPage(words, 600, 800, { rules: rules.map((y) => ({ x0: 50, x1: 540, y0: y, y1: y })) })]),
  );

describe('sums below items', () => {
  it('between two rules, with the code of their currency → a row each', () => {
    const sums = [
      ['', '', 'Subtotal', '260.00 EUR'],
      ['', '', 'VAT', '52.00 EUR'],
    ];
    const words = [
      ...setItem(HEAD, 120, { bold: true }),
      ...ITEMS.flatMap((item, row) => setItem(item, 146 + row * 26)),
      ...sums.flatMap(([, , label = '', sum = ''], row) => [
        ...setRight(label, 440, 224 + row * 13),
        ...setRight(sum, 540, 224 + row * 13),
      ]),
      ...setRight('Total', 440, 263),
      ...setRight('312.00 EUR', 540, 263),
    ];
    const rules = [128, 154, 180, 206, 243];
    expect(tablesOf(markdownOf(words, rules))[0]?.slice(4)).toEqual([...sums, ['', '', 'Total', '312.00 EUR']]);
  });
});
