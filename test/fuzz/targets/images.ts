import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocumentError } from '../../../dist/engine/model/document-error.js';
import { createObjectWriter } from '../../../dist/engine/pdf-files/objects/write-pdf.js';
import { inspectImage } from '../../../dist/engine/products/inspection/inspect-image.js';
import { embedPicture } from '../../../dist/engine/products/searchable/embed-picture.js';
import { readJpegHeader } from '../../../dist/engine/products/searchable/jpeg-header.js';
import { readPngParts } from '../../../dist/engine/products/searchable/png-parts.js';
import { sniffBytes } from '../../../dist/engine/sniff.js';
import { decodeBmpBytes, readBmpHeader } from '../../../dist/engine/stages/picture/decode/bmp.js';
import { readImageHeader } from '../../../dist/engine/stages/picture/decode/image-header.js';
import { loadImage } from '../../../dist/engine/stages/picture/decode/load-image.js';
import { cutTiffFrame, readPixelHeight } from '../../../dist/engine/stages/picture/decode/tiff-frame.js';
import { encodeBmp, encodeTiff } from '../../fixtures/maker/image-formats.js';
import { type FuzzTarget, promise, tolerate } from '../fuzz-target.js';

const MAX_PIXELS = 1_000_000;
/** The bound that the engine has for a page that is cut out. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
const isDocumentError = (error: unknown) => error instanceof DocumentError;

const picture = (width: number, height: number) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height }, (_, at) => (at * 37) & 255),
});
const BMP = Buffer.from(encodeBmp(picture(9, 5)));
const TIFF = Buffer.from(encodeTiff([picture(9, 5)], 300));
const LONG_TIFF = Buffer.from(encodeTiff(Array(9).fill(picture(8, 3)), 200));
const fixture = (name: string) => readFileSync(fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url)));

/** A bitmap with this depth, compression and data. */
function makeBmp(bits: number, compression: number, data: readonly number[]): Buffer {
  const head = Buffer.alloc(54 + 64);
  head.write('BM');
  head.writeUInt32LE(head.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(8, 18);
  head.writeInt32LE(4, 22);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(compression, 30);
  return Buffer.concat([head, Buffer.from(data)]);
}

/** A file that the input is written to: the decoders read files. */
function createFile(): { path: string; write(bytes: Uint8Array): void; remove(): Promise<void> } {
  let folder: string | undefined;
  return {
    get path() {
      folder ??= mkdtempSync(join(tmpdir(), 'ocr-fuzz-image-'));
      return join(folder, 'image');
    },
    write(bytes) {
      writeFileSync(this.path, bytes);
    },
    async remove() {
      if (folder !== undefined) rmSync(folder, { recursive: true });
      folder = undefined;
    },
  };
}

const bmpFile = createFile();

/** Our decoder of bitmaps. */
export const bmp: FuzzTarget = {
  name: 'bmp',
  seeds: () => [
    BMP,
    makeBmp(8, 1, [3, 1, 0, 4, 1, 2, 3, 4, 0, 2, 1, 1, 2, 9, 0, 0, 5, 5, 0, 1]),
    makeBmp(4, 2, [3, 0x12, 0, 5, 0x12, 0x34, 0x50, 0, 0, 0, 5, 5, 0, 1]),
    makeBmp(16, 3, Array(64).fill(0x5a)),
    makeBmp(1, 0, Array(16).fill(0xa5)),
    makeBmp(32, 0, Array(128).fill(0x40)),
  ],
  tokens: ['BM', '\x00\x00', '\x00\x01', '\x00\x02\xff\xff', '\xff\x01', '\x0c\x00\x00\x00', '\x7c\x00\x00\x00'],
  runs: 3000,
  async run(bytes) {
    bmpFile.write(bytes);
    const header = await tolerate(isDocumentError, () => readBmpHeader(bmpFile.path));
    if (header === undefined || header.width * header.height > MAX_PIXELS) return;
    const pixels = await tolerate(isDocumentError, () => decodeBmpBytes(Buffer.from(bytes)));
    promise(pixels !== undefined, 'a bitmap with a header has pixels');
    promise(pixels.width === header.width && pixels.height === header.height, 'both read the same size');
    promise(pixels.data.length === pixels.width * pixels.height * 3, 'each pixel has three bytes');
  },
  close: () => bmpFile.remove(),
};

const tiffFile = createFile();

/** The pages that are cut out of long TIFFs. */
export const tiff: FuzzTarget = {
  name: 'tiff',
  seeds: () => [LONG_TIFF, TIFF, Buffer.concat([LONG_TIFF, LONG_TIFF])],
  tokens: ['II*\0', 'MM\0*', '\x01\x00', '\x11\x01\x04\x00', '\x17\x01\x04\x00', '\x44\x01\x04\x00', '\x00\x02', '\0'],
  runs: 3000,
  run(bytes) {
    tiffFile.write(bytes);
    for (const index of [0, 1, 7, 8, 100_000]) {
      const frame = cutTiffFrame(tiffFile.path, index);
      const limit = 2 * MAX_FRAME_BYTES + bytes.length;
      promise(frame === undefined || frame.length <= limit, 'a page that is cut out is bounded');
      promise(frame === undefined || sniffBytes(frame) === 'image/tiff', 'a page that is cut out is a TIFF');
      const height = readPixelHeight(tiffFile.path, index);
      promise(height > 0.3 && height < 3, `a pixel has a plausible height: ${height}`);
    }
  },
  close: () => tiffFile.remove(),
};

const imageFile = createFile();

/** Images as the engine opens them: sniffed, their header read, decoded, embedded in a PDF. */
export const images: FuzzTarget = {
  name: 'images',
  async seeds() {
    const { default: sharp } = await import('sharp');
    const raw = () => sharp(Buffer.from(picture(9, 5).data), { raw: { width: 9, height: 5, channels: 1 } });
    const encoded = [
      raw().png(),
      raw().png({ palette: true, colours: 4 }),
      raw().jpeg(),
      raw().jpeg({ progressive: true }),
      raw().webp(),
      raw().gif(),
      raw().tiff({ compression: 'lzw' }),
    ];
    const small = await Promise.all(encoded.map((image) => image.toBuffer()));
    return [...small, BMP, TIFF, LONG_TIFF, fixture('broken.png')];
  },
  tokens: [
    'IHDR',
    'PLTE',
    'IDAT',
    'IEND',
    'tRNS',
    '\xff\xd8',
    '\xff\xc0',
    '\xff\xda',
    '\xff\xee\0\x0eAdobe',
    'GIF89a',
    'RIFF',
  ],
  runs: 800,
  async run(bytes) {
    const buffer = Buffer.from(bytes);
    const jpeg = readJpegHeader(buffer);
    promise(jpeg === undefined || (jpeg.width > 0 && jpeg.height > 0), 'a JPEG has a size');
    const png = readPngParts(buffer);
    promise(png === undefined || png.data.length <= bytes.length, 'the rows of a PNG are in the file');
    const mimeType = sniffBytes(bytes);
    if (mimeType?.startsWith('image/') !== true) return;
    imageFile.write(bytes);
    const { path } = imageFile;
    const header = await tolerate(isDocumentError, () => readImageHeader(path, mimeType, MAX_PIXELS));
    if (header === undefined) return;
    promise(header.width * header.height <= MAX_PIXELS, 'a large image is refused by its header');
    await tolerate(isDocumentError, () => inspectImage(path, mimeType, { maxPixels: MAX_PIXELS }));
    for (const page of new Set([1, Math.min(header.pageCount, 1000)])) {
      const image = { path, mimeType, page, maxPixels: MAX_PIXELS };
      const loaded = await tolerate(isDocumentError, () => loadImage(image, { longSide: 64, maxEnlargement: 1 }));
      if (loaded !== undefined) {
        const { raster } = loaded;
        promise(raster.data.length === raster.width * raster.height, 'each pixel of a raster has a byte');
      }
      await tolerate(isDocumentError, () => embedPicture(createObjectWriter(1), image));
    }
  },
  close: () => imageFile.remove(),
};
