import { DocumentError } from '../../../model/document-error.js';
import { hasPages } from '../../../sniff.js';
import { readBmpHeader } from './bmp.js';

export interface ImageHeader {
  width: number;
  height: number;
  /** Pages of a TIFF or pictures of a HEIF file; 1 for every other image (an animation is read by its first picture). */
  pageCount: number;
}

/** One page of an image file. */
export interface ImagePage {
  path: string;
  mimeType: string;
  /** Number of the page, from 1; only a TIFF and HEIF files have several. */
  page: number;
  maxPixels: number;
}

/** Reads an image's size and page count from its header. Throws DocumentError: damaged, too-large. */
export async function readImageHeader(path: string, mimeType: string, maxPixels: number): Promise<ImageHeader> {
  const header = mimeType === 'image/bmp' ? await readBmpHeader(path) : await readBySharp(path, mimeType);
  refuseLarge(header.width, header.height, maxPixels);
  return header;
}

async function readBySharp(path: string, mimeType: string): Promise<ImageHeader> {
  const { default: sharp } = await import('sharp');
  try {
    // refuseLarge checks the limit: the error is then "too large" and not "damaged".
    const metadata = await sharp(path, { limitInputPixels: false, failOn: 'none' }).metadata();
    return {
      width: metadata.width,
      height: metadata.height,
      pageCount: hasPages(mimeType) ? (metadata.pages ?? 1) : 1,
    };
  } catch (error) {
    throw new DocumentError('damaged', 'the image is damaged: its header cannot be read', { cause: error });
  }
}

/** Throws DocumentError `too-large` if the image has more pixels than the limit. */
export function refuseLarge(width: number, height: number, maxPixels: number): void {
  if (width * height <= maxPixels) return;
  const limit = `${Math.round(maxPixels / 1e6)} million`;
  throw new DocumentError('too-large', `the image has ${width} x ${height} pixels; the limit is ${limit} pixels`);
}
