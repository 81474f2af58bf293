import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PDFDocument, PDFName, type PDFPage, PDFString } from '@cantoo/pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { readDocument } from '../../../dist/engine/read-document.js';
import { renderMarkdown } from '../../../dist/engine/stages/render/markdown.js';
import { renderText } from '../../../dist/engine/stages/render/text.js';
import {
  A4,
  createDocument,
  type Fonts,
  frameOf,
  saveDocument,
  setBlocks,
  setFooter,
  turnPage,
} from '../../fixtures/maker/typeset.js';
import { examples } from '../../fixtures/manifest.js';
import { REPORT } from '../../fixtures/texts.js';
import { outline, parseGfm, tablesOf } from './gfm.js';

// Real files, made here and read as every PDF is: rules, links, weights and raised figures come through PDFium.
const directory = mkdtempSync(join(tmpdir(), 'ocr-structure-'));
afterAll(() => rmSync(directory, { recursive: true }));

const read = async (path: string) => {
  const options = { ocr: 'never', maxPixels: 1e6, parallelism: 1 } as const;
  return (await readDocument(path, 'application/pdf', options)).document;
};

async function make(name: string, draw: (document: PDFDocument, fonts: Fonts) => void): Promise<string> {
  const { document, fonts } = await createDocument(name);
  draw(document, fonts);
  const path = join(directory, `${name}.pdf`);
  writeFileSync(path, await saveDocument(document));
  return path;
}

function link(
  document: PDFDocument,
  page: PDFPage,
  rect: number[],
  url: string,
  more: Record<string, number[]> = {},
): void {
  const annotation = document.context.obj({
    ...{ Type: 'Annot', Subtype: 'Link', Rect: rect, Border: [0, 0, 0], ...more },
    A: { Type: 'Action', S: 'URI', URI: PDFString.of(url) },
  });
  page.node.set(PDFName.of('Annots'), document.context.obj([document.context.register(annotation)]));
}

const TEXT =
  'The ferry leaves when the tide allows, and returns when it must. Nobody has ever been left behind, though some have been **asked to swim** for the last part.';
const FARES = [
  ['Passenger', 'There', 'And back'],
  ['Grown', '4.00', '7.50'],
  ['Small', '2.00', '3.50'],
];
const FERRY = [
  { kind: 'title' as const, text: 'The Ferry' },
  { kind: 'paragraph' as const, text: TEXT },
  { kind: 'heading' as const, text: '1. Fares' },
  { kind: 'table' as const, widths: [150, 90, 90], rows: FARES },
  { kind: 'bullets' as const, items: ['pay on board', 'bring the right change'] },
  { kind: 'paragraph' as const, text: TEXT },
];
const FERRY_OUTLINE = [
  ...['h1 The Ferry', `p ${TEXT.replaceAll('**', '')}`, 'h2 1. Fares', 'table'],
  ...['- pay on board', '- bring the right change', `p ${TEXT.replaceAll('**', '')}`],
];

describe('the structure of a PDF', () => {
  it('pages stored in any way → the same headings, lists and tables', async () => {
    const path = await make('ferry', (document, fonts) => {
      for (const number of [1, 2, 3]) {
        const page = document.addPage(A4);
        setBlocks(page, fonts, FERRY, frameOf(page, 60));
        setFooter(page, fonts, `Ferry ${number} of 3`);
        if (number === 2) turnPage(page, 180);
      }
    });
    const document = await read(path);
    expect(document.pages.map(({ rotation }) => rotation)).toEqual([0, 180, 0]);
    const markdown = renderMarkdown(document);
    expect(outline(markdown)).toEqual([...FERRY_OUTLINE, ...FERRY_OUTLINE, ...FERRY_OUTLINE]);
    expect(tablesOf(markdown)).toEqual([FARES, FARES, FARES]);
    expect(markdown).toContain('been **asked to swim** for');
  });

  it('rules that are thin bars inside of a form → a table', async () => {
    const inner = await createDocument('inner');
    const sheet = inner.document.addPage([400, 200]);
    FARES.forEach((row, line) => {
      row.forEach((cell, column) => {
        sheet.drawText(cell, { x: 16 + column * 120, y: 166 - line * 20, size: 11, font: inner.fonts.body });
      });
    });
    for (const y of [180, 160, 140, 120]) sheet.drawRectangle({ x: 10, y, width: 360, height: 0.7 });
    for (const x of [10, 130, 250, 370]) sheet.drawRectangle({ x, y: 120, width: 0.7, height: 60 });
    const { document, fonts } = await createDocument('outer');
    const page = document.addPage(A4);
    const form = await document.embedPage(sheet);
    setBlocks(page, fonts, [{ kind: 'paragraph', text: TEXT }], frameOf(page, 60));
    page.drawPage(form, { x: 80, y: 300, xScale: 0.9, yScale: 0.9 });
    const path = join(directory, 'form.pdf');
    writeFileSync(path, await saveDocument(document));
    const read1 = await read(path);
    expect(tablesOf(renderMarkdown(read1))).toEqual([FARES]);
    const table = read1.pages[0]?.blocks.find(({ kind }) => kind === 'table')?.table;
    expect(table).toMatchObject({ rows: 3, columns: 3 });
    expect(table?.cells).toHaveLength(9);
  });

  it('links and footnotes → marked', async () => {
    const path = await make('notes', (document, { body }) => {
      const page = document.addPage(A4);
      const draw = (text: string, x: number, y: number, size = 11) => page.drawText(text, { x, y, size, font: body });
      const before = 'Times are on the board, which the harbour office';
      const width = body.widthOfTextAtSize(before, 11);
      draw(before, 60, 700);
      draw('7', 60 + width, 704, 6.5);
      draw(' keeps.', 60 + width + 4, 700);
      draw('It does so by hand, and with a brush, as it always has.', 60, 686);
      draw('7', 60, 83, 5);
      draw('Open in summer only.', 64, 80, 8);
      const left = 60 + body.widthOfTextAtSize('Times are on the board, which the ', 11);
      link(document, page, [left, 696, 60 + width, 712], 'https://harbour.example/office');
    });
    const markdown = renderMarkdown(await read(path));
    expect(markdown).toBe(
      'Times are on the board, which the [harbour office](https://harbour.example/office)[^7] keeps. It does so by hand, and with a brush, as it always has.\n\n[^7]: Open in summer only.',
    );
    expect(parseGfm(markdown).children.map(({ type }) => type)).toEqual(['paragraph', 'footnoteDefinition']);
  });

  it.each([
    [
      'the lines of a link',
      [345, 500],
      'on the [board](https://harbour.example/)\n\n[which the](https://harbour.example/) harbour',
    ],
    [
      'the area of a link whose lines lie elsewhere',
      [345, 5000],
      '[which the harbour office keeps by hand, as it always has](https://harbour.example/)',
    ],
  ])('%s → the words inside linked', async (name, [left = 0, right = 0], expected) => {
    const path = await make(name.replaceAll(' ', '-'), (document, { body }) => {
      const page = document.addPage(A4);
      const draw = (text: string, x: number, y: number) => page.drawText(text, { x, y, size: 11, font: body });
      draw('Times, as they have been for a hundred years, are on the', 60, 700);
      draw('board', 350, 700);
      draw('which the harbour office keeps by hand, as it always has.', 60, 686);
      const end = 60 + body.widthOfTextAtSize('which the', 11);
      const QuadPoints = [...[left, 710, right, 710, left, 697, right, 697], ...[60, 696, end, 696, 60, 683, end, 683]];
      link(document, page, [60, 683, 500, 710], 'https://harbour.example/', { QuadPoints });
    });
    expect(renderMarkdown(await read(path))).toContain(expected);
  });

  it('bullets that browsers draw → lists', async () => {
    const path = await make('drawn', (document, { body }) => {
      const page = document.addPage(A4);
      const draw = (text: string, x: number, y: number) => page.drawText(text, { x, y, size: 11, font: body });
      draw('Nobody has ever been left behind by the ferry, and these are on board:', 60, 700);
      const items = ['a rope', 'a bell, which is rung', 'when it is foggy', 'a lantern'];
      for (const [line, item] of items.entries()) draw(item, 84, 680 - line * 16);
      for (const line of [0, 1, 3]) page.drawCircle({ x: 72, y: 683.5 - line * 16, size: 1.8 });
      // The key of a diagram and one dot alone are no lists.
      page.drawCircle({ x: 72, y: 503.5, size: 4 });
      draw('to the island', 84, 500);
      page.drawCircle({ x: 72, y: 484.5, size: 4 });
      draw('and back', 84, 480);
      page.drawCircle({ x: 312, y: 443.5, size: 1.8 });
      draw('The harbour', 320, 440);
    });
    expect(outline(renderMarkdown(await read(path)))).toEqual([
      'p Nobody has ever been left behind by the ferry, and these are on board:',
      ...['- a rope', '- a bell, which is rung when it is foggy', '- a lantern'],
      ...['p to the island and back', 'p The harbour'],
    ]);
  });

  // Cells as spreadsheets print them: each by itself, in columns as wide as their longest cell.
  const SHEET = [
    ['Item', 'Price', 'City', 'Paid'],
    ['Rope', '4.20', 'Hull', 'yes'],
    ['Anchor chain', '1,112.00', 'Leeds', 'no'],
    ['Winter storage', '960.00', 'Scarborough', 'yes'],
    ['Net', '37.50', 'York', 'no'],
    ['Harbour light', '85.00', 'Whitby', 'yes'],
  ];

  it('cells that stand as close as words → a table', async () => {
    const path = await make('sheet', (document, { body }) => {
      const page = document.addPage(A4);
      let left = 60;
      for (const column of [0, 1, 2, 3]) {
        const cells = SHEET.map((row) => row[column] ?? '');
        const widths = cells.map((cell) => body.widthOfTextAtSize(cell, 11));
        const width = Math.max(...widths);
        for (const [row, cell] of cells.entries()) {
          const x = left + (column === 1 ? width - (widths[row] ?? 0) : 0);
          page.drawText(cell, { x, y: 700 - row * 14, size: 11, font: body });
        }
        left += width + 4;
      }
    });
    expect(tablesOf(renderMarkdown(await read(path)))).toEqual([SHEET]);
  });

  it('words of a text that are drawn one by one, without spaces → no table', async () => {
    const lines = [
      'The ferry to the island leaves at dawn and comes back at noon,',
      'The nets are mended on the quay while the boats lie there, and',
      'The rest of the crew counts the pots and paints what is left, or',
      'The harbour office keeps the list of all boats that are out.',
    ];
    const path = await make('words', (document, { body }) => {
      const page = document.addPage(A4);
      for (const [row, line] of lines.entries()) {
        let x = 60;
        for (const word of line.split(' ')) {
          page.drawText(word, { x, y: 700 - row * 14, size: 11, font: body });
          x += body.widthOfTextAtSize(`${word} `, 11);
        }
      }
    });
    expect(outline(renderMarkdown(await read(path)))).toEqual([`p ${lines.join(' ')}`]);
  });

  it('text and markdown → the same words', async () => {
    const document = await read(examples.report.path);
    const markdown = renderMarkdown(document);
    const tables = REPORT.flat().flatMap((block) => (block.kind === 'table' ? [block.rows] : []));
    expect(tablesOf(markdown)).toEqual(tables);
    const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu);
    expect(words(markdown.replace(/^\|[ |-]+$/gm, ''))).toEqual(words(renderText(document)));
  });
});
