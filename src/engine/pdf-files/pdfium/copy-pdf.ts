import { guard, type PdfDocument, type Pdfium } from './pdfium.js';
import { toWasmFunction } from './wasm-function.js';

const REMOVE_SECURITY = 3;
/** Bound of the copy: object streams unfold, so that a file may be written much larger than it was read. */
const MAX_BYTES = 256 * 1024 * 1024;
/** A slot of PDFium's function table that C never calls: null pointers lead there. */
const FREE_SLOT = 0;

/**
 * Writes the document anew as PDFium understands it: decrypted, repaired, each object by itself under one
 * cross-reference table, so that little code can read its dictionaries. Undefined when it cannot be written or would
 * be too large.
 */
export function copyPdf({ pdfium, handle }: PdfDocument): Buffer | undefined {
  return guard(() => {
    const chunks: Buffer[] = [];
    let size = 0;
    const writeBlock = (_self: number, data: number, length: number): number => {
      size += length;
      if (size > MAX_BYTES) return 0;
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
  const writer = pdfium._malloc(8);
  pdfium.HEAP32.set([1, FREE_SLOT], writer >> 2);
  table.set(FREE_SLOT, toWasmFunction(write, 3));
  try {
    return use(writer);
  } finally {
    table.set(FREE_SLOT, null);
    pdfium._free(writer);
  }
}
