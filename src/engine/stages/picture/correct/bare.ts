import { findFields, lightenFields } from '../find/fields.js';
import type { Raster } from '../raster.js';

/** The picture with dark text on grey grounds on paper. */
export const layBare = (raster: Raster): Raster =>
  lightenFields(
    raster,
    findFields(raster).filter(({ isPrinted }) => isPrinted),
  );
