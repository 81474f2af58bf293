import { median } from '../median.js';
import { turn } from '../page-box.js';
import type { LaidPage } from './classify.js';
import type { LaidLine } from './laid.js';

/** Lines that tell a lean: of so many words, and so wide, as a share of the page. */
const LEAST_WORDS = 4;
const LEAST_WIDTH = 0.2;
const LEAST_LINES = 5;
/** Of them, so many lean alike; the base lines of few letters are measured badly. */
const LEAST_ALIKE = 0.6;
const MOST_OFF = 0.003;
/** A tenth of a degree: less moves the far end of a line by no more than base lines are measured. */
const LEAST_SLOPE = 0.0015;
/** One degree: pictures that lean more are turned before they are read. */
const MOST_SLOPE = 0.0175;

/**
 * A recognised page, level. Pictures are not turned for a lean that reading bears, but over the width of a page that is
 * half a line: what stands in one row would be in two.
 */
export function levelPage(page: LaidPage): LaidPage {
  const slope = page.bend === undefined ? measureSlope(page) : 0;
  if (Math.abs(slope) < LEAST_SLOPE || Math.abs(slope) > MOST_SLOPE) return page;
  const degrees = (Math.atan(slope) * 180) / Math.PI;
  const blocks = page.blocks.map((block) => ({ ...block, lines: block.lines.map((line) => turnLine(line)) }));
  const rules = page.rules?.map((rule) => turn(rule, page, -degrees));
  return { ...page, blocks, ...(rules && { rules }), skew: (page.skew ?? 0) + degrees };

  function turnLine(line: LaidLine): LaidLine {
    const words = line.words.map((word) => {
      const turned = turn(word, page, -degrees);
      return { ...word, ...turned, baseline: word.baseline + turned.y0 - word.y0 };
    });
    return { ...line, ...turn(line, page, -degrees), words, baseline: words[0]?.baseline ?? line.baseline };
  }
}

/** Of the lines, down to the right; 0 where they do not agree. */
function measureSlope({ blocks, width }: LaidPage): number {
  const slopes = blocks
    .flatMap(({ lines }) => lines)
    .filter(({ x0, x1, words }) => words.length >= LEAST_WORDS && x1 - x0 > width * LEAST_WIDTH)
    .flatMap(({ words: [first, ...others] }) => {
      const last = others.at(-1);
      return first === undefined || last === undefined ? [] : [(last.baseline - first.baseline) / (last.x0 - first.x0)];
    });
  const slope = median(slopes) ?? 0;
  const alike = slopes.filter((other) => Math.abs(other - slope) < MOST_OFF).length;
  return slopes.length >= LEAST_LINES && alike >= slopes.length * LEAST_ALIKE ? slope : 0;
}
