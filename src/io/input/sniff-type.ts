import { open } from 'node:fs/promises';
import { extname } from 'node:path';

/** Bytes that file-type needs; they include the first kilobyte, in which a PDF's mark may stand anywhere. */
const HEAD_BYTES = 4_100;
const PDF_MARK_WITHIN = 1_024;

/**
 * The MIME type of a file by its bytes, never by its name alone; undefined for text, for an empty file, and for what nobody
 * knows. The usual documents are told apart here, so that a directory of them costs no import.
 */
export async function sniffType(path: string): Promise<string | undefined> {
  const head = await readHead(path);
  return sniffHead(head, path) ?? (head.length === 0 || isText(head) ? undefined : await askFileType(path));
}

/** A file that a function does not accept. */
export interface ForeignFile {
  /** Name of its type: `HTML page`, `empty file`, a media type. */
  what: string;
  /** True when there is a command that makes a PDF of it. Text needs none: there is nothing to recognise. */
  isConvertible: boolean;
}

/** Returns what a file is that a function does not accept; undefined for one that it accepts, and for one that is to be sent. */
export async function findForeignType(path: string, accepted: readonly string[]): Promise<ForeignFile | undefined> {
  const type = (await sniffType(path)) ?? typeOfName(path);
  if (acceptsType(accepted, type)) return undefined;
  const { nameForeignType, PLAIN_TEXT } = await import('../../contract/foreign-type.js');
  const head = await readHead(path);
  const name = nameForeignType(head);
  // A mark that is known says more than that no byte speaks against text.
  if (name !== undefined && (type === undefined || name !== PLAIN_TEXT))
    return { what: name, isConvertible: name !== PLAIN_TEXT };
  return { what: type ?? (head.length === 0 ? 'empty file' : 'unknown type'), isConvertible: false };
}

/** Says what a file is that services do not read; undefined for one of no such type. */
export async function describeType(path: string): Promise<string | undefined> {
  const { describeForeignType } = await import('../../contract/foreign-type.js');
  return describeForeignType(await readHead(path));
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function sniffHead(head: Buffer, path: string): string | undefined {
  const starts = (text: string, at = 0) => head.toString('latin1', at, at + text.length) === text;
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts('\xff\xd8\xff')) return 'image/jpeg';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  if (starts('GIF87a') || starts('GIF89a')) return 'image/gif';
  if (starts('II*\0') || starts('MM\0*')) return 'image/tiff';
  return hasPdfMark(head, path) ? 'application/pdf' : undefined;
}

/** Anything may stand before the mark of a PDF. Where words do in its line, it may be a text that tells of PDFs: there the name says which. */
function hasPdfMark(head: Buffer, path: string): boolean {
  const at = head.subarray(0, PDF_MARK_WITHIN).indexOf('%PDF-');
  const before = head.subarray(0, Math.max(0, at));
  const isAfterWords = isText(before) && /\w[^\r\n]*$/.test(before.toString('latin1'));
  return at >= 0 && (!isAfterWords || typeOfName(path) === 'application/pdf');
}

/** It knows some two hundred types, also those that stand deep in a container. */
async function askFileType(path: string): Promise<string | undefined> {
  const { fileTypeFromFile } = await import('file-type');
  return (await fileTypeFromFile(path).catch(() => undefined))?.mime;
}

/** Returns a file's type by its name, for a content of no known type; undefined where the name does not say either. */
export function typeOfName(path: string): string | undefined {
  return TYPE_OF_EXTENSION[extname(path).slice(1).toLowerCase()];
}

/** No control characters but those of text: nothing that file-type would know. */
function isText(head: Buffer): boolean {
  return !/[\x00-\x08\x0e-\x1a]/.test(head.toString('latin1'));
}

/** Names that servers use for the same type. */
const ALIASES: Record<string, string> = {
  'image/jpg': 'image/jpeg',
  'image/tif': 'image/tiff',
  'image/x-ms-bmp': 'image/bmp',
  'application/x-pdf': 'application/pdf',
};

/** True when a function accepts a type: exactly, by a wildcard, or by an extension. */
export function acceptsType(accepted: readonly string[], type: string | undefined): boolean {
  return accepted.some((entry) => {
    const pattern = entry.trim().toLowerCase();
    if (pattern === '*/*' || pattern === '*') return true;
    // Text has no bytes to be known by.
    if (type === undefined) return pattern.startsWith('text/');
    if (pattern.endsWith('/*')) return type.startsWith(pattern.slice(0, -1));
    const named = pattern.includes('/') ? pattern : (TYPE_OF_EXTENSION[pattern.replace(/^\./, '')] ?? pattern);
    return (ALIASES[named] ?? named) === (ALIASES[type] ?? type);
  });
}

const TYPE_OF_EXTENSION: Record<string, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  bmp: 'image/bmp',
  gif: 'image/gif',
  tif: 'image/tiff',
  tiff: 'image/tiff',
};
