import type { PageBlock, PageLine } from '../../../model/page.js';
import { markCode } from '../lines/code.js';
import { beginsBlock, beginsCode } from './block-rules.js';
import { measureColumn } from './line-break-context.js';

/**
 * Groups the lines of one column to blocks: by the space between them, their size and weight, indents and list
 * markers. In a document that is `typewritten` monospaced lines are no code.
 */
export function buildBlocks(lines: readonly PageLine[], typewritten = false): PageBlock[] {
  const column = measureColumn(lines);
  const blocks: PageBlock[] = [];
  lines.forEach((line, index) => {
    if (line.block !== undefined) {
      blocks.push(line.block);
      return;
    }
    const [block, previous] = [blocks.at(-1), lines[index - 1]];
    const [first] = block?.lines ?? [];
    if (block === undefined || first === undefined || previous === undefined || !isOpen(block)) {
      blocks.push({ lines: [line] });
      return;
    }
    const size = Math.min(line.fontSize, previous.fontSize);
    const context = { line, previous, next: lines[index + 1], block, first, size, column };
    const begins = (typewritten ? undefined : beginsCode(context)) ?? beginsBlock(context, index);
    if (begins) blocks.push({ lines: [line] });
    else block.lines.push(line);
  });
  if (!typewritten) markCode(blocks, column.right);
  return blocks;
}

/** True for a block that may grow: tables and boxed text are whole. */
const isOpen = ({ kind, boxed }: PageBlock): boolean => kind === undefined && boxed === undefined;
