import { open } from 'node:fs/promises';
import { DocumentError } from '../document-error.js';

/**
 * PDFium's C interface as far as we use it. The package's own types name a part of its exports only.
 * Pointers are numbers into the module's memory. Source: PDFium's public headers (fpdfview.h, fpdf_text.h, fpdf_edit.h, fpdf_formfill.h).
 */
export interface Pdfium {
  HEAPU8: Uint8Array;
  HEAP32: Int32Array;
  HEAPF32: Float32Array;
  HEAPF64: Float64Array;
  /** Functions that C reaches by pointers. */
  wasmExports: { __indirect_function_table: { set(index: number, callee: unknown): void } };
  _malloc(sizeBytes: number): number;
  _free(pointer: number): void;
  _FPDF_InitLibraryWithConfig(config: object): void;
  _FPDF_LoadMemDocument(bytes: number, sizeBytes: number, password: number): number;
  _FPDF_GetLastError(): number;
  _FPDF_CloseDocument(document: number): void;
  _FPDF_SaveAsCopy(document: number, writer: number, flags: number): number;
  _FPDF_GetFormType(document: number): number;
  _FPDF_DocumentHasValidCrossReferenceTable(document: number): number;
  _FPDF_GetMetaText(document: number, key: number, buffer: number, sizeBytes: number): number;
  _FPDF_GetSecurityHandlerRevision(document: number): number;
  _FPDF_GetDocUserPermissions(document: number): number;
  _FPDF_GetSignatureCount(document: number): number;
  _FPDFCatalog_IsTagged(document: number): number;
  _FPDFDoc_GetAttachmentCount(document: number): number;
  _FPDFDoc_GetAttachment(document: number, index: number): number;
  _FPDFAttachment_GetName(attachment: number, buffer: number, sizeBytes: number): number;
  _FPDFBookmark_GetFirstChild(document: number, bookmark: number): number;
  _FPDFBookmark_GetNextSibling(document: number, bookmark: number): number;
  _FPDFBookmark_GetTitle(bookmark: number, buffer: number, sizeBytes: number): number;
  _FPDFBookmark_GetDest(document: number, bookmark: number): number;
  _FPDFBookmark_GetAction(bookmark: number): number;
  _FPDFAction_GetDest(document: number, action: number): number;
  _FPDFDest_GetDestPageIndex(document: number, destination: number): number;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetPageWidthF(page: number): number;
  _FPDF_GetPageHeightF(page: number): number;
  _FPDF_GetPageBoundingBox(page: number, rect: number): number;
  _FPDFPage_GetRotation(page: number): number;
  _FPDFPage_CountObjects(page: number): number;
  _FPDFPage_GetObject(page: number, index: number): number;
  _FPDFPageObj_GetType(object: number): number;
  _FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
  _FPDFPageObj_GetFillColor(object: number, r: number, g: number, b: number, a: number): number;
  _FPDFPageObj_GetMatrix(object: number, matrix: number): number;
  _FPDFPageObj_CountMarks(object: number): number;
  _FPDFPageObj_GetMark(object: number, index: number): number;
  _FPDFPageObjMark_GetParamStringValue(
    mark: number,
    key: number,
    buffer: number,
    sizeBytes: number,
    neededBytes: number,
  ): number;
  _FPDFPath_GetDrawMode(path: number, fillMode: number, stroke: number): number;
  _FPDFPath_CountSegments(path: number): number;
  _FPDFPath_GetPathSegment(path: number, index: number): number;
  _FPDFPathSegment_GetPoint(segment: number, x: number, y: number): number;
  _FPDFPathSegment_GetType(segment: number): number;
  _FPDFPathSegment_GetClose(segment: number): number;
  _FPDFLink_Enumerate(page: number, position: number, link: number): number;
  _FPDFLink_GetAnnotRect(link: number, rect: number): number;
  _FPDFLink_CountQuadPoints(link: number): number;
  _FPDFLink_GetQuadPoints(link: number, index: number, corners: number): number;
  _FPDFLink_GetAction(link: number): number;
  _FPDFAction_GetURIPath(document: number, action: number, buffer: number, sizeBytes: number): number;
  _FPDFFormObj_CountObjects(form: number): number;
  _FPDFFormObj_GetObject(form: number, index: number): number;
  _FPDFPage_GetAnnotCount(page: number): number;
  _FPDFPage_GetAnnot(page: number, index: number): number;
  _FPDFPage_CloseAnnot(annotation: number): void;
  _FPDFAnnot_GetSubtype(annotation: number): number;
  _FPDFPage_SetMediaBox(page: number, left: number, bottom: number, right: number, top: number): void;
  _FPDFPage_SetCropBox(page: number, left: number, bottom: number, right: number, top: number): void;
  _FPDFPage_Flatten(page: number, use: number): number;
  _FPDFDOC_InitFormFillEnvironment(document: number, info: number): number;
  _FPDFDOC_ExitFormFillEnvironment(form: number): void;
  _FORM_OnAfterLoadPage(page: number, form: number): void;
  _FORM_OnBeforeClosePage(page: number, form: number): void;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetUnicode(text: number, index: number): number;
  _FPDFText_HasUnicodeMapError(text: number, index: number): number;
  _FPDFText_GetTextObject(text: number, index: number): number;
  _FPDFText_GetFontSize(text: number, index: number): number;
  _FPDFText_GetMatrix(text: number, index: number, matrix: number): number;
  _FPDFText_GetCharBox(text: number, index: number, left: number, right: number, bottom: number, top: number): number;
  _FPDFText_GetLooseCharBox(text: number, index: number, rect: number): number;
  _FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number;
  _FPDFTextObj_GetFont(object: number): number;
  _FPDFFont_GetBaseFontName(font: number, buffer: number, sizeBytes: number): number;
  _FPDFFont_GetFlags(font: number): number;
  _FPDFFont_GetIsEmbedded(font: number): number;
  _FPDFFont_GetWeight(font: number): number;
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, buffer: number, stride: number): number;
  _FPDFBitmap_FillRect(bitmap: number, left: number, top: number, width: number, height: number, color: number): number;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void;
}

let loading: Promise<Pdfium> | undefined;

/** PDFium, one instance per thread: starting it costs some 40 ms, so it stays. */
export function loadPdfium(): Promise<Pdfium> {
  loading ??= start();
  return loading;
}

async function start(): Promise<Pdfium> {
  const { PDFiumModule } = await import('@hyzyla/pdfium');
  // The package types the module's factory loosely; what it gives are PDFium's own exports.
  const create = PDFiumModule as unknown as (options: object) => Promise<Pdfium>;
  const silent = () => undefined;
  const loaded = await create({ print: silent, printErr: silent });
  const pdfium = useBareExports(loaded);
  pdfium._FPDF_InitLibraryWithConfig({ version: 2 });
  return pdfium;
}

/**
 * The package wraps every export in checks, which cost as much as reading a character does. The exports stand on a
 * prototype, since V8 looks into an object of hundreds of properties more slowly: 6 % of reading a book.
 */
function useBareExports(loaded: Pdfium): Pdfium {
  const bare: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(loaded.wasmExports)) {
    if (typeof value === 'function') bare[`_${name}`] = value;
  }
  // Memory views stay behind the prototype: the module replaces them when its memory grows.
  return Object.create(Object.assign(Object.create(loaded), bare)) as Pdfium;
}

export interface PdfDocument {
  pdfium: Pdfium;
  /** FPDF_DOCUMENT. */
  handle: number;
  pageCount: number;
  /** The file, in PDFium's memory: as long as nothing of PDFium is called. */
  bytes(): Uint8Array;
  close(): void;
}

const READ_BYTES = 1024 * 1024;
const FPDF_ERR_PASSWORD = 4;
const FPDF_ERR_SECURITY = 5;

/**
 * Opens a PDF file; the caller closes it. A file that only an owner's password protects opens without one.
 * Throws DocumentError: encrypted, wrong-password, damaged, no-pages.
 */
export async function openPdf(path: string, password: string | undefined): Promise<PdfDocument> {
  const pdfium = await loadPdfium();
  const { memory, sizeBytes } = await readIntoMemory(pdfium, path);
  const passwordMemory = writeCString(pdfium, password ?? '');
  const handle = guard(() => pdfium._FPDF_LoadMemDocument(memory, sizeBytes, passwordMemory));
  pdfium._free(passwordMemory);
  if (handle === 0) {
    const code = pdfium._FPDF_GetLastError();
    pdfium._free(memory);
    throw openError(code, password);
  }
  const close = () => {
    try {
      pdfium._FPDF_CloseDocument(handle);
      pdfium._free(memory);
    } catch {
      // After a trap nothing of this instance works; what failed first is what the caller has to hear.
      loading = undefined;
    }
  };
  const pageCount = pdfium._FPDF_GetPageCount(handle);
  if (pageCount < 1) {
    close();
    throw new DocumentError('no-pages', 'the PDF has no pages');
  }
  return { pdfium, handle, pageCount, bytes: () => pdfium.HEAPU8.subarray(memory, memory + sizeBytes), close };
}

/** Piece by piece: the file is in memory once, and not beside a copy of itself. */
async function readIntoMemory(pdfium: Pdfium, path: string): Promise<{ memory: number; sizeBytes: number }> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const memory = pdfium._malloc(Math.max(1, size));
    if (memory === 0) throw new DocumentError('too-large', 'the PDF does not fit into memory');
    const piece = Buffer.allocUnsafe(Math.min(READ_BYTES, Math.max(1, size)));
    let at = 0;
    while (at < size) {
      const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, size - at), at);
      // Somebody has cut it meanwhile: what there is of it is read.
      if (bytesRead === 0) break;
      pdfium.HEAPU8.set(piece.subarray(0, bytesRead), memory + at);
      at += bytesRead;
    }
    return { memory, sizeBytes: at };
  } finally {
    await file.close();
  }
}

function openError(code: number, password: string | undefined): DocumentError {
  if (code === FPDF_ERR_PASSWORD) {
    return password === undefined || password === ''
      ? new DocumentError('encrypted', 'the PDF is encrypted: it needs a password (argument "password")')
      : new DocumentError('wrong-password', 'the password does not open the PDF');
  }
  if (code === FPDF_ERR_SECURITY) {
    return new DocumentError('encrypted', 'the PDF is encrypted in a way that cannot be opened with a password');
  }
  return new DocumentError('damaged', 'the PDF is damaged: no pages can be found in it');
}

/** A trap inside PDFium leaves its memory in an unknown state: the thread's instance is given up. */
export function guard<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    loading = undefined;
    throw new DocumentError('damaged', 'the PDF is damaged beyond reading', { cause: error });
  }
}

/** Text with a final zero; to be freed by the caller. */
export function writeCString(pdfium: Pdfium, text: string): number {
  const bytes = Buffer.from(`${text}\0`, 'utf8');
  const pointer = pdfium._malloc(bytes.length);
  pdfium.HEAPU8.set(bytes, pointer);
  return pointer;
}
