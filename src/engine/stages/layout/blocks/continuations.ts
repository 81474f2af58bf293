import type { Block } from '../../../model/document.js';
import { hasLetter } from '../../../model/text-direction.js';
import { lineText } from '../lines/lines.js';
import { isCaptionText } from '../tables/captions.js';

/** A block that begins this much above the end of the block before it stands in another column. */
const MIN_RISE = 0.01;

/** Kinds of blocks that stand between the two parts of a paragraph without ending it. */
const OUTSIDE = new Set<Block['kind']>(['header', 'footer', 'footnote', 'figure']);

/**
 * Marks the paragraphs and notes that continue the one before them, over the end of a column or a page, and the tables
 * that continue over the end of a page.
 */
export function markContinuations(pages: readonly Block[][], bodySize: number): void {
  markRestsOfNotes(pages, bodySize);
  let last: Placed | undefined;
  for (const [page, blocks] of pages.entries()) markRepeated(pages[page - 1] ?? [], blocks);
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
      if (last !== undefined && isBehind(last, { block, page })) {
        if (goesOnWithNumber(last.block, block))
          Object.assign(block, { kind: 'paragraph', marker: undefined, depth: undefined, continues: true });
        else if (continues(last.block, block, last.page !== page)) block.continues = true;
      }
      last = { block, page };
    }
  });
  markFloats(pages.flat().filter((block) => !OUTSIDE.has(block.kind) && !block.turned));
}

/** A block and the number of its page. */
interface Placed {
  block: Block;
  page: number;
}

/** True for a block in a later column or on a later page. */
const isBehind = (before: Placed, after: Placed): boolean =>
  after.page !== before.page || after.block.box[1] < before.block.box[3] - MIN_RISE;

/** Share of the page, from its foot, in which the rest of a note stands, and its largest size, as a share of the body's. */
const MAX_NOTE_PART = 0.5;
const MAX_NOTE_SIZE = 0.96;

/** Marks the rest of a note, at the foot of the next column or page. */
function markRestsOfNotes(pages: readonly Block[][], bodySize: number): void {
  const parts = pages.flatMap((blocks, page) =>
    blocks.filter((block) => isInFlow(block) || block.kind === 'footnote').map((block) => ({ block, page })),
  );
  const isSmallAtFoot = (block: Block) => sizeOf(block) < bodySize * MAX_NOTE_SIZE && block.box[1] > MAX_NOTE_PART;
  let note: Placed | undefined;
  parts.forEach((part, index) => {
    const { block } = part;
    const next = parts[index + 1];
    const isLast = next === undefined || next.block.kind === 'footnote' || isBehind(part, next);
    if (note !== undefined && isLast && isSmallAtFoot(block) && isRestOf(note, part))
      Object.assign(block, { kind: 'footnote', continues: true });
    if (block.kind === 'footnote') note = part;
  });
}

const isRestOf = (note: Placed, part: Placed): boolean =>
  part.page - note.page < 2 && isBehind(note, part) && continues({ ...note.block, kind: 'paragraph' }, part.block);

/** Tables, captions and notes between the parts of a paragraph: more of them end it. */
const MAX_FLOATS = 12;
/** Largest size of the type of notes and labels, as a share of that of the text. */
const MAX_FLOAT_SIZE = 0.94;

/** Words of the last line of a text: formulas and rows of figures have fewer. */
const MIN_OPEN_WORDS = 3;

/** Marks what stands between the two parts of a sentence, as where a column ends above a table or notes, and its second part. */
function markFloats(blocks: readonly Block[]): void {
  let open: Block | undefined;
  let floats: Block[] = [];
  for (const block of blocks) {
    if (open !== undefined && floats.length > 0 && !block.continues && goesOnBehind(open, block)) {
      block.continues = true;
      for (const float of floats) float.floats = true;
    } else if (open !== undefined && floats.length < MAX_FLOATS && isFloat(block, open)) {
      floats.push(block);
      continue;
    }
    open = isOpen(block) ? block : undefined;
    floats = [];
  }
}

/** True for a paragraph whose last line is full and ends within a sentence. */
function isOpen(block: Block): boolean {
  const { kind, lines, code } = block;
  const last = lines.at(-1);
  const end = last?.words.at(-1)?.text ?? '';
  if (last === undefined || code || (kind !== 'paragraph' && kind !== 'list-item') || SENTENCE_END.test(end))
    return false;
  if (last.words.filter(hasLetter).length < MIN_OPEN_WORDS) return false;
  return endsFull(block) && !isCaption(lines);
}

function isFloat({ kind, lines, table }: Block, open: Block): boolean {
  if (table !== undefined) return true;
  if (kind === 'heading') return false;
  return isCaption(lines) || Math.max(...lines.map(({ fontSize }) => fontSize)) < sizeOf(open) * MAX_FLOAT_SIZE;
}

const isCaption = (lines: Block['lines']): boolean => lines[0] !== undefined && isCaptionText(lineText(lines[0]));
const sizeOf = ({ lines }: Block): number => lines.at(-1)?.fontSize ?? 0;

function goesOnBehind(open: Block, { kind, lines }: Block): boolean {
  const [first] = lines;
  if (kind !== 'paragraph' || first === undefined || isCaption(lines)) return false;
  return isOneSize(first.fontSize, sizeOf(open)) && BEGINS_SMALL.test(first.words[0]?.text ?? '');
}

/** True when what looks like an item is the rest of a sentence that begins with the number of a source, or one in brackets. */
function goesOnWithNumber(before: Block, { kind, lines }: Block): boolean {
  const [number, next] = lines[0]?.words ?? [];
  if (kind !== 'list-item' || before.kind !== 'paragraph' || number === undefined || next === undefined) return false;
  if (!/^(?:\[\d{1,3}\]|\(\d{1,3}\))$/.test(number.text) || !/^\p{Ll}/u.test(next.text)) return false;
  return !SENTENCE_END.test(before.lines.at(-1)?.words.at(-1)?.text ?? '');
}

const SENTENCE_END = /[.!?:;…。！？][\p{Pf}\p{Pe}"'’”)\]]*\d*$/u;

const CONTINUED = /\bcont(?:inued|['’]d)\b/i;
const PAGE_NUMBER = /^\d{1,4}$/;

/**
 * Marks what stands between two parts of a table as headers and footers: the titles of the first part that come again,
 * notes that the table continues, and page numbers.
 */
function markRepeated(before: readonly Block[], after: Block[]): void {
  const [end, start] = [before.findLastIndex(isUpright), after.findIndex(isUpright)];
  const [first, second] = [before[end], after[start]];
  if (first === undefined || second === undefined || !continues(first, second, true)) return;
  const titles = new Set(before.slice(before.slice(0, end).findLastIndex(isUpright) + 1, end).map(textOf));
  const foot = before.slice(end + 1).filter(isInFlow);
  const head = after.slice(0, start).filter(isInFlow);
  if (!foot.map(textOf).every((text) => CONTINUED.test(text) || PAGE_NUMBER.test(text))) return;
  if (!head.map(textOf).every((text) => CONTINUED.test(text) || titles.has(text))) return;
  for (const block of foot) block.kind = 'footer';
  for (const block of head) Object.assign(block, { kind: 'header', level: undefined });
}

const isUpright = (block: Block): boolean => block.table !== undefined && !block.turned;
const isInFlow = (block: Block): boolean => !OUTSIDE.has(block.kind) && !block.turned;
const textOf = ({ lines }: Block): string => lines.map(lineText).join(' ');

const BEGINS_SMALL = /^[\p{Ps}\p{Pi}"'‘“]?\p{Ll}/u;
/** Distance of the end of a full line from the edge of its paragraph, as a share of the width. */
const MAX_OFF_EDGE = 0.06;

/** True for several lines of which the last one reaches the edge of them all. */
function endsFull({ lines, box: [x0, , x1] }: Block): boolean {
  return lines.length > 1 && (lines.at(-1)?.box[2] ?? x0) > x1 - (x1 - x0) * MAX_OFF_EDGE;
}

const isOneSize = (size: number, other: number): boolean => Math.abs(size - other) <= size * 0.06;

/** Difference of the left sides of a table's parts on one page, as a share of its width. Two tables stand side by side. */
const MAX_LEFT_DIFFERENCE = 0.04;

function continues(before: Block, after: Block, isNextPage = false): boolean {
  if (before.table !== undefined && after.table !== undefined) {
    const mayBeOne = isNextPage || Math.abs(before.box[0] - after.box[0]) < MAX_LEFT_DIFFERENCE;
    return mayBeOne && before.table.columns === after.table.columns;
  }
  if (before.code || after.code) return before.code === true && after.code === true;
  if (after.kind !== 'paragraph' || (before.kind !== 'paragraph' && before.kind !== 'list-item')) return false;
  if (isCaption(after.lines)) return false;
  const [last, next] = [before.lines.at(-1), after.lines[0]];
  const [end, start] = [last?.words.at(-1)?.text ?? '', next?.words[0]?.text ?? ''];
  if (last === undefined || next === undefined || !isOneSize(last.fontSize, next.fontSize)) return false;
  if (SENTENCE_END.test(end)) return false;
  if (BEGINS_SMALL.test(start)) return true;
  // Without a small letter, a full line shows the continuation, and a line that is not set in.
  const setIn = after.lines.length > 1 && next.box[0] > after.box[0] + (after.box[2] - after.box[0]) * 0.02;
  return endsFull(before) && !setIn && before.kind === 'paragraph' && after.lines.length > 1 && /[\p{L},-]$/u.test(end);
}
