import { expect, it } from 'vitest';
import { openPdf } from '../../../../../../dist/engine/pdf-files/pdfium/pdfium.js';
import { readPdfPage } from '../../../../../../dist/engine/stages/text-layer/read-page.js';
import { withFile } from '../../../../../support/pdf-readers.js';
import { writePdf } from '../../../../../support/write-pdf.js';

interface Font {
  /** The name as the file writes it. */
  name?: string;
  /** Codes of two bytes, or of one in a simple font. */
  codes: number[];
  simple?: boolean;
  /** A name, or the sections of a map. */
  toUnicode?: string;
  /** The sections of a map from codes to numbers of characters; by default both are equal. */
  encoding?: string;
  /** Numbers of glyphs by numbers of characters. */
  glyphs?: number[];
  /** The font's file. */
  file?: Buffer;
  /** True when an annotation shows the text, in another font. */
  noted?: boolean;
}

const stream = (data: string, more = '') => `<< /Length ${data.length} ${more} >>\nstream\n${data}\nendstream`;

async function read({ name = 'Sample', codes, simple, toUnicode, encoding, glyphs, file, noted }: Font) {
  const descriptor = `<< /Type /FontDescriptor /FontName /Sample /Flags 4 /FontBBox [0 0 500 700] ${file ? '/FontFile2 9 0 R' : ''} >>`;
  const map = toUnicode === undefined ? '' : `/ToUnicode ${toUnicode.startsWith('/') ? toUnicode : '6 0 R'}`;
  const hex = codes.map((code) => code.toString(16).padStart(simple ? 2 : 4, '0')).join('');
  const shown = stream(
    `BT /F0 10 Tf 1 0 0 1 20 50 Tm <${hex}> Tj ET`,
    noted ? '/Type /XObject /Subtype /Form /BBox [0 0 800 100] /Resources << /Font << /F0 5 0 R >> >>' : '',
  );
  const widths = Array(256).fill(500).join(' ');
  const pdf = writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    noted
      ? '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 800 100] /Annots [<< /Type /Annot /Subtype /Stamp /F 4 /Rect [0 0 800 100] /AP << /N 4 0 R >> >>] >>'
      : '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 800 100] /Contents 4 0 R /Resources << /Font << /F0 5 0 R >> >> >>',
    shown,
    simple
      ? `<< /Type /Font /Subtype /TrueType /BaseFont /${name} /FirstChar 0 /LastChar 255 /Widths [${widths}] ${map} /FontDescriptor ${descriptor} >>`
      : `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding ${encoding === undefined ? '/Identity-H' : '7 0 R'} ${map} /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /DW 500 /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ${glyphs === undefined ? '' : '/CIDToGIDMap 8 0 R'} /FontDescriptor ${descriptor} >>] >>`,
    stream(`1 begincodespacerange <0000> <ffff> endcodespacerange\n${toUnicode ?? ''}`),
    stream(`1 begincodespacerange <0000> <ffff> endcodespacerange\n${encoding ?? ''}`, '/Type /CMap /CMapName /Own'),
    stream((glyphs ?? []).map((glyph) => String.fromCharCode(glyph >> 8, glyph & 255)).join('')),
    stream(file?.toString('latin1') ?? ''),
  ]);
  return withFile(pdf, async (path) => {
    const opened = await openPdf(path, undefined);
    const layer = readPdfPage(opened, 0)?.layer;
    opened.close();
    return { text: layer?.words.map((word) => word.text).join(' ') ?? '', unmapped: layer?.unmapped };
  });
}

const shorts = (...values: number[]): Buffer =>
  Buffer.from(values.flatMap((value) => [(value >> 8) & 255, value & 255]));
const longs = (...values: number[]): Buffer => shorts(...values.flatMap((value) => [value >>> 16, value & 0xffff]));

/** A font that consists of the table from characters to glyphs alone. */
function fontWith(...subtables: { platform: number; encoding: number; codes: Buffer }[]): Buffer {
  let at = 4 + subtables.length * 8;
  const entries = subtables.map(({ platform, encoding, codes }) => {
    const entry = Buffer.concat([shorts(platform, encoding), longs(at)]);
    at += codes.length;
    return entry;
  });
  const cmap = Buffer.concat([shorts(0, subtables.length), ...entries, ...subtables.map(({ codes }) => codes)]);
  return Buffer.concat([longs(0x10000), shorts(1, 16, 0, 0), Buffer.from('cmap'), longs(0, 28, cmap.length), cmap]);
}

/** Characters from `first` on have the glyphs from `glyph` on. */
const segments = (...ranges: [first: number, last: number, glyph: number][]): Buffer => {
  const all: typeof ranges = [...ranges, [0xffff, 0xffff, 0]];
  const ofAll = (value: (range: (typeof ranges)[number]) => number) => all.map(value);
  return shorts(
    ...[4, 0, 0, all.length * 2, 0, 0, 0, ...ofAll(([, last]) => last), 0, ...ofAll(([first]) => first)],
    ...[...ofAll(([first, , glyph]) => glyph - first), ...ofAll(() => 0)],
  );
};
const groups = (first: number, last: number, glyph: number): Buffer =>
  Buffer.concat([shorts(12, 0), longs(28, 0, 1, first, last, glyph)]);
const trimmed = (first: number, ...glyphs: number[]): Buffer => shorts(6, 0, 0, first, glyphs.length, ...glyphs);

const KEY = [0x4b, 0x65, 0x79];
const FILE = fontWith({ platform: 3, encoding: 1, codes: segments([0x41, 0x5a, 1], [0x61, 0x7a, 27]) });

it.each<[string, Font, string]>([
  [
    'that does not count its entries rightly',
    { codes: [1, 2, 3], toUnicode: '1 beginbfchar <0001> <004B> <0002> <0065> <0003> <00790073> endbfchar' },
    'Keys',
  ],
  [
    'of one range for all codes',
    { codes: [0x41a, 0x43b, 0x44e, 0x447], toUnicode: '1 beginbfrange <0000> <ffff> <0000> endbfrange' },
    'Ключ',
  ],
  [
    'of a range with characters for each',
    { codes: [1, 2, 3], toUnicode: '2 beginbfrange <0001> <0003> [<004B> <0065> <0079>] endbfrange' },
    'Key',
  ],
  ['that says that codes are characters', { codes: KEY, toUnicode: '/Identity-H' }, 'Key'],
])('a map that PDFium refuses → read all the same: one %s', async (_, font, text) => {
  expect(await read(font)).toEqual({ text, unmapped: 0 });
});

it.each<[string, Font]>([
  ['by the numbers of its glyphs', { codes: [11, 31, 51], file: FILE }],
  [
    'that names them in groups',
    { codes: [11, 37, 57], file: fontWith({ platform: 0, encoding: 4, codes: groups(0x41, 0x7a, 1) }) },
  ],
  ['by the numbers of its characters', { codes: [1, 2, 3], glyphs: [0, 11, 31, 51], file: FILE }],
  [
    'by a map of its own to these',
    {
      codes: [0xd0a0, 0xd0a1, 0xd0a2],
      encoding: '1 begincidrange <d0a0> <d0a2> 1 endcidrange',
      glyphs: [0, 11, 31, 51],
      file: FILE,
    },
  ],
  [
    'by the codes of its signs',
    {
      codes: [1, 2, 3],
      simple: true,
      file: fontWith(
        { platform: 3, encoding: 0, codes: segments([0xf001, 0xf001, 11], [0xf002, 0xf002, 31], [0xf003, 0xf003, 51]) },
        { platform: 0, encoding: 3, codes: segments([0x41, 0x5a, 1], [0x61, 0x7a, 27]) },
      ),
    },
  ],
  [
    'by codes of Macintosh',
    {
      codes: [1, 2, 3],
      simple: true,
      file: fontWith(
        { platform: 1, encoding: 0, codes: trimmed(1, 11, 31, 51) },
        { platform: 3, encoding: 1, codes: segments([0x41, 0x5a, 1], [0x61, 0x7a, 27]) },
      ),
    },
  ],
])('a font without a map → read by its own table, %s', async (_, font) => {
  expect(await read(font)).toEqual({ text: 'Key', unmapped: 0 });
});

it('a glyph of several characters → the plainest one', async () => {
  const codes = segments([0x20, 0x20, 5], [0x4b, 0x4b, 6], [0xa0, 0xa0, 5], [0x2f00, 0x2f00, 7], [0x4e00, 0x4e00, 7]);
  const file = fontWith({ platform: 3, encoding: 1, codes });
  expect((await read({ codes: [6, 5, 7], file })).text).toBe('K 一');
});

it('a glyph with the number of the space → not a space', async () => {
  expect(await read({ codes: [11, 32, 51], file: FILE })).toEqual({ text: 'Kfy', unmapped: 0 });
});

it('a font of an annotation → read like those of the page', async () => {
  expect(await read({ codes: KEY, toUnicode: '/Identity-H', noted: true })).toEqual({ text: 'Key', unmapped: 0 });
});

it('a font name in any script → the font is read', async () => {
  expect((await read({ name: '#E5#AE#8B#E4#BD#93', codes: KEY, toUnicode: '/Identity-H' })).unmapped).toBe(0);
});

it('a damaged table → no characters from it', async () => {
  expect(await read({ codes: [11, 31, 51], file: FILE.subarray(0, 60) })).toMatchObject({ unmapped: 3 });
});

it('codes of the font Symbol in private use → its signs; of another font → as they are', async () => {
  const map = (first: number, last: number) =>
    `1 beginbfrange <0041> <00${(0x41 + last - first).toString(16)}> <${first.toString(16)}> endbfrange`;
  const signs = { codes: [0x41, 0x44, 0x47], toUnicode: map(0xf0b1, 0xf0b7) };
  expect((await read({ ...signs, name: 'ABCDEF+SymbolMT' })).text).toBe('±×•');
  expect((await read({ ...signs, name: 'ABCDEF+Wingdings' })).text).toBe('\uf0b1 \uf0b4 \uf0b7');
  // A space of its own, and a piece of a tall bracket.
  expect((await read({ name: 'Symbol', codes: [0x41, 0x42], toUnicode: map(0xf020, 0xf021) })).text).toBe('!');
  expect((await read({ name: 'Symbol', codes: [0x41, 0x42], toUnicode: map(0xf0e6, 0xf0e7) })).text).toBe('⎛⎜');
});

it('a ligature of Calibri that the map gives no character → its letters; of another font → unknown', async () => {
  const ligature = { codes: [0x63, 0x19f], toUnicode: '2 beginbfchar <0063> <0061> <019f> <fffd> endbfchar' };
  expect((await read({ ...ligature, name: 'ABCDEF+Calibri' })).text).toBe('ati');
  expect((await read({ ...ligature, name: 'ABCDEF+Sample' })).text).toBe('a\ufffd');
});
