import type { Area } from '../pdf/read-drawing.js';
import { buildBlocks } from './blocks.js';
import type { LaidPage } from './classify.js';
import type { LaidBlock, LaidLine } from './laid.js';
import { isBold } from './lines.js';

/**
 * A recogniser's paragraphs follow what stands near to what: its headings are a part of them, and an item may be two. Lines that
 * stand below each other in its order are one column, whose blocks are found again as on a page with a text layer.
 */
export function regroupBlocks(page: LaidPage): LaidPage {
  const blocks: LaidBlock[] = [];
  let column: LaidLine[] = [];
  let area: Area | undefined;
  const finish = () => {
    blocks.push(...buildBlocks(column));
    column = [];
    area = undefined;
  };
  for (const block of bringTitlesDown(page.blocks)) {
    if (block.kind !== undefined) {
      finish();
      blocks.push(block);
      continue;
    }
    const below = areaOf(block.lines);
    if (area !== undefined && !standsBelow(below, area, block.lines[0]?.fontSize ?? 0)) finish();
    column.push(...block.lines);
    area = area === undefined ? below : unite(area, below);
  }
  finish();
  return { ...page, blocks };
}

/** In lines of the title. */
const MOST_GAP = 1.5;

/** What is titled below two columns has its title at the end of the first one: it goes to what stands right under it. */
function bringTitlesDown(blocks: readonly LaidBlock[]): LaidBlock[] {
  const ordered = [...blocks];
  for (const block of blocks) {
    const [title, second] = block.lines;
    if (block.kind !== undefined || title === undefined || second !== undefined || !isBold(title)) continue;
    const from = ordered.indexOf(block);
    const next = ordered[from + 1]?.lines[0];
    // The second column: beside it and above.
    if (next === undefined || next.x0 < title.x1 || next.y1 > title.y0) continue;
    const below = ordered.findIndex(
      ({ kind, lines: [line] }, index) =>
        index > from && kind === undefined && line !== undefined && line.x0 < title.x1 && line.y0 > title.y0,
    );
    const under = ordered[below]?.lines[0];
    if (under === undefined || under.y0 - title.y1 > (title.y1 - title.y0) * MOST_GAP) continue;
    ordered.splice(from, 1);
    ordered.splice(below - 1, 0, block);
  }
  return ordered;
}

const areaOf = (lines: readonly LaidLine[]): Area =>
  lines.reduce<Area>(unite, { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity });

const unite = (a: Area, b: Area): Area => ({
  x0: Math.min(a.x0, b.x0),
  y0: Math.min(a.y0, b.y0),
  x1: Math.max(a.x1, b.x1),
  y1: Math.max(a.y1, b.y1),
});

function standsBelow(next: Area, area: Area, size: number): boolean {
  const shared = Math.min(next.x1, area.x1) - Math.max(next.x0, area.x0);
  return next.y0 > area.y1 - size * 0.5 && shared > 0.5 * Math.min(next.x1 - next.x0, area.x1 - area.x0);
}
