import { guard, type PdfDocument, type Pdfium } from './pdfium.js';

/** As far as we use it: Node's types leave it out. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
};

const REMOVE_SECURITY = 3;
/** Object streams unfold: a file may be written much larger than it was read. */
const MOST_BYTES = 256 * 1024 * 1024;
/** A slot of PDFium's function table that C never calls: there its null pointers lead. */
const FREE_SLOT = 0;

/**
 * PDFium writes through a pointer into its function table, which takes WebAssembly's functions alone. This module does
 * nothing but pass one of ours on: it imports `e.f`, of the type (i32, i32, i32) → i32, and exports it again as `f`.
 */
const PASS_ON = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x08, 0x01, 0x60, 0x03, 0x7f, 0x7f, 0x7f, 0x01, 0x7f],
  ...[0x02, 0x07, 0x01, 0x01, 0x65, 0x01, 0x66, 0x00, 0x00],
  ...[0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00],
]);

/**
 * The document as PDFium understands it, written anew: decrypted, mended, each object by itself under one
 * cross-reference table. So its dictionaries can be read with little code. Undefined when it cannot be written, or only too large.
 */
export function copyPdf({ pdfium, handle }: PdfDocument): Buffer | undefined {
  return guard(() => {
    const chunks: Buffer[] = [];
    let size = 0;
    const writeBlock = (_self: number, data: number, length: number): number => {
      size += length;
      if (size > MOST_BYTES) return 0;
      chunks.push(Buffer.from(pdfium.HEAPU8.subarray(data, data + length)));
      return 1;
    };
    const saved = withCallback(pdfium, writeBlock, (writer) =>
      pdfium._FPDF_SaveAsCopy(handle, writer, REMOVE_SECURITY),
    );
    return saved === 0 ? undefined : Buffer.concat(chunks);
  });
}

/** Calls `use` with an FPDF_FILEWRITE (a version and a pointer to a function, fpdf_save.h) that calls `write`. */
function withCallback(
  pdfium: Pdfium,
  write: (self: number, data: number, length: number) => number,
  use: (writer: number) => number,
): number {
  const table = pdfium.wasmExports.__indirect_function_table;
  const passedOn = new WebAssembly.Instance(new WebAssembly.Module(PASS_ON), { e: { f: write } }).exports.f;
  const writer = pdfium._malloc(8);
  pdfium.HEAP32.set([1, FREE_SLOT], writer >> 2);
  table.set(FREE_SLOT, passedOn);
  try {
    return use(writer);
  } finally {
    table.set(FREE_SLOT, null);
    pdfium._free(writer);
  }
}
