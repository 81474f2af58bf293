import { expect, test } from 'vitest';
import {
  adviseOnForeign,
  adviseToConvert,
  convertCommand,
  describeForeignType,
  nameForeignType,
  withoutAdvice,
} from '../../../src/contract/foreign-type.js';

const zip = (name: string, content = '') => `PK\x03\x04${'\0'.repeat(26)}${name}${content}`;

test.each([
  [zip('[Content_Types].xml', '…PK\x03\x04…word/document.xml'), 'a Word document (DOCX)'],
  [zip('xl/workbook.xml'), 'an Excel workbook (XLSX)'],
  [zip('[Content_Types].xml'), 'an Office document (DOCX, XLSX or PPTX)'],
  [zip('mimetype', 'application/epub+zip'), 'an e-book (EPUB)'],
  [zip('mimetype', 'application/vnd.oasis.opendocument.text'), 'an OpenDocument file'],
  ['\n<!DOCTYPE html><html>', 'an HTML page'],
  [zip('_rels/.rels', 'PK\x03\x04docProps/app.xml'), 'an Office document (DOCX, XLSX or PPTX)'],
  ['<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">', 'an HTML page'],
  ['<p>a page</p>', 'an HTML page'],
  ['a text about <html>\r\nand caf\xc3\xa9s', 'plain text'],
  ['<svg width="20">', 'an SVG drawing'],
  [
    '<?xml version="1.0"?>\n<!-- drawn -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "a">\n<svg>',
    'an SVG drawing',
  ],
  ['P6\n# drawn\n640 480\n255\n', 'a Netpbm picture (PBM, PGM or PPM)'],
  ['P5 is 3 and 4 of the plan', 'plain text'],
  ['{\\rtf1\\ansi', 'a rich text document (RTF)'],
])('%j → named', (head, description) => {
  const bytes = Buffer.from(head, 'latin1');
  expect(describeForeignType(bytes)).toBe(description);
  expect(nameForeignType(bytes)).toBe(description.replace(/^an? /, ''));
});

test('another archive, a program, or no bytes → nothing', () => {
  for (const head of [zip('a.txt'), 'MZ\x90\0\x03', ''])
    expect(describeForeignType(Buffer.from(head, 'latin1'))).toBeUndefined();
});

test('files with names → the command converts those files', () => {
  expect(convertCommand('my notes.txt', '-a.txt')).toBe("soffice --headless --convert-to pdf 'my notes.txt' ./-a.txt");
  const advice = adviseToConvert('It is an HTML page', 'a.html');
  expect(advice).toBe('It is an HTML page; convert it first: soffice --headless --convert-to pdf a.html');
  expect(withoutAdvice(advice)).toBe('It is an HTML page');
});

test('a text → no command: there is nothing to recognise in it', () => {
  const advice = adviseOnForeign('It is plain text', 'plain text', 'a.txt');
  expect(advice).toBe('It is plain text: it is text already, with nothing to recognise');
  expect(withoutAdvice(advice)).toBe('It is plain text');
  expect(adviseOnForeign('It is an HTML page', 'an HTML page', undefined)).toBe(
    'It is an HTML page; convert it to PDF first',
  );
});
