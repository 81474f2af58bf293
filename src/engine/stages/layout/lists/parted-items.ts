import type { Fragment } from '../../../model/page.js';
import { hasLetter } from '../../../model/text-direction.js';
import { isLoneMarker } from '../markers.js';

/** No item stands further from its marker. */
export const MAX_MARKER_GAP_EM = 4;

/**
 * True when bullets stand left of the gutter, whose items stand right of it. A dash beside
 * figures or another dash is an empty cell.
 */
export function partsItems(fragments: readonly Fragment[], gutter: number): boolean {
  const isLeft = (bullet: Fragment) => isLoneBullet(bullet) && bullet.x1 < gutter;
  return fragments.filter((bullet) => isLeft(bullet) && hasItem(bullet, fragments, gutter)).length > 1;
}

/** True when words right of `from` are level with the bullet, and no further from it than items are. */
export const hasItem = (bullet: Fragment, fragments: readonly Fragment[], from: number): boolean =>
  fragments.some(
    (item) =>
      item.x0 > from &&
      item.words.some(hasLetter) &&
      item.x0 - bullet.x1 < item.fontSize * MAX_MARKER_GAP_EM &&
      isLevel(item, bullet),
  );

/** True when a fragment stands on the base line of another one. */
export const isLevel = ({ baseline, fontSize }: Fragment, other: Fragment): boolean =>
  Math.abs(baseline - other.baseline) < fontSize * 0.25;

/** True for a bullet alone, without a number: those stand at the ends of equations, too. */
export const isLoneBullet = ({ words: [bullet, ...others] }: Fragment): boolean =>
  bullet !== undefined && others.length === 0 && isLoneMarker(bullet.text) && !/[\p{L}\p{N}]/u.test(bullet.text);
