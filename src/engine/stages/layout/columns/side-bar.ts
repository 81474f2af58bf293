import { type Area, boundsOf } from '../../../model/geometry.js';
import type { Fragment, PageContent } from '../../../model/page.js';
import { beginsSmall } from '../lines/line-room.js';
import { piecesOf, runsAlong, sidesOf, toStrips } from '../lines/strips.js';
import { MIN_UNLEVEL_SHARE, type Row, rowsOf, unlevelShare } from './column-rows.js';
import { candidateGutters } from './reading-order.js';

/** Lower bound of the items of a bar, and the shares of the page's width and height in which it stands. */
const MIN_ITEMS = 7;
const MAX_WIDTH_SHARE = 0.3;
const MIN_HEIGHT_SHARE = 0.4;
const MAX_ITEM_CHARACTERS = 30;
const MIN_ITEM_SHARE = 0.85;
/** Share of the items in small letters: labels of cells that wrap have more of them. */
const MAX_SMALL_SHARE = 0.2;
/** Share of the items in the middle of two lines: the labels of cells of two lines stand so. */
const MAX_CENTRED_SHARE = 0.5;
const CENTRED_TOLERANCE_EM = 0.15;

/**
 * Finds the bar of short items down the left side of a wide picture, as navigation stands beside the content of a program.
 * White space parts it from the text, whose lines are not level with its items. A wider one would hold a column of the
 * text too. In text layers grounds show bars.
 */
export function findSideBar({ width, height, isRecognised }: PageContent, fragments: readonly Fragment[]): Area[] {
  if (!isRecognised || width <= height || fragments.length < MIN_ITEMS) return [];
  const strips = toStrips(fragments);
  const runs = candidateGutters(fragments).flatMap((gutter) => runsAlong(strips, gutter));
  const bars = runs.flatMap((run) => {
    const [bar, text] = sidesOf(piecesOf(strips, run), run.gutter);
    const area = boundsOf(bar);
    const isPlaced = area.x1 < width * MAX_WIDTH_SHARE && area.y1 - area.y0 > height * MIN_HEIGHT_SHARE;
    return isPlaced && !areWrapped(bar) && isBar(rowsOf(bar), rowsOf(text)) ? [area] : [];
  });
  return bars.sort((a, b) => a.x1 - b.x1).slice(0, 1);
}

const areWrapped = (bar: readonly Fragment[]): boolean => bar.filter(beginsSmall).length > bar.length * MAX_SMALL_SHARE;

function isBar(rows: readonly Row[], beside: readonly Row[]): boolean {
  const items = rows.filter(({ parted, characters }) => !parted && characters <= MAX_ITEM_CHARACTERS);
  if (rows.length < MIN_ITEMS || items.length < rows.length * MIN_ITEM_SHARE) return false;
  const centred = rows.filter((row) => isCentred(row, beside));
  return unlevelShare(beside, rows) >= MIN_UNLEVEL_SHARE && centred.length < rows.length * MAX_CENTRED_SHARE;
}

function isCentred({ y, size }: Row, beside: readonly Row[]): boolean {
  const [above, below] = [beside.findLast((line) => line.y < y), beside.find((line) => line.y > y)];
  if (above === undefined || below === undefined || below.y - above.y > size * 2) return false;
  return Math.abs(above.y + below.y - 2 * y) < size * 2 * CENTRED_TOLERANCE_EM;
}
