import type { DocumentWarning, TextLayerVerdict } from '../../model/document.js';
import type { PdfFacts } from './pdf-facts.js';

export interface InspectionOptions {
  /** "1-3,7,-1"; all when absent. */
  pages?: string;
  password?: string;
  maxPixels: number;
  onProgress?(pagesDone: number, pageCount: number): void;
}

/** What can be said of a document without recognising anything. */
export interface DocumentInspection {
  mimeType: string;
  sizeBytes: number;
  /** Of the whole document. */
  pageCount: number;
  /** Those that were asked for and can be read. */
  pages: PageInspection[];
  /** Pages of these that only recognition reads, as the argument `pages` takes them: "2-4,9"; null for none. */
  pagesNeedingOcr: string | null;
  pdf?: PdfFacts;
  image?: ImageFacts;
  warnings: DocumentWarning[];
}

export interface PageInspection {
  /** As in the file, from 1. */
  page: number;
  /** As it is displayed. */
  width: number;
  height: number;
  /** Points (1/72 inch) in a PDF, pixels in an image. */
  unit: 'point' | 'pixel';
  /** Degrees, clockwise, by which it is turned for display. */
  rotation: number;
  textLayer: TextLayerVerdict;
  /** Of the text layer. */
  words: number;
  /** Share of the page that images cover, 0-1. */
  imageCoverage: number;
  needsOcr: boolean;
}

export interface ImageFacts {
  /** jpeg, png, tiff … */
  format: string;
  /** Of an animation, or pages. */
  frames: number;
  /** Dots per inch, where the file says it. */
  dpi: number | null;
  /** srgb, b-w, cmyk … */
  colorSpace: string;
  channels: number;
  bitsPerChannel: number;
  hasAlpha: boolean;
}
