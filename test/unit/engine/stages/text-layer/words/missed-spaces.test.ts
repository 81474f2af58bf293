import { expect, it } from 'vitest';
import { readGlyphs } from '../../../../../support/read-glyphs.js';

/** Each glyph is half an em wide: 10 points. */
const read = (content: string) => readGlyphs(content, { A: 'r', B: 'e', C: 'd', D: ' ' }, Array(4).fill(500));

// PDFium adds no space when all letters of a text object are equally far apart.
it('a jump between letters set close, also about a word of one letter → a word end', async () => {
  expect(await read('(BAB) Tj 30 0 Td 4 Tc (ACC) Tj 38 0 Td 0 Tc (ABB) Tj')).toEqual(['erer', 'd', 'dree']);
});

it('letters spaced out, also behind letters set close → one word', async () => {
  expect(await read('(BAB) Tj 30 0 Td 4 Tc (ACCA) Tj')).toEqual(['ererddr']);
});

it('spaces drawn after the letters around them → no word end', async () => {
  expect(await read('(BADAB) Tj 20 0 Td [(D) -300 (D)] TJ 30 0 Td (C) Tj')).toEqual(['er', 'red']);
});

it('a jump → measured by how close the letters before it are set', async () => {
  expect(await read('(BABAB) Tj 52.4 0 Td (CAC) Tj')).toEqual(['erere', 'drd']);
  expect(await read('0.8 Tc (BABAB) Tj 55.7 0 Td (CAC) Tj')).toEqual(['ereredrd']);
  expect(await read('(BABAB) Tj 52 0 Td (CAC) Tj')).toEqual(['ereredrd']);
});

it('letters spaced out at the end of their text object → one word, unless the space grows', async () => {
  expect(await read('3 Tc (BAB) Tj 39 0 Td (CAC) Tj')).toEqual(['eredrd']);
  expect(await read('3 Tc (BAB) Tj 42 0 Td (CAC) Tj')).toEqual(['ere', 'drd']);
  expect(await read('(BAB) Tj 33 0 Td (CAC) Tj')).toEqual(['ere', 'drd']);
});

/** Figures and letters, each 10 points wide. */
const readFigures = (content: string) => readGlyphs(content, { A: '4', B: '1', C: 'd', D: '5' }, Array(4).fill(500));

// Browsers leave 1.5 points between the cells of a table by default, less than PDFium takes for a space.
it('a number of its own right behind another or a word → a word of its own', async () => {
  expect(await readFigures('(A) Tj 12.4 0 Td (BBD) Tj')).toEqual(['4', '115']);
  expect(await readFigures('(CC) Tj 22.4 0 Td (BBD) Tj')).toEqual(['dd', '115']);
});

it('figures that are kerned or spaced out, drawn one by one → one number', async () => {
  expect(await readFigures('(A) Tj 11.6 0 Td (BBD) Tj')).toEqual(['4115']);
  expect(await readFigures('(A) Tj 12.4 0 Td (B) Tj 12.4 0 Td (D) Tj 12.4 0 Td (A) Tj')).toEqual(['4154']);
  expect(await readFigures('(A) Tj 10 0 Td (B) Tj 12.4 0 Td (D) Tj 10 0 Td (A) Tj')).toEqual(['4154']);
});

// Heads of two lines stand half a line higher and lower than those of one beside them.
it('a letter half a line higher, a little behind the word → a word of its own; right at it, or less high → not', async () => {
  expect(await read('(BAB) Tj 31.8 11 Td (CAC) Tj')).toEqual(['ere', 'drd']);
  expect(await read('(BAB) Tj 30 11 Td (CAC) Tj')).toEqual(['eredrd']);
  expect(await read('(BAB) Tj 31.8 5 Td (CAC) Tj')).toEqual(['eredrd']);
});
