import { PDFDocument } from '@cantoo/pdf-lib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listPages } from '../../../src/engine/pdf-file/page-tree.js';
import { PdfParser } from '../../../src/engine/pdf-file/parse.js';
import { openPdfFile } from '../../../src/engine/pdf-file/pdf-file.js';
import { makeDict, PdfSyntaxError, serialise } from '../../../src/engine/pdf-file/values.js';
import { createObjectWriter, writeFile, writeUpdate } from '../../../src/engine/pdf-file/write.js';

const bytesOf = (text: string) => Buffer.from(text, 'latin1');
const parse = (text: string) => new PdfParser(bytesOf(text), 0).readValue();

/** A file of these objects (1, 2, …), the first of which is its catalog, under a table of cross-references. */
function compose(objects: readonly string[], trailer = ''): Buffer {
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  const rows = ['0000000000 65535 f \n', ...offsets].join('');
  return bytesOf(
    `${text}xref\n0 ${objects.length + 1}\n${rows}trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`,
  );
}

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
  ])('%s', (text, written) => {
    if (written === undefined) expect(() => parse(text)).toThrow(PdfSyntaxError);
    else expect(serialise(parse(text))).toBe(written);
  });

  it('are not read however deeply they nest', () => {
    expect(() => parse('['.repeat(100_000))).toThrow('nested too deeply');
    expect(() => parse('<</A'.repeat(100_000))).toThrow('nested too deeply');
  });
});

const CATALOG = '<</Type/Catalog/Pages 2 0 R>>';
const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 10 10]>>';

describe('files', () => {
  it('give their pages with what they inherit', () => {
    const file = openPdfFile(
      compose([CATALOG, '<</Kids[3 0 R 4 0 R]/Count 2/Resources<</X 1>>>>', '<</Kids[5 0 R]/Count 1>>', PAGE, PAGE]),
    );
    const pages = listPages(file, 2);
    expect(pages.map(({ ref, resources }) => [ref.number, resources && serialise(resources)])).toEqual([
      [5, '<</X 1>>'],
      [4, '<</X 1>>'],
    ]);
  });

  it.each([
    ['of no tables', bytesOf('%PDF-1.7\nnothing')],
    ['whose table is elsewhere', bytesOf('%PDF-1.7\nstartxref\n4\n%%EOF')],
    ['whose table is beyond the end', bytesOf('%PDF-1.7\nstartxref\n999999999999\n%%EOF')],
    ['whose tables name too many objects', compose([CATALOG, '<</Kids[]>>'], '/Size 99999999')],
    ['whose pages go in a circle', compose([CATALOG, '<</Kids[2 0 R]>>'])],
    ['whose pages are missing', compose([CATALOG, '<</Kids[9 0 R]>>'])],
    ['whose references go in a circle', compose([CATALOG, '3 0 R', '2 0 R'])],
    // Each branch twice as wide as the one above it.
    [
      'with branches shared by many others',
      compose([
        CATALOG,
        ...Array.from({ length: 50 }, (_, i) => `<</Kids[${`${i + 3} 0 R `.repeat(2)}]>>`),
        '<</Kids[]>>',
      ]),
    ],
  ])('%s are refused', (_, bytes) => {
    expect(() => listPages(openPdfFile(bytes), 1)).toThrow(PdfSyntaxError);
  });

  it('read tables that name each other once', () => {
    const looped = compose([CATALOG, '<</Kids[3 0 R]>>', PAGE]).toString('latin1');
    const start = /startxref\n(\d+)/.exec(looped)?.[1];
    const file = openPdfFile(bytesOf(looped.replace('/Root 1 0 R', `/Root 1 0 R/Prev ${start}`)));
    expect(listPages(file, 1)).toHaveLength(1);
  });

  it('whatever is done to their bytes, are read or refused', async () => {
    const document = await PDFDocument.create();
    for (let page = 0; page < 3; page++) document.addPage([100, 100]);
    const files = [await document.save({ useObjectStreams: true }), await document.save({ useObjectStreams: false })];
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.constantFrom(...files), fc.array(change, { minLength: 1, maxLength: 12 }), (original, changes) => {
        const bytes = Uint8Array.from(original);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        try {
          const file = openPdfFile(bytes);
          for (const page of listPages(file, 3)) file.resolveDict(page.resources);
        } catch (error) {
          expect(error).toBeInstanceOf(PdfSyntaxError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('what is written', () => {
  it('is read again, by us and by another', async () => {
    const writer = createObjectWriter(1);
    const [root, tree] = [writer.reserve(), writer.reserve()];
    const contents = writer.addDeflated('q Q');
    const page = writer.add(
      makeDict({ Type: '/Page', Parent: tree, MediaBox: ['0', '0', '10', '20'], Contents: contents }),
    );
    writer.put(tree, { value: makeDict({ Type: '/Pages', Kids: [page], Count: 1 }) });
    writer.put(root, { value: makeDict({ Type: '/Catalog', Pages: tree }) });
    const bytes = Buffer.concat(writeFile(writer, root));
    expect(listPages(openPdfFile(bytes), 1)[0]?.ref).toEqual(page);
    expect((await PDFDocument.load(bytes)).getPage(0).getSize()).toEqual({ width: 10, height: 20 });
  });

  it.each([true, false])('behind a file changes what it replaces alone (streams: %s)', async (useObjectStreams) => {
    const document = await PDFDocument.create();
    for (const side of [100, 200]) document.addPage([side, side]);
    let bytes = Buffer.from(await document.save({ useObjectStreams }));
    for (const side of ['300', '400']) {
      const file = openPdfFile(bytes);
      const [, second] = listPages(file, 2);
      if (second === undefined) throw new Error('no second page');
      const writer = createObjectWriter(file.size);
      writer.put(second.ref, { value: new Map([...second.dict, ['/MediaBox', ['0', '0', side, side]]]) });
      const updated = Buffer.concat(writeUpdate(file, writer));
      expect(updated.subarray(0, bytes.length).equals(bytes)).toBe(true);
      bytes = updated;
    }
    const sizes = (await PDFDocument.load(bytes)).getPages().map((page) => page.getWidth());
    expect(sizes).toEqual([100, 400]);
  });
});
