import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeName, toBytes, toName, toNumber } from '../../../../../src/engine/pdf-files/objects/decode-value.js';
import { listPages } from '../../../../../src/engine/pdf-files/objects/page-tree.js';
import { PdfParser } from '../../../../../src/engine/pdf-files/objects/parser.js';
import { parsePdfDate } from '../../../../../src/engine/pdf-files/objects/pdf-date.js';
import { readPdfObjects } from '../../../../../src/engine/pdf-files/objects/pdf-objects.js';
import { decodeTextString } from '../../../../../src/engine/pdf-files/objects/text-string.js';
import { writePdf } from '../../../../support/write-pdf.js';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const parse = (text: string) => new PdfParser(bytes(text), 0).readValue();
const refTo = (number: number) => ({ number, generation: 0 });

describe('the value of an object', () => {
  it.each([
    ['12', 12],
    ['-.5', -0.5],
    ['--5', -5],
    ['+1.2.3', 1.2],
    ['.', 0],
    ['/12', undefined],
    ['null', undefined],
    ['(12)', undefined],
  ])('number %s → its value', (text, value) => {
    expect(toNumber(parse(text))).toBe(value);
  });

  it.each([
    ['/Name', 'Name'],
    ['/A#20b#2F', 'A b/'],
    ['/M#c3#bcnze', 'Münze'],
    ['/M\xfcnze', 'Münze'],
    ['Name', undefined],
    ['(/Name)', undefined],
  ])('name %s → its text', (text, value) => {
    expect(toName(parse(text))).toBe(value);
  });

  it.each([
    ['(a(b)c)', 'a(b)c'],
    ['(\\(\\n\\101\\7\\\r\nx\\q)', '(\nA\x07xq'],
    ['<48 65 6C6C 6>', 'Hell`'],
    ['/Name', undefined],
    ['<</A 1>>', undefined],
  ])('string %s → its text', (text, value) => {
    expect(toBytes(parse(text))?.toString('latin1')).toBe(value);
  });

  it('the keys of a dictionary → decoded like names', () => {
    expect(parse('<</M#c3#bcnze[]/P#61ge 1>>')).toEqual(
      new Map<string, unknown>([
        ['M#c3#bcnze', []],
        ['Page', '1'],
      ]),
    );
    expect(decodeName('M#c3#bcnze')).toBe('Münze');
  });
});

describe('text strings', () => {
  it.each([
    ['PDFDocEncoding', bytes('caf\xe9 \x80 \xa0 \x8d\x8e \x1f'), 'café • € “” ˜'],
    ['UTF-16', bytes('\xfe\xff\x00A\x30\x42\xd8\x3d\xde\x00'), 'Aあ😀'],
    ['UTF-16, cut', bytes('\xfe\xff\x00A\x30'), 'A'],
    ['UTF-16 the other way round', bytes('\xff\xfeA\x00'), 'A'],
    ['UTF-8', Buffer.from('\ufeffÄ€', 'utf8'), 'Ä€'],
    ['a language in between', bytes('\xfe\xff\x00\x1b\x00e\x00n\x00\x1b\x00A'), 'A'],
  ])('%s → its text', (_, text, expected) => {
    expect(decodeTextString(text)).toBe(expected);
  });
});

describe('dates', () => {
  it.each([
    ["D:20240229093000+01'00'", '2024-02-29T09:30:00+01:00'],
    ['D:20240229093000-0530', '2024-02-29T09:30:00-05:30'],
    ["D:20240229093000+00'00'", '2024-02-29T09:30:00Z'],
    ['D:20240229093000Z', '2024-02-29T09:30:00Z'],
    ['20240229093000', '2024-02-29T09:30:00'],
    ['D:202402290930', '2024-02-29T09:30:00'],
    ['D:20240229', '2024-02-29'],
    ['D:2024', '2024'],
    ['D:20230229', undefined],
    ['D:20240101250000', undefined],
    ['yesterday', undefined],
  ])('%s → its date', (text, expected) => {
    expect(parsePdfDate(text)).toBe(expected);
  });
});

describe('objects of a PDF', () => {
  it('an object → found by the table, references followed', () => {
    const objects = readPdfObjects(writePdf(['<< /A 2 0 R >>', '3 0 R', '(end)', '5 0 R', '4 0 R']));
    expect(objects.text(objects.catalog.get('A'))).toBe('end');
    expect(objects.resolve(refTo(4))).toBe('null');
    expect(objects.resolve(refTo(77))).toBe('null');
  });

  it('a damaged object → only this object is lost', () => {
    const objects = readPdfObjects(writePdf(['<< /A 2 0 R /B 3 0 R >>', '<< /Never [ closed', '(whole)']));
    expect(objects.dict(objects.catalog.get('A'))).toBeUndefined();
    expect(objects.text(objects.catalog.get('B'))).toBe('whole');
  });

  it('two references to an object → the same object', () => {
    const objects = readPdfObjects(writePdf(['<< /A 2 0 R /B 2 0 R >>', '<< >>']));
    expect(objects.dict(objects.catalog.get('A'))).toBe(objects.dict(objects.catalog.get('B')));
  });

  it('a stream → unpacked up to a limit, also one as long as the limit', () => {
    const packed = deflateSync(Buffer.from('packed text')).toString('latin1');
    const bomb = deflateSync(Buffer.alloc(40_000_000)).toString('latin1');
    const stream = (data: string, length: string) =>
      `<< /Length ${length} /Filter /FlateDecode >>\nstream\n${data}\nendstream`;
    const objects = readPdfObjects(
      writePdf([
        '<<>>',
        stream(packed, '3 0 R'),
        String(packed.length),
        stream('x', '4 0 R'),
        stream(bomb, String(bomb.length)),
      ]),
    );
    expect(objects.text(refTo(2))).toBe('packed text');
    expect(objects.text(refTo(4))).toBeUndefined();
    expect(objects.text(refTo(5))).toBeUndefined();
  });

  it('a file without a table → no objects', () => {
    expect(readPdfObjects(Buffer.from('%PDF-1.7\nnothing')).catalog.size).toBe(0);
    expect(readPdfObjects(Buffer.alloc(0)).trailer.size).toBe(0);
  });

  it('missing pages and a page that stands twice → as many pages as PDFium counts', () => {
    const objects = readPdfObjects(
      writePdf(['<</Pages 2 0 R>>', '<</Kids[9 0 R 3 0 R 3 0 R<</Type/Page>>4 0 R]>>', '<</Three 3>>', '<</Four 4>>']),
    );
    expect(listPages(objects, 5).map(({ ref, dict }) => [ref?.number, ...dict.keys()])).toEqual([
      [9],
      [3, 'Three'],
      [3, 'Three'],
      [undefined, 'Type'],
      [4, 'Four'],
    ]);
    expect(listPages(objects, 2)).toHaveLength(2);
  });
});
