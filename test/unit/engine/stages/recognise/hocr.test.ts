import { describe, expect, it } from 'vitest';
import { parseHocr } from '../../../../../src/engine/stages/recognise/hocr.js';

const word = (text: string, x: number, confidence: number) =>
  `<span class='ocrx_word' id='w' title='bbox ${x} 10 ${x + 40} 30; x_wconf ${confidence}'>${text}</span>`;
const line = (content: string, angle = '') =>
  `<span class='ocr_line' id='l' title="bbox 0 10 400 30; baseline 0 -4;${angle} x_size 20; x_descenders 4">\n${content}\n</span>`;
const paragraph = (content: string) =>
  `<p class='ocr_par' id='p' lang='eng' title="bbox 0 0 400 100">\n${content}\n</p>`;

describe('parseHocr', () => {
  it('hOCR → paragraphs of lines of words, with boxes and confidence', () => {
    const { blocks } = parseHocr(
      paragraph(`${line(word('This', 0, 96) + word('is', 50, 91))}\n${line(word('it', 0, 90))}`) +
        paragraph(line(word('End', 0, 80))),
    );
    expect(blocks.map(({ lines }) => lines.map(({ words }) => words.map(({ text }) => text)))).toEqual([
      [['This', 'is'], ['it']],
      [['End']],
    ]);
    expect(blocks[0]?.lines[0]?.words[1]).toMatchObject({ x0: 50, y0: 10, x1: 90, y1: 30, confidence: 0.91 });
  });

  it('entities → decoded once', () => {
    const { blocks } = parseHocr(paragraph(line(word('a&lt;b&amp;amp;&#39;&quot;', 0, 90))));
    expect(blocks[0]?.lines[0]?.words[0]?.text).toBe('a<b&amp;\'"');
  });

  it('a wide gap between words → marked', () => {
    const { blocks } = parseHocr(paragraph(line(word('Total', 0, 90) + word('12.00', 300, 90))));
    expect([...(blocks[0]?.lines[0]?.apart ?? [])]).toEqual([1]);
  });

  it('an amount that was read as two words in wide type → joined; other words → not', () => {
    const read = (...words: string[]) => {
      const { blocks } = parseHocr(
        paragraph(line(words.map((text, index) => word(text, index * 50, 90 - index)).join(''))),
      );
      return blocks[0]?.lines[0]?.words.map(({ text, x0, x1, confidence }) => `${text} ${x0}-${x1} ${confidence}`);
    };
    expect(read('RM', '65.', '20', 'SR')).toEqual(['RM 0-40 0.9', '65.20 50-140 0.88', 'SR 150-190 0.87']);
    expect(read('65.', '20', 'S')?.[0]).toBe('65.20 0-90 0.89');
    expect(read('2.', '10', 'apples')).toHaveLength(3);
    expect(read('pages', '10,', '12')).toHaveLength(3);
    expect(read('5.', '512')).toHaveLength(2);
    expect(read('2.', '10', 'PIECES')).toHaveLength(3);
    expect(parseHocr(paragraph(line(word('1.', 0, 90) + word('10', 60, 90)))).blocks[0]?.lines[0]?.words).toHaveLength(
      2,
    );
  });

  it('a word → its base line, or its foot if the base line is wrong', () => {
    const baselineOf = (title: string) =>
      parseHocr(paragraph(line(word('page', 200, 90)).replace('baseline 0 -4', title))).blocks[0]?.lines[0]?.baseline;
    expect(baselineOf('baseline 0 -4')).toBe(26);
    expect(baselineOf('baseline -0.01 -2')).toBeCloseTo(26);
    expect(baselineOf('baseline 0 -25')).toBe(30);
    expect(baselineOf('')).toBe(30);
  });

  it('turned text → its angle', () => {
    expect(parseHocr(paragraph(line(word('side', 0, 90), ' textangle 90;'))).textAngle).toBe(270);
    expect(parseHocr(paragraph(line(word('up', 0, 90)))).textAngle).toBe(0);
  });

  it('noise that seems turned beside sure level text → the angle of the text', () => {
    const noise = line(word('UOIeIAaPpue', 0, 4), ' textangle 90;');
    expect(parseHocr(paragraph(`${noise}\n${line(word('units', 0, 96))}`)).textAngle).toBe(0);
  });

  it('headers and captions → lines', () => {
    const header = line(word('Header', 0, 90)).replace('ocr_line', 'ocr_header');
    expect(parseHocr(paragraph(header)).blocks).toHaveLength(1);
  });
});

it('an upended line without angle, and without base line or with a steep one, as of Tesseract 5.3 → turned', () => {
  const page = (line: string) =>
    parseHocr(
      `<span class='ocr_line' id='line_1_1' title="${line}">\n<span class='ocrx_word' id='w' title='bbox 364 36 388 96; x_wconf 96'>This</span></span>`,
    ).textAngle;
  expect(page('bbox 358 36 388 580; x_size 30; x_descenders 6; x_ascenders 6')).toBe(90);
  expect(page('bbox 358 36 388 580; textangle 90; x_size 30')).toBe(270);
  expect(page('bbox 36 358 580 388; x_size 30')).toBe(0);
  expect(page('bbox 358 36 388 580; baseline -636 5088; x_size 30')).toBe(90);
  expect(page('bbox 364 36 388 96; baseline 0.021 -3; x_size 30')).toBe(0);
});
