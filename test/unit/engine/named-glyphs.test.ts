import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openPdf } from '../../../dist/engine/pdf/pdfium.js';
import { readPdfPage } from '../../../dist/engine/pdf/read-page.js';
import { withFile } from '../../support/pdf-readers.js';
import { writePdf } from '../../support/write-pdf.js';

interface Font {
  name?: string;
  /** Of its encoding: names from codes on. */
  differences?: string;
  /** How its program begins. */
  program?: string;
  filter?: string;
}

/** The words of a text in codes of one byte, which each font shows on a line of its own, and the count of glyphs that nothing tells. */
async function read(text: string, ...fonts: Font[]): Promise<{ words: string[]; unmapped: number }> {
  const stream = (data: string, more = '') => `<< /Length ${data.length} ${more} >>\nstream\n${data}\nendstream`;
  const hex = Buffer.from(text, 'latin1').toString('hex');
  const lines = fonts.map((_, index) => `/F${index} 20 Tf 1 0 0 1 20 ${200 - index * 40} Tm <${hex}> Tj`);
  const names = fonts.map((_, index) => `/F${index} ${5 + index * 2} 0 R`);
  const widths = Array(256).fill(500).join(' ');
  const file = writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] /Contents 4 0 R /Resources << /Font << ${names.join(' ')} >> >> >>`,
    stream(`BT ${lines.join(' ')} ET`),
    ...fonts.flatMap(({ name = 'Sample', differences, program, filter }, index) => {
      const encoding = differences && `/Encoding << /Type /Encoding /Differences [${differences}] >>`;
      const fontFile = program && `/FontFile ${6 + index * 2} 0 R`;
      return [
        `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /FirstChar 0 /LastChar 255 /Widths [${widths}] ${encoding ?? ''} /FontDescriptor << /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [0 0 500 700] ${fontFile ?? ''} >> >>`,
        stream(program ?? '', filter && `/Filter /${filter}`),
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
  ['a bracket over several lines, which is none of the text', 'a"b', '34 /bracketleftBigg', 'ab'],
])('a glyph is read by its name where its font has no character for it: %s', async (_, text, differences, word) => {
  expect(await read(text, { differences })).toEqual({ words: [word], unmapped: 0 });
});

const PROGRAM = '%!PS-AdobeFont-1.0: Sample\n/Encoding 256 array\ndup 16 /prime put\ndup 17/star put\nreadonly def\n';

it('a font without an encoding in the PDF names its glyphs itself', async () => {
  expect(await read('a\x10b\x11', { program: PROGRAM })).toEqual({ words: ['a′b⋆'], unmapped: 0 });
});

it('the encoding in the PDF goes before the one of the font', async () => {
  const font = { program: PROGRAM, differences: '16 /f_l' };
  expect(await read('a\x10b\x11', font)).toEqual({ words: ['aflb⋆'], unmapped: 0 });
});

it.each([
  ['a made-up name', [{ differences: '65 /g42' }], ['xAy']],
  [
    'subsets of one font that name it differently',
    [
      { name: 'ABCDEF+Sample', differences: '65 /f_i' },
      { name: 'GHIJKL+Sample', differences: '65 /f_l' },
    ],
    ['xAy', 'xAy'],
  ],
])('a glyph that nothing tells keeps its code, and counts: %s', async (_, fonts, words) => {
  expect(await read('xAy', ...fonts)).toEqual({ words, unmapped: words.length });
});

it('a font that unfolds to more than fonts have is not searched for names', async () => {
  const program = deflateSync(PROGRAM + ' '.repeat(2 ** 21)).toString('latin1');
  expect(await read('a\x10b', { program, filter: 'FlateDecode' })).toEqual({ words: ['ab'], unmapped: 1 });
});
