import type { PageBlock } from '../../../model/page.js';
import { isBold } from '../lines/lines.js';
import { parseMarker } from '../markers.js';

/** The meaning of a term stands further in than the term, and right below it, in ems. */
const MIN_INDENT_EM = 1;
const SAME_LEFT = 0.3;
const MAX_STEP_EM = 1.4;

interface Entry {
  block: PageBlock;
  x0: number;
  /** True for a block that may be a term, if another one follows or comes before it. */
  isCandidate: boolean;
}

/**
 * Finds bold words, each on a line of its own over its meaning, which is set in, as manuals list variables and
 * commands: they begin where the text above them does, or a term before them. `blocks` are in reading order, over all
 * pages.
 */
export function findTerms(blocks: readonly PageBlock[]): Set<PageBlock> {
  const terms = new Set<PageBlock>();
  const flow = blocks.filter(({ kind, lines }) => kind !== 'header' && kind !== 'footer' && lines.length > 0);
  /** The last block at each left end, where nothing further left has come after it; the furthest left first. */
  const open: Entry[] = [];
  flow.forEach((block, index) => {
    const x0 = block.lines.reduce((left, line) => Math.min(left, line.x0), Infinity);
    const same = (block.lines[0]?.fontSize ?? 0) * SAME_LEFT;
    while ((open.at(-1)?.x0 ?? -Infinity) > x0 + same) open.pop();
    const above = (open.at(-1)?.x0 ?? -Infinity) >= x0 - same ? open.pop() : undefined;
    const isBelow = above !== undefined && (above.isCandidate || isPlain(above.block));
    const isCandidate = isBelow && isTerm(block, flow[index + 1]);
    if (isCandidate && above.isCandidate) terms.add(above.block).add(block);
    open.push({ block, x0, isCandidate });
  });
  return terms;
}

const isPlain = ({ kind, lines }: PageBlock): boolean => kind === undefined && !lines.every(isBold);

function isTerm({ kind, lines: [line, second] }: PageBlock, next: PageBlock | undefined): boolean {
  const [below] = next?.lines ?? [];
  if (kind !== undefined || line?.words.length !== 1 || second !== undefined || below === undefined) return false;
  if (next?.kind !== undefined || next?.code || !isBold(line) || isBold(below) || parseMarker(below.words))
    return false;
  const step = below.baseline - line.baseline;
  return step > 0 && step < line.fontSize * MAX_STEP_EM && below.x0 > line.x0 + line.fontSize * MIN_INDENT_EM;
}
