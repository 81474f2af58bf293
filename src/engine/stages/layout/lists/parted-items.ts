import type { Fragment } from '../../../model/page.js';
import { hasLetter } from '../../../model/text-direction.js';
import { isLoneMarker } from '../markers.js';

/** No item stands further from its marker. */
export const MAX_MARKER_GAP_EM = 4;

/** Numbers of items that hang left of them. */
const MIN_COUNTED = 3;

/**
 * True when bullets, or numbers that count down, stand left of the gutter, whose items stand right of it. A dash beside
 * figures or another dash is an empty cell.
 */
export function partsItems(fragments: readonly Fragment[], gutter: number): boolean {
  const isMarker = (fragment: Fragment) =>
    fragment.x1 < gutter && !followsText(fragment, fragments) && hasItem(fragment, fragments, gutter);
  const bullets = fragments.filter((fragment) => isLoneBullet(fragment) && isMarker(fragment));
  if (bullets.length > 1) return true;
  const numbers = fragments.filter((fragment) => isLoneNumber(fragment) && isMarker(fragment));
  const counted = numbers.sort((a, b) => a.baseline - b.baseline).map(numberIn);
  return counted.length >= MIN_COUNTED && counted.every((number, index) => number === (counted[0] ?? 0) + index);
}

/** Distance at which a sign follows the word before it, in ems. */
const MAX_SIGN_GAP_EM = 0.7;

/** True for a sign behind a word of its line, as the raised one of degrees. */
const followsText = (sign: Fragment, fragments: readonly Fragment[]): boolean =>
  fragments.some(
    ({ x1, baseline, fontSize }) =>
      x1 < sign.x1 && sign.x0 - x1 < fontSize * MAX_SIGN_GAP_EM && Math.abs(baseline - sign.baseline) < fontSize / 2,
  );

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

const isLoneNumber = ({ words }: Fragment): boolean =>
  words.length === 1 && /^\[?\d{1,3}[\].]?$/.test(words[0]?.text ?? '');
const numberIn = ({ words }: Fragment): number => Number(words[0]?.text.replace(/\D/g, ''));

/** True for a bullet alone, without a number: those stand at the ends of equations, too. */
export const isLoneBullet = ({ words: [bullet, ...others] }: Fragment): boolean =>
  bullet !== undefined && others.length === 0 && isLoneMarker(bullet.text) && !/[\p{L}\p{N}]/u.test(bullet.text);
