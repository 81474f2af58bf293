import { parseHocr } from '../../../dist/engine/stages/recognise/hocr.js';
import { type FuzzTarget, promise } from '../fuzz-target.js';

const word = (box: string, text: string) =>
  `<span class='ocrx_word' id='word_1_1' title='bbox ${box}; x_wconf 91'>${text}</span>`;
const page = (...lines: string[]) =>
  `<div class='ocr_page' title='image "x"; bbox 0 0 100 100'>\n<div class='ocr_carea' title="bbox 0 0 9 9">\n<p class='ocr_par' lang='eng' title="bbox 0 0 9 9">\n${lines.join('\n')}\n</p>\n</div>\n</div>`;
const line = (title: string, ...words: string[]) =>
  `<span class='ocr_line' title="${title}">\n${words.join('\n')}\n</span>`;

/** The answer of Tesseract. */
export const hocr: FuzzTarget = {
  name: 'hocr',
  seeds: () =>
    [
      page(
        line(
          'bbox 0 0 90 10; baseline 0.01 -2; x_size 12.5; x_descenders 2',
          word('0 0 40 10', 'two'),
          word('50 0 90 10', '&lt;&amp;'),
        ),
        line('bbox 0 20 90 30; textangle 90; x_size 12', word('0 20 90 30', '<strong>1,000</strong>')),
      ),
      page(
        line('bbox 0 0 10 90', word('0 0 10 40', 'up'), word('0 50 10 90', '12')),
        line('bbox 1 1 2 2', word('1 1 2 2', '€')),
      ),
    ].map((text) => Buffer.from(text)),
  hostile: () =>
    ["<span class='ocrx_word' title='", "<span class='ocrx_word' title='>", "<p class='ocr_par' title=''>x"].map(
      (text) => Buffer.from(text.repeat(20_000)),
    ),
  tokens: [
    "<span class='ocrx_word' title='",
    "'>",
    '</span>',
    "<p class='ocr_par' title='",
    'bbox 1 2 3 4',
    'baseline ',
    'textangle ',
  ].concat([
    'x_size ',
    'x_wconf ',
    '&lt;',
    '&amp;',
    '<',
    '>',
    '\n',
    '-',
    '.',
    ';',
    '0',
    "<span class='ocr_line' title='",
    '-1.5 ',
  ]),
  runs: 3000,
  run(bytes) {
    const text = Buffer.from(bytes).toString('utf8');
    const { blocks, textAngle } = parseHocr(text);
    promise([0, 90, 180, 270].includes(textAngle), `an angle of ${textAngle}`);
    let length = 0;
    for (const { lines } of blocks) {
      promise(lines.length > 0, 'a paragraph has lines');
      for (const { words } of lines) {
        promise(words.length > 0, 'a line has words');
        for (const { text: word, confidence, ...numbers } of words) {
          length += word.length;
          promise(word !== '', 'a word has text');
          promise(confidence !== null && confidence >= 0, `a confidence of ${confidence}`);
          for (const [name, value] of Object.entries(numbers))
            promise(typeof value !== 'number' || Number.isFinite(value), `${name} of a word is ${value}`);
        }
      }
    }
    promise(length <= text.length, 'words come from the text');
  },
};
