import { type Area, contains, holdsMiddle, overlap } from '../../../model/geometry.js';
import type { PageBlock, PageContent, PageLine } from '../../../model/page.js';

/** Heights of a band, in sizes of its type. */
const MIN_HEIGHT = 1;
const MAX_HEIGHT = 3;
/** Width of a band beyond its line, in sizes of its type: a highlighted line, or a button, has less. */
const MIN_ROOM = 3;
/** Share of the page's width that a band has at least: the labels of buttons stand on narrower ones. */
const MIN_WIDTH_SHARE = 0.3;
/** Distance within which two grounds meet, in points: the rows and cells of a table do. */
const REACH = 3;
/** Upper bound of the grounds on a page: a page with more of them is a form or a drawing. */
const MAX_SHADES = 200;

/** Marks blocks of one line that stand alone on a coloured band, as the titles of brochures and forms do. */
export function markBanded(blocks: readonly PageBlock[], { width, shades }: PageContent): void {
  if (shades.length > MAX_SHADES) return;
  for (const shade of shades) {
    if (shade.x1 - shade.x0 < width * MIN_WIDTH_SHARE) continue;
    if (shades.some((other) => other !== shade && !contains(other, shade, REACH) && overlap(other, shade, -REACH)))
      continue;
    const [block, ...others] = blocks.filter(({ lines }) => lines.some((line) => holdsMiddle(shade, line)));
    const [line, second] = block?.lines ?? [];
    if (block === undefined || line === undefined || second !== undefined || others.length > 0) continue;
    const height = (shade.y1 - shade.y0) / line.fontSize;
    const room = (shade.x1 - shade.x0 - (line.x1 - line.x0)) / line.fontSize;
    block.banded = height >= MIN_HEIGHT && height <= MAX_HEIGHT && room >= MIN_ROOM;
  }
}

/** Upper bound of the rules on a page: a page with more of them is a form or a drawing. */
const MAX_RULES = 60;
/** Largest distance of a rule below its title, and least length of it behind the title's end, in ems. */
const MAX_RULE_DISTANCE_EM = 1.2;
const MIN_RULE_REST_EM = 5;

/** Marks blocks of one line close above a rule, with nothing else on that line, as the titles of a résumé stand. */
export function markUnderlined(blocks: readonly PageBlock[], horizontal: readonly Area[]): void {
  if (horizontal.length > MAX_RULES) return;
  const all = blocks.flatMap((block) => block.lines.map((line) => ({ block, line })));
  for (const rule of horizontal) {
    const isAbove = ({ baseline, fontSize, x0, x1 }: PageLine) =>
      baseline < rule.y0 && baseline > rule.y0 - fontSize * MAX_RULE_DISTANCE_EM && x0 < rule.x1 && x1 > rule.x0;
    const [title, ...others] = all.filter(({ line }) => isAbove(line));
    if (title === undefined || others.length > 0) continue;
    const { block, line } = title;
    if (block.kind !== undefined || block.lines.length > 1) continue;
    if (Math.abs(line.x0 - rule.x0) > line.fontSize / 2) continue;
    if (rule.x1 - line.x1 >= line.fontSize * MIN_RULE_REST_EM) block.underlined = true;
  }
}
