import type { DocumentWarning, TextLayerVerdict } from '../../model/document.js';
import type { PdfFacts } from './pdf-facts.js';

export interface InspectionOptions {
  /** Pages as "1-3,7,-1"; all when absent. */
  pages?: string;
  password?: string;
  maxPixels: number;
  onProgress?(pagesDone: number, pageCount: number): void;
}

/** The facts of a document that need no recognition. */
export interface DocumentInspection {
  mimeType: string;
  sizeBytes: number;
  /** Pages of the whole document. */
  pageCount: number;
  /** The requested pages that can be read. */
  pages: PageInspection[];
  /** The pages among them that only recognition can read, as the argument `pages` takes them: "2-4,9"; null for none. */
  pagesNeedingOcr: string | null;
  pdf?: PdfFacts;
  image?: ImageFacts;
  warnings: DocumentWarning[];
}

export interface PageInspection {
  /** Page number in the file, from 1. */
  page: number;
  /** Size of the page as it is displayed. */
  width: number;
  height: number;
  /** Points (1/72 inch) in a PDF, pixels in an image. */
  unit: 'point' | 'pixel';
  /** Degrees, clockwise, by which it is turned for display. */
  rotation: number;
  textLayer: TextLayerVerdict;
  /** Words of the text layer. */
  words: number;
  /** Share of the page that images cover, 0-1. */
  imageCoverage: number;
  needsOcr: boolean;
}

export interface ImageFacts {
  /** The format: jpeg, png, tiff … */
  format: string;
  /** Frames of an animation, or pages. */
  frames: number;
  /** Dots per inch, where the file says it. */
  dpi: number | null;
  /** The colour space: srgb, b-w, cmyk … */
  colorSpace: string;
  channels: number;
  bitsPerChannel: number;
  hasAlpha: boolean;
}
