/** Types of documents that are not read, by their first bytes, with the extension that the converter goes by. */
const FOREIGN_TYPES: ReadonlyArray<readonly [test: RegExp, name: string, extension: string]> = [
  [/^PK\x03\x04.{26}mimetypeapplication\/epub\+zip/s, 'an e-book (EPUB)', 'epub'],
  [/^PK\x03\x04.{26}mimetypeapplication\/vnd\.oasis\.opendocument/s, 'an OpenDocument file', 'odt'],
  [/^PK\x03\x04.*word\//s, 'a Word document (DOCX)', 'docx'],
  [/^PK\x03\x04.*xl\//s, 'an Excel workbook (XLSX)', 'xlsx'],
  [/^PK\x03\x04.*ppt\//s, 'a PowerPoint presentation (PPTX)', 'pptx'],
  [/^PK\x03\x04.{26}\[Content_Types\]\.xml/s, 'an Office document (DOCX, XLSX or PPTX)', 'docx'],
  [/^\xd0\xcf\x11\xe0/s, 'an old Office document (DOC, XLS or PPT)', 'doc'],
  [/^\{\\rtf/s, 'a rich text document (RTF)', 'rtf'],
  [/^(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html)\b/is, 'an HTML page', 'html'],
];

/** Says what a file is that the engine does not read, and how it becomes one that it reads; undefined for anything else. */
export function nameForeignType(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  const [, name, extension] = FOREIGN_TYPES.find(([test]) => test.test(text)) ?? [];
  return name && `The file is ${name}: convert it first (soffice --headless --convert-to pdf file.${extension})`;
}
