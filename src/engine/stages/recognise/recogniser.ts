import type { Bend } from '../../model/bend.js';
import type { Area } from '../../model/geometry.js';
import type { PageBlock } from '../../model/page.js';
import type { DrawnRule } from '../picture/find/find-rules.js';
import type { Raster } from '../picture/raster.js';
import type { Handwriting } from './handwriting/leave-out-handwriting.js';
import type { HocrPage } from './hocr.js';

/** Reads the text of pages. Each thread has its own. */
export interface Recogniser {
  /**
   * Reads a page as well as possible. Rejects after `deadline` (in time of `performance.now()`), if the engine can be
   * interrupted. `onInterim` gets the result so far before each further reading: it counts if that reading never ends.
   */
  recognise(raster: Raster, deadline: number, onInterim: OnInterim): Promise<Recognition>;
  /** Prepares for the next page while nothing is read. */
  prepare(): void;
}

export type OnInterim = (recognition: Recognition) => void;

export interface Recognition {
  /** Name of the engine, for `meta.provider`. */
  provider: string;
  /** Blocks in reading order, in pixels of the upright picture. */
  blocks: PageBlock[];
  width: number;
  height: number;
  /** Clockwise turn, in degrees, that made the text upright. */
  rotation: number;
  /** True when the reading is so poor that little of it can be right. */
  isUnsure?: boolean;
  /** The handwriting that was left out. */
  handwriting?: Handwriting;
  /** Drawn lines that are level or upright. */
  rules?: DrawnRule[];
  /** Tinted grounds of columns. */
  shades?: Area[];
  /** Clockwise skew of all this about the middle of the given page, in degrees; 0 if absent. */
  skew?: number;
  /** Bend of all this on the page, before the skew; straight if absent. */
  bend?: Bend;
}

/** Tesseract's page segmentation mode of the first reading. */
export const AUTOMATIC = 3;
/** The mode for a single block of lines, which leaves nothing out. */
export const ONE_BLOCK = 6;
/** The mode for words anywhere on a page. */
export const SPARSE = 11;

/** Tesseract as a program or in WebAssembly: reads one picture in one way. */
export interface TesseractEngine {
  /** Name of the engine, for `meta.provider`. */
  readonly provider: string;
  /** Reads a picture. Rejects after `deadline` (in time of `performance.now()`), if the engine can be interrupted. */
  read(raster: Raster, segmentation: number, deadline: number): Promise<HocrPage>;
  /** Begins a reading outside of this thread: resolves as soon as the engine has the picture, so that the thread is free. */
  begin?(raster: Raster, segmentation: number, deadline: number): Promise<{ page: Promise<HocrPage> }>;
  /** Prepares for the next page, as in Recogniser. */
  prepare?(): void;
}

/** The data of a language on this machine. */
export interface LanguageModel {
  language: string;
  /** Path of a `.traineddata` file, which may be gzipped (`.gz`). */
  path: string;
}

/** The engines and languages for a document: plain data, which is sent to the page workers. */
export interface RecognitionPlan {
  /** Language data of the built-in engine; empty if only the native one has the languages. */
  models: readonly LanguageModel[];
  /** The native engine, which is tried first. */
  native?: {
    program: string;
    languages: readonly string[];
    /** Folder with the data of its languages, where they are not in its own place. */
    folder?: string;
    /** Folder with other data of its languages, for further readings. */
    otherFolder?: string;
  };
}

/** Returns Tesseract's codes of the languages of a plan. */
export const languagesOf = ({ native, models }: RecognitionPlan): readonly string[] =>
  native?.languages ?? models.map(({ language }) => language);
