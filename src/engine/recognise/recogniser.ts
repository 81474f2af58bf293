import type { LaidBlock } from '../layout/blocks.js';
import type { Raster } from '../raster/raster.js';

/** What reads pictures of text. One per thread; not shared. */
export interface Recogniser {
  /** As in `meta.provider`. */
  readonly provider: string;
  recognise(raster: Raster): Recognition;
}

export interface Recognition {
  /** In pixels of the raster as it was turned to be read, in reading order. */
  blocks: LaidBlock[];
  width: number;
  height: number;
  /** Clockwise turn, in degrees, that made the text stand upright. */
  rotation: number;
}

/** A language's data on this machine. */
export interface LanguageModel {
  language: string;
  /** A `.traineddata` file, or the same with `.gz`. */
  path: string;
}
