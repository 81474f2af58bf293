import type { Area } from '../../model/geometry.js';
import type { PageWord } from '../../model/page.js';

/** Height of the middle of a sign above the base line, in points, in the largest type of lists. */
const MAX_RISE = 30;

/** Words that a sign may stand beside. `rows` are sorted by their base lines. */
export function wordsNear(rows: readonly PageWord[], { y0, y1 }: Area): PageWord[] {
  const y = (y0 + y1) / 2;
  const near: PageWord[] = [];
  for (let index = firstBelow(rows, y); index < rows.length; index++) {
    const word = rows[index];
    if (word === undefined || word.baseline > y + MAX_RISE) break;
    near.push(word);
  }
  return near;
}

function firstBelow(rows: readonly PageWord[], y: number): number {
  let from = 0;
  let to = rows.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((rows[middle]?.baseline ?? 0) < y) from = middle + 1;
    else to = middle;
  }
  return from;
}
