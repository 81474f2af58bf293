import { readFile } from 'node:fs/promises';
import { DocumentError } from '../../model/document-error.js';
import { makeDict, type PdfRef, type PdfValue } from '../../pdf-files/objects/values.js';
import type { ObjectWriter } from '../../pdf-files/objects/write-pdf.js';
import { decodeBmp, readBmpHeader } from '../../stages/picture/decode/bmp.js';
import { choosePicture } from '../../stages/picture/decode/choose-picture.js';
import { type ImagePage, refuseLarge } from '../../stages/picture/decode/image-header.js';
import { decodeIfHeic, fromPixels } from '../../stages/picture/decode/load-image.js';
import { readPixelHeight } from '../../stages/picture/decode/tiff-frame.js';
import { readJpegHeader } from './jpeg-header.js';
import { readPngParts } from './png-parts.js';

export interface Picture {
  /** An image XObject. */
  ref: PdfRef;
  /** Stored pixels; where they are not square, the height as shown. */
  width: number;
  height: number;
  /** EXIF's orientation: 1 upright, 3 upside down, 6 and 8 on its side, the others mirrored. */
  orientation: number;
  /** Pixels an inch; undefined where the file does not say. */
  density: number | undefined;
}

type Sharp = typeof import('sharp')['default'];
type Image = ReturnType<Sharp>;
type Metadata = Awaited<ReturnType<Image['metadata']>>;

/**
 * Puts a picture into a PDF: the bytes of a JPEG or a plain PNG as they are, the pixels of any other picture, without
 * loss.
 * Throws DocumentError: damaged, too-large.
 */
export async function embedPicture(
  writer: ObjectWriter,
  { path, mimeType, page, maxPixels }: ImagePage,
): Promise<Picture> {
  const { default: sharp } = await import('sharp');
  if (mimeType === 'image/bmp') return embedBmp(sharp, writer, path, maxPixels);
  // A colour profile goes into the PDF and does not change the pixels.
  const options = { limitInputPixels: false, failOn: 'none', ignoreIcc: true } as const;
  try {
    const choice = choosePicture({ path, mimeType, page });
    const heic = await decodeIfHeic(sharp, { path, mimeType, page, maxPixels });
    const open = () =>
      heic === undefined ? sharp(choice.input, { ...options, ...choice.options }) : fromPixels(sharp, heic);
    const metadata = await open().metadata();
    refuseLarge(metadata.width, metadata.height, maxPixels);
    const ref =
      (mimeType === 'image/jpeg' && embedJpeg(writer, await readFile(path), metadata)) ||
      (mimeType === 'image/png' && embedPng(writer, await readFile(path), metadata)) ||
      (await embedPixels(writer, open, metadata));
    const { width, orientation = 1 } = metadata;
    const height = metadata.height * (mimeType === 'image/tiff' ? readPixelHeight(path, page - 1) : 1);
    return { ref, width, height, orientation, density: metadata.density };
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw new DocumentError('damaged', 'the image is damaged: its pixels cannot be decoded', { cause: error });
  }
}

async function embedBmp(sharp: Sharp, writer: ObjectWriter, path: string, maxPixels: number): Promise<Picture> {
  const header = await readBmpHeader(path);
  refuseLarge(header.width, header.height, maxPixels);
  const { data, width, height } = await decodeBmp(path);
  const open = () => sharp(data, { raw: { width, height, channels: 3 } });
  const ref = await embedPixels(writer, open, await open().metadata());
  return { ref, width, height, orientation: 1, density: undefined };
}

function embedJpeg(writer: ObjectWriter, bytes: Buffer, { icc }: Metadata): PdfRef | undefined {
  const header = readJpegHeader(bytes);
  if (header === undefined) return undefined;
  const { width, height, components, isAdobe } = header;
  return addImage(writer, bytes, {
    Width: width,
    Height: height,
    ColorSpace: colourSpace(writer, components, icc),
    BitsPerComponent: 8,
    Filter: '/DCTDecode',
    ...(components === 4 && isAdobe ? { Decode: ['1', '0', '1', '0', '1', '0', '1', '0'] } : {}),
  });
}

function embedPng(writer: ObjectWriter, bytes: Buffer, { icc }: Metadata, mask?: PdfRef): PdfRef | undefined {
  const parts = readPngParts(bytes);
  if (parts === undefined) return undefined;
  const { width, height, bitDepth, channels, palette, data } = parts;
  const base = colourSpace(writer, palette === undefined ? channels : 3, icc);
  const highest = palette === undefined ? 0 : palette.length / 3 - 1;
  return addImage(writer, data, {
    Width: width,
    Height: height,
    ColorSpace:
      palette === undefined ? base : ['/Indexed', base, String(Math.floor(highest)), `<${palette.toString('hex')}>`],
    BitsPerComponent: bitDepth,
    Filter: '/FlateDecode',
    DecodeParms: makeDict({ Predictor: 15, Colors: channels, BitsPerComponent: bitDepth, Columns: width }),
    SMask: mask,
  });
}

async function embedPixels(writer: ObjectWriter, open: () => Image, metadata: Metadata): Promise<PdfRef> {
  const { width, height, channels, space, bitsPerSample, depth, hasAlpha, icc } = metadata;
  if (bitsPerSample === 1 && channels === 1) {
    const { data } = await open().toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
    const dict = makeDict({ Width: width, Height: height, ColorSpace: '/DeviceGray', BitsPerComponent: 1 });
    return writer.addDeflated(packBits(data, width, height), new Map([...IMAGE, ...dict]));
  }
  if (space === 'cmyk' && channels === 4) {
    const data = await open().toColourspace('cmyk').raw().toBuffer();
    const dict = makeDict({
      Width: width,
      Height: height,
      ColorSpace: colourSpace(writer, 4, icc),
      BitsPerComponent: 8,
    });
    return writer.addDeflated(data, new Map([...IMAGE, ...dict]));
  }
  const isGrey = channels - (hasAlpha ? 1 : 0) === 1;
  const wide = depth !== 'uchar';
  const colours = isGrey ? (wide ? 'grey16' : 'b-w') : wide ? 'rgb16' : 'srgb';
  // PDF holds the same rows as PNG, which is written without holding all pixels at once.
  const toPng = (image: Image) => image.png({ compressionLevel: 6, adaptiveFiltering: true }).toBuffer();
  let mask: PdfRef | undefined;
  if (hasAlpha) {
    const alpha = await toPng(
      open()
        .extractChannel('alpha')
        .toColourspace(wide ? 'grey16' : 'b-w'),
    );
    mask = embedPng(writer, alpha, {} as Metadata);
  }
  const png = await toPng((hasAlpha ? open().removeAlpha() : open()).toColourspace(colours));
  const ref = embedPng(writer, png, metadata, mask);
  if (ref === undefined) throw new Error('the PNG that was made cannot be taken apart');
  return ref;
}

const IMAGE = makeDict({ Type: '/XObject', Subtype: '/Image' });

function addImage(writer: ObjectWriter, data: Buffer, entries: Record<string, PdfValue | number | undefined>): PdfRef {
  return writer.add({ dict: new Map([...IMAGE, ...makeDict({ ...entries, Length: data.length })]), data });
}

const DEVICE: Record<number, string> = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' };
const PROFILE_OF: Record<number, string> = { 1: 'GRAY', 3: 'RGB ', 4: 'CMYK' };
const MAX_PROFILE_BYTES = 4 * 1024 * 1024;

/** The colour space of the picture's own profile, where it has a fitting one. Source: ICC.1:2022, 7.2. */
function colourSpace(writer: ObjectWriter, components: number, icc: Buffer | undefined): PdfValue {
  const device = DEVICE[components] ?? '/DeviceRGB';
  if (icc === undefined || icc.length < 128 || icc.length > MAX_PROFILE_BYTES) return device;
  if (icc.toString('latin1', 16, 20) !== PROFILE_OF[components]) return device;
  return ['/ICCBased', writer.addDeflated(icc, makeDict({ N: components, Alternate: device }))];
}

/** Packs eight pixels into a byte, from the left; a row begins with a byte. */
function packBits(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const rowBytes = Math.ceil(width / 8);
  const packed = new Uint8Array(rowBytes * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if ((pixels[at] ?? 0) < 128) continue;
      const byte = y * rowBytes + (x >> 3);
      packed[byte] = (packed[byte] ?? 0) | (0x80 >> (x & 7));
    }
  }
  return packed;
}
