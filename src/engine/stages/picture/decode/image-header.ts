import { DocumentError } from '../../../model/document-error.js';
import { readBmpHeader } from './bmp.js';

export interface ImageHeader {
  width: number;
  height: number;
  /** Pages of a TIFF; every other image is one page (of an animation, its first picture is read). */
  pageCount: number;
}

/** One page of an image file. */
export interface ImagePage {
  path: string;
  mimeType: string;
  /** From 1; only a TIFF has more than one. */
  page: number;
  maxPixels: number;
}

/** What an image's header says. Throws DocumentError: damaged, too-large. */
export async function readImageHeader(path: string, mimeType: string, maxPixels: number): Promise<ImageHeader> {
  const header = mimeType === 'image/bmp' ? await readBmpHeader(path) : await readBySharp(path, mimeType);
  refuseLarge(header.width, header.height, maxPixels);
  return header;
}

async function readBySharp(path: string, mimeType: string): Promise<ImageHeader> {
  const { default: sharp } = await import('sharp');
  try {
    // The limit is checked by us, to say "too large" and not "damaged".
    const metadata = await sharp(path, { limitInputPixels: false, failOn: 'none' }).metadata();
    return {
      width: metadata.width,
      height: metadata.height,
      pageCount: mimeType === 'image/tiff' ? (metadata.pages ?? 1) : 1,
    };
  } catch (error) {
    throw new DocumentError('damaged', 'the image is damaged: its header cannot be read', { cause: error });
  }
}

export function refuseLarge(width: number, height: number, maxPixels: number): void {
  if (width * height <= maxPixels) return;
  const limit = `${Math.round(maxPixels / 1e6)} million`;
  throw new DocumentError('too-large', `the image has ${width} x ${height} pixels; the limit is ${limit} pixels`);
}
