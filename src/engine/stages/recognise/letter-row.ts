import type { Area } from '../../model/geometry.js';

/** A row of letters that a reading left out, or that is read again. */
export interface LetterRow extends Area {
  letters: number;
  /** Base line: the foot of most letters of a level row. One letter alone does not tell it. */
  baseline?: number;
  /** True when it runs up the page. */
  runsUp: boolean;
  /** True for a number that was read before. */
  isNumber?: boolean;
}
