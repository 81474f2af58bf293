import type { TextLayerVerdict } from '../../model/document.js';
import { likenessToLanguage } from './letter-frequency.js';

/** The drawing of a page, as far as the verdict needs it. */
export interface PageInk {
  /** Share of the page that images cover, 0-1. */
  imageCoverage: number;
  /** Number of drawn shapes: letters may have been turned to outlines. */
  paths: number;
}

export interface TextLayerFacts {
  words: readonly { text: string }[];
  glyphs: number;
  unmapped: number;
  /** Number of unmapped glyphs in long runs. */
  lost: number;
  /** Number of unmapped glyphs with each of the codes below 128; these codes stand in the text. */
  byCode?: readonly number[];
  offPage: number;
  /** Characters on the page itself, where annotations show text too: values typed onto a scanned form say nothing of the page. */
  own?: number;
}

const MAX_UNMAPPED_SHARE = 0.15;
/**
 * Bounds of a page whose unmapped glyphs are signs among words, as in formulas, which recognition cannot read either: a page of
 * text, half of it and more mapped, few glyphs in long runs. Pages of formulas have up to .08 there, pages without the words of a
 * font .14 and more.
 */
const MIN_GLYPHS_AMONG_SIGNS = 200;
const MAX_SIGNS_SHARE = 0.5;
const MAX_LOST_SHARE = 0.1;
/** Characters below which the text of a page that shows pictures is a stamp or a page number. */
const MIN_CHARACTERS_ON_IMAGE = 60;
const MANY_PATHS = 150;
const LONG_WORD = 30;

/** Judges whether the text layer can be taken for the page's text. */
export function judgeTextLayer(layer: TextLayerFacts, ink: PageInk): TextLayerVerdict {
  const written = layer.words.reduce((sum, word) => sum + word.text.length, 0);
  const characters = Math.min(written, layer.own ?? written);
  if (layer.glyphs === 0 || layer.own === 0) return { verdict: 'absent', reasons: ['no text layer'] };
  const reasons: string[] = [];
  if (losesWords(layer)) reasons.push('glyphs without characters');
  if (layer.words.length === 0 && layer.offPage > 0) reasons.push('text off the page');
  if (looksUnspaced(layer.words)) reasons.push('no word spaces');
  if (looksGarbled(layer.words)) reasons.push('symbols where letters should be');
  if (looksScrambled(layer.words)) reasons.push('letters that make no words');
  if (looksLikeProgram(layer.words)) reasons.push('operators of the page as its text');
  if (ink.imageCoverage > 0.6 && characters < MIN_CHARACTERS_ON_IMAGE) {
    reasons.push('an image covers the page and there is almost no text');
  }
  return { verdict: reasons.length > 0 ? 'suspect' : 'trusted', reasons };
}

/** True when the page would lose words, or more than signs among them. */
function losesWords(layer: TextLayerFacts): boolean {
  const { glyphs, lost } = layer;
  const unknown = countUnknown(layer);
  if (unknown <= glyphs * MAX_UNMAPPED_SHARE) return false;
  return glyphs < MIN_GLYPHS_AMONG_SIGNS || unknown > glyphs * MAX_SIGNS_SHARE || lost > glyphs * MAX_LOST_SHARE;
}

/** Counts glyphs whose font names no characters, without those whose codes plainly are the characters: they read as a language. */
function countUnknown({ unmapped, byCode = [] }: TextLayerFacts): number {
  const letters = byCode.slice(97, 123);
  const [small, all] = [letters, byCode.slice(33)].map((counts) => counts.reduce((sum, count) => sum + count, 0));
  if (small === undefined || all === undefined || small < MIN_LETTERS_TO_JUDGE || small < all * MIN_SMALL_LETTER_SHARE)
    return unmapped;
  return likenessToLanguage(letters) < MIN_CODE_LIKENESS ? unmapped : unmapped - all;
}

/** True when a page without a text layer shows anything that recognition could read. */
export function mayHoldText(ink: PageInk): boolean {
  return ink.imageCoverage > 0 || ink.paths >= MANY_PATHS;
}

/** True when only recognition reads this page, or reads it well. `holdsMore` is the result of mayHoldText. */
export function needsRecognition({ verdict }: TextLayerVerdict, holdsMore: boolean): boolean {
  return verdict === 'suspect' || (verdict === 'absent' && holdsMore);
}

/** True for a text without spaces. Scripts that are written without spaces (CJK, Thai, …) do not count. */
function looksUnspaced(words: TextLayerFacts['words']): boolean {
  if (!words.some(({ text }) => text.length > LONG_WORD)) return false;
  const latin = words.filter(({ text }) => /^[\p{Script=Latin}\p{N}\p{P}]+$/u.test(text));
  const characters = latin.reduce((sum, { text }) => sum + text.length, 0);
  const long = latin.filter(
    ({ text }) => text.length > LONG_WORD && !/[/_@.]{1}\S*[/_@.=-]/.test(text) && !/([^\p{L}])\1{5}/u.test(text),
  );
  const longCharacters = long.reduce((sum, { text }) => sum + text.length, 0);
  return characters > 100 && longCharacters > characters * 0.4;
}

/** True for symbols in place of letters: a font has a wrong map or none. Leaders of dots and rules do not count. */
function looksGarbled(words: TextLayerFacts['words']): boolean {
  let all = 0;
  let odd = 0;
  // Ornaments are symbols that are meant; signs of the keyboard stand where a map is missing.
  let signs = 0;
  for (const { text } of words) {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isAsciiWord(code)) {
        all++;
        continue;
      }
      if (LEADERS.includes(code)) continue;
      all++;
      if ((code >= 0x80 && code <= 0x9f) || (code >= 0xe000 && code <= 0xf8ff) || code === 0xfffd) odd++;
      else if (code < 0x7f) signs++;
    }
  }
  return all >= 4 && (odd > all * MAX_UNMAPPED_SHARE || signs > all * 0.65);
}

/** True for page content shown as text: on a damaged page a string is not closed, as in "(B.)Tj 11.4 0 Td". */
function looksLikeProgram(words: TextLayerFacts['words']): boolean {
  const operators = words.filter(({ text }) => /\)T[jJ]$/.test(text)).length;
  return operators >= 3 && operators > words.length * 0.05;
}

const LEADERS = [...'._-–—…•·=*'].map((sign) => sign.charCodeAt(0));
const isAsciiWord = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

const MIN_LETTERS_TO_JUDGE = 80;
const MIN_LIKENESS = 0.7;
const MIN_CODE_LIKENESS = 0.85;
const MIN_SMALL_LETTER_SHARE = 0.6;
/** The first code point of other scripts: Greek. Signs stand between 0x2000 and 0x2e80. */
const FIRST_OF_OTHER_SCRIPTS = 0x370;

/**
 * True when the letters are not the printed ones: the frequency of letters shows a font with a wrong map. Each word
 * counts once: tables, diagrams and code repeat the same words.
 */
function looksScrambled(words: TextLayerFacts['words']): boolean {
  const counts = Array.from({ length: 26 }, () => 0);
  let letters = 0;
  let others = 0;
  const distinct = new Set<string>();
  for (const { text } of words) {
    // Most words are letters alone.
    if (/^[a-z]+$/i.test(text)) distinct.add(text);
    else for (const part of text.normalize('NFD').match(/[\p{L}\p{M}]+/gu) ?? []) distinct.add(part);
  }
  for (const word of distinct) {
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at);
      const letter = code - 97;
      if (letter >= 0 && letter <= 25) {
        counts[letter] = (counts[letter] ?? 0) + 1;
        letters++;
      } else if (code >= FIRST_OF_OTHER_SCRIPTS && !(code >= 0x2000 && code < 0x2e80)) others++;
    }
  }
  // Names and addresses among other scripts are not a language.
  if (letters < MIN_LETTERS_TO_JUDGE || others > letters) return false;
  return likenessToLanguage(counts) < MIN_LIKENESS;
}
