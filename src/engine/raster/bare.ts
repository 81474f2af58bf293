import { eraseFrames } from './erase-frames.js';
import { findFields, lightenFields } from './fields.js';
import { traceRules } from './find-rules.js';
import type { Raster } from './raster.js';

/** The picture without what a recogniser stumbles over: dark text on grey grounds stands on paper, and frames are taken off. */
export function layBare(raster: Raster): Raster {
  const plain = lightenFields(
    raster,
    findFields(raster).filter(({ isPrinted }) => isPrinted),
  );
  return eraseFrames(plain, traceRules(plain)) ?? plain;
}
