import type { Block } from '../model.js';

/** Notes stand in this lower part of the page. */
const LOWER_PART = 0.45;
const MARK = /^[[(]?(\d{1,3}|[*†‡§¶]{1,3}|[a-z])[\])]?$/;

/** The number or sign of a note, without brackets; undefined when a word is none. */
const noteMark = (text: string): string | undefined => MARK.exec(text)?.[1];

/**
 * Finds the notes at the foot of a page: blocks of small print that begin with a number or sign, the raised like of
 * which stands in the text above.
 */
export function findFootnotes(blocks: Block[], bodySize: number): void {
  const marks = new Set<string>();
  for (const { kind, lines } of blocks) {
    if (kind === 'header' || kind === 'footer') continue;
    for (const { words } of lines) {
      words.forEach((word, index) => {
        const mark = word.raised && index > 0 ? noteMark(word.text) : undefined;
        if (mark !== undefined) marks.add(mark);
      });
    }
  }
  if (marks.size === 0) return;
  for (const block of blocks) {
    const [line] = block.lines;
    const [first] = line?.words ?? [];
    if ((block.kind !== 'paragraph' && block.kind !== 'list-item') || line === undefined || first === undefined)
      continue;
    if (block.box[1] < LOWER_PART || line.words.length < 2 || line.fontSize > bodySize * 0.95) continue;
    const mark = noteMark(first.text.replace(/\.$/, ''));
    if (mark === undefined || !marks.has(mark)) continue;
    block.kind = 'footnote';
    block.marker = mark;
    delete block.depth;
  }
}
