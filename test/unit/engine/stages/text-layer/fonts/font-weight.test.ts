import { expect, it } from 'vitest';
import { openPdf } from '../../../../../../dist/engine/pdf-files/pdfium/pdfium.js';
import { readPdfPage } from '../../../../../../dist/engine/stages/text-layer/read-page.js';
import { withFile } from '../../../../../support/pdf-readers.js';
import { writePdf } from '../../../../../support/write-pdf.js';

/** True when a word is bold in a font of that name, with stems as thick as those of bold type. */
async function isBold(fontName: string): Promise<boolean | undefined> {
  const content = 'BT /F 20 Tf 1 0 0 1 100 100 Tm (word) Tj ET';
  const pdf = writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    `<< /Type /Font /Subtype /TrueType /BaseFont /${fontName} /FirstChar 97 /LastChar 122 /Widths [${Array(26).fill(500).join(' ')}] /FontDescriptor 6 0 R /Encoding /WinAnsiEncoding >>`,
    `<< /Type /FontDescriptor /FontName /${fontName} /Flags 32 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 150 >>`,
  ]);
  return withFile(pdf, async (path) => {
    const file = await openPdf(path, undefined);
    try {
      return readPdfPage(file, 0)?.layer.words[0]?.bold;
    } finally {
      file.close();
    }
  });
}

it.each(['AAAAAA+NotoSerif-Regular', 'Georgia', 'NewCenturySchlbk-Italic', 'CMR9', 'SFRM0900'])(
  '%s, however thick its stems → not bold',
  async (name) => {
    expect(await isBold(name)).toBe(false);
  },
);

it.each(['AAAAAA+NotoSerif-Bold', 'HelveticaNeueLTStd-BdCn', 'LinBiolinumTB', 'Gotham-Medium', 'TT14Bt00', 'CMBX10'])(
  '%s → bold',
  async (name) => {
    expect(await isBold(name)).toBe(true);
  },
);
