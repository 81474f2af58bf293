import { expect, test } from 'vitest';
import type { Block, OcrDocument } from '../../../../../src/engine/model/document.js';
import {
  joinMarkdownPages,
  renderMarkdown,
  renderMarkdownPages,
} from '../../../../../src/engine/stages/render/markdown.js';
import { documentOf, readPage, setLine } from '../../set-words.js';

/** Two pages of a paragraph that runs on over the break, and a blank page after them. */
function threePages(): OcrDocument {
  const first = readPage(setLine('The lamp is lit at dusk and', 60, 100));
  const second = readPage(setLine('goes out at dawn.', 60, 100));
  const [block] = second.blocks;
  if (block === undefined) throw new Error('a paragraph was set');
  const continued: Block = { ...block, continues: true };
  return documentOf([
    { ...first, number: 3 },
    { ...second, number: 4, blocks: [continued] },
    { ...second, number: 5, blocks: [] },
  ]);
}

test('a paragraph over a page break → joined in the document, cut in its pages', () => {
  const document = threePages();
  expect(renderMarkdown(document)).toBe('The lamp is lit at dusk and goes out at dawn.');
  expect(renderMarkdownPages(document)).toEqual(['The lamp is lit at dusk and', 'goes out at dawn.', '']);
});

test('pages joined → a comment with the number of each page but the first, also of an empty one', () => {
  const document = threePages();
  expect(joinMarkdownPages(document.pages, renderMarkdownPages(document))).toBe(
    'The lamp is lit at dusk and\n\n<!-- page 4 -->\n\ngoes out at dawn.\n\n<!-- page 5 -->',
  );
});
