import { DocumentError } from '../document-error.js';
import { decodeBmp, readBmpHeader } from './bmp.js';
import { refuseLarge } from './image-header.js';
import { type Raster, RECOGNITION_LONG_SIDE } from './raster.js';

export interface LoadedImage {
  raster: Raster;
  /** Of the picture in the file, turned as its EXIF data says. */
  width: number;
  height: number;
}

/** Decodes page `index` (from 0) of an image to grey on white, scaled for recognition. Throws DocumentError: damaged, too-large. */
export async function loadImage(
  path: string,
  mimeType: string,
  index: number,
  maxPixels: number,
): Promise<LoadedImage> {
  const { default: sharp } = await import('sharp');
  // libvips caches decoded files, and a document is read once.
  sharp.cache(false);
  try {
    const image =
      mimeType === 'image/bmp' ? await openBmp(sharp, path, maxPixels) : openFile(sharp, path, mimeType, index);
    const header = await image.metadata();
    refuseLarge(header.width, header.height, maxPixels);
    const sideways = (header.orientation ?? 1) >= 5;
    const { data, info } = await image
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .toColourspace('b-w')
      .resize({ width: RECOGNITION_LONG_SIDE, height: RECOGNITION_LONG_SIDE, fit: 'inside', kernel: 'cubic' })
      .extractChannel(0)
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return {
      raster: { data, width: info.width, height: info.height },
      width: sideways ? header.height : header.width,
      height: sideways ? header.width : header.height,
    };
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw new DocumentError('damaged', 'the image is damaged: its pixels cannot be decoded', { cause: error });
  }
}

type Sharp = typeof import('sharp')['default'];

function openFile(sharp: Sharp, path: string, mimeType: string, index: number) {
  // A cut image is read as far as it goes.
  const options = { limitInputPixels: false, failOn: 'none', sequentialRead: true } as const;
  return sharp(path, mimeType === 'image/tiff' ? { ...options, page: index } : options);
}

async function openBmp(sharp: Sharp, path: string, maxPixels: number) {
  const header = await readBmpHeader(path);
  refuseLarge(header.width, header.height, maxPixels);
  const { data, width, height } = await decodeBmp(path);
  return sharp(data, { raw: { width, height, channels: 3 } });
}
