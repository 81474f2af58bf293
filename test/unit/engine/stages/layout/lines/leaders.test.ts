import { expect, it } from 'vitest';
import { readGlyphs } from '../../../../../support/read-glyphs.js';

const read = (content: string) => readGlyphs(content, { A: 'e', B: '.', C: '7' }, Array(3).fill(500));

it('dots that lead to a number, without a space → a word of their own', async () => {
  expect(await read('(AABBBBBBBCC) Tj')).toEqual(['ee', '.......', '77']);
});

it('the dots of an ellipsis → part of their word', async () => {
  expect(await read('(AABBBCC) Tj')).toEqual(['ee...77']);
});
