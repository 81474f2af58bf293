import { DocumentError } from '../document-error.js';
import { decodeBmp, readBmpHeader } from './bmp.js';
import { type ImagePage, refuseLarge } from './image-header.js';
import { type Raster, RECOGNITION_LONG_SIDE } from './raster.js';
import { cutTiffFrame, readPixelHeight } from './tiff-frame.js';

export interface LoadedImage {
  raster: Raster;
  /** Of the picture in the file, turned as its EXIF data says; where its pixels are not square, as high as it is shown. */
  width: number;
  height: number;
  /** Some of its pixels could not be decoded. */
  damaged: boolean;
}

export interface Scale {
  /** Of the picture that is asked for. */
  longSide: number;
  /** A smaller one is made as large, by at most this factor; 1 leaves it as it is. */
  mostEnlarged: number;
}

/** The smallest scans that are read better for being enlarged to the full size have a quarter of it; a slip or a label gains nothing and costs as much as a page. */
export const RECOGNITION_SCALE: Scale = { longSide: RECOGNITION_LONG_SIDE, mostEnlarged: 4 };

/**
 * Decodes a page of an image to grey on white, scaled for recognition unless told otherwise. A cut image is read as far as it goes.
 * Throws DocumentError: damaged, too-large.
 */
export async function loadImage(
  { path, mimeType, page, maxPixels }: ImagePage,
  scale = RECOGNITION_SCALE,
): Promise<LoadedImage> {
  const { default: sharp } = await import('sharp');
  // libvips caches decoded files, and a document is read once.
  sharp.cache(false);
  if (mimeType === 'image/bmp') return loadBmp(sharp, path, maxPixels, scale);
  const frame = mimeType === 'image/tiff' ? cutTiffFrame(path, page - 1) : undefined;
  const choice = mimeType === 'image/tiff' && frame === undefined ? { page: page - 1 } : {};
  const pixelHeight = mimeType === 'image/tiff' ? readPixelHeight(path, page - 1) : 1;
  const load = (failOn: 'error' | 'none') =>
    decode(sharp(frame ?? path, { limitInputPixels: false, failOn, ...choice }), maxPixels, scale, pixelHeight);
  try {
    return { ...(await load('error')), damaged: false };
  } catch (strict) {
    if (strict instanceof DocumentError) throw strict;
    try {
      return { ...(await load('none')), damaged: true };
    } catch (error) {
      if (error instanceof DocumentError) throw error;
      throw new DocumentError('damaged', 'the image is damaged: its pixels cannot be decoded', { cause: error });
    }
  }
}

async function decode(
  image: ReturnType<Sharp>,
  maxPixels: number,
  scale: Scale,
  pixelHeight = 1,
): Promise<Omit<LoadedImage, 'damaged'>> {
  const header = await image.metadata();
  refuseLarge(header.width, header.height, maxPixels);
  const sides = [header.width, Math.round(header.height * pixelHeight)];
  const [width = 1, height = 1] = (header.orientation ?? 1) >= 5 ? sides.reverse() : sides;
  const longSide = Math.min(scale.longSide, Math.max(width, height) * scale.mostEnlarged);
  const factor = longSide / Math.max(width, height);
  const fitted =
    pixelHeight === 1
      ? ({ width: longSide, height: longSide, fit: 'inside' } as const)
      : ({ width: Math.ceil(width * factor), height: Math.ceil(height * factor), fit: 'fill' } as const);
  const { data, info } = await image
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('b-w')
    .resize({ ...fitted, kernel: 'cubic' })
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { raster: { data, width: info.width, height: info.height }, width, height };
}

type Sharp = typeof import('sharp')['default'];

async function loadBmp(sharp: Sharp, path: string, maxPixels: number, scale: Scale): Promise<LoadedImage> {
  const header = await readBmpHeader(path);
  refuseLarge(header.width, header.height, maxPixels);
  const { data, width, height, complete } = await decodeBmp(path);
  return {
    ...(await decode(sharp(data, { raw: { width, height, channels: 3 } }), maxPixels, scale)),
    damaged: !complete,
  };
}
