import type { Block } from '../../../model/document.js';

/** A block that begins this much above the end of the block before it stands in another column. */
const MIN_RISE = 0.01;

/** Kinds of blocks that stand between the two parts of a paragraph without ending it. */
const OUTSIDE = new Set<Block['kind']>(['header', 'footer', 'footnote', 'figure']);

/**
 * Marks the paragraphs that continue the one before them, over the end of a column or a page, and the tables that
 * continue over the end of a page.
 */
export function markContinuations(pages: readonly (readonly Block[])[]): void {
  let last: { block: Block; page: number } | undefined;
  pages.forEach((blocks, page) => {
    let turned: Block | undefined;
    for (const block of blocks) {
      if (OUTSIDE.has(block.kind)) continue;
      if (block.turned) {
        if (turned !== undefined && block.box[1] < turned.box[3] - MIN_RISE && continues(turned, block))
          block.continues = true;
        turned = block;
        continue;
      }
      const atTop = last !== undefined && (last.page !== page || block.box[1] < last.block.box[3] - MIN_RISE);
      if (atTop && last !== undefined && continues(last.block, block)) block.continues = true;
      last = { block, page };
    }
  });
}

/** Difference of left ends, as a share of the page's width: labels of one table may begin at several indents. */
const MAX_LEFT_DIFFERENCE = 0.04;

const sharesSides = ({ box: a }: Block, { box: b }: Block): boolean =>
  Math.abs(a[0] - b[0]) < MAX_LEFT_DIFFERENCE && Math.abs(a[2] - b[2]) < MAX_LEFT_DIFFERENCE;

function continues(before: Block, after: Block): boolean {
  if (before.table !== undefined && after.table !== undefined) {
    return before.table.columns === after.table.columns && sharesSides(before, after);
  }
  if (before.code || after.code) return before.code === true && after.code === true;
  if (after.kind !== 'paragraph' || (before.kind !== 'paragraph' && before.kind !== 'list-item')) return false;
  const last = before.lines.at(-1);
  const next = after.lines[0];
  const end = last?.words.at(-1)?.text ?? '';
  const start = next?.words[0]?.text ?? '';
  if (last === undefined || next === undefined || Math.abs(last.fontSize - next.fontSize) > last.fontSize * 0.06) {
    return false;
  }
  if (/[.!?:;…。！？][\p{Pf}\p{Pe}"'’”)\]]*\d*$/u.test(end)) return false;
  if (/^[\p{Ps}\p{Pi}"'‘“]?\p{Ll}/u.test(start)) return true;
  // Without a small letter, a full line shows the continuation, and a line that is not set in.
  const [x0, , x1] = before.box;
  const full = before.lines.length > 1 && last.box[2] > x1 - (x1 - x0) * 0.06;
  const setIn = after.lines.length > 1 && next.box[0] > after.box[0] + (after.box[2] - after.box[0]) * 0.02;
  return full && !setIn && before.kind === 'paragraph' && after.lines.length > 1 && /[\p{L},-]$/u.test(end);
}
