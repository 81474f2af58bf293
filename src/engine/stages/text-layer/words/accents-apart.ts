import { accent } from './accents.js';
import type { PageText } from './page-text.js';

/** An accent that is drawn over or under a letter that does not stand beside it in PDFium's order. */
export interface AccentApart {
  index: number;
  mark: string;
  /** Its place on the displayed page and its size, in points. */
  middle: number;
  originY: number;
  size: number;
}

/** Letters with their accents by the indices of characters; an empty text for the accents. */
export type AccentedLetters = ReadonlyMap<number, string>;

/** Accents over capitals stand higher and are moved by this, in ems, at most. */
const MAX_ACCENT_RISE_EM = 0.3;

/** Finds the letters of accents: PDFium may give an accent with the object after its letter's, or on a line of its own. */
export function findAccented(
  text: PageText,
  letterAt: (index: number) => string,
  accents: readonly AccentApart[],
): AccentedLetters {
  const found = new Map<number, string>();
  for (let index = 0; index < text.count; index++) {
    const letter = letterAt(index);
    if (!/^\p{L}$/u.test(letter)) continue;
    const { x0, x1, originY } = text.glyphAt(index);
    const over = accents.find(
      (one) =>
        !found.has(one.index) &&
        one.middle > x0 &&
        one.middle < x1 &&
        Math.abs(one.originY - originY) < one.size * MAX_ACCENT_RISE_EM &&
        accent(letter, one.mark) !== undefined,
    );
    if (over === undefined) continue;
    found.set(over.index, '');
    found.set(index, accent(letter, over.mark) ?? letter);
  }
  return found;
}
