import type { PageSource, PageWarning, TextLayerVerdict } from '../model/document.js';
import type { PageContent } from '../model/page.js';
import type { NativeTesseract } from '../stages/recognise/find-native-tesseract.js';
import type { RecognitionPool } from './recognition-pool.js';

export interface ReadOptions {
  /** "1-3,7,-1"; all when absent. */
  pages?: string;
  /** Recognise: where the text layer does not do, always, or never. */
  ocr: 'auto' | 'force' | 'never';
  /** Tesseract's codes: eng, deu, …; English when absent. */
  languages?: readonly string[];
  password?: string;
  /** To be used for recognition; the engine that is built in when absent. */
  native?: NativeTesseract;
  maxPixels: number;
  /** Pages recognised at once. */
  parallelism: number;
  /** For the recognition of one page; a page that takes longer becomes a warning. */
  pageTimeoutMs?: number;
  onProgress?(pagesDone: number, pageCount: number): void;
}

/** A page that has been read, before the type of the whole document tells headings from text. */
export interface ReadPage {
  number: number;
  content: PageContent;
  rotation: number;
  source: PageSource;
  textLayer: TextLayerVerdict;
  recogniser?: string;
}

/** What the readers of PDFs and images are given. */
export interface Reading {
  path: string;
  mimeType: string;
  options: ReadOptions;
  pool: RecognitionPool;
  warnings: PageWarning[];
  /** To be called before the first page and after each one. */
  report(pagesDone: number, pageCount: number): Promise<void>;
}
