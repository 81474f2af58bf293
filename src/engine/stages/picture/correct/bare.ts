import { findFields, lightenFields } from '../find/fields.js';
import type { Raster } from '../raster.js';

/** Puts dark text on grey fields on paper. */
export const layBare = (raster: Raster): Raster =>
  lightenFields(
    raster,
    findFields(raster).filter(({ isPrinted }) => isPrinted),
  );
