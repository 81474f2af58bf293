import { append } from '../../../model/append.js';
import { countCharacters, createFragment } from '../../../model/fragment.js';
import { spreadOf } from '../../../model/median.js';
import type { Fragment, PageLine, PageWord } from '../../../model/page.js';
import { hasLetter, isRtl, readsFromRight } from '../../../model/text-direction.js';
import { parseMarker } from '../markers.js';
import { markLeaders } from './fragment.js';
import { readInOrder } from './right-to-left.js';
import { isRaised, joinShiftedMarks, standsFree } from './shifted-marks.js';

const APART_EM = 1.4;

/** Builds the lines of one column, from the top. Super- and subscripts belong to the line that they touch. */
export function buildLines(fragments: readonly Fragment[]): PageLine[] {
  const rows: Fragment[][] = [];
  for (const fragment of [...fragments].sort((a, b) => a.baseline - b.baseline || a.x0 - b.x0)) {
    const row = rows.slice(-4).find((candidates) => sharesLine(candidates, fragment));
    if (row === undefined) rows.push([fragment]);
    else row.push(fragment);
  }
  const lines = joinShiftedMarks(rows)
    .map(toLine)
    .sort((a, b) => a.baseline - b.baseline);
  return lines.some(isBox) ? putLabelsFirst(lines) : lines;
}

const isBox = ({ block }: Fragment): boolean => block?.boxed !== undefined;

/**
 * Puts the label of a field first: the one line that stands beside a box, on the side where reading begins, comes
 * before it however far below the box's upper edge it is.
 */
function putLabelsFirst(lines: readonly PageLine[]): PageLine[] {
  const ordered = [...lines];
  for (const box of lines.filter(isBox)) {
    const [label, ...others] = lines.filter((line) => isBefore(line, box));
    if (label === undefined || others.length > 0) continue;
    const [from, to] = [ordered.indexOf(label), ordered.indexOf(box)];
    if (from > to) ordered.splice(to, 0, ...ordered.splice(from, 1));
  }
  return ordered;
}

const isBefore = (line: PageLine, box: PageLine): boolean =>
  line.baseline > box.y0 &&
  line.baseline < box.y1 &&
  (line.direction === 'rtl' ? line.x0 >= box.x1 : line.x1 <= box.x0);

function sharesLine(row: readonly Fragment[], fragment: Fragment): boolean {
  if (fragment.block !== undefined || row[0]?.block !== undefined) return false;
  const tallest = row.reduce((a, b) => (b.fontSize > a.fontSize ? b : a));
  const bandOf = ({ baseline, fontSize }: Fragment) => [baseline - fontSize * 0.7, baseline + fontSize * 0.1] as const;
  const [[a0, a1], [b0, b1]] = [bandOf(tallest), bandOf(fragment)];
  if (Math.min(a1, b1) - Math.max(a0, b0) < 0.5 * Math.min(a1 - a0, b1 - b0)) return false;
  return standsFree(fragment, row);
}

/** Cuts a fragment at another one that stands in its gap, so that all of them follow each other. */
function partAround(row: readonly Fragment[]): Fragment[] {
  return row.flatMap((fragment) => {
    const within = row.filter(({ x0, x1 }) => x0 > fragment.x0 && x1 < fragment.x1);
    if (within.length === 0) return [fragment];
    const parts = new Map<number, PageWord[]>();
    for (const word of fragment.words) {
      const place = within.filter(({ x0 }) => x0 <= word.x0).length;
      append(parts, place, word);
    }
    return [...parts.values()].map((words) => createFragment(words, fragment.order));
  });
}

function toLine(row: Fragment[]): PageLine {
  const [only] = row;
  if (only?.block !== undefined) return { ...only, apart: new Set() };
  const all = row.flatMap(({ words }) => words);
  const rtl = hasBulletAtRight(all) || (row.some(({ direction }) => direction === 'rtl') && readsFromRight(all));
  const sorted = partAround(row).sort((a, b) => (rtl ? b.x1 - a.x1 : a.x0 - b.x0));
  const apart = new Set<number>();
  let count = 0;
  for (const [index, fragment] of sorted.entries()) {
    const previous = sorted[index - 1] ?? fragment;
    const gap = rtl ? previous.x0 - fragment.x1 : fragment.x0 - previous.x1;
    const isCell = fragment.words[0]?.beginsCell === true;
    if (index > 0 && (isCell || gap > APART_EM * Math.min(previous.fontSize, fragment.fontSize))) apart.add(count);
    count += fragment.words.length;
  }
  const joined = row.length === 1 ? all : sorted.flatMap((fragment) => fragment.words);
  if (apart.size > 0 && isJustified(joined)) apart.clear();
  // Most lines are one fragment.
  const isWhole = row.length === 1 && only !== undefined;
  const line = isWhole ? only : createFragment(joined, Math.min(...row.map((part) => part.order)));
  const words = rtl || all.some(({ text }) => isRtl(text)) ? readParts(line.words, apart, rtl) : line.words;
  if (words.length > 2) markLeaders(words);
  const main = row.reduce((a, b) => (isMoreOfLine(b, a) ? b : a));
  for (const word of words) {
    if (!word.stacked && isRaised(word, line.fontSize, main.baseline)) word.raised = true;
  }
  // The properties are spelled out for speed: V8 gives spread objects shapes of their own, which every reader pays for.
  const { x0, y0, x1, y1, fontSize, order } = line;
  const direction = rtl ? 'rtl' : 'ltr';
  return { words, x0, y0, x1, y1, baseline: main.baseline, fontSize, direction, order, apart };
}

const isMoreOfLine = (a: Fragment, b: Fragment): boolean =>
  a.words.length > b.words.length || (a.words.length === b.words.length && countCharacters(a) > countCharacters(b));

/**
 * True for a justified line: its words stand equally far apart. Cells do so only where all but one are equally long,
 * or every other one.
 */
function isJustified(words: readonly PageWord[]): boolean {
  const text = words.slice(parseMarker(words)?.wordCount ?? 0);
  const size = Math.max(...text.map(({ fontSize }) => fontSize));
  const gaps = text.slice(1).map((word, index) => word.x0 - (text[index]?.x1 ?? 0));
  if (spreadOf(gaps) > size * 0.1) return false;
  const widths = text.map(({ x0, x1 }) => x1 - x0);
  return widths.filter((width, index) => Math.abs(width - (widths[index + 2] ?? width)) > size * 0.5).length > 1;
}

/** True for an item of a Hebrew or Arabic list, though its words may all be English. */
function hasBulletAtRight(words: readonly PageWord[]): boolean {
  const bullets = words.filter(({ text }) => text === '•');
  const [bullet] = bullets;
  return bullet !== undefined && bullets.length === 1 && words.every(({ x0 }) => x0 <= bullet.x0) && words.length > 1;
}

/** Orders the parts between wide gaps one by one: words without Hebrew or Arabic beside words that have it run from the left. */
function readParts(words: readonly PageWord[], apart: Set<number>, fromRight: boolean): PageWord[] {
  const starts = [0, ...apart];
  const isMixed = apart.size > 0 && words.some(({ text }) => isRtl(text));
  apart.clear();
  const read: PageWord[] = [];
  starts.forEach((start, index) => {
    if (index > 0) apart.add(read.length);
    const part = words.slice(start, starts[index + 1]);
    const isForeign = isMixed && part.some(hasLetter) && !part.some(({ text }) => isRtl(text));
    read.push(...readInOrder(part, fromRight && !isForeign));
  });
  return read;
}

export const lineText = ({ words }: { words: readonly { text: string }[] }): string =>
  words.map(({ text }) => text).join(' ');

/** True when the line is set in bold type, signs in it aside. A title that runs into its paragraph ends in plain words. */
export function isBold(line: { words: readonly { bold: boolean; text: string }[] }): boolean {
  // Most lines have no bold word: this check saves the look at letters.
  if (!line.words.some((word) => word.bold)) return false;
  let bold = 0;
  let all = 0;
  let last = true;
  for (const word of line.words) {
    all += word.text.length;
    if (word.bold) bold += word.text.length;
    if (word.bold || /\p{L}\p{M}*\p{L}/u.test(word.text)) last = word.bold;
  }
  return last && bold > all * 0.8;
}
