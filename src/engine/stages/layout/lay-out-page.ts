import { findCardRows } from '../../model/card-rows.js';
import { type Area, sharedBy, sizeOfArea } from '../../model/geometry.js';
import { joinFragments } from '../../model/join-fragments.js';
import type { Fragment, PageBlock, PageContent, PageLayout, TurnedWords } from '../../model/page.js';
import { isOblique } from '../../model/page-transform.js';
import { wordsOf } from '../../model/words-of.js';
import { buildBlocks } from './blocks/blocks.js';
import { findOutlined, gatherBoxed } from './blocks/boxed-text.js';
import { splitColumns } from './columns/reading-order.js';
import { findSideBar } from './columns/side-bar.js';
import { markBanded, markUnderlined } from './headings/banded-titles.js';
import { joinFormulas } from './lines/formulas.js';
import { buildLines } from './lines/lines.js';
import type { RunningHeads } from './running-heads/running-heads.js';
import { findAlignedTables } from './tables/aligned-tables.js';
import { findDrawnTables } from './tables/find-tables.js';
import { joinRules } from './tables/grids.js';
import { placeCells } from './tables/place-cells.js';
import { takeRuledTables } from './tables/ruled-tables.js';
import { withStripes } from './tables/stripes.js';

/**
 * Text and drawing of a page → blocks in reading order. Headers come first and footers last, whatever column they stand
 * over; text of another direction comes after the page's own.
 */
export function layOutPage(
  page: PageContent,
  fragments: readonly Fragment[],
  { header, footer, margin }: OutsideFlow,
  isTypewritten = false,
): PageLayout {
  const outside = new Set([...header, ...footer]);
  const flow = outside.size === 0 ? fragments : fragments.filter((fragment) => !outside.has(fragment));
  const rules = joinRules(page.rules);
  const striped = withStripes(rules, page.shades);
  const none = { tables: [], rest: flow, turned: page.turned, frames: [], boxes: [] };
  const { tables, rest, turned, frames, boxes: texts } = takeRuledTables(none, page, rules);
  const formulas = joinFormulas(rest, [...page.rules, ...page.images]);
  const shapes = [...frames.filter(({ cells }) => cells < 3), ...page.shades, ...(page.boxes ?? [])];
  const cards = [...texts, ...findCardRows(shapes)];
  const layOutColumn = (column: Fragment[]) =>
    buildBlocks(findAlignedTables(buildLines(column), striped, isTypewritten), isTypewritten);
  const barriers = [...rules.horizontal, ...[...page.images, ...page.shades].filter(isWide(page))];
  const layOutFlow = (pieces: readonly Fragment[]): PageBlock[] => {
    const found = findDrawnTables(gatherBoxed(pieces, cards, page, layOutFlow), striped);
    const boxes = [
      ...frames.filter((frame) => frame.cells === 1),
      ...findOutlined(page.shades, rules, found.rest),
      ...findSideBar(page, found.rest),
    ].map((box) => [box]);
    return splitColumns(gatherBoxed([...found.rest, ...found.tables], boxes, page, layOutFlow), barriers)
      .flatMap(layOutColumn)
      .flatMap((block) => block.boxed ?? [block]);
  };
  const blocks = [
    ...layOutOutside(header, 'header'),
    ...layOutOutside(margin, 'header'),
    ...layOutFlow([...formulas, ...tables]),
    ...turned.flatMap((group) => layOutTurned(group, page, isTypewritten)),
    ...layOutOutside(footer, 'footer'),
  ];
  for (const image of page.images) placeFigure(blocks, image, page);
  if (frames.length > 0) markFramed(blocks, frames, page);
  markBanded(blocks, page);
  markUnderlined(blocks, rules.horizontal);
  const { width, height, distortion } = page;
  return { width, height, blocks, ...(distortion && { distortion }) };
}

/** Text of a page outside of its flow. */
interface OutsideFlow extends RunningHeads<Fragment> {
  /** Numbers of lines. */
  margin: readonly Fragment[];
}

/** A narrower part, as a share of the page's width, stands in one of the page's columns. */
const MIN_BARRIER_WIDTH_SHARE = 0.3;

const isWide =
  ({ width }: PageContent) =>
  ({ x0, x1 }: Area): boolean =>
    x1 - x0 > width * MIN_BARRIER_WIDTH_SHARE;

/** Share of the page: ornaments are smaller. */
const MIN_FIGURE_SHARE = 0.005;
/** Share of the page: backgrounds are larger. */
const MAX_FIGURE_SHARE = 0.8;

/** Places a picture before the first block that begins below it, in its column. */
function placeFigure(blocks: PageBlock[], image: Area, { width, height }: PageContent): void {
  const area = sharedBy(image, { x0: 0, y0: 0, x1: width, y1: height });
  const share = sizeOfArea(area) / (width * height);
  if (area.x1 <= area.x0 || !(share >= MIN_FIGURE_SHARE && share <= MAX_FIGURE_SHARE)) return;
  const below = blocks.findIndex(({ kind, lines }) => {
    if (kind === 'footer') return true;
    if (kind === 'header') return false;
    return lines.some((line) => line.y0 >= area.y0 && line.x0 < area.x1 && line.x1 > area.x0);
  });
  blocks.splice(below === -1 ? blocks.length : below, 0, { kind: 'figure', lines: [], area });
}

/** Share of the page: a larger frame is its border. */
const MAX_FRAME_SHARE = 0.45;

/** Marks blocks that stand in a drawn frame, as the words of a drawing do. */
function markFramed(blocks: readonly PageBlock[], frames: readonly Area[], { width, height }: PageContent): void {
  const boxes = frames.filter((frame) => sizeOfArea(frame) < width * height * MAX_FRAME_SHARE);
  for (const block of blocks) {
    block.framed = boxes.some(({ x0, y0, x1, y1 }) =>
      block.lines.every((line) => line.x0 >= x0 && line.x1 <= x1 && line.baseline >= y0 && line.baseline <= y1),
    );
  }
}

const layOutOutside = (fragments: readonly Fragment[], kind: 'header' | 'footer'): PageBlock[] =>
  fragments.length === 0 ? [] : [{ kind, lines: buildLines(fragments) }];

/** Share of the upright words: stamps and the names of axes have fewer. */
const MIN_SIDEWAYS_SHARE = 0.2;

/** Lays out text of another direction: much of it as a page of its own, with the rules around it, a few words as those of a drawing. */
function layOutTurned(group: TurnedWords, page: PageContent, isTypewritten: boolean): PageBlock[] {
  const { words, angle, toPage, fromPage } = group;
  const fragments = joinFragments(words);
  const count = page.fragments.reduce((sum, upright) => sum + upright.words.length, 0);
  const isText = !isOblique(angle) && words.length > count * MIN_SIDEWAYS_SHARE;
  const { x1: width, y1: height } = fromPage({ x0: 0, y0: 0, x1: page.width, y1: page.height });
  const [boxes = []] = [page.boxes?.map(fromPage)];
  const drawn = { rules: page.rules.map(fromPage), shades: page.shades.map(fromPage), boxes, images: [], turned: [] };
  const outside = { header: [], footer: [], margin: [] };
  const blocks = isText
    ? layOutPage({ ...page, ...drawn, width, height, fragments }, fragments, outside, isTypewritten).blocks
    : splitColumns(fragments).flatMap((region) => buildBlocks(buildLines(region)));
  for (const block of blocks) {
    const { table } = block;
    if (table !== undefined) table.cells = placeCells(table).map((cell) => ({ ...cell, area: toPage(cell.area) }));
    // A stamp along the margin is no title, however large it is set.
    else block.kind = 'paragraph';
    block.turned = true;
  }
  for (const word of wordsOf(blocks)) Object.assign(word, toPage(word));
  return blocks;
}
