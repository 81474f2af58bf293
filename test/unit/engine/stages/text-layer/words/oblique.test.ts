import {
  beginText,
  degrees,
  endText,
  PDFDocument,
  type PDFPage,
  StandardFonts,
  setFontAndSize,
  setTextMatrix,
  showText,
} from '@cantoo/pdf-lib';
import { expect, it } from 'vitest';
import { readDocument } from '../../../../../../dist/engine/read-document.js';
import { renderMarkdown } from '../../../../../../dist/engine/stages/render/markdown.js';
import { withFile } from '../../../../../support/pdf-readers.js';

const BODY = [
  'The lamp is lit at dusk and put out at dawn, and whoever keeps it',
  'writes down in the book who came by.',
];
const BODY_TEXT = BODY.join(' ');

/** Pages of a paragraph each, with what is drawn over them. */
const read = async (pageCount: number, draw: (page: PDFPage) => void): Promise<string[]> => {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let count = 0; count < pageCount; count++) {
    const page = document.addPage([500, 700]);
    page.setFont(font);
    draw(page);
    for (const [index, line] of BODY.entries()) page.drawText(line, { x: 60, y: 400 - index * 14, size: 12 });
  }
  const options = { ocr: 'never', parallelism: 1, maxPixels: 1e8 } as const;
  return withFile(Buffer.from(await document.save()), async (path) => {
    const read = await readDocument(path, 'application/pdf', options);
    return renderMarkdown(read.document).trim().split('\n\n');
  });
};

/** Draws each letter by itself at the end of the one before it, as browsers do where letters are kerned. */
const drawLetters = (page: PDFPage, text: string, angle: number) => {
  const turn = (angle * Math.PI) / 180;
  let along = 0;
  for (const letter of text) {
    const [x, y] = [250 + along * Math.cos(turn), 560 + along * Math.sin(turn)];
    if (letter !== ' ') page.drawText(letter, { x, y, size: 12, rotate: degrees(angle) });
    along += page.getFont()[0].widthOfTextAtSize(letter, 12);
  }
};

const watermark = (angle: number, x: number, y: number) => (page: PDFPage) =>
  page.drawText('DRAFT COPY', { x, y, size: 60, rotate: degrees(angle) });

it.each([
  [45, 120, 260],
  [60, 180, 220],
  [-30, 60, 520],
  [135, 420, 280],
])('a watermark at %d degrees → a text of its own after that of the page', async (angle, x, y) => {
  expect(await read(1, watermark(angle, x, y))).toEqual([BODY_TEXT, 'DRAFT COPY']);
});

it('a watermark at the same place on several pages → no text', async () => {
  expect(await read(2, watermark(45, 120, 260))).toEqual([BODY_TEXT, BODY_TEXT]);
});

it('slanted names of bars → read one by one along their own base lines', async () => {
  const names = ['Oil of rape', 'Tallow', 'Beeswax'];
  const draw = (page: PDFPage) =>
    names.forEach((name, index) => {
      page.drawText(name, { x: 100 + index * 60, y: 200, size: 9, rotate: degrees(-45) });
    });
  const [text, ...others] = await read(1, draw);
  expect(text).toBe(BODY_TEXT);
  expect(others.join(' ').split(' ').sort()).toEqual(names.join(' ').split(' ').sort());
  for (const name of names) expect(others.join('\n')).toContain(name);
});

it('a slight slant, as over a skewed scan → part of the text around it', async () => {
  const draw = (page: PDFPage) => page.drawText('and nobody else', { x: 265, y: 387, size: 12, rotate: degrees(3) });
  expect(await read(1, draw)).toEqual([`${BODY_TEXT} and nobody else`]);
});

it.each([90, 180, 270])('letters drawn one by one at %d degrees → words', async (angle) => {
  const [text, label] = await read(1, (page) => drawLetters(page, 'SIDEWAYS LABEL 42', angle));
  expect([text, label].sort()).toEqual(['SIDEWAYS LABEL 42', BODY_TEXT]);
});

it('a negative size that turns the glyphs of a turned line back → an upright line', async () => {
  const draw = (page: PDFPage) => {
    const [font, key] = page.getFont();
    const show = showText(font.encodeText('Form of the year'));
    page.pushOperators(beginText(), setFontAndSize(key, -12), setTextMatrix(-1, 0, 0, -1, 60, 500), show, endText());
  };
  expect(await read(1, draw)).toEqual(['Form of the year', BODY_TEXT]);
});
