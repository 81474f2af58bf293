import { DocumentError } from '../../../model/document-error.js';
import { type Raster, RECOGNITION_LONG_SIDE } from '../raster.js';
import { recognitionScale } from '../recognition-scale.js';
import { decodeBmp, readBmpHeader } from './bmp.js';
import { choosePicture } from './choose-picture.js';
import { decodeHeic, type HeicPixels, isHeic } from './heic.js';
import { type ImagePage, refuseLarge } from './image-header.js';
import { readPixelHeight } from './tiff-frame.js';

export interface LoadedImage {
  raster: Raster;
  /** Size of the picture in the file after the turn that its EXIF data asks for; with square pixels. */
  width: number;
  height: number;
  /** True when some of the pixels could not be decoded. */
  damaged: boolean;
}

export interface Scale {
  /** Long side of the result, in pixels. */
  longSide: number;
  /** Bound for the enlargement of a smaller picture; 1 keeps its size. */
  maxEnlargement: number;
  /** True when a picture that is much longer than a page is scaled like pages of its width. */
  asPages?: boolean;
}

/** Scans of a quarter of the full size and more are read better when they are enlarged to it. A slip or a label gains nothing and would cost as much as a page. */
export const RECOGNITION_SCALE: Scale = { longSide: RECOGNITION_LONG_SIDE, maxEnlargement: 4, asPages: true };

/**
 * Decodes a page of an image to grey, scaled for recognition by default. Transparent parts become white, or black if the
 * drawing is light. A truncated image is read as far as it goes.
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
  const { input, options } = choosePicture({ path, mimeType, page });
  const heic = await decodeIfHeic(sharp, { path, mimeType, page, maxPixels });
  if (heic !== undefined) return { ...(await decode(fromPixels(sharp, heic), maxPixels, scale)), damaged: false };
  const pixelHeight = mimeType === 'image/tiff' ? readPixelHeight(path, page - 1) : 1;
  const load = (failOn: 'error' | 'none') =>
    decode(sharp(input, { limitInputPixels: false, failOn, ...options }), maxPixels, scale, pixelHeight);
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
  const fittedSide = Math.min(scale.longSide, Math.max(width, height) * scale.maxEnlargement);
  const whole = fittedSide / Math.max(width, height);
  const factor = scale.asPages ? recognitionScale({ width, height }, fittedSide, 1) : whole;
  const longSide = factor === whole ? fittedSide : Math.round(Math.max(width, height) * factor);
  const fitted =
    pixelHeight === 1
      ? ({ width: longSide, height: longSide, fit: 'inside' } as const)
      : ({ width: Math.ceil(width * factor), height: Math.ceil(height * factor), fit: 'fill' } as const);
  const background = header.hasAlpha && (await isLightOnTransparent(image)) ? '#000000' : '#ffffff';
  const { data, info } = await image
    .autoOrient()
    .flatten({ background })
    .toColourspace('b-w')
    .resize({ ...fitted, kernel: 'cubic' })
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { raster: { data, width: info.width, height: info.height }, width, height };
}

/** Long side of the sample that is examined, in pixels. */
const SAMPLE_SIDE = 200;
const MID_GREY = 128;
/** Shade of ink, and share of it in a drawing that brings its own light ground: a code of black and white modules. */
const DARK = 64;
const MIN_DARK_SHARE = 0.2;

/**
 * True when more than half of the picture is transparent and its drawing is mostly light, like text for a dark background,
 * and not partly dark.
 */
async function isLightOnTransparent(image: ReturnType<Sharp>): Promise<boolean> {
  const { data } = await image
    .clone()
    .resize({ width: SAMPLE_SIDE, height: SAMPLE_SIDE, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  let [opaque, light, dark] = [0, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
    const shade = (red + green + blue) / 3;
    opaque += alpha;
    light += shade * alpha;
    if (shade < DARK) dark += alpha;
  }
  return light > opaque * MID_GREY && dark < opaque * MIN_DARK_SHARE && opaque < (data.length / 4) * MID_GREY;
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

/** Decodes a picture of a HEIC file; undefined for any other image. Throws DocumentError: damaged, too-large. */
export async function decodeIfHeic(
  sharp: Sharp,
  { path, mimeType, page, maxPixels }: ImagePage,
): Promise<HeicPixels | undefined> {
  if (!['image/heic', 'image/heif'].includes(mimeType)) return undefined;
  const header = await sharp(path, { limitInputPixels: false, failOn: 'none', page: page - 1 })
    .metadata()
    .catch((cause: unknown) => {
      throw new DocumentError('damaged', 'the image is damaged: its header cannot be read', { cause });
    });
  refuseLarge(header.width, header.height, maxPixels);
  return isHeic(header.compression) ? await decodeHeic(path, page) : undefined;
}

/** Opens the pixels of a picture. */
export function fromPixels(sharp: Sharp, { data, width, height }: HeicPixels): ReturnType<Sharp> {
  return sharp(data, { raw: { width, height, channels: 4 } });
}
