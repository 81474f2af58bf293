import type { PageBlock } from '../../../../../src/engine/model/page.js';
import { parseHocr } from '../../../../../src/engine/stages/recognise/hocr.js';

/** One line of words as a recogniser gives it, each from x0 to x1, its figures and capitals from 46 to 80. */
export const readWords = (...words: [text: string, x0: number, x1: number][]): PageBlock[] =>
  parseHocr(
    `<p class='ocr_par' title=""><span class='ocr_line' title="bbox 0 46 600 80; baseline 0 0; x_size 46">${words
      .map(([text, x0, x1]) => `<span class='ocrx_word' title='bbox ${x0} 46 ${x1} 80; x_wconf 90'>${text}</span>`)
      .join('')}</span></p>`,
  ).blocks;

export const textsOf = (blocks: readonly PageBlock[]): string[] =>
  blocks.flatMap(({ lines }) => lines.flatMap(({ words }) => words.map(({ text }) => text)));
