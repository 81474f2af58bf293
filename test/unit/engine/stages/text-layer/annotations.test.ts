import { PDFDocument, PDFName, PDFString, StandardFonts } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPdf, type PdfDocument } from '../../../../../src/engine/pdf-files/pdfium/pdfium.js';
import { renderPage } from '../../../../../src/engine/stages/picture/decode/render-page.js';
import { readPdfPage } from '../../../../../src/engine/stages/text-layer/read-page.js';
import { withFile } from '../../../../support/pdf-readers.js';

const SIZE: [number, number] = [400, 600];
const HEIGHT_OF_TYPE = 30;

/** A form that leaves drawing to viewers: a value without an appearance, and a stamp on the page. */
async function makeLater(): Promise<Uint8Array> {
  const document = await PDFDocument.load(await makePage('Printed words'));
  const font = (await document.embedFont(StandardFonts.Helvetica)).ref;
  const { context } = document;
  const look = context.stream('BT /F 12 Tf 2 4 Td (Approved) Tj ET', {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, 100, 20],
    Resources: { Font: { F: font } },
  });
  const stamp = { Type: 'Annot', Subtype: 'Stamp', Rect: [40, 100, 140, 120], F: 4, AP: { N: context.register(look) } };
  document.getPage(0).node.addAnnot(context.register(context.obj(stamp)));
  const field = document.getForm().getTextField('name').acroField;
  for (const widget of field.getWidgets()) widget.dict.delete(PDFName.of('AP'));
  return document.save({ useObjectStreams: false, updateFieldAppearances: false });
}

/** A page with a filled-in field, a button that is not printed, and a link; its size is the whole document's. */
async function makePage(printed: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage(SIZE);
  page.drawText(printed, { x: 40, y: 500, size: 14, font: await document.embedFont(StandardFonts.Helvetica) });
  const form = document.getForm();
  const field = form.createTextField('name');
  field.setText('Anneliese');
  field.addToPage(page, { x: 200, y: 300, width: 150, height: HEIGHT_OF_TYPE });
  const button = form.createButton('reset');
  button.addToPage('Reset', page, { x: 200, y: 200, width: 150, height: HEIGHT_OF_TYPE });
  for (const widget of button.acroField.getWidgets()) widget.dict.set(PDFName.of('F'), document.context.obj(0));
  const action = { Type: 'Action', S: 'URI', URI: PDFString.of('https://example.com/') };
  const link = { Type: 'Annot', Subtype: 'Link', Rect: [40, 495, 200, 515], A: action };
  page.node.addAnnot(document.context.register(document.context.obj(link)));
  const mediaBox = page.node.MediaBox();
  page.node.delete(PDFName.of('MediaBox'));
  page.node.Parent()?.set(PDFName.of('MediaBox'), mediaBox);
  return document.save({ useObjectStreams: false });
}

describe('text of annotations', () => {
  let pdf: PdfDocument;
  beforeAll(async () => {
    pdf = await withFile(await makePage('Printed words'), (path) => openPdf(path, undefined));
  });
  afterAll(() => pdf.close());

  it('an annotation → drawn as on paper, on a page that keeps its size', () => {
    const { raster, width, height } = renderPage(pdf, 0, SIZE[1]);
    expect([width, height, raster.width, raster.height]).toEqual([...SIZE, ...SIZE]);
    const isInked = (fromY: number) => {
      const [first, last] = [SIZE[1] - fromY - HEIGHT_OF_TYPE + 2, SIZE[1] - fromY - 2];
      const rows = Array.from({ length: last - first }, (_, row) => (first + row) * SIZE[0]);
      return rows.some((at) => raster.data.subarray(at + 203, at + 347).some((shade) => shade < 100));
    };
    expect(isInked(300)).toBe(true);
    expect(isInked(200)).toBe(false);
  });

  it("an annotation beside links → text at its place, distinguished from the page's own text", async () => {
    const fresh = await withFile(await makePage('Printed words'), (path) => openPdf(path, undefined));
    try {
      const page = readPdfPage(fresh, 0);
      expect(page).toMatchObject({ width: SIZE[0], height: SIZE[1], layer: { own: 'Printed words'.length } });
      expect(page?.layer.words.map(({ text }) => text)).toEqual(['Printed', 'words', 'Anneliese']);
      expect(page?.layer.words[2]?.x0).toBeGreaterThan(199);
      expect(page?.links.map(({ url }) => url)).toEqual(['https://example.com/']);
    } finally {
      fresh.close();
    }
  });

  it('a field with only a value, and a stamp → their text', async () => {
    const later = await withFile(await makeLater(), (path) => openPdf(path, undefined));
    try {
      const words = readPdfPage(later, 0)?.layer.words;
      expect(words?.map(({ text }) => text).sort()).toEqual(['Anneliese', 'Approved', 'Printed', 'words']);
      expect(words?.find(({ text }) => text === 'Anneliese')?.x0).toBeGreaterThan(199);
    } finally {
      later.close();
    }
  });

  it('a page without words of its own → the text of its annotations alone', async () => {
    const empty = await withFile(await makePage(''), (path) => openPdf(path, undefined));
    try {
      const layer = readPdfPage(empty, 0)?.layer;
      expect(layer?.own).toBe(0);
      expect(layer?.words.map(({ text }) => text)).toEqual(['Anneliese']);
    } finally {
      empty.close();
    }
  });
});
