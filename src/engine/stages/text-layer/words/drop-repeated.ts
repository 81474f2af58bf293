import type { RawWord } from './raw-word.js';

/** Words that are printed again to look bold, to cast a shadow or by mistake stand this close, in ems. */
export const MAX_REPRINT_SHIFT_EM = 0.1;
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
  const most = a.fontSize * MAX_REPRINT_SHIFT_EM;
  return (
    Math.abs(a.originX - b.originX) < most &&
    Math.abs(a.originY - b.originY) < most &&
    Math.abs(a.x1 - b.x1) < most &&
    a.angle === b.angle
  );
}
