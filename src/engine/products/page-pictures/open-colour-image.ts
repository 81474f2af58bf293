import { DocumentError } from '../../model/document-error.js';
import { decodeBmp } from '../../stages/picture/decode/bmp.js';
import { choosePicture } from '../../stages/picture/decode/choose-picture.js';
import { type ImagePage, readImageHeader } from '../../stages/picture/decode/image-header.js';
import { decodeIfHeic, fromPixels } from '../../stages/picture/decode/load-image.js';
import { readPixelHeight } from '../../stages/picture/decode/tiff-frame.js';

type Sharp = ReturnType<typeof import('sharp')['default']>;

interface PixelSize {
  width: number;
  height: number;
}

/**
 * Decodes a page of an image in colour: turned as its EXIF data asks, on white, with square pixels, no larger than the box. A
 * truncated image is drawn as far as it goes. Throws DocumentError: damaged, too-large.
 */
export async function openColourImage(image: ImagePage, box: PixelSize): Promise<Sharp> {
  await readImageHeader(image.path, image.mimeType, image.maxPixels);
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  try {
    const opened = await open(sharp, image);
    // Further turns follow in a pipeline of their own: sharp makes one turn in each.
    const { data, info } = await opened
      .autoOrient()
      .resize(await fitInto(box, opened, image))
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    return sharp(data, { raw: { width, height, channels } });
  } catch (error) {
    throw new DocumentError('damaged', 'the image is damaged: its pixels cannot be decoded', { cause: error });
  }
}

async function open(sharp: typeof import('sharp')['default'], image: ImagePage): Promise<Sharp> {
  if (image.mimeType === 'image/bmp') {
    const { data, width, height } = await decodeBmp(image.path);
    return sharp(data, { raw: { width, height, channels: 3 } });
  }
  const heic = await decodeIfHeic(sharp, image);
  if (heic !== undefined) return fromPixels(sharp, heic);
  const { input, options } = choosePicture(image);
  return sharp(input, { limitInputPixels: false, failOn: 'none', ...options });
}

/** Returns the size of the picture in the box. Only faxes need more than a bound: their pixels are not square. */
async function fitInto(
  box: PixelSize,
  opened: Sharp,
  { path, mimeType, page }: ImagePage,
): Promise<PixelSize & { fit: 'inside' | 'fill'; withoutEnlargement?: true }> {
  const pixelHeight = mimeType === 'image/tiff' ? readPixelHeight(path, page - 1) : 1;
  if (pixelHeight === 1) return { ...box, fit: 'inside', withoutEnlargement: true };
  const { width, height: rows } = await opened.metadata();
  const height = rows * pixelHeight;
  const scale = Math.min(1, box.width / width, box.height / height);
  const round = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: round(width), height: round(height), fit: 'fill' };
}
