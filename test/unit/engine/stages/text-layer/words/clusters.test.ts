import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import { readGlyphs } from '../../../../../support/read-glyphs.js';
import { documentOf, readPage, setLines } from '../../../set-words.js';

const utf16 = (text: string) => [...text].map((sign) => sign.charCodeAt(0).toString(16).padStart(4, '0')).join('');
const span = (text: string, content: string) => `/Span <</ActualText <feff${utf16(text)}>>> BDC ${content} EMC`;
const LETTERS = { A: 'A', B: 'B', C: 'C' };
const read = (content: string) => readGlyphs(content, LETTERS, [500, 500, 300]);

// Browsers print a cluster as a span with the text of the letter and its signs.
describe('letters printed with their signs', () => {
  it('a sign that stands over the next letter → each letter once', async () => {
    expect(await read(`${span('รั', '(A) Tj 12 0 Td (C) Tj')} ${span('บ', '-2 0 Td (B) Tj')}`)).toEqual(['รับ']);
  });

  it('letters that follow each other closely → one word', async () => {
    const first = span('को', '(AC) Tj');
    const second = (step: number) => span('नी', `${step} 0 Td (AC) Tj`);
    expect(await read(`${first} ${second(16)}`)).toEqual(['कोनी']);
    expect(await read(`${first} ${second(26)}`)).toEqual(['को', 'नी']);
  });
});

// Browsers print each form of an Arabic letter as a span of its own, from the left.
describe('letters of Arabic with text given by the PDF', () => {
  it('a wide letter at the end of a word → one word', async () => {
    const word = (step: number) => `${span('س', '(ABA) Tj')} ${step} 0 Td ${span('م', '(A) Tj')}`;
    expect(await read(word(26))).toEqual(['مس']);
    expect(await read(`${word(26)} 18 0 Td ${span('ب', '(A) Tj')}`)).toEqual(['ب', 'مس']);
  });

  it('a glyph of two letters far from where its word begins → in that word', async () => {
    const letters = ['خ', 'د', 'م'].map((letter) => `10 0 Td ${span(letter, '(A) Tj')}`).join(' ');
    expect(await read(`${span('لا', '(A) Tj')} ${letters}`)).toEqual(['مدخلا']);
  });
});

// Publishers set pairs of capitals closer.
it('letters with text given by the PDF → end where they are drawn', async () => {
  const pair = (step: number) => `(B) Tj 10 0 Td ${span('AC', '(ABA) Tj')} ${step} 0 Td (B) Tj`;
  expect(await read(pair(30))).toEqual(['BACB']);
  expect(await read(pair(36))).toEqual(['BAC', 'B']);
});

it('a selector of how a sign looks → stays with the sign', async () => {
  const note = `${span('\u26a0\ufe0f', '(A) Tj 10 0 Td (C) Tj')} 12 0 Td (B) Tj`;
  expect(await read(note)).toEqual(['\u26a0\ufe0f', 'B']);
});

const THAI = ['ประโยคยาวที่ไม่มีช่องว่างระหว่างคำ', 'แต่มีช่องว่าง ระหว่างประโยค'];
const HINDI = ['यह एक लंबा वाक्य है जो एक पंक्ति में', 'नहीं आता है और आगे चलता है'];

it.each([
  ['without a space, as Thai is written', THAI, ''],
  ['with a space, as Hindi is written', HINDI, ' '],
])('lines → joined %s', (_, lines, space) => {
  expect(renderMarkdown(documentOf([readPage(setLines(lines, 60, 100))]))).toBe(lines.join(space));
});
