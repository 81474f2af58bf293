import { endianness } from 'node:os';
import type { Raster } from '../raster.js';

const HEADER_BYTES = 28;
const BITS_PER_PIXEL = 8;
const BYTES_PER_WORD = 4;

/**
 * Writes a picture as Leptonica's memory dump ("spix", spixio.c), which Tesseract takes as it is. Tesseract reads a grey map
 * (PGM) byte by byte, which costs a tenth of a page's time. Rows are whole words of four pixels, the first in the highest
 * byte; words have the byte order of the machine.
 */
export function toSpix({ data, width, height }: Raster): Buffer {
  const wordsPerRow = Math.ceil(width / BYTES_PER_WORD);
  const rowBytes = wordsPerRow * BYTES_PER_WORD;
  const spix = Buffer.alloc(HEADER_BYTES + rowBytes * height);
  spix.write('spix', 'latin1');
  const colours = 0;
  const fields = [width, height, BITS_PER_PIXEL, wordsPerRow, colours, rowBytes * height];
  new Uint32Array(spix.buffer, spix.byteOffset + BYTES_PER_WORD, fields.length).set(fields);
  const pixels = spix.subarray(HEADER_BYTES);
  for (let y = 0; y < height; y++) pixels.set(data.subarray(y * width, (y + 1) * width), y * rowBytes);
  if (endianness() === 'LE') pixels.swap32();
  return spix;
}
