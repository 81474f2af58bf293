import { DocumentError } from '../../model/document-error.js';
import { openPdf } from '../../pdf-files/pdfium/pdfium.js';
import { PDF_TYPE } from '../../sniff.js';
import { renderColourPage } from '../../stages/picture/decode/render-page.js';
import { openColourImage } from './open-colour-image.js';

/** A page as it was read: by its number from 1, turned clockwise by these degrees. */
export interface PageToDraw {
  number: number;
  rotation: number;
}

export interface DocumentToDraw {
  path: string;
  mimeType: string;
  password?: string;
  pages: readonly PageToDraw[];
  maxPixels: number;
  /** WEB_PICTURE by default. */
  form?: PictureForm;
}

/** Format and bounds of pictures, in pixels. */
export interface PictureForm {
  format: 'webp' | 'jpeg' | 'png';
  maxWidth: number;
  maxHeight: number;
}

/** The picture of a page as people look at it: upright, in colour, small enough for a web page. */
export interface PagePicture {
  page: number;
  width: number;
  height: number;
  bytes: Uint8Array;
}

/** Small print stays legible in this width, and a page of text is some 100 KB. The height is for strips and long screenshots. */
const WEB_PICTURE: PictureForm = { format: 'webp', maxWidth: 1100, maxHeight: 4400 };
/** Qualities, of 100: no artefacts around letters are seen at these. */
const OPTIONS = { webp: { quality: 78 }, jpeg: { quality: 82 }, png: {} };

/**
 * Draws pages of a document. Pages that are damaged are left out. Throws DocumentError as openPdf does, and for an image that
 * cannot be decoded.
 */
export async function drawPages(
  document: DocumentToDraw,
  onProgress: (done: number) => void = () => {},
): Promise<PagePicture[]> {
  const { pages, mimeType, form = WEB_PICTURE } = document;
  const source = mimeType === PDF_TYPE ? await openPdfPages(document) : await openImagePages(document);
  const pictures: PagePicture[] = [];
  try {
    for (const [index, page] of pages.entries()) {
      const picture = await drawPage(source, page, form);
      if (picture !== undefined) pictures.push(picture);
      onProgress(index + 1);
    }
  } finally {
    source.close();
  }
  return pictures;
}

type Sharp = ReturnType<typeof import('sharp')['default']>;

interface PageSource {
  /** Returns the displayed page, no larger than the box. */
  draw(number: number, box: { width: number; height: number }): Promise<Sharp>;
  close(): void;
}

async function drawPage(
  source: PageSource,
  { number, rotation }: PageToDraw,
  { format, maxWidth, maxHeight }: PictureForm,
): Promise<PagePicture | undefined> {
  const isTurned = rotation % 180 === 90;
  const box = isTurned ? { width: maxHeight, height: maxWidth } : { width: maxWidth, height: maxHeight };
  try {
    const drawn = await source.draw(number, box);
    const { data, info } = await drawn
      .rotate(rotation)
      .toFormat(format, OPTIONS[format])
      .toBuffer({ resolveWithObject: true });
    return { page: number, width: info.width, height: info.height, bytes: data };
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

async function openPdfPages({ path, password }: DocumentToDraw): Promise<PageSource> {
  const [pdf, { default: sharp }] = await Promise.all([openPdf(path, password), import('sharp')]);
  return {
    async draw(number, box) {
      const { data, width, height } = renderColourPage(pdf, number - 1, box);
      return sharp(data, { raw: { width, height, channels: 3 } });
    },
    close: () => pdf.close(),
  };
}

async function openImagePages({ path, mimeType, maxPixels }: DocumentToDraw): Promise<PageSource> {
  return {
    draw: async (page, box) => await openColourImage({ path, mimeType, page, maxPixels }, box),
    close() {},
  };
}
