import { asFragment, createFragment } from '../../../model/fragment.js';
import { type Area, boundsOf } from '../../../model/geometry.js';
import { WIDE_GAP_EM } from '../../../model/join-fragments.js';
import { median } from '../../../model/median.js';
import type { Fragment, PageContent, PageLine, PageWord } from '../../../model/page.js';
import { evenSizes } from './even-sizes.js';
import { levelPage } from './level-page.js';
import { withoutMistakenRules, withoutStrokes } from './mistaken-rules.js';
import { restoreMarkers } from './restore-markers.js';

/** Larger type is measured in pixels, not in points. */
const MAX_POINTS = 20;
/** The size that the median line gets when pixels are scaled to points. */
const USUAL_POINTS = 10;

/**
 * Makes the pages of a document that were recognised comparable with those of a text layer: sizes even over the whole
 * document and in points, markers of items restored, lines level and cut at wide gaps. Pages of a text layer stay as they are.
 */
export function refineRecognised(pages: readonly PageContent[]): PageContent[] {
  const recognised = pages.filter(({ isRecognised }) => isRecognised);
  evenSizes(recognised);
  for (const { fragments } of recognised) restoreMarkers(fragments);
  const scale = scaleToPoints(recognised);
  return pages.map((page) => (page.isRecognised ? refinePage(page, scale) : page));
}

/** The factor that brings pixels to points: one for all pages, so that their type can be compared. */
function scaleToPoints(pages: readonly PageContent[]): number {
  const size = median(pages.flatMap(({ fragments }) => fragments.map(({ fontSize }) => fontSize))) ?? 0;
  return size > MAX_POINTS ? USUAL_POINTS / size : 1;
}

/**
 * A recogniser's paragraphs follow what stands near to what, and it takes the columns of a table for columns of text, or each
 * cell for a paragraph: from here on its lines alone are believed.
 */
function refinePage(recognised: PageContent, scale: number): PageContent {
  const page = levelPage(recognised);
  const words = page.fragments.flatMap((fragment) => fragment.words);
  const rules = withoutStrokes(page.rules, words);
  const zone = page.fragments.filter(isMachineReadable).map((line) => scaleFragment(line, scale));
  const level = page.fragments.filter((fragment) => !isUpended(fragment) && !isMachineReadable(fragment));
  const upended = page.fragments.filter(isUpended);
  const fragments = [
    ...withoutMistakenRules(level, rules).flatMap((line) => cutAtGaps(setOnBaseline(scaleFragment(line, scale)))),
    ...upended.map((line) => standAsIs(scaleFragment(line, scale))),
    ...(zone.length === 0 ? [] : [keepTogether(zone)]),
  ];
  return {
    ...page,
    width: page.width * scale,
    height: page.height * scale,
    fragments: fragments.map((fragment, order) => ({ ...fragment, order })),
    rules: rules.map((rule) => scaleArea(rule, scale)),
    shades: page.shades.map((shade) => scaleArea(shade, scale)),
  };
}

/** True when the line runs up or down, as the heads of narrow columns do. */
const isUpended = ({ x0, x1, y0, y1, words }: Fragment): boolean =>
  y1 - y0 > 2 * (x1 - x0) && words.some(({ text }) => text.length > 2);

/** True for a line of a machine-readable zone, the only type whose pitch recognition tells. */
const isMachineReadable = ({ words }: Fragment): boolean => words.every(({ monospaced }) => monospaced);

/** Makes one block of the lines of a zone: no column and no table parts them, and their breaks are a part of the text. */
function keepTogether(zone: readonly Fragment[]): Fragment {
  const lines = zone.map((line): PageLine => ({ ...line, apart: new Set() }));
  const words = zone.flatMap((line) => line.words);
  return asFragment(words, { lines, kind: 'paragraph', code: true }, boundsOf(zone));
}

function standAsIs(fragment: Fragment): Fragment {
  const line: PageLine = { ...fragment, apart: fragment.apart ?? new Set() };
  return asFragment(line.words, { lines: [line], kind: 'paragraph', turned: true }, line);
}

function cutAtGaps({ words, fontSize }: Fragment): Fragment[] {
  const parts: PageWord[][] = [];
  let last: PageWord | undefined;
  for (const word of words) {
    if (last === undefined || word.x0 - last.x1 > fontSize * WIDE_GAP_EM) parts.push([]);
    parts.at(-1)?.push(word);
    last = word;
  }
  return parts.map((part) => createFragment(part, 0));
}

/** Distance of a word from the base line of its line, as a share of its height, from which that is the base line of others. */
const MIN_OFF_SHARE = 0.5;

const isOffBaseline = ({ text, y0, y1, baseline }: PageWord): boolean =>
  Math.abs(baseline - y1) > (y1 - y0) * MIN_OFF_SHARE && /[\p{L}\p{N}]/u.test(text);

/** Gives the rest of a line that mixed cells of several heights, and lost those that its base line was of, one of its own. */
const setOnBaseline = (line: Fragment): Fragment =>
  line.words.every(isOffBaseline)
    ? { ...line, words: line.words.map((word) => ({ ...word, baseline: word.y1 })) }
    : line;

const scaleFragment = (fragment: Fragment, scale: number): Fragment => ({
  ...scaleType(fragment, scale),
  words: fragment.words.map((word) => scaleType(word, scale)),
});

const scaleType = <T extends PageWord | Fragment>(part: T, scale: number): T => ({
  ...scaleArea(part, scale),
  baseline: part.baseline * scale,
  fontSize: part.fontSize * scale,
});

const scaleArea = <T extends Area>(area: T, scale: number): T => ({
  ...area,
  x0: area.x0 * scale,
  y0: area.y0 * scale,
  x1: area.x1 * scale,
  y1: area.y1 * scale,
});
