import { weighedMedian } from '../../../model/median.js';
import type { Fragment, PageContent } from '../../../model/page.js';
import { skewArea } from '../../../model/page-transform.js';

/** Length of the lines that show a slope, all together, as a share of the page's width. */
const MIN_LENGTH_SHARE = 1;
/** Share of that length that leans alike; the base lines of few letters are measured badly. */
const MIN_ALIKE_SHARE = 0.6;
const MAX_SLOPE_DIFFERENCE = 0.003;
/** A tenth of a degree: less moves the far end of a line by no more than the error of its base line. */
const MIN_SLOPE = 0.0015;
/** One degree: pictures that lean more are turned before they are read. */
const MAX_SLOPE = 0.0175;

/**
 * Levels a recognised page. Recognition bears a small lean and leaves it, but over the width of a page it is half a line:
 * what stands in one row would be in two.
 */
export function levelPage(page: PageContent): PageContent {
  const slope = page.distortion?.bend === undefined ? measureSlope(page) : 0;
  if (Math.abs(slope) < MIN_SLOPE || Math.abs(slope) > MAX_SLOPE) return page;
  const degrees = (Math.atan(slope) * 180) / Math.PI;
  return {
    ...page,
    fragments: page.fragments.map(levelFragment),
    rules: page.rules.map((rule) => skewArea(rule, -degrees, page)),
    shades: page.shades.map((shade) => skewArea(shade, -degrees, page)),
    distortion: { ...page.distortion, skew: (page.distortion?.skew ?? 0) + degrees },
  };

  function levelFragment(fragment: Fragment): Fragment {
    const words = fragment.words.map((word) => {
      const level = skewArea(word, -degrees, page);
      return { ...word, ...level, baseline: word.baseline + level.y0 - word.y0 };
    });
    const baseline = words[0]?.baseline ?? fragment.baseline;
    return { ...fragment, ...skewArea(fragment, -degrees, page), words, baseline };
  }
}

/** The slope of the lines, down to the right; 0 where they do not agree. Long lines weigh more: those of narrow cells are many. */
function measureSlope({ fragments, width }: PageContent): number {
  const slopes = fragments.flatMap(({ words }) => {
    const [first, last] = [words[0], words.at(-1)];
    const length = first === undefined || last === undefined ? 0 : last.x0 - first.x0;
    return length > 0 ? [[((last?.baseline ?? 0) - (first?.baseline ?? 0)) / length, length] as const] : [];
  });
  const slope = weighedMedian(slopes);
  const alike = slopes.filter(([other]) => Math.abs(other - slope) < MAX_SLOPE_DIFFERENCE);
  const all = lengthOf(slopes);
  return all >= width * MIN_LENGTH_SHARE && lengthOf(alike) >= all * MIN_ALIKE_SHARE ? slope : 0;
}

const lengthOf = (slopes: readonly (readonly [slope: number, length: number])[]): number =>
  slopes.reduce((sum, [, length]) => sum + length, 0);
