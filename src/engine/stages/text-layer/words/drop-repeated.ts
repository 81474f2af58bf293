import type { RawWord } from './raw-word.js';

/** Words that are printed again to look bold, to cast a shadow or by mistake stand this close, in ems. */
export const MAX_REPRINT_SHIFT_EM = 0.1;
/** Shift along the line, as a share of the length, of what may be printed again further away. */
const MAX_OVERLAID_SHIFT = 0.6;
/** Number of words with the same text that are compared; more of them make a drawing or an attack. */
const MAX_COMPARED_WORDS = 1000;

/** Leaves out words that are printed once more in the place where they stand already. */
export function dropRepeated(words: readonly RawWord[]): RawWord[] {
  const kept = new Map<string, RawWord[]>();
  return words.filter((word) => {
    const same = kept.get(word.text);
    if (same === undefined) kept.set(word.text, [word]);
    else if (same.some((other) => coincide(word, other))) return false;
    else if (same.length < MAX_COMPARED_WORDS) same.push(word);
    return true;
  });
}

function coincide(a: RawWord, b: RawWord): boolean {
  if (a.angle !== b.angle) return false;
  const [dx, dy] = [Math.abs(a.originX - b.originX), Math.abs(a.originY - b.originY)];
  const size = a.fontSize;
  const isOfOneLength = Math.abs(a.x1 - a.x0 - (b.x1 - b.x0)) < size * MAX_REPRINT_SHIFT_EM;
  if (!isOfOneLength || dy > size * MAX_REPRINT_SHIFT_EM) return false;
  return dx < size * MAX_REPRINT_SHIFT_EM || (a.angle === 0 && a.text.length > 1 && isOverlaid(dx, a, size));
}

/** True when a shift along the line leaves most of what is shifted on its own place: what is only the same stands behind its end. */
export const isOverlaid = (shift: number, { x0, x1 }: { x0: number; x1: number }, fontSize: number): boolean =>
  shift < Math.min(fontSize, (x1 - x0) * MAX_OVERLAID_SHIFT);
