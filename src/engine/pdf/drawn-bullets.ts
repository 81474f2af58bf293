import type { RawWord } from './raw-word.js';
import type { Area } from './read-drawing.js';

/** How far a bullet may stand before its item, and how large it may be, in ems. */
const MOST_GAP = 2.5;
const MOST_SIZE = 0.5;

/**
 * Browsers draw the bullets of lists instead of setting them: puts a bullet before each word that a dot stands before
 * as one does: at the height of its small letters, with nothing else on its other side and another such dot below or above.
 */
export function addDrawnBullets(words: readonly RawWord[], dots: readonly Area[]): RawWord[] {
  const rows = words.filter(({ angle }) => angle === 0).sort((a, b) => a.originY - b.originY);
  const fromRight = rows.filter(({ text }) => RIGHT_TO_LEFT.test(text)).length > rows.length / 2;
  const found = dots.flatMap((dot) => {
    const word = wordAfter(rows, dot, false) ?? (fromRight ? wordAfter(rows, dot, true) : undefined);
    return word === undefined ? [] : [{ dot, word }];
  });
  const before = new Map<RawWord, RawWord>();
  for (const { dot, word } of found) {
    // One alone may be a mark of a diagram.
    if (!found.some((other) => other.word !== word && Math.abs(other.dot.x0 - dot.x0) < 1)) continue;
    before.set(word, { ...word, text: '•', x0: dot.x0, x1: dot.x1, originX: dot.x0, bold: false });
  }
  return words.flatMap((word) => [before.get(word) ?? [], word].flat());
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;

/** The word that a dot is the bullet of; `rows` are sorted by their base lines. */
function wordAfter(rows: readonly RawWord[], dot: Area, fromRight: boolean): RawWord | undefined {
  const y = (dot.y0 + dot.y1) / 2;
  let next: RawWord | undefined;
  let nearest = Infinity;
  for (let index = firstBelow(rows, y); index < rows.length; index++) {
    const word = rows[index];
    if (word === undefined || word.originY > y + MOST_RISE) break;
    const { fontSize, originY } = word;
    const rise = (originY - y) / fontSize;
    if (rise < 0.1 || rise > 0.55 || dot.y1 - dot.y0 > fontSize * MOST_SIZE) continue;
    const after = fromRight ? dot.x0 - word.x1 : word.x0 - dot.x1;
    const before = fromRight ? word.x0 - dot.x1 : dot.x0 - word.x1;
    // A word before it, or under it.
    if (after < 0) {
      if (before < fontSize * MOST_GAP) return undefined;
    } else if (after < Math.min(fontSize * MOST_GAP, nearest)) [next, nearest] = [word, after];
  }
  return next;
}

/** Of the middle of a dot above the base line, in points, in the largest type that lists are set in. */
const MOST_RISE = 30;

function firstBelow(rows: readonly RawWord[], y: number): number {
  let from = 0;
  let to = rows.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((rows[middle]?.originY ?? 0) < y) from = middle + 1;
    else to = middle;
  }
  return from;
}
