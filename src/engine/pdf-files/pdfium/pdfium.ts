import { open, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DocumentError } from '../../model/document-error.js';
import { checkCrossReferences } from '../objects/check-cross-references.js';
import { openToEmptyOwner } from '../objects/empty-owner-password.js';
import { PdfSyntaxError } from '../objects/values.js';
import type { Pdfium } from './pdfium-exports.js';
import { installStandInFonts } from './stand-in.js';
import { type WasmInstance, type WasmModule, WebAssembly } from './web-assembly.js';

export type { Pdfium } from './pdfium-exports.js';

let loading: Promise<Pdfium> | undefined;
/** The compiled code, which instances share. */
let compiling: Promise<WasmModule> | undefined;

/** PDFium, one instance for each thread: the first start costs some 40 ms, a further one 5, so the instance stays. */
export function loadPdfium(): Promise<Pdfium> {
  loading ??= start();
  return loading;
}

/** Makes the next document open in a new instance, which nothing of earlier documents can reach. */
export function renewPdfium(): void {
  loading = undefined;
}

async function start(): Promise<Pdfium> {
  compiling ??= compile();
  const [{ PDFiumModule }, module] = await Promise.all([import('@hyzyla/pdfium'), compiling]);
  // The package types the module's factory loosely; its exports are PDFium's own.
  const create = PDFiumModule as unknown as (options: object) => Promise<Pdfium>;
  const silent = () => undefined;
  const instantiateWasm = (imports: object, receive: (instance: WasmInstance) => void) => {
    const instance = new WebAssembly.Instance(module, imports);
    receive(instance);
    return instance.exports;
  };
  const loaded = await create({ print: silent, printErr: silent, instantiateWasm });
  const pdfium = useBareExports(loaded);
  pdfium._FPDF_InitLibraryWithConfig({ version: 2 });
  installStandInFonts(pdfium);
  return pdfium;
}

async function compile(): Promise<WasmModule> {
  const main = createRequire(import.meta.url).resolve('@hyzyla/pdfium');
  return await WebAssembly.compile(await readFile(join(dirname(main), 'pdfium.wasm')));
}

/**
 * Takes the package's checks off the exports: they cost as much as reading a character does. The exports stand on a
 * prototype, since V8 is slower in an object of hundreds of properties: 6 % of reading a book.
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
  /** The FPDF_DOCUMENT. */
  handle: number;
  pageCount: number;
  /** The file, in PDFium's memory. Valid until the next call of PDFium. */
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
  try {
    checkCrossReferences(pdfium.HEAPU8.subarray(memory, memory + sizeBytes));
  } catch (error) {
    pdfium._free(memory);
    if (!(error instanceof PdfSyntaxError)) throw error;
    throw new DocumentError('damaged', `the PDF is damaged: ${error.message}`);
  }
  const passwordMemory = writeCString(pdfium, password ?? '');
  const load = () => guard(() => pdfium._FPDF_LoadMemDocument(memory, sizeBytes, passwordMemory));
  let handle = load();
  if (handle === 0 && !password && pdfium._FPDF_GetLastError() === FPDF_ERR_PASSWORD) {
    const { buffer, byteOffset } = pdfium.HEAPU8;
    if (openToEmptyOwner(Buffer.from(buffer, byteOffset + memory, sizeBytes))) handle = load();
  }
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
      // After a trap this instance is unusable; the caller gets the first error.
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

/** Reads the file piece by piece: it is in memory once, and not beside a copy of itself. */
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
      // The file was truncated meanwhile: its rest is read.
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

/** Runs a call of PDFium. A trap leaves PDFium's memory in an unknown state: the thread's instance is given up. */
export function guard<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    loading = undefined;
    throw new DocumentError('damaged', 'the PDF is damaged beyond reading', { cause: error });
  }
}

/** Writes text with a final zero into PDFium's memory; the caller frees it. */
export function writeCString(pdfium: Pdfium, text: string): number {
  const bytes = Buffer.from(`${text}\0`, 'utf8');
  const pointer = pdfium._malloc(bytes.length);
  pdfium.HEAPU8.set(bytes, pointer);
  return pointer;
}
