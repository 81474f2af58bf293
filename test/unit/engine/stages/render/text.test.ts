import { expect, it } from 'vitest';
import type { Block, Box } from '../../../../../src/engine/model/document.js';
import { renderText } from '../../../../../src/engine/stages/render/text.js';
import { documentOf, readPage, setLine } from '../../set-words.js';

const box: Box = [0.1, 0.3, 0.9, 0.5];
const figure: Block = { kind: 'figure', box, lines: [] };

it('a figure between two paragraphs → one empty line, as without it', () => {
  const page = readPage([...setLine('The lamp is lit at dusk.', 60, 100), ...setLine('It burns oil.', 60, 500)]);
  const [first, second] = page.blocks;
  if (first === undefined || second === undefined) throw new Error('two paragraphs were set');
  const text = 'The lamp is lit at dusk.\n\nIt burns oil.';
  expect(renderText(documentOf([page]))).toBe(text);
  expect(renderText(documentOf([{ ...page, blocks: [first, figure, second] }]))).toBe(text);
});
