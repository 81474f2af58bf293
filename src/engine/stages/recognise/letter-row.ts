import type { Area } from '../../model/geometry.js';

/** A row of letters that a reading left out. */
export interface LetterRow extends Area {
  letters: number;
  /** True when it runs up the page. */
  runsUp: boolean;
}
