import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ReadResult } from 'zxing-wasm/reader';
import { type Raster, toRgba } from '../raster/raster.js';
import type { BarcodeFormat } from './barcode.js';

export type FoundBarcode = ReadResult;
/** Sheets of labels have some dozens. */
const MOST_CODES = 250;

let loading: Promise<typeof import('zxing-wasm/reader')> | undefined;

/** ZXing as WebAssembly, from the package's own folder: left to itself it would fetch its binary from the network. */
async function start(): Promise<typeof import('zxing-wasm/reader')> {
  const zxing = await import('zxing-wasm/reader');
  const path = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  const binary = await readFile(path);
  const wasmBinary = binary.buffer.slice(binary.byteOffset, binary.byteOffset + binary.byteLength) as ArrayBuffer;
  await zxing.prepareZXingModule({
    overrides: { wasmBinary, print: () => {}, printErr: () => {} },
    fireImmediately: true,
  });
  return zxing;
}

/** Every barcode that is found in a picture, of the formats, or of all where there are none. Positions are in its pixels. */
export async function findBarcodes(raster: Raster, formats: readonly BarcodeFormat[]): Promise<FoundBarcode[]> {
  loading ??= start();
  const { readBarcodes } = await loading;
  const { width, height } = raster;
  const picture = { data: toRgba(raster), width, height, colorSpace: 'srgb' } as const;
  const read = (textMode: 'Plain' | 'HRI') =>
    readBarcodes(picture as never, { formats: [...formats], maxNumberOfSymbols: MOST_CODES, textMode });
  const found = await read('Plain');
  if (!found.some(isGs1)) return found;
  // Its own form for people has the identifiers in brackets; in other codes that form would show control characters as pictures.
  const forPeople = (await read('HRI')).filter(isGs1);
  return found.map((code) =>
    isGs1(code) ? (forPeople.find(({ bytes }) => Buffer.compare(bytes, code.bytes) === 0) ?? code) : code,
  );
}

const isGs1 = ({ contentType }: FoundBarcode): boolean => contentType === 'GS1';
