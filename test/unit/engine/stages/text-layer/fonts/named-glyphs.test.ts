import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openPdf } from '../../../../../../dist/engine/pdf-files/pdfium/pdfium.js';
import { readPdfPage } from '../../../../../../dist/engine/stages/text-layer/read-page.js';
import { withFile } from '../../../../../support/pdf-readers.js';
import { writePdf } from '../../../../../support/write-pdf.js';

interface Font {
  name?: string;
  /** Differences of its encoding: codes, each followed by the names from it on. */
  differences?: string;
  /** The first bytes of its program. */
  program?: string;
  filter?: string;
  /** Entries of its map (bfchar). */
  map?: string;
  /** Widths by codes, for glyphs that are not 500 wide. */
  widths?: Record<number, number>;
  /** True when operators of the page draw the glyphs, each as a square of another size. */
  drawn?: boolean;
}

/** Reads a text in codes of one byte, one line for each font: its words, and the count of glyphs that nothing identifies. */
async function read(text: string, ...fonts: Font[]): Promise<{ words: string[]; unmapped: number }> {
  const stream = (data: string, more = '') => `<< /Length ${data.length} ${more} >>\nstream\n${data}\nendstream`;
  const hex = Buffer.from(text, 'latin1').toString('hex');
  const lines = fonts.map((_, index) => `/F${index} 20 Tf 1 0 0 1 20 ${200 - index * 40} Tm <${hex}> Tj`);
  const names = fonts.map((_, index) => `/F${index} ${5 + index * 4} 0 R`);
  const file = writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R /Resources << /Font << ${names.join(' ')} >> >> >>`,
    stream(`BT ${lines.join(' ')} ET`),
    ...fonts.flatMap(({ name = 'Sample', differences, program, filter, map, drawn, widths }, index) => {
      const at = 5 + index * 4;
      const encoding = differences && `/Encoding << /Type /Encoding /Differences [${differences}] >>`;
      const toUnicode = map && `/ToUnicode ${at + 2} 0 R`;
      const own = Array.from({ length: 256 }, (_, code) => widths?.[code] ?? 500);
      const all = `/FirstChar 0 /LastChar 255 /Widths [${own.join(' ')}] ${encoding ?? ''} ${toUnicode ?? ''}`;
      const fontFile = program && `/FontFile ${at + 1} 0 R`;
      const shapes = [...(differences ?? '').matchAll(/\/\S+/g)].map(([shape]) => `${shape} ${at + 3} 0 R`);
      return [
        drawn
          ? `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 700] /FontMatrix [0.001 0 0 0.001 0 0] /CharProcs << ${shapes.join(' ')} >> ${all} >>`
          : `<< /Type /Font /Subtype /Type1 /BaseFont /${name} ${all} /FontDescriptor << /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [0 0 500 700] ${fontFile ?? ''} >> >>`,
        stream(program ?? '', filter && `/Filter /${filter}`),
        stream(`1 begincodespacerange <00> <ff> endcodespacerange\n${map ?? ''}`),
        stream('500 0 0 0 450 700 d1 0 0 450 700 re f'),
      ];
    }),
  ]);
  return withFile(file, async (path) => {
    const pdf = await openPdf(path, undefined);
    const layer = readPdfPage(pdf, 0)?.layer;
    pdf.close();
    return { words: layer?.words.map((word) => word.text) ?? [], unmapped: layer?.unmapped ?? -1 };
  });
}

it.each([
  ['a ligature', 'o\x1fce', '31 /f_i', 'ofice'],
  ['a ligature of three letters', 'o\x1fce', '31 /f_f_i.alt', 'office'],
  ['a ligature whose code would end the line', 'o\rer', '13 /f_f', 'offer'],
  ['a sign of TeX', 'hsyntaxi', '104 /angbracketleft /angbracketright', '⟨syntax⟩'],
  ['a larger size of a sign', 'aPb', '80 /summationtext', 'a∑b'],
  ['a Greek letter and a sign of Mathematical Pi', 'p\x03\x020', '2 /H11021 /H9273', 'pχ<0'],
  ['another shape of a Greek letter', '\x01-oxidase', '1 /betatwo', 'β-oxidase'],
  ['a bracket over several lines, which is none of the text', 'a"b', '34 /bracketleftBigg', 'ab'],
])('a glyph that its font gives no character → read by its name: %s', async (_, text, differences, word) => {
  expect(await read(text, { differences })).toEqual({ words: [word], unmapped: 0 });
});

const PROGRAM = '%!PS-AdobeFont-1.0: Sample\n/Encoding 256 array\ndup 16 /prime put\ndup 17/star put\nreadonly def\n';

it('a font without an encoding in the PDF → glyph names from the font itself', async () => {
  expect(await read('a\x10b\x11', { program: PROGRAM })).toEqual({ words: ['a′b⋆'], unmapped: 0 });
});

it('an encoding in the PDF and one in the font → the one in the PDF counts', async () => {
  const font = { program: PROGRAM, differences: '16 /f_l' };
  expect(await read('a\x10b\x11', font)).toEqual({ words: ['aflb⋆'], unmapped: 0 });
});

it.each([
  ['a made-up name', [{ differences: '65 /g42' }], ['xAy']],
  [
    'fonts of one name that name it differently',
    [{ differences: '65 /f_i' }, { differences: '65 /f_l' }],
    ['xAy', 'xAy'],
  ],
])('a glyph that nothing identifies → its code, counted as unread: %s', async (_, fonts, words) => {
  expect(await read('xAy', ...fonts)).toEqual({ words, unmapped: words.length });
});

it('subsets of one font with different names for a glyph → distinguished by their subset tags', async () => {
  const fonts = [
    { name: 'ABCDEF+Sample', differences: '65 /f_i' },
    { name: 'GHIJKL+Sample', differences: '65 /f_l' },
  ];
  expect(await read('xAy', ...fonts)).toEqual({ words: ['xfiy', 'xfly'], unmapped: 0 });
});

it('a font that unpacks to more than fonts have → not searched for names', async () => {
  const program = deflateSync(PROGRAM + ' '.repeat(2 ** 21)).toString('latin1');
  expect(await read('a\x10b', { program, filter: 'FlateDecode' })).toEqual({ words: ['ab'], unmapped: 1 });
});

const ARROW = '2 beginbfrange <21> <21> <0000> <22> <22> <21b5> endbfrange';

it.each([
  ['ligatures', 'e\x22ort di\x21cult', '33 /ffi /ff', ARROW, ['effort', 'difficult']],
  ['an honest arrow', 'a\x22b', '33 /ffi /arrowright', '1 beginbfchar <22> <2192> endbfchar', ['a→b']],
  ['a character that is none, without a name that tells', 'a\x21b', '33 /g42', ARROW, ['ab']],
  [
    'a list of characters',
    'di\x21cult',
    '33 /ffi',
    '1 beginbfrange <21> <22> [<0001> <0041>] endbfrange',
    ['difficult'],
  ],
])(
  'a map that gives hardly a character → the name of the glyph counts first: %s',
  async (...[, text, differences, map, words]) => {
    expect((await read(text, { differences, map })).words).toEqual(words);
  },
);

it('subsets that name a glyph differently → distinguished by its width', async () => {
  const map = '1 beginbfchar <21> <0000> endbfchar';
  const first = { name: 'ABCDEF+Sample', differences: '33 /ffi', map, widths: { 33: 833 } };
  const second = { name: 'GHIJKL+Sample', differences: '33 /fl', map, widths: { 33: 556 } };
  expect((await read('o\x21ce', first, second)).words).toEqual(['office', 'oflce']);
});

it.each([
  ['signs by their names', '0+A', '48 /zero 43 /plus 65 /alpha', ['0+α']],
  ['letters among honest names', '\x01\x02\x03\x04\x01', '1 /A /n /space /o', ['An', 'oA']],
  ['letters for their own codes', 'Ab', '65 /A 98 /b', ['Ab']],
])('a font that the page draws → glyphs read by their names: %s', async (_, text, differences, words) => {
  expect(await read(text, { differences, drawn: true })).toEqual({ words, unmapped: 0 });
});

it.each([
  ['made-up letters', 'Ab', '65 /B 98 /A', 2],
  ['numbers', 'Ab', '65 /0 98 /1', 2],
])(
  'a font that the page draws, with other names → nothing read from them: %s',
  async (_, text, differences, unmapped) => {
    expect(await read(text, { differences, drawn: true })).toEqual({ words: ['Ab'], unmapped });
  },
);

const inCodes = (letters: string, nameOf: (code: number) => string): string =>
  [...letters].map((letter) => `${letter.charCodeAt(0)} /${nameOf(letter.charCodeAt(0))}`).join(' ');
const MAP = '1 beginbfrange <61> <7a> <0061> endbfrange';
const asPdfTex = (code: number): string => `a${code}`;
const asCharacters = (code: number): string => `#${code.toString(16).padStart(2, '0')}`;
const asDvips = (code: number): string => (code + 360).toString(36).toUpperCase();

it.each([
  ['the older one', 'aeinorst\x0e\\{"', 'o\x0ea \\not"{it', asPdfTex, undefined, ['offia', '“not”–it']],
  ['the newer one', 'aeinorst\x1c\x15\xe9', '\x1ctn\xe9\x15', asPdfTex, undefined, ['fitné–']],
  ['that of PostScript fonts', 'aeinorst\x02', '\x02tness', asDvips, undefined, ['fitness']],
  ['none without ligatures, as a typewriter has', 'aeinorst{', 'to{e', asPdfTex, undefined, ['to{e']],
  [
    'the older one, in names that are the characters of the codes',
    'aeinorst\x0b',
    'o\x0b',
    asCharacters,
    undefined,
    ['off'],
  ],
  ['with a map without its ligatures', 'aeinorst\x0b', 'o\x0b', asCharacters, MAP, ['off']],
  ['with a map by the names', 'aceinorst\x0c', 'nice', asDvips, '1 beginbfchar <63> <000d> endbfchar', ['nice']],
])('a font that TeX draws of dots → read by its encoding: %s', async (...[, letters, text, nameOf, map, words]) => {
  const font = { differences: inCodes(letters, nameOf), drawn: true, ...(map === undefined ? {} : { map }) };
  expect(await read(text, font)).toEqual({ words, unmapped: 0 });
});

it('fonts without names that the page draws → distinguished by the widths of their letters', async () => {
  const text = { differences: inCodes('aeinorst\x0b', asCharacters), drawn: true, map: MAP, widths: { 111: 550 } };
  const formula = { differences: inCodes('on\x0b', asCharacters), drawn: true, map: MAP, widths: { 111: 450 } };
  const bare = { differences: inCodes('on\x0b', asCharacters), drawn: true, widths: { 111: 400 } };
  expect((await read('o\x0bn', text, formula, bare)).words).toEqual(['offn', 'o', 'n', 'on']);
});

it('glyphs without a name, whatever their codes → neither hyphens nor line ends', async () => {
  expect(await read('a\x02b\rc\td', { differences: '2 /g1 9 /g2 13 /g3' })).toEqual({ words: ['abcd'], unmapped: 3 });
});

it('an unknown sign before a letter at the start of a line → kept as itself', async () => {
  const font = { differences: '2 /g1' };
  expect((await read('\x02 one \x02 two', font, font)).words).toEqual(['one', 'two', '\ue000', 'one', 'two']);
});
