import { open, readFile } from 'node:fs/promises';
import { DocumentError } from '../../../model/document-error.js';

/**
 * Header of a Windows bitmap. The libvips that sharp ships cannot read bitmaps; this file reads 1, 4, 8, 16, 24 and 32 bits,
 * bit fields, bottom-up and top-down rows, RLE4 and RLE8. Source: Microsoft's BITMAPFILEHEADER and BITMAPINFOHEADER pages.
 */
interface BmpHeader {
  width: number;
  height: number;
  topDown: boolean;
  bitsPerPixel: number;
  compression: number;
  pixelOffset: number;
  /** Offset of the colour table, bytes of an entry and number of entries. */
  paletteOffset: number;
  paletteEntryBytes: number;
  paletteLength: number;
  /** Bit masks of red, green and blue, for 16 and 32 bits. */
  masks: [number, number, number];
}

const BI_RGB = 0;
const BI_RLE8 = 1;
const BI_RLE4 = 2;
const BI_BITFIELDS = 3;
const BI_ALPHABITFIELDS = 6;
const HEADER_BYTES = 14 + 124;

/** Reads size and depth of a bitmap. Throws DocumentError `damaged`. */
export async function readBmpHeader(
  path: string,
): Promise<{ width: number; height: number; bitsPerPixel: number; pageCount: number }> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(HEADER_BYTES);
    const { bytesRead } = await file.read(head, 0, HEADER_BYTES, 0);
    const { width, height, bitsPerPixel } = parseHeader(head.subarray(0, bytesRead));
    return { width, height, bitsPerPixel, pageCount: 1 };
  } finally {
    await file.close();
  }
}

export interface BmpPixels {
  /** RGB, three bytes each, from the top left. */
  data: Buffer;
  width: number;
  height: number;
  /** False when the file is truncated: the rest is white. */
  complete: boolean;
}

/** Decodes a bitmap; the caller checks its size with `readBmpHeader` first. Throws DocumentError `damaged`. */
export async function decodeBmp(path: string): Promise<BmpPixels> {
  return decodeBmpBytes(await readFile(path));
}

export function decodeBmpBytes(bytes: Buffer): BmpPixels {
  const header = parseHeader(bytes);
  const palette = readPalette(bytes, header);
  const { width, height } = header;
  // Pixels that a truncated file or a run-length jump leaves out are white like paper.
  const data = Buffer.alloc(width * height * 3, 255);
  if (header.compression === BI_RLE8 || header.compression === BI_RLE4) {
    const indices = decodeRunLengths(bytes, header);
    for (let i = 0; i < indices.length; i++) putColor(data, i * 3, palette[indices[i] ?? 0]);
    return { data, width, height, complete: true };
  }
  const stride = Math.ceil((width * header.bitsPerPixel) / 32) * 4;
  const readPixel = createPixelReader(bytes, header, palette);
  for (let row = 0; row < height; row++) {
    const start = header.pixelOffset + row * stride;
    if (start + stride > bytes.length + 3) break;
    const y = header.topDown ? row : height - 1 - row;
    for (let x = 0; x < width; x++) putColor(data, (y * width + x) * 3, readPixel(start, x));
  }
  return { data, width, height, complete: header.pixelOffset + stride * height <= bytes.length + 3 };
}

function parseHeader(bytes: Buffer): BmpHeader {
  if (bytes.length < 26 || bytes.toString('latin1', 0, 2) !== 'BM') throw damaged('it has no header');
  const pixelOffset = bytes.readUInt32LE(10);
  const infoBytes = bytes.readUInt32LE(14);
  if (infoBytes === 12) {
    return validateHeader({
      width: bytes.readUInt16LE(18),
      height: bytes.readUInt16LE(20),
      topDown: false,
      bitsPerPixel: bytes.readUInt16LE(24),
      compression: BI_RGB,
      pixelOffset,
      paletteOffset: 26,
      paletteEntryBytes: 3,
      paletteLength: 256,
      masks: [0x7c00, 0x3e0, 0x1f],
    });
  }
  if (bytes.length < 54) throw damaged('its header is cut');
  const height = bytes.readInt32LE(22);
  const bitsPerPixel = bytes.readUInt16LE(28);
  const compression = bytes.readUInt32LE(30);
  const withMasks = compression === BI_BITFIELDS || compression === BI_ALPHABITFIELDS;
  if (withMasks && bytes.length < 66) throw damaged('its header is cut');
  const masksAfterHeader = withMasks && infoBytes === 40 ? (compression === BI_ALPHABITFIELDS ? 16 : 12) : 0;
  const defaultMasks: BmpHeader['masks'] = bitsPerPixel === 16 ? [0x7c00, 0x3e0, 0x1f] : [0xff0000, 0xff00, 0xff];
  return validateHeader({
    width: bytes.readInt32LE(18),
    height: Math.abs(height),
    topDown: height < 0,
    bitsPerPixel,
    compression: withMasks ? BI_RGB : compression,
    pixelOffset,
    paletteOffset: 14 + infoBytes + masksAfterHeader,
    paletteEntryBytes: 4,
    paletteLength: bytes.readUInt32LE(46) || 256,
    masks: withMasks ? [bytes.readUInt32LE(54), bytes.readUInt32LE(58), bytes.readUInt32LE(62)] : defaultMasks,
  });
}

function validateHeader(header: BmpHeader): BmpHeader {
  if (header.width < 1 || header.height < 1) throw damaged('it has no pixels');
  if (![1, 4, 8, 16, 24, 32].includes(header.bitsPerPixel)) throw damaged(`${header.bitsPerPixel} bits per pixel`);
  const runLengths =
    (header.compression === BI_RLE8 && header.bitsPerPixel === 8) ||
    (header.compression === BI_RLE4 && header.bitsPerPixel === 4);
  if (header.compression !== BI_RGB && !runLengths) throw damaged(`unknown compression ${header.compression}`);
  return header;
}

type Color = readonly [number, number, number];

function readPalette(bytes: Buffer, header: BmpHeader): Color[] {
  if (header.bitsPerPixel > 8) return [];
  const colors: Color[] = [];
  const length = Math.min(header.paletteLength, 1 << header.bitsPerPixel);
  for (let i = 0; i < length; i++) {
    const at = header.paletteOffset + i * header.paletteEntryBytes;
    if (at + 3 > bytes.length) break;
    colors.push([bytes[at + 2] ?? 0, bytes[at + 1] ?? 0, bytes[at] ?? 0]);
  }
  return colors;
}

type PixelReader = (rowStart: number, x: number) => Color | undefined;

function createPixelReader(bytes: Buffer, header: BmpHeader, palette: Color[]): PixelReader {
  const { bitsPerPixel } = header;
  if (bitsPerPixel <= 8) {
    const perByte = 8 / bitsPerPixel;
    const mask = (1 << bitsPerPixel) - 1;
    return (start, x) => {
      const byte = bytes[start + Math.floor(x / perByte)] ?? 0;
      return palette[(byte >> ((perByte - 1 - (x % perByte)) * bitsPerPixel)) & mask];
    };
  }
  if (bitsPerPixel === 24) {
    return (start, x) => {
      const at = start + x * 3;
      return [bytes[at + 2] ?? 255, bytes[at + 1] ?? 255, bytes[at] ?? 255];
    };
  }
  const [red, green, blue] = header.masks.map(createChannelReader) as [ChannelReader, ChannelReader, ChannelReader];
  const size = bitsPerPixel / 8;
  return (start, x) => {
    const at = start + x * size;
    if (at + size > bytes.length) return undefined;
    const value = size === 2 ? bytes.readUInt16LE(at) : bytes.readUInt32LE(at);
    return [red(value), green(value), blue(value)];
  };
}

type ChannelReader = (value: number) => number;

/** Returns a function that extracts a channel's bits and scales them to 0-255. */
function createChannelReader(mask: number): ChannelReader {
  if (mask === 0) return () => 0;
  const shift = Math.log2((mask & -mask) >>> 0);
  const max = mask >>> shift;
  return (value) => Math.round((((value & mask) >>> shift) / max) * 255);
}

function putColor(data: Buffer, at: number, color: Color | undefined): void {
  if (color === undefined) return;
  data[at] = color[0];
  data[at + 1] = color[1];
  data[at + 2] = color[2];
}

/** Decodes RLE4 and RLE8 to palette indices, from the top left. */
function decodeRunLengths(bytes: Buffer, header: BmpHeader): Uint8Array {
  const { width, height } = header;
  const four = header.compression === BI_RLE4;
  const indices = new Uint8Array(width * height);
  let at = header.pixelOffset;
  let x = 0;
  let row = 0;
  const put = (index: number) => {
    if (x < width && row < height) indices[(header.topDown ? row : height - 1 - row) * width + x] = index;
    x++;
  };
  while (at + 1 < bytes.length && row < height) {
    const count = bytes[at] ?? 0;
    const value = bytes[at + 1] ?? 0;
    at += 2;
    if (count > 0) {
      for (let i = 0; i < count; i++) put(four ? (i % 2 === 0 ? value >> 4 : value & 15) : value);
    } else if (value === 0) {
      x = 0;
      row++;
    } else if (value === 1) {
      break;
    } else if (value === 2) {
      x += bytes[at] ?? 0;
      row += bytes[at + 1] ?? 0;
      at += 2;
    } else {
      for (let i = 0; i < value; i++) {
        const byte = bytes[at + (four ? i >> 1 : i)] ?? 0;
        put(four ? (i % 2 === 0 ? byte >> 4 : byte & 15) : byte);
      }
      const used = four ? (value + 1) >> 1 : value;
      at += used + (used % 2); // Runs are padded to 16 bits.
    }
  }
  return indices;
}

function damaged(what: string): DocumentError {
  return new DocumentError('damaged', `the BMP image cannot be read: ${what}`);
}
