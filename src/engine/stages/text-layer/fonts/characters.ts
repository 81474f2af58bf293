/** The character that PDFium writes where a hyphen ends a line. */
export const LINE_END_HYPHEN = 2;

/** The soft hyphen. At the end of a line it splits a word; drawn anywhere else it is a hyphen, which fonts map to either. */
export const SOFT_HYPHEN = 0xad;

export const REPLACEMENT = 0xfffd;

/** A sign of unknown meaning: private use, as in fonts of pictures. */
export const UNKNOWN_SIGN = '\ue000';

/** True for replacement, private-use and control characters: they say nothing of what is seen. */
export function isMeaningless(code: number): boolean {
  return code === REPLACEMENT || isNothing(code) || code >= 0xf0000 || (code < 32 && code !== LINE_END_HYPHEN);
}

/**
 * True for characters that a glyph hardly is: controls, arrows, the signs of keys, ornaments, and signs of the
 * computer, which maps of fonts give for ligatures (macOS), letters drawn of dots (Ghostscript) and Greek
 * (Mathematical Pi).
 */
export function isDoubtful(code: number): boolean {
  if (code < 32) return code !== LINE_END_HYPHEN;
  return (
    code >= 0x2104 &&
    (code === 0x2104 || code === REPLACEMENT || DOUBTFUL.some(([first, last]) => code >= first && code <= last))
  );
}

const DOUBTFUL: readonly (readonly [number, number])[] = [
  [0x2190, 0x21ff],
  [0x2300, 0x243f],
  [0x2700, 0x27bf],
  [0x2af0, 0x2c5f],
];

/** True for a glyph without any character. */
export function isNothing(code: number): boolean {
  return code === 0 || code === 0xfffe || code === 0xffff;
}

export function isBreak(code: number): boolean {
  if (code < 0x2000) return code === 32 || code === 10 || code === 13 || code === 9 || code === 0xa0;
  return code <= LAST_SPACE || code === 0x202f || code === 0x205f || code === 0x3000;
}

/** The last of the spaces of set widths, which begin at U+2000. */
const LAST_SPACE = 0x200a;

/** True for a selector, which says how the character before it looks, as a sign of text or as a picture, and has no place of its own. */
export const isSelector = (code: number): boolean => code >= 0xfe00 && code <= 0xfe0f;

export const isLineBreak = (code: number): boolean => code === 10 || code === 13;

/** The character of a code. PDFium names characters beyond 16 bits in two halves, which make one when they are put together. */
export function characterOf(code: number): string {
  if (code === LINE_END_HYPHEN) return '-';
  if (code < 32 || code > 0x10ffff) return '';
  return String.fromCodePoint(code);
}

/** The bullet of TeX's encoding of signs (TS1), where a font of bitmaps names no characters. */
const UNNAMED_BULLET = '\u0088';

/**
 * Replaces ligatures and presentation forms by their letters, and an unnamed bullet by a bullet; removes marks without a
 * shape and single halves of characters.
 */
export function cleanText(text: string): string {
  if (text === UNNAMED_BULLET) return '•';
  if (!/[^ -\u00ac\u00ae-\u02ff]/.test(text)) return text;
  return text
    .replace(/\u00ad(?=.)|^\u00ad$/gu, '-')
    .replace(/[\ufb00-\ufb06\ufb13-\ufdff\ufe70-\ufefc]+/g, (forms) => forms.normalize('NFKC'))
    .replace(/[\u200b\u2060\ufeff]|\p{Surrogate}/gu, '');
}
