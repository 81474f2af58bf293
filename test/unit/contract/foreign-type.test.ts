import { expect, test } from 'vitest';
import { adviseOnForeignType, nameForeignType } from '../../../src/contract/foreign-type.js';

const zip = (name: string, content = '') => `PK\x03\x04${'\0'.repeat(26)}${name}${content}`;

test.each([
  [zip('[Content_Types].xml', '…PK\x03\x04…word/document.xml'), 'a Word document (DOCX)', 'file.docx'],
  [zip('xl/workbook.xml'), 'an Excel workbook (XLSX)', 'file.xlsx'],
  [zip('[Content_Types].xml'), 'an Office document', 'file.docx'],
  [zip('mimetype', 'application/epub+zip'), 'an e-book (EPUB)', 'file.epub'],
  [zip('mimetype', 'application/vnd.oasis.opendocument.text'), 'an OpenDocument file', 'file.odt'],
  ['\n<!DOCTYPE html><html>', 'an HTML page', 'file.html'],
  [zip('_rels/.rels', 'PK\x03\x04docProps/app.xml'), 'an Office document', 'file.docx'],
  ['<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">', 'an HTML page', 'file.html'],
  ['<p>a page</p>', 'an HTML page', 'file.html'],
  ['a text about <html>\r\nand caf\xc3\xa9s', 'plain text', 'file.txt'],
  ['{\\rtf1\\ansi', 'a rich text document (RTF)', 'file.rtf'],
])('%j → named, with the command that converts it', (head, name, file) => {
  const message = nameForeignType(Buffer.from(head, 'latin1'));
  expect(message).toContain(`The file is ${name}`);
  expect(message).toContain(`soffice --headless --convert-to pdf ${file}`);
});

test('another archive, a program, or no bytes → nothing', () => {
  for (const head of [zip('a.txt'), 'MZ\x90\0\x03', ''])
    expect(nameForeignType(Buffer.from(head, 'latin1'))).toBeUndefined();
});

test('a file with a name → the command converts that file', () => {
  const text = Buffer.from('notes');
  expect(adviseOnForeignType(text, 'my notes.txt')).toBe(
    "It is plain text; convert it first: soffice --headless --convert-to pdf 'my notes.txt'",
  );
  expect(adviseOnForeignType(text, '-a.txt')).toContain('pdf ./-a.txt');
});
