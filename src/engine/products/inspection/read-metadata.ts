import { parsePdfDate } from '../../pdf-files/objects/pdf-date.js';
import type { PdfObjects } from '../../pdf-files/objects/pdf-objects.js';
import { isStream } from '../../pdf-files/objects/values.js';
import { type PdfDocument, writeCString } from '../../pdf-files/pdfium/pdfium.js';
import { readWideString } from './wide-string.js';

const TEXTS = {
  title: 'Title',
  author: 'Author',
  subject: 'Subject',
  keywords: 'Keywords',
  creator: 'Creator',
  producer: 'Producer',
} as const;
const DATES = { created: 'CreationDate', modified: 'ModDate' } as const;
const MAX_CHARACTERS = 4000;

/** The document's own metadata (its Info dictionary); dates are ISO 8601. Absent entries are left out. */
export type PdfMetadata = Partial<Record<keyof typeof TEXTS | keyof typeof DATES, string>>;

/** Reads the metadata by PDFium itself: the copy that PDFium writes (copy-pdf.ts) may leave this dictionary out. */
export function readMetadata(pdf: PdfDocument): PdfMetadata {
  const read = (key: string): string => readEntry(pdf, key).slice(0, MAX_CHARACTERS);
  const metadata: PdfMetadata = {};
  for (const [name, key] of Object.entries(TEXTS) as [keyof typeof TEXTS, string][]) {
    const text = read(key);
    if (text !== '') metadata[name] = text;
  }
  for (const [name, key] of Object.entries(DATES) as [keyof typeof DATES, string][]) {
    const date = parsePdfDate(read(key));
    if (date !== undefined) metadata[name] = date;
  }
  return metadata;
}

/** The entries of the Info dictionary as they are written, by their keys; keys that the standard does not know cannot be listed. */
export function readInfo(pdf: PdfDocument): Map<string, string> {
  const keys = [...Object.values(TEXTS), ...Object.values(DATES)];
  return new Map(keys.map((key) => [key, readEntry(pdf, key)] as const).filter(([, text]) => text !== ''));
}

function readEntry({ pdfium, handle }: PdfDocument, key: string): string {
  const name = writeCString(pdfium, key);
  const text = readWideString(pdfium, (buffer, size) => pdfium._FPDF_GetMetaText(handle, name, buffer, size));
  pdfium._free(name);
  return text.replaceAll('\0', '').trim();
}

/** The conformance that the XMP metadata claims, like "PDF/A-2b". */
export function readConformance(objects: PdfObjects): string | null {
  const stream = objects.resolve(objects.catalog.get('Metadata'));
  const bytes = isStream(stream) ? objects.decode(stream) : undefined;
  const xmp = bytes && Buffer.from(bytes).toString('utf8');
  const part = xmp && readProperty(xmp, 'pdfaid:part', /^\d$/);
  if (!part) return null;
  return `PDF/A-${part}${readProperty(xmp, 'pdfaid:conformance', /^[A-Z]$/i)?.toLowerCase() ?? ''}`;
}

/** A simple property of XMP, which may be an element or an attribute. */
function readProperty(xmp: string, name: string, form: RegExp): string | undefined {
  const at = xmp.indexOf(name);
  const value = /^\s*(?:=\s*["']|>\s*)([^"'<\s]{1,20})/.exec(xmp.slice(at + name.length, at + name.length + 60))?.[1];
  return at !== -1 && value !== undefined && form.test(value) ? value : undefined;
}
