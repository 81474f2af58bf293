import { deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import type { Line, Page } from '../../../dist/engine/model/document.js';
import { checkCrossReferences } from '../../../dist/engine/pdf-files/objects/check-cross-references.js';
import { listPages, requirePages } from '../../../dist/engine/pdf-files/objects/page-tree.js';
import { openPdfFile, type PdfFile } from '../../../dist/engine/pdf-files/objects/pdf-file.js';
import { PdfObjects, readPdfObjects } from '../../../dist/engine/pdf-files/objects/pdf-objects.js';
import { PdfSyntaxError } from '../../../dist/engine/pdf-files/objects/values.js';
import { describeField, readStates } from '../../../dist/engine/products/forms/describe-field.js';
import { readFieldTree } from '../../../dist/engine/products/forms/field-tree.js';
import { readFonts } from '../../../dist/engine/products/inspection/read-fonts.js';
import { readConformance } from '../../../dist/engine/products/inspection/read-metadata.js';
import { addTextLayers } from '../../../dist/engine/products/searchable/add-text-layers.js';
import { makeForm } from '../../fixtures/maker/forms.js';
import { writePdf } from '../../support/write-pdf.js';
import { type FuzzTarget, promise, tolerate } from '../fuzz-target.js';

const isSyntaxError = (error: unknown) => error instanceof PdfSyntaxError;
const MAX_PAGES = 50;

/** Our own reader of PDF objects, all that reads through it, and the incremental update of searchable PDFs. */
export const pdfObjects: FuzzTarget = {
  name: 'pdf-objects',
  seeds: makeSeeds,
  hostile: () => [
    Buffer.from(`%PDF-1.7\n${'obj(/ObjStm'.repeat(100_000)}`),
    makeSharedObjects(20_000, `[${'/A '.repeat(40_000)}]`),
    makeSharedNames(40_000, 'x'.repeat(100_000)),
  ],
  tokens: [
    ...['<<', '>>', '[', ']', '(', ')', '<', '>', '/', '%', '\\', ' ', '\n', '1 0 R', '2 0 R', ' 0 R', 'null', 'true'],
    ...['/Kids', '/Parent', '/Count', '/Length', '/Filter/FlateDecode', '/DecodeParms<</Predictor 12/Columns 3>>'],
    ...['/Type/ObjStm', '/Type/XRef', '/W[1 2 1]', '/Index[0 9]', '/Prev 9', '/XRefStm 9', '/Size 9', '/N 9/First 9'],
    ...['stream\n', 'endstream', 'endobj', '1 0 obj', 'xref\n', 'trailer', 'startxref\n', '%%EOF', '0 1\n', 'R', '#20'],
    ...['/ActualText(x)', 'BDC', 'EMC', 'ID ', ' EI ', '/T(a)', '/FT/Btn', '/Opt[(a)]', '/I[0]', '/Fields[3 0 R]'],
  ],
  runs: 3000,
  async run(bytes) {
    await tolerate(isSyntaxError, () => checkCrossReferences(bytes));
    const objects = readPdfObjects(bytes);
    const pages = listPages(objects, MAX_PAGES);
    promise(pages.length <= MAX_PAGES, 'a page tree lists no more pages than asked for');
    readFonts(objects, pages);
    readConformance(objects);
    const tree = readFieldTree(objects, objects.dict(objects.catalog.get('AcroForm'))?.get('Fields'));
    for (const field of tree.fields) {
      JSON.stringify(describeField(objects, field));
      readStates(objects, field);
    }
    for (const source of ['ocr', 'mixed'] as const) await tolerate(isSyntaxError, () => update(bytes, source));
  },
};

/** Puts text on the pages. The result begins with the file's own bytes, and has the same pages. */
function update(bytes: Uint8Array, source: Page['source']): void {
  const file = openPdfFile(bytes);
  const count = listPages(new PdfObjects(file), MAX_PAGES).length;
  if (count === 0) return;
  const pages = Array.from({ length: count }, (_, index) => ({ page: pageOf(index + 1, source), frame: FRAME }));
  const updated = Buffer.concat(addTextLayers(openPdfFile(bytes), count, pages));
  promise(updated.subarray(0, bytes.length).equals(bytes), 'an update leaves the bytes of the file unchanged');
  const reread = openPdfFile(updated);
  promise(reread.startOfTable >= bytes.length, 'the newest table of an updated file is the one of the update');
  const references = (of: PdfFile) => requirePages(new PdfObjects(of), count).map(({ ref }) => ref?.number);
  promise(
    JSON.stringify(references(reread)) === JSON.stringify(references(openPdfFile(bytes))),
    'an updated file has the same pages',
  );
}

const FRAME = { width: 100, height: 100, toDisplay: { ax: 1, bx: 0, cx: 0, ay: 0, by: -1, cy: 100 } };

export function pageOf(number: number, source: Page['source']): Page {
  const box = [0.1, 0.1, 0.5, 0.2] as const;
  const line: Line = { box, words: [{ text: 'word', box, confidence: 0.9 }], fontSize: 10, direction: 'ltr' };
  const textLayer = { verdict: 'absent' as const, reasons: [] };
  const blocks = [{ kind: 'paragraph' as const, box, lines: [line] }];
  return { number, width: 100, height: 100, rotation: 0, source, textLayer, blocks };
}

/** An object stream of objects that all begin at the same place. */
function makeSharedObjects(count: number, value: string): Buffer {
  const first = 3;
  const head = Array.from({ length: count }, (_, index) => `${first + index} 0`).join(' ');
  const data = deflateSync(`${head} ${value}`);
  const rows = Buffer.alloc((first + count) * 4);
  const object = (number: number, dict: string, body: Buffer) =>
    Buffer.concat([
      Buffer.from(`${number} 0 obj\n<<${dict}/Length ${body.length}>>\nstream\n`),
      body,
      Buffer.from('\nendstream\nendobj\n'),
    ]);
  const header = Buffer.from('%PDF-1.7\n');
  const objects = object(1, `/Type/ObjStm/N ${count}/First ${head.length + 1}/Filter/FlateDecode`, data);
  rows.writeUInt32BE((1 << 24) + header.length, 4);
  for (let index = 0; index < count; index++) rows.writeUInt32BE((2 << 24) + 1, (first + index) * 4);
  const kids = Array.from({ length: count }, (_, index) => `${first + index} 0 R`).join(' ');
  const dict = `/Type/XRef/W[1 3 0]/Size ${first + count}/Root<</Pages<</Kids[${kids}]>>>>`;
  const end = Buffer.from(`startxref\n${header.length + objects.length}\n%%EOF\n`);
  return Buffer.concat([header, objects, object(2, dict, rows), end]);
}

/** A form whose fields have the same long name. */
function makeSharedNames(count: number, name: string): Buffer {
  const fields = Array.from({ length: count }, (_, index) => `<</T 2 0 R/FT/Tx/V(${index})>>`);
  return writePdf([`<</Type/Catalog/AcroForm<</Fields[${fields.join('')}]>>>>`, `(${name})`]);
}

async function makeSeeds(): Promise<Uint8Array[]> {
  const document = await PDFDocument.create();
  for (let page = 0; page < 2; page++) document.addPage([100, 100]);
  const content = '/Span <</ActualText (x)>> BDC q BI /W 1 /H 1 ID \0\x01 EI Q EMC';
  const marked = writePdf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R]>>/Metadata 4 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/Resources<</Font<</F1 5 0 R>>/XObject<</X 4 0 R>>>>>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 10 10]/Contents 4 0 R/Annots[7 0 R]>>',
    `<</Subtype/Form/Resources<</XObject<</X 4 0 R>>>>/Length ${content.length}>>\nstream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+Name#20x/DescendantFonts[<</FontDescriptor<</FontFile2 4 0 R>>>>]>>',
    '<</T(group)/Kids[7 0 R 8 0 R]/FT/Ch/Opt[[(a)(b)](c)]/V[(a)(c)]/I[0 1]>>',
    '<</T<feff0061>/Parent 6 0 R/FT/Btn/Ff 32768/Subtype/Widget/Rect[0 0 1 1]/AP<</N<</Yes 4 0 R/Off 4 0 R>>>>/AS/Yes>>',
    "<</T(sig)/Parent 6 0 R/FT/Sig/V<</Name(x)/M(D:20240229093000+01'00')>>>>",
  ]);
  return [
    await document.save({ useObjectStreams: true }),
    await document.save({ useObjectStreams: false }),
    await makeForm(),
    marked,
  ];
}
