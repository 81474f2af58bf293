import { describe, expect, it } from 'vitest';
import type { Area } from '../../../../../../src/engine/model/geometry.js';
import { renderMarkdown } from '../../../../../../src/engine/stages/render/markdown.js';
import { renderText } from '../../../../../../src/engine/stages/render/text.js';
import { readGlyphs } from '../../../../../support/read-glyphs.js';
import { documentOf, readPage, setLine } from '../../../set-words.js';

/** Words in this order from the left of the paper, each in reading order. Words separated by `|` touch. */
const onPaper = (paper: string, y: number) =>
  setLine(paper, 60, y).flatMap((word) => {
    let x0 = word.x0;
    return word.text.split('|').map((text) => {
      const part = { ...word, text, x0, x1: x0 + text.length * 5, originX: x0 };
      x0 = part.x1;
      return part;
    });
  });

/** The Markdown of a line. */
const read = (paper: string) => renderMarkdown(documentOf([readPage(onPaper(paper, 100).reverse())]));

describe('a line read from the right', () => {
  it.each([
    ['נוספת ובתוכנת Microsoft Word בשפת', 'בשפת Microsoft Word ובתוכנת נוספת'],
    ['300 450 טלפונים', 'טלפונים 450 300'],
    ['HP Pro 450 נייד מחשב', 'מחשב נייד HP Pro 450'],
    ['.15/03/2024 לפני כתבו', 'כתבו לפני 15/03/2024.'],
    ['%12.5 النسبة', 'النسبة 12.5%'],
    ['בנות( 300 )מתוכם תלמידים', 'תלמידים (מתוכם 300 בנות)'],
    ['טוב ( 1250 ) תלמידים', 'תלמידים ( 1250 ) טוב'],
    ['2026 - 2024 בשנים', 'בשנים 2024 - 2026'],
    ['YouTube - Git קצר נוסף בסרט', 'בסרט נוסף קצר YouTube - Git'],
    ['חדשים ראשון Pull Request (|PR|( את שולחים', 'שולחים את Pull Request (PR) ראשון חדשים'],
    ['אפילו ;(|one|) חדשים תורמים', 'תורמים חדשים (one); אפילו'],
    ['!|Free|-|Books|ל- הבא ברוך', 'ברוך הבא ל-Free-Books!'],
    ['۱۳۸۷ /۲۷ – ۱ :(۲) ۲۴', '۲۴ (۲): ۱ – ۲۷/ ۱۳۸۷'],
    ['לחץ "|פרטים|" על', 'על "פרטים" לחץ'],
    ['אחרון ב()4(|)|15 לסעיף', 'לסעיף 15(ב)(4) אחרון'],
    ['11:|עובד 00:|אגף', 'אגף:00 עובד:11'],
    ['2024-|ב נוסד', 'נוסד ב-2024'],
    ['אפשר .18:00-|ל פתוח', 'פתוח ל-18:00. אפשר'],
    ['קומה ,desk@library.example דואר:', 'דואר: desk@library.example, קומה'],
    ['נוספת ,Microsoft Word בשפת', 'בשפת Microsoft Word, נוספת'],
    ['-2-5 כללי תקן', 'תקן כללי -2-5'],
    ['כללי תקן -2-5', '2-5- תקן כללי'],
  ])('%s → in reading order', (paper, line) => {
    expect(read(paper)).toBe(line);
  });

  it('words of another script after a wide gap → in their own order', () => {
    const line = [...setLine('14 april 1434', 60, 100), ...setLine('١٤٣٤ إبريل ١٤', 260, 100)].reverse();
    expect(renderText(documentOf([readPage(line)]))).toBe('١٤ إبريل ١٤٣٤  14 april 1434');
  });

  it('a bullet from a font of signs → a bullet, no first word', () => {
    const words = onPaper('name@example.org |:|רובט כתבו à', 100);
    Object.assign(words.at(-1) ?? {}, { pictorial: true });
    expect(renderMarkdown(documentOf([readPage(words)]))).toContain('כתבו רובט: name@example.org');
  });

  it('a numbered item → its number first', () => {
    const lines = [...setLine('הדלת את פתחו .1', 60, 100), ...setLine('החלון סגרו .2', 77.5, 120)].reverse();
    expect(renderMarkdown(documentOf([readPage(lines)]))).toBe('1. פתחו את הדלת\n2. סגרו החלון');
  });

  it.each([
    ['', 'הדלת את פתחו', 'החלון את סגר', '- פתחו את הדלת\n- סגר את החלון'],
    [', though its words are English', 'הדלת את פתחו', 'Hello World', '- פתחו את הדלת\n- Hello World'],
  ])('a bullet drawn at the right%s → the bullet of the item', (_, one, two, list) => {
    // Both end at the right.
    const lines = [one, two].map((paper, index) => setLine(paper, 60, 100 + index * 20));
    const x0 = Math.max(...lines.flat().map(({ x1 }) => x1)) + 8;
    for (const words of lines) {
      const shift = x0 - 8 - Math.max(...words.map(({ x1 }) => x1));
      for (const word of words) for (const end of ['x0', 'x1', 'originX'] as const) word[end] += shift;
    }
    const dots: Area[] = lines.map((_, index) => ({ x0, x1: x0 + 4, y0: 94 + index * 20, y1: 98 + index * 20 }));
    const page = readPage(lines.flat(), 600, 800, { dots });
    expect(renderMarkdown(documentOf([page]))).toBe(list);
  });
});

describe('Hebrew and Arabic on a page read from the left', () => {
  it('a phrase in a line read from the left → read from the right within it', () => {
    const lines = ['קטן גדול. בית Pull Request (PR) ראשון ספר', 'שני ספר GitHub שלישי ספר|.'];
    const page = readPage(lines.flatMap((line, index) => onPaper(line, 100 + index * 12)));
    expect(renderMarkdown(documentOf([page]))).toBe(
      'בית גדול. קטן Pull Request (PR) ספר ראשון ספר שני GitHub ספר שלישי.',
    );
  });

  it('a line without a stop that begins with a word from the left, among such lines → read from the left', () => {
    const plain = ['The first line', 'The next line', 'A third line', 'One more line', 'Another line', 'The last line'];
    const lines = [...plain, 'Two words: עולם שלום', '“|שני ספר|“ is a book'];
    const page = readPage(lines.flatMap((line, index) => onPaper(line, 100 + index * 30)));
    const read = renderText(documentOf([page])).split('\n\n');
    expect(read.slice(plain.length)).toEqual(['Two words: שלום עולם', '“ספר שני” is a book']);
  });

  it('a number and a sign before the phrase → not moved', () => {
    const lines = ['1. החלון סגרו', '2. הדלת פתחו|.'];
    const page = readPage(lines.flatMap((line, index) => onPaper(line, 100 + index * 20)));
    expect(renderMarkdown(documentOf([page]))).toBe('1. סגרו החלון\n2. פתחו הדלת.');
  });
});

describe('the letters of a word read from the right', () => {
  it.each([
    ['(ABGEC) Tj (DF) Tj', ['(', 'ab', ';(', 'בא']],
    ['(ABG) Tj', [';', 'בא']],
  ])('signs that PDFium gives before the letters → apart from them: %s', async (paper, words) => {
    const letters = { A: 'א', B: 'ב', C: 'a', D: 'b', E: '(', F: ')', G: ';' };
    const widths = [500, 500, 500, 500, 300, 300, 300];
    expect(await readGlyphs(paper, letters, widths)).toEqual(words);
  });

  it('signs behind letters in a line read from the left → apart from them, and from the word behind a space', async () => {
    const letters = { A: 'א', B: 'ב', C: 'a', D: '.', E: '”', F: ' ' };
    const widths = [500, 500, 500, 500, 500, 300];
    const behind = (signs: string) => readGlyphs(`(CCCCFCCCCF) Tj 92 0 Td (AB) Tj ${signs} Tj`, letters, widths);
    // A swash of the letter reaches over the stop.
    expect(await behind('18.5 0 Td (D)')).toEqual(['aaaa', 'aaaa', 'בא', '.']);
    expect(await behind('20 0 Td (EFCC)')).toEqual(['aaaa', 'aaaa', 'בא', '“', 'aa']);
  });

  it('one glyph for two letters → both in their order', async () => {
    // سلام, drawn from the left: م, the ligature of lam and alef, س.
    expect(await readGlyphs('(ABC) Tj', { A: 'م', B: 'لا', C: 'س' }, [500, 500, 500])).toEqual(['سلام']);
    expect(await readGlyphs('(AB) Tj', { A: 'ح', B: 'لمص' }, [500, 500])).toEqual(['لمصح']);
    expect(await readGlyphs('(AB) Tj', { A: 'د', B: 'ﳋ' }, [500, 500])).toEqual(['لخد']);
  });

  it('marks drawn before or after their letters → on these letters', async () => {
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
