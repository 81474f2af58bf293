import { createFragment } from '../../../model/fragment.js';
import type { Area } from '../../../model/geometry.js';
import { median } from '../../../model/median.js';
import type { Fragment, PageContent, PageLayout, PageLine, PageWord } from '../../../model/page.js';
import { withoutMistakenRules, withoutStrokes } from '../columns/mistaken-rules.js';
import { standFor, WIDE_GAP_EM } from '../lines/fragment.js';
import { levelPage } from './level-page.js';

/** What stands on a page before its parts are told apart. */
export interface PlacedPage {
  content: PageContent;
  fragments: Fragment[];
  /** The numbers of its lines. */
  margin: readonly Fragment[];
  lean: Pick<PageLayout, 'skew' | 'bend' | 'sheet'>;
}

/** Type that is larger is measured in pixels, not in points; it is made as large as the second. */
const MOST_POINTS = 20;
const USUAL_POINTS = 10;

/** What brings recognised pages, whose pixels are as many as they please, to points: one factor for all, so that their type can be compared. */
export function scaleToPoints(pages: readonly PageLayout[]): number {
  const size = median(pages.flatMap((page) => linesOf(page).map(({ fontSize }) => fontSize))) ?? 0;
  return size > MOST_POINTS ? USUAL_POINTS / size : 1;
}

const linesOf = (page: PageLayout): PageLine[] => page.blocks.flatMap(({ lines }) => lines);

/**
 * A recognised page → what stands on it. A recogniser's paragraphs follow what stands near to what, and it takes the
 * columns of a table for columns of text, or each cell for a paragraph: its lines alone are believed.
 */
export function placeRecognised(found: PageLayout, scale: number): PlacedPage {
  const page = levelPage(found);
  const lines = linesOf(page);
  const rules = withoutStrokes(
    page.rules ?? [],
    lines.flatMap((line) => line.words),
  );
  const level = withoutMistakenRules(
    lines.filter((line) => !isUpended(line)),
    rules,
  ).flatMap((line) => partAtGaps(scaleLine(line, scale)));
  const upended = lines.filter(isUpended).map((line) => standAsIs(scaleLine(line, scale)));
  const fragments = [...level, ...upended].map((fragment, order) => ({ ...fragment, order }));
  const content: PageContent = {
    ...{ width: page.width * scale, height: page.height * scale, rotation: 0 },
    ...{ words: [], turned: [], images: [], shades: [] },
    ...{ rules: rules.map((rule) => scaleArea(rule, scale)), traced: true },
  };
  return { content, fragments, margin: [], lean: leanOf(page) };
}

const leanOf = ({ skew, bend, sheet }: PageLayout): PlacedPage['lean'] => ({
  ...(skew !== undefined && { skew }),
  ...(bend !== undefined && { bend }),
  ...(sheet !== undefined && { sheet }),
});

/** Does the line run up or down, as the heads of narrow columns do? */
const isUpended = ({ x0, x1, y0, y1, words }: PageLine): boolean =>
  y1 - y0 > 2 * (x1 - x0) && words.some(({ text }) => text.length > 2);

const standAsIs = (line: PageLine): Fragment =>
  standFor(line.words, { lines: [line], kind: 'paragraph', turned: true }, line);

function partAtGaps({ words, fontSize }: PageLine): Fragment[] {
  const parts: PageWord[][] = [];
  let last: PageWord | undefined;
  for (const word of words) {
    if (last === undefined || word.x0 - last.x1 > fontSize * WIDE_GAP_EM) parts.push([]);
    parts.at(-1)?.push(word);
    last = word;
  }
  return parts.map((part) => createFragment(part, 0));
}

const scaleLine = (line: PageLine, scale: number): PageLine => ({
  ...scaleType(line, scale),
  words: line.words.map((word) => scaleType(word, scale)),
});

const scaleType = <T extends PageWord | PageLine>(part: T, scale: number): T => ({
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
