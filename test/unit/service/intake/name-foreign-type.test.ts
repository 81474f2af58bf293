import { expect, test } from 'vitest';
import { nameForeignType } from '../../../../src/service/intake/name-foreign-type.js';

const zip = (name: string, content = '') => `PK\x03\x04${'\0'.repeat(26)}${name}${content}`;

test.each([
  [zip('[Content_Types].xml', '…PK\x03\x04…word/document.xml'), 'a Word document (DOCX)', 'file.docx'],
  [zip('xl/workbook.xml'), 'an Excel workbook (XLSX)', 'file.xlsx'],
  [zip('[Content_Types].xml'), 'an Office document', 'file.docx'],
  [zip('mimetype', 'application/epub+zip'), 'an e-book (EPUB)', 'file.epub'],
  [zip('mimetype', 'application/vnd.oasis.opendocument.text'), 'an OpenDocument file', 'file.odt'],
  ['\n<!DOCTYPE html><html>', 'an HTML page', 'file.html'],
  ['{\\rtf1\\ansi', 'a rich text document (RTF)', 'file.rtf'],
])('%j → named, with the command that converts it', (head, name, file) => {
  const message = nameForeignType(Buffer.from(head, 'latin1'));
  expect(message).toContain(`The file is ${name}`);
  expect(message).toContain(`soffice --headless --convert-to pdf ${file}`);
});

test('another archive, or text → nothing', () => {
  for (const head of [zip('a.txt'), 'a text about <html>', ''])
    expect(nameForeignType(Buffer.from(head))).toBeUndefined();
});
