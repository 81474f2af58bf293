const ENCLOSING_CIRCLE = '\u20dd';
const NEGATING_SLASH = '\u0338';
const CIRCLED: Readonly<Record<string, string>> = { c: '©', r: '®', R: '®' };

/**
 * Accents that are signs by themselves, and the combining marks that they are over or under a letter: TeX's older
 * fonts have no accented letters and draw them of two glyphs.
 */
const MARKS = new Map(
  Object.entries({
    '`': '\u0300',
    '´': '\u0301',
    '^': '\u0302',
    ˆ: '\u0302',
    '~': '\u0303',
    '˜': '\u0303',
    '¯': '\u0304',
    '˘': '\u0306',
    '˙': '\u0307',
    '¨': '\u0308',
    '˚': '\u030a',
    '˝': '\u030b',
    ˇ: '\u030c',
    '¸': '\u0327',
    '˛': '\u0328',
    [ENCLOSING_CIRCLE]: ENCLOSING_CIRCLE,
    [NEGATING_SLASH]: NEGATING_SLASH,
  }).map(([accent, mark]) => [accent.charCodeAt(0), mark]),
);

/** The combining mark of an accent; undefined for other characters. */
export function markOf(code: number): string | undefined {
  return (code > 0xff && code < 0x2c6) || (code > 0x338 && code !== 0x20dd) ? undefined : MARKS.get(code);
}

/** The letter with the mark, as one character; undefined where there is none, as for x̂ in a formula. */
export function accent(letter: string, mark: string): string | undefined {
  if (mark === ENCLOSING_CIRCLE) return CIRCLED[letter];
  // Under an accent these letters have no dot to lose.
  const base = letter === 'ı' ? 'i' : letter === 'ȷ' ? 'j' : letter;
  const composed = (base + mark).normalize('NFC');
  return composed.length === 1 && base.length === 1 ? composed : undefined;
}
