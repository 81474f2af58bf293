import type { PageWord } from '../../model/page.js';

const WHOLE = /\d\.$/;
const CENTS = /^\d{2}$/;
/** A word of running text, which is no currency and no tax code. */
const RUNNING_WORD = /^\p{L}*\p{Ll}|^\p{L}{4}/u;
/** Gap within an amount: two words of wide type have a wider one. */
const MAX_GAP_EM = 0.8;

/** Joins amounts that were split after the decimal point, as in the wide type of tills: `65. 20` → `65.20`. Before a running word they may be two numbers: `2. 10 apples`. */
export function joinAmounts(words: readonly PageWord[]): PageWord[] {
  const joined: PageWord[] = [];
  words.forEach((word, index) => {
    const whole = joined.at(-1);
    const isAmount =
      whole !== undefined &&
      WHOLE.test(whole.text) &&
      CENTS.test(word.text) &&
      word.x0 - whole.x1 < whole.fontSize * MAX_GAP_EM &&
      !RUNNING_WORD.test(words[index + 1]?.text ?? '');
    if (isAmount) joined.splice(-1, 1, unite(whole, word));
    else joined.push(word);
  });
  return joined;
}

const unite = (a: PageWord, b: PageWord): PageWord => ({
  ...a,
  text: a.text + b.text,
  x1: Math.max(a.x1, b.x1),
  y0: Math.min(a.y0, b.y0),
  y1: Math.max(a.y1, b.y1),
  confidence: Math.min(a.confidence ?? 1, b.confidence ?? 1),
});
