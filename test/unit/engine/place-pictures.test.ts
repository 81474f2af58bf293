import { expect, it } from 'vitest';
import type { Block, Page } from '../../../src/engine/model/document.js';
import { createFragment } from '../../../src/engine/model/fragment.js';
import { placePictures } from '../../../src/engine/place-pictures.js';
import type { ReadPicture } from '../../../src/engine/reading/reading.js';
import { renderMarkdown } from '../../../src/engine/stages/render/markdown.js';
import { renderPageText } from '../../../src/engine/stages/render/text.js';

/** A paragraph of a text layer, at a height as a share of the page. */
const paragraph = (text: string, y: number, more: Partial<Block> = {}): Block => {
  const box = [0.1, y, 0.9, y + 0.02] as const;
  const words = text.split(' ').map((word) => ({ text: word, box, confidence: null }));
  return { kind: 'paragraph', box, lines: [{ box, words, fontSize: 12, direction: 'ltr' }], ...more };
};
const figure: Block = { kind: 'figure', box: [0.1, 0.3, 0.9, 0.6], lines: [] };
const pageOf = (blocks: Block[], number = 1): Page => ({
  ...{ number, width: 600, height: 800, rotation: 0, source: 'mixed', blocks },
  textLayer: { verdict: 'trusted', reasons: [] },
});

/** A picture of 480 x 240 points whose lines are set in type of `size` points. */
function pictureOf(texts: readonly string[], size = 10): ReadPicture {
  const fragments = texts.map((text, row) =>
    createFragment(
      text.split(' ').map((word, index) => {
        const [x, y] = [20 + index * size * 4, 20 + row * size * 1.4];
        const place = { x0: x, x1: x + size * 3.6, y0: y, y1: y + size, baseline: y + size * 0.8 };
        return { text: word, ...place, fontSize: size, bold: false, italic: false, confidence: 0.95 };
      }),
      row,
    ),
  );
  const content = { width: 480, height: 240, fragments, turned: [], rules: [], images: [], shades: [] };
  return { content: { ...content, isRecognised: true }, area: { x0: 60, y0: 240, x1: 540, y1: 480 } };
}
const PRINT = ['printed words of the picture', 'that run on in a second line'];
const before = paragraph('Text before the figure.', 0.1);
const after = paragraph('Text below the figure.', 0.7);

it('the print of a picture → behind its figure, in its place on the page', () => {
  const page = placePictures(pageOf([before, figure, after]), [pictureOf(PRINT)]);
  expect(renderPageText(page)).toBe(
    'Text before the figure.\n\nprinted words of the picture\nthat run on in a second line\n\nText below the figure.',
  );
  const [word] = page.blocks[2]?.lines[0]?.words ?? [];
  // 20 points right of the picture's left side at 60, 20 below its top at 240.
  expect(word?.box[0]).toBeCloseTo(80 / 600, 4);
  expect(word?.box[1]).toBeCloseTo(260 / 800, 4);
  expect(word?.confidence).toBe(0.95);
});

it('type of a picture that is measured in more than points → its size in points of the page', () => {
  const page = placePictures(pageOf([before, figure]), [pictureOf(PRINT, 30)]);
  const [line] = page.blocks[2]?.lines ?? [];
  expect(line?.fontSize).toBeGreaterThan(27);
  expect((line?.words[0]?.box[3] ?? 0) - (line?.words[0]?.box[1] ?? 0)).toBeCloseTo(30 / 800, 3);
});

it('large lines of a picture → paragraphs: they are no headings of the document', () => {
  const [title, text] = [pictureOf(['Large print'], 24), pictureOf(['', '', '', '', ...PRINT, ...PRINT, ...PRINT])];
  const fragments = [
    ...title.content.fragments,
    ...text.content.fragments.filter(({ words: [word] }) => word?.text !== ''),
  ];
  const page = placePictures(pageOf([before, figure, after]), [{ ...text, content: { ...text.content, fragments } }]);
  expect(page.blocks.map(({ kind }) => kind)).not.toContain('heading');
  expect(page.blocks[2]?.lines[0]?.words.map((word) => word.text)).toEqual(['Large', 'print']);
});

it('a paragraph that goes on behind a picture, on the next page → is joined to its own beginning', () => {
  const first = placePictures(pageOf([paragraph('It begins', 0.1), figure]), [pictureOf(PRINT)]);
  const second = pageOf([paragraph('and ends.', 0.05, { continues: true })], 2);
  expect(renderMarkdown({ pages: [first, second], warnings: [] })).toContain('It begins and ends.');
});

it('a page without a figure, since the picture fills it → the print comes last', () => {
  const page = placePictures(pageOf([before, after]), [pictureOf(PRINT)]);
  expect(renderPageText(page)).toMatch(/below the figure\.\n\nprinted words/);
});

it('no pictures → the page as it was', () => {
  expect(placePictures(pageOf([before]), []).blocks).toEqual([before]);
});
