import { expect, it } from 'vitest';
import { openPdf } from '../../../../../../dist/engine/pdf-files/pdfium/pdfium.js';
import { readPdfPage } from '../../../../../../dist/engine/stages/text-layer/read-page.js';
import { makeBlankTrueType } from '../../../../../../src/engine/pdf-files/blank-true-type.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { withFile } from '../../../../../support/pdf-readers.js';
import { writePdf } from '../../../../../support/write-pdf.js';

/** A word in a font of that name, with stems as thick as those of bold type, and its program if there is one. */
async function readWord(fontName: string, program?: Buffer): Promise<RawWord | undefined> {
  const content = 'BT /F 20 Tf 1 0 0 1 100 100 Tm (word) Tj ET';
  const pdf = writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    `<< /Type /Font /Subtype /TrueType /BaseFont /${fontName} /FirstChar 97 /LastChar 122 /Widths [${Array(26).fill(500).join(' ')}] /FontDescriptor 6 0 R /Encoding /WinAnsiEncoding >>`,
    `<< /Type /FontDescriptor /FontName /${fontName} /Flags 32 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 150${program ? ' /FontFile2 7 0 R' : ''} >>`,
    ...(program ? [hexStream(program)] : []),
  ]);
  return withFile(pdf, async (path) => {
    const file = await openPdf(path, undefined);
    try {
      return readPdfPage(file, 0)?.layer.words[0];
    } finally {
      file.close();
    }
  });
}

const isBold = async (fontName: string, program?: Buffer) => (await readWord(fontName, program))?.bold;

async function styleOf(fontName: string, program?: Buffer) {
  const { bold, italic } = (await readWord(fontName, program)) ?? {};
  return { bold, italic };
}

const hexStream = (bytes: Buffer) => {
  const text = `${bytes.toString('hex')}>`;
  return `<< /Filter /ASCIIHexDecode /Length ${text.length} /Length1 ${bytes.length} >>\nstream\n${text}\nendstream`;
};

/** A font program whose table `head` has the style (OpenType 1.9, `head`, macStyle). */
function makeProgram(style: number): Buffer {
  const font = makeBlankTrueType({ unitsPerEm: 1000, width: 500, ascent: 750, descent: 250, coversUnicode: true });
  const entry = font.indexOf('head');
  font.writeUInt16BE(style, font.readUInt32BE(entry + 8) + 44);
  return font;
}

it.each([
  ['Times#20New#20Roman', 1, true],
  ['Times#20New#20Roman', 0, false],
  ['Times#20New#20Roman', 2, false],
  ['AAAAAA+Calibri', 1, true],
  ['AAAAAA+NotoSerif-Regular', 1, false],
])('%s with the style %d in its program → bold: %s', async (name, style, bold) => {
  expect(await isBold(name, makeProgram(style))).toBe(bold);
});

it.each([0, 1, 2, 3])('CIDFont+F2, as Windows prints, with the style %d in its program → that style', async (style) => {
  expect(await styleOf('CIDFont+F2', makeProgram(style))).toEqual({ bold: (style & 1) > 0, italic: (style & 2) > 0 });
});

it('Arial-Fett, Arial_Vet_Cursief → bold and italic as other languages name them', async () => {
  expect(await styleOf('Arial-Fett')).toEqual({ bold: true, italic: false });
  expect(await styleOf('Arial_Vet_Cursief083')).toEqual({ bold: true, italic: true });
});

it.each(['Wingdings', 'ABCDEF+BillsBigBullets'])('%s → pictures in the places of letters', async (name) => {
  expect((await readWord(name))?.pictorial).toBe(true);
  expect((await readWord('Georgia'))?.pictorial).toBeUndefined();
});

it('a family name with a damaged program → not bold', async () => {
  expect(await isBold('Calibri', makeProgram(1).subarray(0, 100))).toBe(false);
});

it.each(['AAAAAA+NotoSerif-Regular', 'Georgia', 'NewCenturySchlbk-Italic', 'Humanist521-BT', 'CMR9', 'SFRM0900'])(
  '%s, however thick its stems → not bold',
  async (name) => {
    expect(await isBold(name)).toBe(false);
  },
);

it.each([
  'AAAAAA+NotoSerif-Bold',
  'HelveticaNeueLTStd-BdCn',
  'LinBiolinumTB',
  'AdvOpti-B',
  'Gotham-Medium',
  'TT14Bt00',
  'CMBX10',
])('%s → bold', async (name) => {
  expect(await isBold(name)).toBe(true);
});
