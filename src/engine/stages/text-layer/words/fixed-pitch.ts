import { append } from '../../../model/append.js';
import { median } from '../../../model/median.js';
import type { RawWord } from './raw-word.js';

/** Least number of words that tell of a typeface, and the largest difference of a letter's width to the others, in ems. */
const MIN_FACE_WORDS = 8;
const MAX_WIDTH_DIFFERENCE_EM = 0.004;
const MIN_LETTER_WIDTH_EM = 0.3;

const NARROW = /[ijlt]/;
const WIDE = /[mwMW@]/;

/** Letters alone: in type of one width ideographs take twice the room, and signs may come from another font. */
const LETTERS = /^\p{Script=Latin}{2,}$/u;
/**
 * Largest difference to the usual width, in ems, and share of the words beyond it: the flag of a font is wrong where
 * more words are so far off.
 */
const MAX_FLAGGED_DIFFERENCE_EM = 0.02;
const MAX_OFF_SHARE = 0.5;

/**
 * Marks the words of typefaces that are monospaced although neither their names nor their flags say so: narrow and
 * wide letters take the same room in them. A flag that says so is wrong where they do not.
 */
export function markFixedPitch(words: readonly RawWord[]): void {
  const faces = new Map<number, RawWord[]>();
  for (const word of words) {
    if (word.face === undefined || word.angle !== 0) continue;
    append(faces, word.face, word);
  }
  for (const ofFace of faces.values()) {
    if (ofFace[0]?.monospaced) {
      if (isOfManyWidths(ofFace)) for (const word of ofFace) delete word.monospaced;
    } else if (isFixedPitch(ofFace)) for (const word of ofFace) word.monospaced = true;
  }
}

function isOfManyWidths(words: readonly RawWord[]): boolean {
  const widths = words.filter(({ text }) => LETTERS.test(text)).map(letterWidth);
  const usual = median(widths) ?? 0;
  const off = widths.filter((width) => Math.abs(width - usual) > MAX_FLAGGED_DIFFERENCE_EM).length;
  return widths.length >= MIN_FACE_WORDS && off > widths.length * MAX_OFF_SHARE;
}

function isFixedPitch(words: readonly RawWord[]): boolean {
  const [first] = words;
  if (first === undefined || words.length < MIN_FACE_WORDS) return false;
  const width = letterWidth(first);
  if (
    !(width > MIN_LETTER_WIDTH_EM) ||
    words.some((word) => Math.abs(letterWidth(word) - width) > MAX_WIDTH_DIFFERENCE_EM)
  )
    return false;
  // Ideographs and figures are equally wide in any typeface.
  return words.some(({ text }) => NARROW.test(text)) && words.some(({ text }) => WIDE.test(text));
}

/** Average width of a letter, in ems. */
const letterWidth = ({ x0, x1, fontSize, text }: RawWord): number => (x1 - x0) / (fontSize * [...text].length);
