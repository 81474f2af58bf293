import { append } from '../append.js';
import type { RawWord } from './raw-word.js';

/** Words that tell of a typeface, at least, and how far, in ems, the width of a letter may be off that of the others. */
const LEAST_WORDS = 8;
const OFF_WIDTH = 0.004;
const LEAST_WIDTH = 0.3;

const NARROW = /[ijlt]/;
const WIDE = /[mwMW@]/;

/**
 * Marks the words of typefaces that are monospaced, though neither their names nor their flags tell: narrow letters and
 * wide ones take equally much room in them.
 */
export function markFixedPitch(words: readonly RawWord[]): void {
  const faces = new Map<number, RawWord[]>();
  for (const word of words) {
    if (word.face === undefined || word.monospaced || word.angle !== 0) continue;
    append(faces, word.face, word);
  }
  for (const ofFace of faces.values()) {
    if (isFixedPitch(ofFace)) for (const word of ofFace) word.monospaced = true;
  }
}

function isFixedPitch(words: readonly RawWord[]): boolean {
  const [first] = words;
  if (first === undefined || words.length < LEAST_WORDS) return false;
  const width = letterWidth(first);
  if (!(width > LEAST_WIDTH) || words.some((word) => Math.abs(letterWidth(word) - width) > OFF_WIDTH)) return false;
  // Ideographs and figures are equally wide in any typeface.
  return words.some(({ text }) => NARROW.test(text)) && words.some(({ text }) => WIDE.test(text));
}

/** On average, in ems. */
const letterWidth = ({ x0, x1, fontSize, text }: RawWord): number => (x1 - x0) / (fontSize * [...text].length);
