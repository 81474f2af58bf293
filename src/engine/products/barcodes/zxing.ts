import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ReadResult } from 'zxing-wasm/reader';
import { rotateRaster } from '../../stages/picture/correct/skew.js';
import type { Raster } from '../../stages/picture/raster.js';
import type { BarcodeFormat } from './barcode.js';

/** A code in terms of the picture, as ZXing describes it. */
export type FoundBarcode = Pick<
  ReadResult,
  | 'format'
  | 'text'
  | 'extra'
  | 'contentType'
  | 'bytes'
  | 'symbologyIdentifier'
  | 'position'
  | 'rotation'
  | 'sequenceIndex'
  | 'sequenceSize'
  | 'sequenceId'
>;
/** Codes of a picture, at most: sheets of labels have some dozens. */
const MAX_CODES = 250;

let loading: Promise<typeof import('zxing-wasm/reader')> | undefined;

/** Starts ZXing (WebAssembly) from the package's own folder: by default it would fetch its binary from the network. */
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

export interface HowToLook {
  /** All formats when empty. */
  formats: readonly BarcodeFormat[];
  /** Degrees, clockwise, by which the picture is turned first. */
  turn?: number;
  /** True to look at a third of the size too, and a third of that: for codes that are large or full of grain. */
  tryDownscale: boolean;
}

/** Finds every barcode in a picture. Positions are in pixels of the picture as given. */
export async function findBarcodes(
  raster: Raster,
  { formats, turn = 0, tryDownscale }: HowToLook,
): Promise<FoundBarcode[]> {
  if (turn !== 0) {
    const turned = rotateRaster(raster, turn);
    return (await findBarcodes(turned, { formats, tryDownscale })).map((found) =>
      turnBack(found, turned, raster, turn),
    );
  }
  loading ??= start();
  const { readBarcodes } = await loading;
  const picture = toGreymap(raster);
  const read = (textMode: 'Plain' | 'HRI') =>
    readBarcodes(picture, { formats: [...formats], maxNumberOfSymbols: MAX_CODES, textMode, tryDownscale });
  const found = await read('Plain');
  if (!found.some(isGs1)) return found;
  // ZXing's form for people has the identifiers in brackets; for other codes that form would show control characters as pictures.
  const forPeople = (await read('HRI')).filter(isGs1);
  return found.map((code) =>
    isGs1(code) ? (forPeople.find(({ bytes }) => Buffer.compare(bytes, code.bytes) === 0) ?? code) : code,
  );
}

/** The picture as a file of shades (netpbm, PGM): as raw pixels ZXing takes four bytes for each. */
function toGreymap({ data, width, height }: Raster): Uint8Array {
  return Buffer.concat([Buffer.from(`P5 ${width} ${height} 255\n`), data]);
}

/** Maps positions in a picture that `rotateRaster` made back to the original one. */
function turnBack(found: FoundBarcode, turned: Raster, raster: Raster, degrees: number): FoundBarcode {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const place = ({ x, y }: { x: number; y: number }) => {
    const [dx, dy] = [x - turned.width / 2, y - turned.height / 2];
    return { x: dx * cos + dy * sin + raster.width / 2, y: dy * cos - dx * sin + raster.height / 2 };
  };
  const { topLeft, topRight, bottomRight, bottomLeft } = found.position;
  const corners = [topLeft, topRight, bottomRight, bottomLeft].map(place);
  const [a, b, c, d] = corners as [Point, Point, Point, Point];
  return {
    ...found,
    position: { topLeft: a, topRight: b, bottomRight: c, bottomLeft: d },
    rotation: found.rotation - degrees,
  };
}

type Point = FoundBarcode['position']['topLeft'];

const isGs1 = ({ contentType }: FoundBarcode): boolean => contentType === 'GS1';
