import { quote } from './command-words.js';

export const PLAIN_TEXT = 'plain text';

/** Types of documents that are not read, by their first bytes, with the article of their names. */
const FOREIGN_TYPES: ReadonlyArray<readonly [test: RegExp, article: string, name: string]> = [
  [/^PK\x03\x04.{26}mimetypeapplication\/epub\+zip/s, 'an', 'e-book (EPUB)'],
  [/^PK\x03\x04.{26}mimetypeapplication\/vnd\.oasis\.opendocument/s, 'an', 'OpenDocument file'],
  [/^PK\x03\x04.*word\//s, 'a', 'Word document (DOCX)'],
  [/^PK\x03\x04.*xl\//s, 'an', 'Excel workbook (XLSX)'],
  [/^PK\x03\x04.*ppt\//s, 'a', 'PowerPoint presentation (PPTX)'],
  // Programs differ in which part of the package comes first.
  [
    /^PK\x03\x04.{26}(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/|customXml\/)/s,
    'an',
    'Office document (DOCX, XLSX or PPTX)',
  ],
  [/^\xd0\xcf\x11\xe0/s, 'an', 'old Office document (DOC, XLS or PPT)'],
  [/^\{\\rtf/s, 'a', 'rich text document (RTF)'],
  [
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html|head|body|title|meta|div|p|h1|table)\b/is,
    'an',
    'HTML page',
  ],
  [
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!(?:--(?:(?!-->).)*--|doctype\s+svg[^>]*)>\s*)*<svg\b/is,
    'an',
    'SVG drawing',
  ],
  [/^P[1-6]\s+(?:#[^\n]*\n\s*)*\d+\s+\d+\s/, 'a', 'Netpbm picture (PBM, PGM or PPM)'],
  // Control characters but those of text: another kind of file.
  [/^[^\x00-\x08\x0e-\x1a]+$/s, '', PLAIN_TEXT],
];

/** Names the type of a file that the engine does not read, by its first bytes: `HTML page`; undefined for anything else. */
export function nameForeignType(head: Uint8Array): string | undefined {
  return findType(head)?.[2];
}

/** Says what such a file is, as the end of a sentence: `an HTML page`. */
export function describeForeignType(head: Uint8Array): string | undefined {
  const [, article, name] = findType(head) ?? [];
  return name && `${article} ${name}`.trimStart();
}

/** Returns the command that makes PDFs of files that are not read. */
export function convertCommand(...paths: readonly string[]): string {
  // A path that begins with a dash would be an option.
  const words = paths.map((path) => quote(path.replace(/^-/, './-')));
  return `soffice --headless --convert-to pdf ${words.join(' ')}`;
}

/** Says what to do about a file of a type that is not read; the service may not know the file's name. */
export function adviseOnForeign(message: string, type: string, fileName: string | undefined): string {
  if (type === PLAIN_TEXT) return `${message}${TEXT_ADVICE}`;
  return fileName === undefined ? `${message}; convert it to PDF first` : adviseToConvert(message, fileName);
}

/** Adds the command that converts a file to what is said of it. */
export function adviseToConvert(message: string, path: string): string {
  return `${message}${ADVICE}${convertCommand(path)}`;
}

/** Takes off the advice that was added, for whoever knows the file's path. */
export function withoutAdvice(message: string): string {
  return message.split(ADVICE)[0]?.split(TEXT_ADVICE)[0] as string;
}

const ADVICE = '; convert it first: ';
const TEXT_ADVICE = ': it is text already, with nothing to recognise';

function findType(head: Uint8Array): (typeof FOREIGN_TYPES)[number] | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  return FOREIGN_TYPES.find(([test]) => test.test(text));
}
