import type { Block, Line, Word } from '../../../model/document.js';
import { unite } from '../../../model/page-transform.js';

/** Share of the page, from its foot, in which notes stand. */
const LOWER_PART = 0.45;
const MARK = /^[[(]?(\d{1,3}|[*∗⋆†‡§¶‖]{1,3}|[a-z])[\])]?$/;

/** The number or sign of a note, without brackets; undefined when a word is none. */
const noteMark = (text: string): string | undefined => MARK.exec(text.normalize('NFKC'))?.[1];

/** Finds the notes at the foot of a page: blocks of small print that begin with a number or sign that stands raised in the text above. */
export function findFootnotes(blocks: Block[], bodySize: number): void {
  const text = blocks.filter(({ kind }) => kind !== 'header' && kind !== 'footer').flatMap(({ lines }) => lines);
  const raisedWords = text.flatMap(({ words }) =>
    words.filter((word, index) => index > 0 && word.raised && !isPrefix(words, index)),
  );
  const marks = new Set(raisedWords.flatMap((word) => noteMark(word.text) ?? []));
  if (marks.size === 0) return;
  // An item with the same number is no note where a note begins with the raised mark.
  const raised = new Set(blocks.filter(({ lines }) => lines[0]?.words[0]?.raised).map(markAt));
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index];
    const [line] = block?.lines ?? [];
    const [first, second] = line?.words ?? [];
    if (block === undefined || line === undefined || first === undefined || second === undefined) continue;
    if (block.code || (block.kind !== 'paragraph' && block.kind !== 'list-item') || block.box[1] < LOWER_PART) continue;
    if (line.fontSize > bodySize * (first.raised ? 1.02 : 0.95)) continue;
    const mark = markAt(block);
    if (mark === undefined || !marks.has(mark) || !hasWords(block, mark)) continue;
    if (!first.raised && (raised.has(mark) || isOfList(blocks, index, marks))) continue;
    block.kind = 'footnote';
    block.marker = mark;
    delete block.depth;
    const rest = takeNextNote(block);
    if (rest !== undefined) blocks.splice(index + 1, 0, rest);
  }
}

/** Largest gap behind a raised number that belongs to the word behind it (¹H, ⁸⁷Sr), as a share of the gap before it. */
const MAX_PREFIX_GAP = 0.5;

function isPrefix(words: readonly Word[], index: number): boolean {
  const [before, word, next] = words.slice(index - 1, index + 2);
  if (before === undefined || word === undefined || next === undefined || word.glued) return false;
  if (!/^\d+$/.test(word.text) || !/^\p{Lu}/u.test(next.text)) return false;
  return next.box[0] - word.box[2] < (word.box[0] - before.box[2]) * MAX_PREFIX_GAP;
}

const markAt = (block: Block | undefined): string | undefined =>
  noteMark((block?.lines[0]?.words[0]?.text ?? '').replace(/\.$/, ''));

/** True for one of several numbered items of which less than most have a mark in the text. An exponent may equal one of their numbers. */
function isOfList(blocks: readonly Block[], index: number, marks: ReadonlySet<string>): boolean {
  const number = Number(markAt(blocks[index]));
  const isItem = (at: number) => blocks[at]?.kind === 'list-item' && markAt(blocks[at]) === String(number + at - index);
  let [from, to] = [index, index];
  while (isItem(from - 1)) from--;
  while (isItem(to + 1)) to++;
  const told = blocks.slice(from, to + 1).filter((item) => marks.has(markAt(item) ?? ''));
  return to > from && told.length * 2 <= to - from + 1;
}

/** True for words: the figures along an axis begin with a number too, and the exponents of formulas with a letter. */
function hasWords({ lines }: Block, mark: string): boolean {
  const word = /^\p{L}$/u.test(mark) ? /\p{L}{4}|\p{Script=Han}{2}/u : /\p{L}/u;
  return lines.some(({ words }) => words.some(({ text }, index) => index > 0 && word.test(text)));
}

/** Cuts off the text of a note from another raised mark on: short notes may stand side by side. */
function takeNextNote(note: Block): Block | undefined {
  for (const [at, line] of note.lines.entries()) {
    const from = line.words.findIndex((word, index) => (at > 0 || index > 0) && beginsNext(note, line, word, index));
    if (from === -1) continue;
    const next: Block = { ...note, kind: 'paragraph', lines: [sliceLine(line, from), ...note.lines.slice(at + 1)] };
    delete next.marker;
    note.lines = [...note.lines.slice(0, at), ...(from > 0 ? [sliceLine(line, 0, from)] : [])];
    for (const part of [note, next]) part.box = unite(part.lines.map(({ box }) => box));
    return next;
  }
  return undefined;
}

/** True for a raised mark with its text right behind it, and for the next number behind the end of a sentence. */
function beginsNext({ marker }: Block, { words }: Line, { raised, text }: Word, index: number): boolean {
  const mark = raised ? noteMark(text) : undefined;
  if (mark === undefined) return false;
  const isNext = Number(mark) === Number(marker) + 1 && /[.;]$/.test(words[index - 1]?.text ?? '');
  return isNext || words[index + 1]?.glued === true;
}

function sliceLine(line: Line, from: number, to?: number): Line {
  const words = line.words.slice(from, to);
  return { ...line, words, box: unite(words.map(({ box }) => box)) };
}
