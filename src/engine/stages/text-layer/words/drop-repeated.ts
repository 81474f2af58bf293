import type { RawWord } from './raw-word.js';

/** In ems: what is printed again to look bold, to cast a shadow or by mistake stands this close. */
export const MOST_SHIFT = 0.1;
/** Of words that say the same; more of them make a drawing or an attack. */
const MOST_COMPARED = 1000;

/** Leaves out the words that are printed once more where they stand already. */
export function dropRepeated(words: readonly RawWord[]): RawWord[] {
  const kept = new Map<string, RawWord[]>();
  return words.filter((word) => {
    const same = kept.get(word.text);
    if (same === undefined) kept.set(word.text, [word]);
    else if (same.some((other) => coincide(word, other))) return false;
    else if (same.length < MOST_COMPARED) same.push(word);
    return true;
  });
}

function coincide(a: RawWord, b: RawWord): boolean {
  const most = a.fontSize * MOST_SHIFT;
  return (
    Math.abs(a.originX - b.originX) < most &&
    Math.abs(a.originY - b.originY) < most &&
    Math.abs(a.x1 - b.x1) < most &&
    a.angle === b.angle
  );
}
