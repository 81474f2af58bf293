import { countBy } from '../../../model/counts.js';
import { type Area, extentOf, middleOf, type Span } from '../../../model/geometry.js';
import type { Fragment } from '../../../model/page.js';
import { isBold } from '../lines/lines.js';
import {
  isCloseBelow,
  isFarBelow,
  piecesOf,
  type Run,
  runsAlong,
  sidesOf,
  sizeOf,
  spaceAbove,
  toStrips,
} from '../lines/strips.js';
import { partsItems } from '../lists/parted-items.js';
import { belowMasthead, withoutBands } from './bands.js';
import { barriersAmong, barriersOfText, cutAtBarriers, cutZones, rulesBetween } from './barriers.js';
import {
  areTextColumns,
  isMadeOut,
  isPiece,
  MIN_COLUMN_LINES,
  type Proof,
  type RulesAtGutter,
  rulesAt,
  scoreColumns,
} from './column-rules.js';
import { findCountedCards } from './counted-cards.js';
import { findInsets } from './insets.js';
import { findSideBySide } from './side-by-side.js';
import { marksItem } from './side-lists.js';

/**
 * Splits a page into regions of one column each, in reading order. A column must be proven, by lines that fill it or
 * by lines that are not level with its neighbour's: the cells of a table do neither, so its rows stay rows. Text that
 * a barrier across the page (a rule, a picture) parts from columns is no part of them, unless it is columns too.
 */
export function splitColumns(fragments: Fragment[], parts: readonly Area[] = [], known?: Known): Fragment[][] {
  const cards = findCountedCards(fragments);
  if (cards !== undefined) return cards.flatMap((card) => splitColumns(card, parts));
  const regions = findRegions(fragments, parts, known);
  if (regions === undefined) return fragments.length === 0 ? [] : [fragments];
  return regions.flatMap(({ pieces, known: own }) => splitColumns(pieces, parts, own));
}

/** Columns above or below a part of the page. */
interface Known {
  gutter: number;
  columns: readonly Span[];
}

interface Region {
  pieces: Fragment[];
  known?: Known;
}

/** The text above columns, these, and the text below them. The space beside an address may run on below it and look like that of columns. */
function findRegions(fragments: Fragment[], parts: readonly Area[], known?: Known): Region[] | undefined {
  const best = findColumns(fragments, parts, known);
  const asRegion = (pieces: Fragment[]) => ({ pieces });
  if (best === undefined) return findSideBySide(fragments, false)?.map(asRegion);
  const { strips, from, to, gutter, insets } = best;
  const within = strips.slice(from, to + 1);
  const pieces = within.flat();
  const columns = findSideBySide(pieces, true) ?? divideColumns(within, gutter, parts);
  const own = areTextColumns(pieces, gutter) && { known: { gutter, columns: sidesOf(pieces, gutter).map(extentOf) } };
  const beside = (part: Fragment[][]): Region => ({ pieces: part.flat(), ...own });
  return [beside(strips.slice(0, from)), ...[...columns, insets].map(asRegion), beside(strips.slice(to + 1))];
}

function divideColumns(strips: Fragment[][], gutter: number, parts: readonly Area[]): Fragment[][] {
  const fragments = strips.flat();
  const rtl = fragments.filter(({ direction }) => direction === 'rtl').length > fragments.length / 2;
  const areText = (zone: Fragment[]) => areTextColumns(zone, gutter);
  const zones = cutZones(strips, barriersOfText(fragments, parts), areText);
  return zones.flatMap((zone) => (rtl ? sidesOf(zone, gutter).reverse() : sidesOf(zone, gutter)));
}

/** Proof for columns above or below a table: its own cells are shorter. */
const PROOF_OF_PART: Proof = { lines: 7, characters: 30 };

/** Proof for a few lines of the columns above or below them. */
const PROOF_OF_KNOWN: Proof = { lines: 2, characters: 0 };

/** A line or two are too few for any proof but that of the prose beside them. */
const ONLY_BESIDE_PROSE: Proof = { lines: Infinity, characters: 0 };

interface Columns extends Run {
  strips: Fragment[][];
  /** Fragments between the columns that are in none of the strips. */
  insets: Fragment[];
}

function findColumns(fragments: Fragment[], parts: readonly Area[], known?: Known): Columns | undefined {
  if (fragments.length < 2 * (known === undefined ? MIN_COLUMN_LINES : PROOF_OF_KNOWN.lines)) return undefined;
  const strips = toStrips(fragments);
  const barriers = barriersAmong(fragments, parts);
  let best: Columns | undefined;
  let bestScore = 0;
  const look = (among: Fragment[][], gutter: number, rules: RulesAtGutter, insets: Fragment[], proof?: Proof) => {
    const areWhole = insets.length > 0 || proof !== undefined;
    for (const run of runsAlong(among, gutter)) {
      const trimmed = trim(among, run, gutter);
      if (trimmed === undefined || partsItems(piecesOf(among, trimmed), gutter)) continue;
      const score = scoreColumns(piecesOf(among, trimmed), gutter, rules, proof);
      const [part = trimmed, scoreOfPart = score] =
        score > 0 ? withoutHeads(among, trimmed, barriers) : areWhole ? [] : bestPart(among, trimmed, rules);
      if (scoreOfPart > bestScore) {
        bestScore = scoreOfPart;
        best = { ...part, strips: among, insets };
      }
    }
  };
  for (const gutter of candidateGutters(fragments)) {
    const rules = rulesAt(parts, gutter);
    look(strips, gutter, rules, []);
    const insets = findInsets(strips, gutter, (columns) => scoreColumns(columns, gutter, rules) > 0);
    if (insets.length > 0)
      look(toStrips(fragments.filter((fragment) => !insets.includes(fragment))), gutter, rules, insets);
  }
  if (best === undefined && known !== undefined)
    look(strips, known.gutter, rulesAt(parts, known.gutter), [], { ...PROOF_OF_KNOWN, known: known.columns });
  if (best === undefined)
    for (const gutter of startsBesideProse(strips)) look(strips, gutter, rulesAt(parts, gutter), [], ONLY_BESIDE_PROSE);
  return best;
}

/** Gaps in a run: rows of boxes or labels have more of them, and no columns of prose. */
const MAX_GAPS = 20;
/** Least white space above or below such a part, in sizes of its type. */
const MIN_PART_GAP = 2.3;

/** The columns of prose above or below a table over both that their gutter runs through by chance, and that white space parts from them. */
function bestPart(strips: Fragment[][], run: Run, rules: RulesAtGutter): [part: Run, score: number] | [] {
  const within = [...strips.keys()].slice(run.from + 1, run.to + 1);
  const gaps = within.filter((index) => spaceAbove(strips, index) > MIN_PART_GAP * sizeOf(strips[index]));
  if (gaps.length > MAX_GAPS) return [];
  // The last rule of a table ends it, too.
  const starts = [...gaps, ...within.filter((index) => rulesBetween(strips, index, rules.across)).slice(-1)];
  const parts = [...starts.map((from) => ({ ...run, from })), ...gaps.map((gap) => ({ ...run, to: gap - 1 }))];
  let best: [part: Run, score: number] | [] = [];
  for (const part of parts) {
    const score = scoreColumns(piecesOf(strips, part), run.gutter, rules, PROOF_OF_PART);
    if (score > (best[1] ?? 0)) best = [part, score];
  }
  return best;
}

/** The columns that a rule parts from a head or foot across the page. */
function withoutHeads(strips: Fragment[][], run: Run, barriers: readonly Area[]): [part: Run, score: number] | [] {
  const scoreOf = (fragments: Fragment[]) => scoreColumns(fragments, run.gutter);
  const part = cutAtBarriers(strips, run, barriers, (fragments) => scoreOf(fragments) > 0);
  const score = part === undefined ? 0 : scoreOf(piecesOf(strips, part));
  return part !== undefined && score > 0 ? [part, score] : [];
}

/** Distance left of the beginning of a column's lines in which its gutter is looked for, in points. */
const REACH = 14;

/** Tables and boxes that are looked beside: most pages have a few, and a page with more is a drawing or a form. */
const MAX_PIECES = 40;

/**
 * Candidates for a gutter: just left of where several lines begin that are not the first of their row, and where
 * fewest lines pass near that; left of lists, tables and boxes.
 */
export function candidateGutters(fragments: readonly Fragment[]): number[] {
  const counts = countPlaces(fragments.map(({ x0 }) => x0));
  const least = extentOf(fragments).x0 + 20;
  const pieces = new Set(fragments.filter((piece) => isPiece(piece) && piece.x0 > least).map(({ x0 }) => x0 - 3));
  const places = [...counts]
    .filter(([x, count]) => count >= MIN_COLUMN_LINES && x > least)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 8);
  return [
    ...places.flatMap(([x]) => [x - 3, leastPassed(fragments, x)]),
    ...[...pieces].slice(0, MAX_PIECES),
    ...startsOfLists(fragments, least),
  ];
}

/** Words of a line of prose, and places beside such lines. */
const MIN_PROSE_WORDS = 4;
const MAX_SHORT_COLUMNS = 4;

/** Places left of a column of a line or two that stands beside prose. */
function startsBesideProse(strips: readonly Fragment[][]): number[] {
  const starts = strips.flatMap((strip) =>
    strip.filter(({ x0 }) => strip.some(({ x1, words }) => x1 < x0 && words.length >= MIN_PROSE_WORDS)),
  );
  return [...countPlaces(starts.map(({ x0 }) => x0)).keys()].slice(0, MAX_SHORT_COLUMNS).map((x) => x - 3);
}

/** Markers below each other that make a list, and lists beside each other. */
const MIN_LIST_ITEMS = 2;
const MAX_LISTS = 8;
/** Largest indent of a list below its head, in points, also in the large type of presentations. */
const MAX_LIST_INDENT = 40;

/** Places left of the bullets or numbers of lists, and left of the head of each. */
function startsOfLists(fragments: readonly Fragment[], least: number): number[] {
  const items = fragments.filter((fragment) => fragment.x0 > least && marksItem(fragment, fragments));
  return [...countPlaces(items.map(({ x0 }) => x0))]
    .filter(([, count]) => count >= MIN_LIST_ITEMS)
    .slice(0, MAX_LISTS)
    .flatMap(([x]) => {
      const heads = fragments.filter(({ x0 }) => x0 > x - MAX_LIST_INDENT && x0 < x);
      return [x - 3, Math.min(x, ...heads.map(({ x0 }) => x0)) - 3];
    });
}

/** Counts of places, in slots of four points. */
const countPlaces = (places: readonly number[]): Map<number, number> => countBy(places, (x) => Math.round(x / 4) * 4);

/** The middle of the place left of x that fewest lines pass: a quotation mark may hang out of their column. */
function leastPassed(fragments: readonly Fragment[], right: number): number {
  const places = Array.from({ length: REACH }, (_, index) => right - index);
  const passing = places.map((x) => fragments.filter(({ x0, x1 }) => x0 < x && x1 > x).length);
  const fewest = Math.min(...passing);
  const free = places.filter((_, index) => passing[index] === fewest);
  return free[free.length >> 1] ?? right;
}

/**
 * Trims text above or below the columns, apart from them, on one side only: a date at the right, a page number. Beside
 * a table or a box alone the column is as long as that.
 */
function trim(strips: Fragment[][], run: Run, gutter: number): Run | undefined {
  const isLeft = (fragment: Fragment) => middleOf(fragment) < gutter;
  const columns = withoutBands(strips, run);
  let { from, to } = columns;
  if (sidesOf(piecesOf(strips, { from, to }), gutter).some(isMadeOut)) {
    while (from < to && !strips[from]?.some(isPiece)) from++;
    while (to > from && !strips[to]?.some(isPiece)) to--;
    // A paragraph beside a box may run on below it.
    while (to < columns.to && isCloseBelow(strips, to + 1)) to++;
  }
  while (from < to && !strips[from]?.some(isLeft)) from++;
  // The right column may begin higher than the left one, below a picture.
  while (from > columns.from && !isFarBelow(strips, from)) from--;
  if (from === run.from && endsParagraph(strips, from)) from++;
  from = belowMasthead(strips, { from, to, gutter });
  while (to > from && isFarBelow(strips, to) && (strips[to]?.length ?? 0) <= 2) to--;
  if (to > from && to === run.to && beginsTextBelow(strips, to, gutter)) to--;
  return from < to || strips[from]?.some(isPiece) ? { from, to, gutter } : undefined;
}

/** Space below the last line of a paragraph beyond that above it, in ems. */
const MIN_SPACE_BELOW_EM = 0.25;

/** True when the strip is the short last line of the paragraph above it, as of an abstract across both columns. */
function endsParagraph(strips: Fragment[][], index: number): boolean {
  const [above = [], strip = []] = [strips[index - 1], strips[index]];
  if ([...above, ...strip].some(isPiece) || above.length === 0 || !isCloseBelow(strips, index)) return false;
  const [upper, line] = [extentOf(above), extentOf(strip)];
  const size = sizeOf(strip);
  const isLevel = Math.abs(upper.x0 - line.x0) < 1 && line.x1 < upper.x1 && Math.abs(sizeOf(above) - size) < 0.5;
  return isLevel && spaceAbove(strips, index + 1) > spaceAbove(strips, index) + size * MIN_SPACE_BELOW_EM;
}

/** Ratio of the space above a line that belongs to the text below it to the space between the two. */
const MIN_SPACE_ABOVE_RATIO = 1.5;

/** True when the strip begins the text across the columns below it: it is much closer to that, or its bold title. The next line of a title is bold too. */
function beginsTextBelow(strips: Fragment[][], index: number, gutter: number): boolean {
  const [strip = [], below = []] = [strips[index], strips[index + 1]];
  if (strip.length !== 1 || below.length === 0) return false;
  const [over, under] = [spaceAbove(strips, index), spaceAbove(strips, index + 1)];
  const isAcross = below.some(({ x0, x1 }) => x0 < gutter && x1 > gutter);
  const beginsLevel = Math.abs(extentOf(strip).x0 - extentOf(below).x0) < 1;
  if (isAcross && beginsLevel && over > Math.max(sizeOf(strip), under * MIN_SPACE_ABOVE_RATIO)) return true;
  return strip.every(isBold) && !below.every(isBold) && over > under;
}
