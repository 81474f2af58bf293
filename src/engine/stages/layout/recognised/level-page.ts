import { weighedMedian } from '../../../model/median.js';
import type { PageLayout, PageLine } from '../../../model/page.js';
import { turn } from '../../../model/page-transform.js';

/** Of the lines that tell a lean, all together, by the width of the page. */
const LEAST_LENGTH = 1;
/** Of that length, so much leans alike; the base lines of few letters are measured badly. */
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
export function levelPage(page: PageLayout): PageLayout {
  const slope = page.bend === undefined ? measureSlope(page) : 0;
  if (Math.abs(slope) < LEAST_SLOPE || Math.abs(slope) > MOST_SLOPE) return page;
  const degrees = (Math.atan(slope) * 180) / Math.PI;
  const blocks = page.blocks.map((block) => ({ ...block, lines: block.lines.map((line) => turnLine(line)) }));
  const rules = page.rules?.map((rule) => turn(rule, page, -degrees));
  return { ...page, blocks, ...(rules && { rules }), skew: (page.skew ?? 0) + degrees };

  function turnLine(line: PageLine): PageLine {
    const words = line.words.map((word) => {
      const turned = turn(word, page, -degrees);
      return { ...word, ...turned, baseline: word.baseline + turned.y0 - word.y0 };
    });
    return { ...line, ...turn(line, page, -degrees), words, baseline: words[0]?.baseline ?? line.baseline };
  }
}

/** Of the lines, down to the right; 0 where they do not agree. Long ones tell more: those of narrow cells are many. */
function measureSlope({ blocks, width }: PageLayout): number {
  const leans = blocks
    .flatMap(({ lines }) => lines)
    .flatMap(({ words }) => {
      const [first, last] = [words[0], words.at(-1)];
      const length = first === undefined || last === undefined ? 0 : last.x0 - first.x0;
      return length > 0 ? [[((last?.baseline ?? 0) - (first?.baseline ?? 0)) / length, length] as const] : [];
    });
  const slope = weighedMedian(leans);
  const alike = leans.filter(([other]) => Math.abs(other - slope) < MOST_OFF);
  const all = lengthOf(leans);
  return all >= width * LEAST_LENGTH && lengthOf(alike) >= all * LEAST_ALIKE ? slope : 0;
}

const lengthOf = (leans: readonly (readonly [slope: number, length: number])[]): number =>
  leans.reduce((sum, [, length]) => sum + length, 0);
