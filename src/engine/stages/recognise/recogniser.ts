import type { Bend } from '../../model/bend.js';
import type { PageBlock } from '../../model/page.js';
import type { DrawnRule } from '../picture/find/find-rules.js';
import type { Raster } from '../picture/raster.js';
import type { HocrPage } from './hocr.js';

/** What reads pages. One per thread; not shared. */
export interface Recogniser {
  /**
   * Reads a page as well as it can be read. Rejects when `deadline` (of `performance.now()`) has passed, where it can tell.
   * `onInterim` is given what there is before each further reading: it stands if that one does not come to its end.
   */
  recognise(raster: Raster, deadline: number, onInterim: OnInterim): Promise<Recognition>;
  /** Nothing is read for now: does ahead what the next page would have to wait for. */
  prepare(): void;
}

export type OnInterim = (recognition: Recognition) => void;

export interface Recognition {
  /** As in `meta.provider`. */
  provider: string;
  /** In pixels of the raster as it was turned to be read, in reading order. */
  blocks: PageBlock[];
  width: number;
  height: number;
  /** Clockwise turn, in degrees, that made the text stand upright. */
  rotation: number;
  /** It was read so badly that little of it can be right. */
  isUnsure?: boolean;
  /** Lines that are drawn on it, where they are level or upright. */
  rules?: DrawnRule[];
  /** Degrees, clockwise, by which all this stands turned about the middle of the page as it was given; 0 where absent. */
  skew?: number;
  /** How all this stands bent on the page, before it is turned; level where absent. */
  bend?: Bend;
}

/** Tesseract's page segmentation mode that a page is read with first. */
export const AUTOMATIC = 3;
/** The one for a single block of lines, of which it leaves nothing out. */
export const ONE_BLOCK = 6;

/** Tesseract in one of its forms: reads one picture in one way. */
export interface TesseractEngine {
  /** As in `meta.provider`. */
  readonly provider: string;
  /** Rejects when `deadline` (of `performance.now()`) has passed, where it can tell. */
  read(raster: Raster, segmentation: number, deadline: number): Promise<HocrPage>;
  /** As `read`, of one that reads beside this thread: resolves as soon as it has the picture, so that the thread is free. */
  begin?(raster: Raster, segmentation: number, deadline: number): Promise<{ page: Promise<HocrPage> }>;
  /** As in Recogniser, where it has anything to prepare. */
  prepare?(): void;
}

/** A language's data on this machine. */
export interface LanguageModel {
  language: string;
  /** A `.traineddata` file, or the same with `.gz`. */
  path: string;
}

/** Who reads the pages of a document, and in which languages: plain data, which goes to the page workers. */
export interface RecognitionPlan {
  /** For the engine that is built in; none where only the native one has the languages. */
  models: readonly LanguageModel[];
  /** The native one is asked first. */
  native?: { program: string; languages: readonly string[] };
}

/** Tesseract's codes of the languages that pages are read in. */
export const languagesOf = ({ native, models }: RecognitionPlan): readonly string[] =>
  native?.languages ?? models.map(({ language }) => language);
