import type { Area } from '../../model/geometry.js';

/** A row of letters that a reading left out. */
export interface LetterRow extends Area {
  letters: number;
  /** Base line: the foot of most letters of a level row. One letter alone does not tell it. */
  baseline?: number;
  /** True when it runs up the page. */
  runsUp: boolean;
}
