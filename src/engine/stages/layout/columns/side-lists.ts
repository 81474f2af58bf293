import { extentOf } from '../../../model/geometry.js';
import type { Fragment } from '../../../model/page.js';
import { lineText } from '../lines/lines.js';
import { hasItem, isLevel, isLoneBullet } from '../lists/parted-items.js';
import { type Marker, parseMarker } from '../markers.js';

/** Share of the lines of a list that begin items. */
const MIN_ITEM_SHARE = 0.5;
const LEAST = 2;
/** Indent of the further lines of an item, in points. */
const MIN_HANGING_INDENT = 4;

/** True when the cells of rows are the items of several lists: a marker stands before most of them. */
export function areItems(side: readonly Fragment[]): boolean {
  const parts = side.length - side.filter(isLoneBullet).length;
  return side.filter((fragment) => marksItem(fragment, side)).length >= parts * MIN_ITEM_SHARE;
}

/** True for a fragment with a marker, or for the marker of a fragment beside it in `side`. */
export const marksItem = (fragment: Fragment, side: readonly Fragment[]): boolean => itemOf(fragment, side).length > 0;

interface Item {
  x0: number;
  y: number;
  marker: Marker | undefined;
}

export function isList(side: readonly Fragment[]): boolean {
  const edge = extentOf(side).x0;
  const items = side
    .filter(({ x0, fontSize }) => x0 < edge + fontSize * 4)
    .flatMap((fragment) => itemOf(fragment, side));
  // The further lines of an item hang below its text.
  const indent = Math.min(...items.map(({ x0 }) => x0)) + MIN_HANGING_INDENT;
  const lines = new Set(side.filter(({ x0 }) => x0 < indent).map(({ baseline }) => Math.round(baseline))).size;
  if (items.length < LEAST || items.length < lines * MIN_ITEM_SHARE) return false;
  return areCountedDown(
    items.sort((a, b) => a.y - b.y).flatMap(({ marker }) => (marker?.ordered ? [marker.text] : [])),
  );
}

function itemOf(fragment: Fragment, side: readonly Fragment[]): Item[] {
  // Answers of a form have boxes beside each other.
  if (fragment.block !== undefined || fragment.words[0]?.check !== undefined) return [];
  const marker = parseMarker(fragment.words);
  // Signs without words are the cells of a table.
  const isItem = marker !== undefined || (isLoneBullet(fragment) && hasItem(fragment, side, fragment.x1));
  return isItem ? [{ x0: fragment.x0, y: fragment.baseline, marker }] : [];
}

/** Least number of answers beside the next one. */
const MIN_COUNTED_ACROSS = 2;
/** The beginning of an answer, behind a box or without one. */
const ANSWER = /^(?:[^\p{L}\p{N}(] )?(?:\(?[A-Ha-h\d]\d?[.):]|[A-H]) /u;

/** True for answers that are counted from side to side ("A" and "B" over "C" and "D"). */
export function areCountedAcross(left: readonly Fragment[], right: readonly Fragment[]): boolean {
  const answers = left.filter((fragment) => countOfAnswer(fragment) > 0);
  const counted = answers.filter((answer) =>
    right.some((next) => isLevel(next, answer) && countOfAnswer(next) === countOfAnswer(answer) + 1),
  );
  return counted.length >= MIN_COUNTED_ACROSS && counted.length * 2 >= answers.length;
}

const countOfAnswer = ({ words }: Fragment): number =>
  countOf(ANSWER.exec(lineText({ words: words.slice(0, 3) }))?.[0] ?? '');

/** True when each number or letter is the next after the one above it. */
const areCountedDown = (markers: readonly string[]): boolean =>
  markers.every((marker, index) => {
    const before = markers[index - 1];
    return before === undefined || countOf(marker) === countOf(before) + 1;
  });

function countOf(marker: string): number {
  const bare = marker.replace(/[^\p{L}\p{N}]/gu, '');
  return /^\d+$/.test(bare) ? Number(bare) : (bare.codePointAt(0) ?? 0);
}
