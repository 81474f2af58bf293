import { deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listPages, requirePages } from '../../../../../src/engine/pdf-files/objects/page-tree.js';
import { PdfParser } from '../../../../../src/engine/pdf-files/objects/parser.js';
import { openPdfFile } from '../../../../../src/engine/pdf-files/objects/pdf-file.js';
import { PdfObjects, readPdfObjects } from '../../../../../src/engine/pdf-files/objects/pdf-objects.js';
import { makeDict, PdfSyntaxError, serialise } from '../../../../../src/engine/pdf-files/objects/values.js';
import { createObjectWriter, writeFile, writeUpdate } from '../../../../../src/engine/pdf-files/objects/write-pdf.js';
import { writePdf } from '../../../../support/write-pdf.js';

const bytesOf = (text: string) => Buffer.from(text, 'latin1');
const parse = (text: string) => new PdfParser(bytesOf(text), 0).readValue();
const pagesOf = (bytes: Uint8Array, count: number) => requirePages(new PdfObjects(openPdfFile(bytes)), count);

describe('values', () => {
  it.each([
    [
      '<</A 1/B[1 2 R 3 0 R(x\\)(y))<41>/N]/C<</D true>>>>',
      '<</A 1 /B [1 2 R 3 0 R (x\\)(y)) <41> /N] /C <</D true>>>>',
    ],
    ['% a comment\n[ -1.5 +2 null% another\r\n/Na#6de ]', '[-1.5 +2 null /Na#6de]'],
    ['<</Ty#70e/P#61ge>>', '<</Type /P#61ge>>'],
    ['[1 0 R 1 0 Rx]', '[1 0 R 1 0 Rx]'],
    ['<</A 1', undefined],
    ['(never closed', undefined],
    ['<</A>>', undefined],
    ['[}]', undefined],
  ])('%s → the same value after parsing', (text, written) => {
    if (written === undefined) expect(() => parse(text)).toThrow(PdfSyntaxError);
    else expect(serialise(parse(text))).toBe(written);
  });

  it('values nested too deeply → refused', () => {
    expect(() => parse('['.repeat(100_000))).toThrow('nested too deeply');
    expect(() => parse('<</A'.repeat(100_000))).toThrow('nested too deeply');
  });
});

/** A file of nothing but a cross-reference stream. */
function writeStreamTable(dict: string, rows: Buffer): Buffer {
  const data = deflateSync(rows).toString('latin1');
  const head = `1 0 obj\n<<${dict}/Filter/FlateDecode/Length ${data.length}>>\nstream\n`;
  return bytesOf(`${head}${data}\nendstream\nendobj\nstartxref\n0\n%%EOF\n`);
}

const CATALOG = '<</Type/Catalog/Pages 2 0 R>>';
const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 10 10]>>';

describe('files', () => {
  it('the pages of a file → given with what they inherit', () => {
    const pages = pagesOf(
      writePdf([CATALOG, '<</Kids[3 0 R 4 0 R]/Count 2/Resources<</X 1>>>>', '<</Kids[5 0 R]/Count 1>>', PAGE, PAGE]),
      2,
    );
    expect(pages.map(({ ref, resources }) => [ref?.number, resources && serialise(resources)])).toEqual([
      [5, '<</X 1>>'],
      [4, '<</X 1>>'],
    ]);
  });

  it.each([
    ['of no tables', bytesOf('%PDF-1.7\nnothing')],
    ['whose table is elsewhere', bytesOf('%PDF-1.7\nstartxref\n4\n%%EOF')],
    ['whose table is beyond the end', bytesOf('%PDF-1.7\nstartxref\n999999999999\n%%EOF')],
    ['whose tables name too many objects', writePdf([CATALOG, '<</Kids[]>>'], '/Size 99999999')],
    [
      'whose tables of few bytes name very many objects',
      writeStreamTable('/Type/XRef/W[1 0 0]/Index[0 60000000]/Root 1 0 R', Buffer.alloc(60_000_000)),
    ],
    ['whose pages go in a circle', writePdf([CATALOG, '<</Kids[2 0 R]>>'])],
    ['whose pages are missing', writePdf([CATALOG, '<</Kids[9 0 R]>>'])],
    ['whose references go in a circle', writePdf([CATALOG, '3 0 R', '2 0 R'])],
    // Each level has twice as many branches as the one above it.
    [
      'with branches shared by many others',
      writePdf([
        CATALOG,
        ...Array.from({ length: 50 }, (_, i) => `<</Kids[${`${i + 3} 0 R `.repeat(2)}]>>`),
        '<</Kids[]>>',
      ]),
    ],
  ])('%s → refused', (_, bytes) => {
    expect(() => pagesOf(bytes, 1)).toThrow(PdfSyntaxError);
    // A caller that accepts incomplete pages gets an answer too.
    expect(listPages(readPdfObjects(bytes), 1).every(({ dict }) => dict.size === 0)).toBe(true);
  });

  it('tables that refer to each other → each read once', () => {
    const looped = writePdf([CATALOG, '<</Kids[3 0 R]>>', PAGE]).toString('latin1');
    const start = /startxref\n(\d+)/.exec(looped)?.[1];
    expect(pagesOf(bytesOf(looped.replace('/Root 1 0 R', `/Root 1 0 R/Prev ${start}`)), 1)).toHaveLength(1);
  });

  it("any change of a file's bytes → read or refused", async () => {
    const document = await PDFDocument.create();
    for (let page = 0; page < 3; page++) document.addPage([100, 100]);
    const files = [await document.save({ useObjectStreams: true }), await document.save({ useObjectStreams: false })];
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.constantFrom(...files), fc.array(change, { minLength: 1, maxLength: 12 }), (original, changes) => {
        const bytes = Uint8Array.from(original);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        try {
          for (const { dict } of listPages(readPdfObjects(bytes), 3)) expect(dict).toBeInstanceOf(Map);
          pagesOf(bytes, 3);
        } catch (error) {
          expect(error).toBeInstanceOf(PdfSyntaxError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a written file', () => {
  it('a written file → readable by this reader and by another', async () => {
    const writer = createObjectWriter(1);
    const [root, tree] = [writer.reserve(), writer.reserve()];
    const contents = writer.addDeflated('q Q');
    const page = writer.add(
      makeDict({ Type: '/Page', Parent: tree, MediaBox: ['0', '0', '10', '20'], Contents: contents }),
    );
    writer.put(tree, makeDict({ Type: '/Pages', Kids: [page], Count: 1 }));
    writer.put(root, makeDict({ Type: '/Catalog', Pages: tree }));
    const bytes = Buffer.concat(writeFile(writer, root));
    expect(pagesOf(bytes, 1)[0]?.ref).toEqual(page);
    expect((await PDFDocument.load(bytes)).getPage(0).getSize()).toEqual({ width: 10, height: 20 });
  });

  it.each([true, false])(
    'an update appended to a file → only the replaced objects change (streams: %s)',
    async (useObjectStreams) => {
      const document = await PDFDocument.create();
      for (const side of [100, 200]) document.addPage([side, side]);
      let bytes = Buffer.from(await document.save({ useObjectStreams }));
      for (const side of ['300', '400']) {
        const file = openPdfFile(bytes);
        const second = pagesOf(bytes, 2)[1];
        if (second?.ref === undefined) throw new Error('no second page');
        const writer = createObjectWriter(file.size);
        writer.put(second.ref, new Map([...second.dict, ['MediaBox', ['0', '0', side, side]]]));
        const updated = Buffer.concat(writeUpdate(file, writer));
        expect(updated.subarray(0, bytes.length).equals(bytes)).toBe(true);
        bytes = updated;
      }
      const sizes = (await PDFDocument.load(bytes)).getPages().map((page) => page.getWidth());
      expect(sizes).toEqual([100, 400]);
    },
  );
});
