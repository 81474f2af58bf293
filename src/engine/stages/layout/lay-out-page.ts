import type { Area } from '../../model/geometry.js';
import { joinFragments } from '../../model/join-fragments.js';
import type { Fragment, PageBlock, PageContent, PageLayout, PageWord, TurnedWords } from '../../model/page.js';
import { buildBlocks } from './blocks/blocks.js';
import { findOutlined, gatherBoxed } from './blocks/boxed-text.js';
import { findSideBands } from './blocks/side-bands.js';
import { splitColumns } from './columns/reading-order.js';
import { buildLines } from './lines/lines.js';
import type { RunningHeads } from './running-heads/running-heads.js';
import { findAlignedTables } from './tables/aligned-tables.js';
import { findFilledGrids } from './tables/filled-grids.js';
import { joinRules } from './tables/grids.js';
import { takeHeadRuledTables } from './tables/head-ruled-tables.js';
import { takeOpenTables } from './tables/open-tables.js';
import { takeRuledTables } from './tables/ruled-tables.js';
import { findRuledGrids } from './tables/shades.js';
import { withStripes } from './tables/stripes.js';

/**
 * What stands on a page → blocks in reading order. Headers come first and footers last, whatever column they stand
 * over; text of another direction comes after the page's own.
 */
export function layOutPage(
  content: PageContent,
  fragments: Fragment[],
  heads: RunningHeads<Fragment> & { margin: readonly Fragment[] },
  typewritten = false,
): PageLayout {
  const outside = new Set([...heads.header, ...heads.footer]);
  const flow = outside.size === 0 ? fragments : fragments.filter((fragment) => !outside.has(fragment));
  const rules = joinRules(content.rules);
  const ruled = findRuledGrids(rules, content.shades);
  const grids = [...ruled, ...findFilledGrids(content.shades, rules, ruled)];
  const {
    tables,
    rest,
    turned,
    frames,
    boxes: cells,
  } = takeRuledTables(flow, content.turned, grids, content.isRecognised);
  const striped = withStripes(rules, content.shades);
  const wrapped = takeHeadRuledTables(rest, rules);
  const open = takeOpenTables(wrapped.rest, rules);
  const layOutRegion = (region: Fragment[]) =>
    buildBlocks(findAlignedTables(buildLines(region), striped, typewritten), typewritten);
  const across = [...rules.horizontal, ...[...content.images, ...content.shades].filter(isWide(content))];
  const layOutFlow = (pieces: Fragment[]): PageBlock[] =>
    splitColumns(pieces, across)
      .flatMap(layOutRegion)
      .flatMap((block) => block.boxed ?? [block]);
  const boxes = [
    ...frames.filter((frame) => frame.cells === 1),
    ...cells,
    ...findOutlined(content.shades, rules),
    ...findSideBands(content),
  ];
  const blocks = [
    ...layOutHead(heads.header, 'header'),
    // The numbers of lines are no text either.
    ...layOutHead(heads.margin, 'header'),
    ...layOutFlow(
      gatherBoxed([...open.rest, ...tables, ...wrapped.tables, ...open.tables], boxes, content, layOutFlow),
    ),
    ...turned.flatMap(layOutTurned),
    ...layOutHead(heads.footer, 'footer'),
  ];
  for (const image of content.images) placeFigure(blocks, image, content);
  if (frames.length > 0) markFramed(blocks, frames, content);
  const { width, height, distortion } = content;
  return { width, height, blocks, ...(distortion && { distortion }) };
}

/** Of the width of the page: what is narrower stands in one of its columns. */
const LEAST_ACROSS = 0.3;

const isWide =
  ({ width }: PageContent) =>
  ({ x0, x1 }: Area): boolean =>
    x1 - x0 > width * LEAST_ACROSS;

/** Ornaments are smaller, and backgrounds larger, as shares of the page. */
const LEAST_FIGURE = 0.005;
const MOST_FIGURE = 0.8;

/** A picture stands before the first block that begins below it, in its column. */
function placeFigure(blocks: PageBlock[], image: Area, { width, height }: PageContent): void {
  const area = {
    x0: Math.max(0, image.x0),
    y0: Math.max(0, image.y0),
    x1: Math.min(width, image.x1),
    y1: Math.min(height, image.y1),
  };
  const share = ((area.x1 - area.x0) * (area.y1 - area.y0)) / (width * height);
  if (area.x1 <= area.x0 || !(share >= LEAST_FIGURE && share <= MOST_FIGURE)) return;
  const below = blocks.findIndex(({ kind, lines }) => {
    if (kind === 'footer') return true;
    if (kind === 'header') return false;
    return lines.some((line) => line.y0 >= area.y0 && line.x0 < area.x1 && line.x1 > area.x0);
  });
  blocks.splice(below === -1 ? blocks.length : below, 0, { kind: 'figure', lines: [], area });
}

/** A frame around most of the page is its border. */
function markFramed(blocks: readonly PageBlock[], frames: readonly Area[], { width, height }: PageContent): void {
  const boxes = frames.filter(({ x0, y0, x1, y1 }) => (x1 - x0) * (y1 - y0) < width * height * 0.45);
  for (const block of blocks) {
    block.framed = boxes.some(({ x0, y0, x1, y1 }) =>
      block.lines.every((line) => line.x0 >= x0 && line.x1 <= x1 && line.baseline >= y0 && line.baseline <= y1),
    );
  }
}

function layOutHead(fragments: readonly Fragment[], kind: 'header' | 'footer'): PageBlock[] {
  return fragments.length === 0 ? [] : [{ kind, lines: buildLines(fragments) }];
}

function layOutTurned({ words, toPage }: TurnedWords): PageBlock[] {
  const blocks = splitColumns(joinFragments(words)).flatMap((region) => buildBlocks(buildLines(region)));
  for (const word of blocks.flatMap(({ lines }) => lines.flatMap((line): PageWord[] => line.words))) {
    Object.assign(word, toPage(word));
  }
  // However large it is set: a stamp along the margin is no title.
  for (const block of blocks) Object.assign(block, { kind: 'paragraph', turned: true });
  return blocks;
}
