import { describe, expect, it } from 'vitest';
import type { LaidBlock } from '../../../src/engine/layout/blocks.js';
import { layOutDocument } from '../../../src/engine/layout/lay-out-document.js';
import { parseHocr } from '../../../src/engine/recognise/hocr.js';

/** Paragraphs of lines as a recogniser gives them: each line is words at x, on base line y. */
const hocr = (paragraphs: [number, number, string][][]) =>
  paragraphs
    .map(
      (lines) =>
        `<p class='ocr_par' title="bbox 0 0 1 1">${lines
          .map(([x, y, text]) => {
            let at = x;
            const words = text.split(' ').map((word) => {
              const x0 = at;
              at += word.length * 10 + 6;
              return `<span class='ocrx_word' title='bbox ${x0} ${y - 20} ${at - 6} ${y}; x_wconf 90'>${word}</span>`;
            });
            return `<span class='ocr_line' title="bbox 0 0 1 1; x_size 20">\n${words.join('\n')}</span>`;
          })
          .join('')}</p>`,
    )
    .join('');
const layOut = (paragraphs: [number, number, string][][]) => {
  const { blocks }: { blocks: LaidBlock[] } = parseHocr(hocr(paragraphs));
  return layOutDocument([{ number: 1, content: { width: 1000, height: 1400, blocks } }])[0] ?? [];
};
const textsOf = (blocks: ReturnType<typeof layOut>) =>
  blocks.map(({ kind, lines }) => `${kind}: ${lines.flatMap(({ words }) => words.map(({ text }) => text)).join(' ')}`);

describe('tables of recognised pages', () => {
  const columns: [number, number, string][][] = [
    [
      [60, 100, 'Bought at the corner'],
      [60, 130, 'and paid in coins'],
    ],
    [
      [60, 200, 'Bread'],
      [60, 230, 'Salted butter'],
      [60, 260, 'Two eggs'],
    ],
    [
      [500, 202, '2.10'],
      [500, 231, '3.40'],
      [500, 262, '0.90'],
    ],
    [[60, 340, 'Thank you']],
  ];

  it('are put together from columns that were read one after the other', () => {
    expect(textsOf(layOut(columns))).toEqual([
      'paragraph: Bought at the corner and paid in coins',
      'table: Bread 2.10 Salted butter 3.40 Two eggs 0.90',
      'paragraph: Thank you',
    ]);
  });

  it('are not made of columns of text', () => {
    const text: [number, number, string][][] = [
      [
        [60, 200, 'in the year of the flood'],
        [60, 230, 'the corner shop floated'],
        [60, 260, 'as far as the bridge, and'],
      ],
      [
        [500, 202, 'stayed there until autumn'],
        [500, 231, 'when it was brought home'],
        [500, 262, 'by the baker and his sons'],
      ],
    ];
    expect(textsOf(layOut(text)).map((line) => line.split(':')[0])).toEqual(['paragraph', 'paragraph']);
  });
});
