import { type Area, middleOf } from '../../model/geometry.js';
import type { PageWord } from '../../model/page.js';

/** Widths of a drawn underscore, in ems: TeX draws it .3 wide on the base line or, in other encodings, .5 wide below it. */
const MIN_WIDTH_EM = 0.25;
const MAX_WIDTH_EM = 0.55;
/** Distances from the words at both sides, and from their base line upward and downward, in ems. */
const MAX_GAP_EM = 0.12;
const MAX_RISE_EM = 0.06;
const MAX_DROP_EM = 0.2;
/** Largest width of such a line, in points, and upper bound of those that are looked at: more of them make a drawing. */
const MAX_WIDTH = 8;
const MAX_LINES = 400;

/** Joins words with a short rule on the base line between them: the underscore of names, which old fonts of TeX lack. */
export function joinAtUnderscores(words: readonly PageWord[], rules: readonly Area[]): PageWord[] {
  const short = rules.filter(({ x0, x1, y0, y1 }) => x1 - x0 > y1 - y0 && x1 - x0 < MAX_WIDTH);
  if (short.length === 0 || short.length > MAX_LINES) return [...words];
  const joined = [...words];
  for (const rule of short.sort((a, b) => a.x0 - b.x0)) {
    const left = joined.findIndex((word) => isBeside(word, word.x1, rule.x0, rule));
    const right = joined.findIndex((word) => isBeside(word, word.x0, rule.x1, rule));
    const [before, after] = [joined[left], joined[right]];
    if (before === undefined || after === undefined || before === after) continue;
    if (joined.some((word) => standsOver(word, rule)) || isEntry(before, after)) continue;
    const { x0, y0, y1 } = before;
    const box = { x0, x1: after.x1, y0: Math.min(y0, after.y0), y1: Math.max(y1, after.y1) };
    joined[left] = { ...before, ...box, text: `${before.text}_${after.text}` };
    joined.splice(right, 1);
  }
  return joined;
}

/** True for a word above the line, or a raised sign: the line underlines it. */
const standsOver = (word: PageWord, { x0, x1, y0 }: Area): boolean =>
  middleOf(word) > x0 && middleOf(word) < x1 && y0 > word.y0 && y0 < word.y1 + word.fontSize;

/** True for a text and a page number, as in a table of contents. */
const isEntry = (before: PageWord, after: PageWord): boolean => /^\d+$/.test(after.text) && !before.text.includes('_');

function isBeside({ baseline, fontSize }: PageWord, side: number, end: number, { x0, x1, y0, y1 }: Area): boolean {
  const width = (x1 - x0) / fontSize;
  if (width < MIN_WIDTH_EM || width > MAX_WIDTH_EM || Math.abs(side - end) > fontSize * MAX_GAP_EM) return false;
  const drop = ((y0 + y1) / 2 - baseline) / fontSize;
  return drop > -MAX_RISE_EM && drop < MAX_DROP_EM;
}
