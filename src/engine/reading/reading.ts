import type { PageSource, PageWarning, TextLayerVerdict } from '../model/document.js';
import type { Area } from '../model/geometry.js';
import type { PageContent } from '../model/page.js';
import type { NativeTesseract } from '../stages/recognise/find-native-tesseract.js';
import type { RecognitionPool } from './recognition-pool.js';

export interface ReadOptions {
  /** Page range, as "1-3,7,-1"; all pages if absent. */
  pages?: string;
  /** Recognise pages without a good text layer, all pages, or none. */
  ocr: 'auto' | 'force' | 'never';
  /** Tesseract's codes: eng, deu, …; English if absent. */
  languages?: readonly string[];
  password?: string;
  /** Native engine for recognition; the built-in one if absent. */
  native?: NativeTesseract;
  maxPixels: number;
  /** Number of pages that are recognised at once. */
  parallelism: number;
  /** Time limit for the recognition of a page; a page that takes longer becomes a warning. */
  pageTimeoutMs?: number;
  onProgress?(pagesDone: number, pageCount: number): void;
}

/** A page after reading, before its layout. */
export interface ReadPage {
  number: number;
  content: PageContent;
  rotation: number;
  source: PageSource;
  textLayer: TextLayerVerdict;
  recogniser?: string;
  /** Print of pictures on a page whose text layer was taken. */
  pictures?: ReadPicture[];
}

/** The print of a picture on a page, in points from the picture's top left. */
export interface ReadPicture {
  content: PageContent;
  /** Place on the page as it is read. */
  area: Area;
}

/** The input of the readers of PDFs and images. */
export interface Reading {
  path: string;
  mimeType: string;
  options: ReadOptions;
  pool: RecognitionPool;
  warnings: PageWarning[];
  /** Reports the progress; called before the first page and after each one. */
  report(pagesDone: number, pageCount: number): Promise<void>;
}
