import { readFile } from 'node:fs/promises';
import { listPages } from '../../pdf-files/objects/page-tree.js';
import { type PdfObjects, readPdfObjects } from '../../pdf-files/objects/pdf-objects.js';
import { copyPdf } from '../../pdf-files/pdfium/copy-pdf.js';
import { guard, openPdf, type PdfDocument } from '../../pdf-files/pdfium/pdfium.js';
import { readFieldTree } from '../forms/field-tree.js';
import type { PdfFacts } from './pdf-facts.js';
import { readAttachments } from './read-attachments.js';
import { type Encryption, readEncryption } from './read-encryption.js';
import { readFonts } from './read-fonts.js';
import { readConformance, readMetadata } from './read-metadata.js';
import { readOutline } from './read-outline.js';

/** Reads the facts from the document and from a copy of it; where it cannot be copied, the warnings name the missing facts. */
export async function readFacts(
  pdf: PdfDocument,
  path: string,
  password: string | undefined,
): Promise<{ facts: PdfFacts; warnings: string[] }> {
  const file = await readFile(path);
  const encryption = await describeEncryption(pdf, file, path, password);
  const copy = copyPdf(pdf);
  const objects = readPdfObjects(copy ?? Buffer.alloc(0));
  const warnings = copy === undefined ? ['its fonts and form cannot be read: it is damaged or too large'] : [];
  const facts = guard(
    (): PdfFacts => ({
      version: readVersion(file, objects),
      conformance: readConformance(objects),
      encryption,
      metadata: readMetadata(pdf),
      language: readLanguage(objects),
      isTagged: pdf.pdfium._FPDFCatalog_IsTagged(pdf.handle) !== 0,
      fonts: readFonts(objects, listPages(objects, pdf.pageCount)),
      outline: readOutline(pdf),
      attachments: readAttachments(pdf),
      form: describeForm(objects),
      signatures: Math.max(0, pdf.pdfium._FPDF_GetSignatureCount(pdf.handle)),
    }),
  );
  return { facts, warnings };
}

async function describeEncryption(
  pdf: PdfDocument,
  file: Buffer,
  path: string,
  password: string | undefined,
): Promise<Encryption | null> {
  const encryption = readEncryption(pdf, file);
  if (encryption === null) return null;
  return { ...encryption, opensWithoutPassword: !password || (await opensWithout(path)) };
}

async function opensWithout(path: string): Promise<boolean> {
  try {
    (await openPdf(path, undefined)).close();
    return true;
  } catch {
    return false;
  }
}

/** The later of the versions at the file's head and in its catalog (ISO 32000-1, 7.2.2). */
function readVersion(file: Buffer, objects: PdfObjects): string | null {
  const head = /%PDF-(\d\.\d)/.exec(file.toString('latin1', 0, 1024 + 8))?.[1] ?? '';
  const own = objects.name(objects.catalog.get('Version')) ?? '';
  const version = Math.max(Number(head) || 0, Number(own) || 0);
  return version > 0 ? version.toFixed(1) : null;
}

/** The language: a text by the standard, a name by some writers. */
function readLanguage(objects: PdfObjects): string | null {
  const language = objects.catalog.get('Lang');
  return (objects.text(language) ?? objects.name(language))?.trim() || null;
}

function describeForm(objects: PdfObjects): PdfFacts['form'] {
  const form = objects.dict(objects.catalog.get('AcroForm'));
  if (form === undefined) return { kind: 'none', fields: 0 };
  const { fields } = readFieldTree(objects, form.get('Fields'));
  return { kind: form.has('XFA') ? 'xfa' : 'acro-form', fields: fields.length };
}
