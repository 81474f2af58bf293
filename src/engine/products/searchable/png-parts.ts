/** The parts of a PNG that a PDF takes over: compressed rows are the same in both. */
export interface PngParts {
  width: number;
  height: number;
  bitDepth: number;
  /** 1 for grey or index, 3 for red, green and blue. */
  channels: 1 | 3;
  /** Red, green and blue for each index; undefined where the pixels are not indices. */
  palette: Buffer | undefined;
  data: Buffer;
}

const SIGNATURE_BYTES = 8;
const GREY = 0;
const RGB = 2;
const INDEXED = 3;

/**
 * Reads the parts; undefined when a PDF cannot hold the PNG's rows as they are: transparent, interlaced or damaged.
 * Source: PNG (third edition), 5 and 11.
 */
export function readPngParts(bytes: Buffer): PngParts | undefined {
  const data: Buffer[] = [];
  let palette: Buffer | undefined;
  for (let at = SIGNATURE_BYTES; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (at + 12 + length > bytes.length || kind === 'tRNS') return undefined;
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (kind === 'PLTE') palette = body;
    if (kind === 'IDAT') data.push(body);
    if (kind === 'IEND') break;
    at += 12 + length;
  }
  const head = bytes.subarray(SIGNATURE_BYTES + 8, SIGNATURE_BYTES + 21);
  if (bytes.toString('latin1', 12, 16) !== 'IHDR' || head.length < 13 || data.length === 0) return undefined;
  const [bitDepth = 0, colourType = -1, , , interlace] = head.subarray(8);
  if (interlace !== 0 || ![GREY, RGB, INDEXED].includes(colourType)) return undefined;
  const isIndexed = colourType === INDEXED;
  if (isIndexed && (palette === undefined || palette.length === 0 || palette.length > 768)) return undefined;
  return {
    width: head.readUInt32BE(0),
    height: head.readUInt32BE(4),
    bitDepth,
    channels: colourType === RGB ? 3 : 1,
    palette: isIndexed ? palette : undefined,
    data: Buffer.concat(data),
  };
}
