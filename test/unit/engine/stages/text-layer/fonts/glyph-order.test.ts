import { expect, it } from 'vitest';
import { openPdf } from '../../../../../../dist/engine/pdf-files/pdfium/pdfium.js';
import { readPdfPage } from '../../../../../../dist/engine/stages/text-layer/read-page.js';
import { withFile } from '../../../../../support/pdf-readers.js';
import { writePdf } from '../../../../../support/write-pdf.js';

/** The lines of a page in composite fonts without a map, one for each line; a line's codes are the numbers of glyphs. */
const read = (...lines: number[][]) => readFrom((index) => `Sample${index}`, ...lines);

/** Reads text in fonts of these names. */
async function readFrom(
  nameOf: (index: number) => string,
  ...lines: number[][]
): Promise<{ text: string; unmapped: number; lost: number }> {
  const stream = (data: string) => `<< /Length ${data.length} >>\nstream\n${data}\nendstream`;
  const shown = lines.map((codes, index) => {
    const hex = codes.map((code) => code.toString(16).padStart(4, '0')).join('');
    return `/F${index} 10 Tf 1 0 0 1 20 ${700 - index * 40} Tm <${hex}> Tj`;
  });
  const names = lines.map((_, index) => `/F${index} ${5 + index} 0 R`);
  const file = writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 4000 800] /Contents 4 0 R /Resources << /Font << ${names.join(' ')} >> >> >>`,
    stream(`BT ${shown.join(' ')} ET`),
    ...lines.map((_, index) => {
      const name = nameOf(index);
      return `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /DW 500 /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [0 0 500 700] >> >>] >>`;
    }),
  ]);
  return withFile(file, async (path) => {
    const pdf = await openPdf(path, undefined);
    const layer = readPdfPage(pdf, 0)?.layer;
    pdf.close();
    const { words = [], unmapped = -1, lost = -1 } = layer ?? {};
    return { text: words.map((word) => word.text).join(' '), unmapped, lost };
  });
}

const by = (shift: number, text: string): number[] => [...text].map((letter) => letter.charCodeAt(0) - shift);
const SENTENCE =
  'However far the stream flows, it never forgets its source, and the traveller who drinks from it remembers the hills.';

it.each([
  ['TrueType fonts', 29],
  ['fonts that begin with a space', 31],
])('glyph numbers without a map → read in the order of %s', async (_, shift) => {
  expect(await read(by(shift, SENTENCE))).toEqual({ text: SENTENCE, unmapped: 0, lost: 0 });
});

it('accented letters and quotes → read in that order; glyphs beyond it → counted as unread', async () => {
  const { text, unmapped } = await read([...by(29, `${SENTENCE} `), 0x70, 0x6a, 3, 0x3e8]);
  expect({ text, unmapped }).toEqual({ text: `${SENTENCE} éà \ufffd`, unmapped: 1 });
});

it.each([
  ['Arial', by(29, 'Total: 5'), 'Total: 5'],
  ['TimesNewRoman,Bold', [589, 605, 613, 616, 604, 602, 633], 'Угловая'],
  ['Calibri', [100, 381, 410, 258, 367, 855, 3, 1009], 'Total: 5'],
  ['Cambria-Italic', [23, 145, 150, 131, 142, 483, 3, 887], 'Total: 5'],
])('a font that is not in the file → the glyphs of its family: %s', async (name, codes, text) => {
  expect(await readFrom(() => name, codes)).toEqual({ text, unmapped: 0, lost: 0 });
});

it.each([
  ['fonts that begin with a space as their first glyph', 32],
  ["Adobe's fonts", 31],
])('quotes and ligatures → read in the order of %s', async (_, shift) => {
  const text = shift === 31 ? `${SENTENCE} ‘offi’` : SENTENCE;
  const codes = shift === 31 ? [...by(31, `${SENTENCE} `), 65, ...by(31, 'of'), 109, 8] : by(32, SENTENCE);
  expect((await read(codes)).text).toBe(text);
});

it('a font with few letters → read like the fonts beside it', async () => {
  const title = 'The source of the stream';
  expect((await read(by(29, SENTENCE), by(30, title))).text).toBe(`${SENTENCE} ${title}`);
});

it('a font of capitals, or of few letters among figures → read like the fonts beside it', async () => {
  expect(await read(by(29, SENTENCE), by(29, 'THE SOURCE'), by(29, '2104'))).toEqual({
    text: `${SENTENCE} THE SOURCE 2104`,
    unmapped: 0,
    lost: 0,
  });
});

it('figures beside few words → the words tell the order', async () => {
  const text = '1000 2000 3000 4000 5000 6000 7000 8000 9000 rates in pounds and dates of the sea for sailors';
  expect((await read(by(29, text))).text).toBe(text);
});

it.each([
  ['characters as they are', by(0, SENTENCE), SENTENCE.length],
  ['too few letters', by(29, 'The source'), 10],
  [
    'no order that makes a language',
    by(
      29,
      SENTENCE.replace(/[a-z]/g, (letter) => 'zxqvjkwyb'[letter.charCodeAt(0) % 9] ?? ''),
    ),
    SENTENCE.length,
  ],
])('numbers that are %s → no glyph order', async (_, codes, glyphs) => {
  const { unmapped, lost } = await read(codes);
  // Spaces that are drawn as such need no map.
  expect(unmapped).toBe(glyphs - codes.filter((code) => code === 32).length);
  expect(lost).toBe(unmapped);
});

it('numbers without characters among words → counted, but no words are lost', async () => {
  const unknown = [0x3e8, 0x3e9, 0x3ea];
  const words = by(29, SENTENCE);
  const { unmapped, lost } = await read([...words, ...unknown, ...words, ...unknown, ...unknown, ...words]);
  expect({ unmapped, lost }).toEqual({ unmapped: 9, lost: 0 });
});
