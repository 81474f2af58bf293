import { quote } from './command-words.js';

/** Types of documents that are not read, by their first bytes, with the extension that the converter goes by. */
const FOREIGN_TYPES: ReadonlyArray<readonly [test: RegExp, name: string, extension: string]> = [
  [/^PK\x03\x04.{26}mimetypeapplication\/epub\+zip/s, 'an e-book (EPUB)', 'epub'],
  [/^PK\x03\x04.{26}mimetypeapplication\/vnd\.oasis\.opendocument/s, 'an OpenDocument file', 'odt'],
  [/^PK\x03\x04.*word\//s, 'a Word document (DOCX)', 'docx'],
  [/^PK\x03\x04.*xl\//s, 'an Excel workbook (XLSX)', 'xlsx'],
  [/^PK\x03\x04.*ppt\//s, 'a PowerPoint presentation (PPTX)', 'pptx'],
  // Programs differ in which part of the package comes first.
  [
    /^PK\x03\x04.{26}(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/|customXml\/)/s,
    'an Office document (DOCX, XLSX or PPTX)',
    'docx',
  ],
  [/^\xd0\xcf\x11\xe0/s, 'an old Office document (DOC, XLS or PPT)', 'doc'],
  [/^\{\\rtf/s, 'a rich text document (RTF)', 'rtf'],
  [
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html|head|body|title|meta|div|p|h1|table)\b/is,
    'an HTML page',
    'html',
  ],
  // Control characters but those of text: another kind of file.
  [/^[^\x00-\x08\x0e-\x1a]+$/s, 'plain text', 'txt'],
];

/** Says what a file is that the engine does not read, by its first bytes, and how it becomes one that it reads; undefined for anything else. */
export function nameForeignType(head: Uint8Array): string | undefined {
  const [, name, extension] = findType(head) ?? [];
  return name && `The file is ${name}: convert it first (${convertCommand(`file.${extension}`)})`;
}

/** Says the same of a file with a name, as a command that can be typed. */
export function adviseOnForeignType(head: Uint8Array, path: string): string | undefined {
  const [, name] = findType(head) ?? [];
  return name && `It is ${name}; convert it first: ${convertCommand(quote(path.replace(/^-/, './-')))}`;
}

function findType(head: Uint8Array): (typeof FOREIGN_TYPES)[number] | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  return FOREIGN_TYPES.find(([test]) => test.test(text));
}

function convertCommand(file: string): string {
  return `soffice --headless --convert-to pdf ${file}`;
}
