import { hasPages } from '../../../sniff.js';
import type { ImagePage } from './image-header.js';
import { cutTiffFrame } from './tiff-frame.js';

/** The picture of a page for sharp: the file, or the page cut out of it, and the option that chooses the page in the file. */
export interface PictureChoice {
  input: string | Buffer;
  options: { page?: number };
}

export function choosePicture({ path, mimeType, page }: Pick<ImagePage, 'path' | 'mimeType' | 'page'>): PictureChoice {
  const frame = mimeType === 'image/tiff' ? cutTiffFrame(path, page - 1) : undefined;
  if (frame !== undefined) return { input: frame, options: {} };
  return { input: path, options: hasPages(mimeType) ? { page: page - 1 } : {} };
}
