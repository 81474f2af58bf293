import { readFile } from 'node:fs/promises';
import type { DocumentWarning, OcrDocument, Page } from '../../model/document.js';
import { DocumentError } from '../../model/document-error.js';
import { openPdfFile } from '../../pdf-files/objects/pdf-file.js';
import { attempt } from '../../pdf-files/objects/values.js';
import { copyPdf } from '../../pdf-files/pdfium/copy-pdf.js';
import { openPageFrame, type PageFrame } from '../../pdf-files/pdfium/page-frame.js';
import { openPdf, type PdfDocument } from '../../pdf-files/pdfium/pdfium.js';
import { readInfo } from '../inspection/read-metadata.js';
import { addTextLayers, type PageToWrite } from './add-text-layers.js';
import { recognisedLines } from './compose-text-layer.js';

export interface SearchablePdf {
  /** The file, in pieces. */
  chunks: Uint8Array[];
  /** Pages that got a text layer, from 1. */
  pages: number[];
  warnings: DocumentWarning[];
}

/**
 * Makes a PDF whose recognised pages carry their words as an invisible text layer; other pages stay as they are, and
 * so does a whole document without recognised pages.
 * Throws DocumentError: damaged, too-large, and as openPdf does.
 */
export async function makeSearchablePdf(
  path: string,
  password: string | undefined,
  { pages }: OcrDocument,
): Promise<SearchablePdf> {
  const recognised = pages.filter(({ source }) => source !== 'text-layer');
  const toWrite = recognised.filter((page) => recognisedLines(page).length > 0);
  const warnings: DocumentWarning[] = recognised
    .filter((page) => !toWrite.includes(page))
    .map(({ number }) => ({ page: number, message: 'no text was found on the page: it has no text layer' }));
  const bytes = await readFile(path);
  if (toWrite.length === 0) return { chunks: [bytes], pages: [], warnings };
  const pdf = await openPdf(path, password);
  try {
    const written = write(pdf, bytes, toWrite);
    return { ...written, pages: toWrite.map(({ number }) => number), warnings: [...written.warnings, ...warnings] };
  } finally {
    pdf.close();
  }
}

function write(
  pdf: PdfDocument,
  bytes: Uint8Array,
  pages: readonly Page[],
): Pick<SearchablePdf, 'chunks' | 'warnings'> {
  const { pdfium, handle, pageCount } = pdf;
  const framed = pages.map((page): PageToWrite => ({ page, frame: frameOf(pdf, page.number) }));
  const isSigned = pdfium._FPDF_GetSignatureCount(handle) > 0;
  const isEncrypted = pdfium._FPDF_GetSecurityHandlerRevision(handle) !== -1;
  const isWhole = pdfium._FPDF_DocumentHasValidCrossReferenceTable(handle) !== 0;
  if (!isEncrypted && isWhole) {
    const chunks = attempt(() => addTextLayers(openPdfFile(bytes), pageCount, framed));
    if (chunks !== undefined) return { chunks, warnings: isSigned ? [{ message: SIGNED }] : [] };
  }
  const copy = copyPdf(pdf);
  const chunks = copy && attempt(() => addTextLayers(openPdfFile(copy), pageCount, framed, readInfo(pdf)));
  if (chunks === undefined) {
    throw new DocumentError('damaged', 'the PDF is damaged: it can be read, but no text layer can be put into it');
  }
  const reason = isEncrypted ? DECRYPTED : isWhole ? REWRITTEN : REPAIRED;
  const messages = [reason, ...(isSigned ? [SIGNATURE_LOST] : [])];
  return { chunks, warnings: messages.map((message) => ({ message })) };
}

const SIGNED =
  'the document is signed: the signed part is unchanged, but the text layer came after the signature, which programs will say';
const SIGNATURE_LOST = 'the document was signed: the signature is no longer valid';
const DECRYPTED = 'the document was encrypted: the PDF with the text layer is not';
const REWRITTEN =
  'the document was written anew, since nothing could be appended to it: its objects are the same, their order is not';
const REPAIRED = 'the document is damaged: the PDF with the text layer was written anew from what could be read';

function frameOf(pdf: PdfDocument, number: number): PageFrame {
  const frame = openPageFrame(pdf, number);
  if (frame === undefined) throw new DocumentError('damaged', `page ${number} is damaged`);
  return frame;
}
