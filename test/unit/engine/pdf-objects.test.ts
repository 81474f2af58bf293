import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PdfParser } from '../../../src/engine/pdf/objects/parser.js';
import { parsePdfDate } from '../../../src/engine/pdf/objects/pdf-date.js';
import { PdfObjects } from '../../../src/engine/pdf/objects/pdf-objects.js';
import { decodeTextString } from '../../../src/engine/pdf/objects/text-string.js';
import { PdfDict, PdfName, PdfRef } from '../../../src/engine/pdf/objects/values.js';
import { writePdf } from '../../support/write-pdf.js';

const parse = (text: string) => new PdfParser(text, 0).readValue();
const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('values of a PDF', () => {
  it.each([
    ['12', 12],
    ['-.5', -0.5],
    ['--5', -5],
    ['true', true],
    ['null', null],
    ['/Name', new PdfName('Name')],
    ['/A#20b#2F', new PdfName('A b/')],
    ['/M#c3#bcnze', new PdfName('Münze')],
    ['(a(b)c)', bytes('a(b)c')],
    ['(\\(\\n\\101\\7\\\r\nx\\q)', bytes('(\nA\x07xq')],
    ['<48 65 6C6C 6>', bytes('Hell`')],
    ['7 0 R', new PdfRef(7)],
    ['[1 0 R 2 0 3 % a comment\n/X<</Y[]>>]', [new PdfRef(1), 2, 0, 3, new PdfName('X'), new PdfDict([['Y', []]])]],
    [
      '<< /A /B /C 1 0 R >>',
      new PdfDict([
        ['A', new PdfName('B')],
        ['C', new PdfRef(1)],
      ]),
    ],
    [
      '<< /A 1 (no key) /B 2',
      new PdfDict([
        ['A', 1],
        ['B', 2],
      ]),
    ],
    ['(never closed', bytes('never closed')],
    ['endobj', null],
    ['', null],
  ])('%s', (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  it('nest as deep as documents do, and no deeper', () => {
    expect(() => parse('['.repeat(100_000))).not.toThrow();
    expect(() => parse('<</A'.repeat(100_000))).not.toThrow();
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
  ])('%s', (_, text, expected) => {
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
  ])('%s', (text, expected) => {
    expect(parsePdfDate(text)).toBe(expected);
  });
});

describe('objects of a PDF', () => {
  it('are found by the table, with references followed', () => {
    const objects = new PdfObjects(writePdf(['<< /A 2 0 R >>', '3 0 R', '(end)', '5 0 R', '4 0 R']));
    expect(objects.text(objects.catalog.get('A'))).toBe('end');
    expect(objects.resolve(new PdfRef(4))).toBeNull();
    expect(objects.resolve(new PdfRef(77))).toBeNull();
  });

  it('streams are unpacked up to a limit, and one may be as long as itself', () => {
    const packed = deflateSync(Buffer.from('packed text')).toString('latin1');
    const bomb = deflateSync(Buffer.alloc(40_000_000)).toString('latin1');
    const stream = (data: string, length: string) =>
      `<< /Length ${length} /Filter /FlateDecode >>\nstream\n${data}\nendstream`;
    const objects = new PdfObjects(
      writePdf([
        '<<>>',
        stream(packed, '3 0 R'),
        String(packed.length),
        stream('x', '4 0 R'),
        stream(bomb, String(bomb.length)),
      ]),
    );
    expect(objects.text(new PdfRef(2))).toBe('packed text');
    expect(objects.text(new PdfRef(4))).toBeUndefined();
    expect(objects.text(new PdfRef(5))).toBeUndefined();
  });

  it('are none in a file without a table', () => {
    expect(new PdfObjects(Buffer.from('%PDF-1.7\nnothing')).catalog.size).toBe(0);
    expect(new PdfObjects(Buffer.alloc(0)).trailer.size).toBe(0);
  });
});
