import { append } from '../../../model/append.js';
import { median } from '../../../model/median.js';
import type { RawWord } from './raw-word.js';

/** Words that tell of a typeface, at least, and how far, in ems, the width of a letter may be off that of the others. */
const LEAST_WORDS = 8;
const OFF_WIDTH = 0.004;
const LEAST_WIDTH = 0.3;

const NARROW = /[ijlt]/;
const WIDE = /[mwMW@]/;

/** Of letters alone: in type of one width ideographs take twice the room, and signs may come from another font. */
const LETTERS = /^\p{Script=Latin}{2,}$/u;
/** In ems, off the usual width, and as a share of the words: the flag of a font is wrong where more are so far off. */
const OFF_FLAG = 0.02;
const MOST_OFF = 0.5;

/**
 * Marks the words of typefaces that are monospaced, though neither their names nor their flags tell: narrow letters and
 * wide ones take equally much room in them. Where they do not, the flag that says so is wrong.
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
  const off = widths.filter((width) => Math.abs(width - usual) > OFF_FLAG).length;
  return widths.length >= LEAST_WORDS && off > widths.length * MOST_OFF;
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
