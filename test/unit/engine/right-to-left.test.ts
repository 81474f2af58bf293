import { describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../src/engine/render/markdown.js';
import { readByPdfium, withFile } from '../../support/pdf-readers.js';
import { writePdf } from '../../support/write-pdf.js';
import { documentOf, readPage, setLine } from './set-words.js';

/** The Markdown of a line whose words stand on paper in this order from the left; each reads as it is written. */
const read = (paper: string) => renderMarkdown(documentOf([readPage(setLine(paper, 60, 100).reverse())]));

describe('a line that is read from the right', () => {
  it.each([
    ['נוספת ובתוכנת Microsoft Word בשפת', 'בשפת Microsoft Word ובתוכנת נוספת'],
    ['300 450 טלפונים', 'טלפונים 450 300'],
    ['HP Pro 450 נייד מחשב', 'מחשב נייד HP Pro 450'],
    ['.15/03/2024 לפני כתבו', 'כתבו לפני 15/03/2024.'],
    ['%12.5 النسبة', 'النسبة 12.5%'],
    ['בנות( 300 )מתוכם תלמידים', 'תלמידים (מתוכם 300 בנות)'],
    ['טוב ( 1250 ) תלמידים', 'תלמידים ( 1250 ) טוב'],
    ['2026 - 2024 בשנים', 'בשנים 2024 - 2026'],
  ])('%s', (paper, line) => {
    expect(read(paper)).toBe(line);
  });

  it('has its list item number first', () => {
    const lines = [...setLine('הדלת את פתחו .1', 60, 100), ...setLine('החלון סגרו .2', 77.5, 120)].reverse();
    expect(renderMarkdown(documentOf([readPage(lines)]))).toBe('1. פתחו את הדלת\n2. סגרו החלון');
  });
});

/** Codes of one byte as they stand for characters; each glyph is half an em wide, a mark has no width. */
async function readGlyphs(content: string, characters: Record<string, string>, widths: number[]): Promise<string[]> {
  const codes = Object.keys(characters);
  const hex = (text: string) => [...text].map((sign) => sign.charCodeAt(0).toString(16).padStart(4, '0')).join('');
  const map = codes.map((code) => `<${hex(code).slice(2)}> <${hex(characters[code] ?? '')}>`).join('\n');
  const cmap = `begincmap\n1 begincodespacerange <00> <ff> endcodespacerange\n${codes.length} beginbfchar\n${map}\nendbfchar\nendcmap`;
  const stream = (text: string) => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;
  const box = 'd0 0 0 500 700 re f';
  const pdf = writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    stream(`BT /F 20 Tf 1 0 0 1 100 100 Tm ${content} ET`),
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 700 750] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 65 /LastChar ${64 + codes.length} /Widths [${widths.join(' ')}] /Encoding << /Type /Encoding /Differences [65 ${codes.map((code) => `/${code}`).join(' ')}] >> /CharProcs << ${codes.map((code, index) => `/${code} ${7 + index} 0 R`).join(' ')} >> /Resources << >> /ToUnicode 6 0 R >>`,
    stream(cmap),
    ...widths.map((width) => stream(`${width} 0 ${box}`)),
  ]);
  const [words = []] = await withFile(pdf, (path) => readByPdfium(path));
  return words.map(({ text }) => text);
}

describe('the letters of a word that is read from the right', () => {
  it('come in their order where one glyph stands for two', async () => {
    // سلام, drawn from the left: م, the ligature of lam and alef, س.
    expect(await readGlyphs('(ABC) Tj', { A: 'م', B: 'لا', C: 'س' }, [500, 500, 500])).toEqual(['سلام']);
    expect(await readGlyphs('(AB) Tj', { A: 'ح', B: 'لمص' }, [500, 500])).toEqual(['لمصح']);
    expect(await readGlyphs('(AB) Tj', { A: 'د', B: 'ﳋ' }, [500, 500])).toEqual(['لخد']);
  });

  it('carry the marks that are drawn before or after them', async () => {
    const letters = { A: 'ا', B: 'ض', C: 'ً', D: 'ي', E: 'أ' };
    const widths = [500, 500, 0, 500, 500];
    expect(
      await readGlyphs(
        '(A) Tj 1 0 0 1 110 100 Tm (B) Tj 1 0 0 1 110 100 Tm (C) Tj 1 0 0 1 120 100 Tm (DE) Tj',
        letters,
        widths,
      ),
    ).toEqual(['أيضًا']);
  });
});
