import { readByPdfium, withFile } from './pdf-readers.js';
import { writePdf } from './write-pdf.js';

/** The words that are read of a text in a PDF of writeGlyphs. */
export async function readGlyphs(...glyphs: Parameters<typeof writeGlyphs>): Promise<string[]> {
  const [words = []] = await withFile(writeGlyphs(...glyphs), (path) => readByPdfium(path));
  return words.map(({ text }) => text);
}

/**
 * A PDF with a text which `content` shows, in codes of one byte as they stand for characters; each glyph is drawn half
 * an em wide, whatever its width.
 */
export function writeGlyphs(content: string, characters: Record<string, string>, widths: number[]): Buffer {
  const codes = Object.keys(characters);
  const hex = (text: string) => [...text].map((sign) => sign.charCodeAt(0).toString(16).padStart(4, '0')).join('');
  const map = codes.map((code) => `<${hex(code).slice(2)}> <${hex(characters[code] ?? '')}>`).join('\n');
  const cmap = `begincmap\n1 begincodespacerange <00> <ff> endcodespacerange\n${codes.length} beginbfchar\n${map}\nendbfchar\nendcmap`;
  const stream = (text: string) => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;
  const box = 'd0 0 0 500 700 re f';
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    stream(`BT /F 20 Tf 1 0 0 1 100 100 Tm ${content} ET`),
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 700 750] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 65 /LastChar ${64 + codes.length} /Widths [${widths.join(' ')}] /Encoding << /Type /Encoding /Differences [65 ${codes.map((code) => `/${code}`).join(' ')}] >> /CharProcs << ${codes.map((code, index) => `/${code} ${7 + index} 0 R`).join(' ')} >> /Resources << >> /ToUnicode 6 0 R >>`,
    stream(cmap),
    ...widths.map((width) => stream(`${width} 0 ${box}`)),
  ]);
}
