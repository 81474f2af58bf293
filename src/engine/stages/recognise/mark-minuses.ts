import { overlap } from '../../model/geometry.js';
import type { PageBlock, PageLine, PageWord } from '../../model/page.js';
import { wordsOf } from '../../model/words-of.js';
import { findMinus, findRangeDash } from '../picture/find/find-minus.js';
import type { Raster } from '../picture/raster.js';
import { toLine } from './hocr.js';

/** A number, and what a recogniser takes its minus for. Numbers that begin with a dash have theirs. */
const NUMBER = /^[^\p{L}\p{N}\p{Sc}\p{Pd}.,+(]{0,2}(\p{Sc}?[.,]?\d.*)$/u;
/** A word that is only what a recogniser takes a minus for. */
const MARKS = /^[^\p{L}\p{N}]{1,2}$/u;

/** A figure of a range: a number, a time or a date. */
const FIGURE = /^\d[\d.,:/]*$/;

/**
 * Restores the minus in front of numbers, and the dash between two figures, from the picture. A recogniser overlooks them where
 * they stand off the figures, as in monospaced type, or takes them for another sign, and no language tells it that a number is
 * negative or ends a range.
 */
export function markMinuses(raster: Raster, blocks: readonly PageBlock[]): PageBlock[] {
  const all = wordsOf(blocks);
  return blocks.map((block) => ({ ...block, lines: block.lines.map((line) => markLine(raster, line, all)) }));
}

function markLine(raster: Raster, line: PageLine, all: readonly PageWord[]): PageLine {
  const words: PageWord[] = [];
  for (const word of line.words) {
    const number = NUMBER.exec(word.text)?.[1];
    const minus =
      number === undefined
        ? undefined
        : findMinus(raster, word, (part) => all.some((other) => other !== word && overlap(other, part)));
    const before = words.at(-1);
    const dash =
      minus === undefined && before !== undefined && FIGURE.test(before.text) && FIGURE.test(word.text)
        ? findRangeDash(raster, before, word)
        : undefined;
    if (dash !== undefined) words.push({ ...word, text: '–', x0: dash.x0, x1: dash.x1 });
    if (minus !== undefined && before !== undefined && MARKS.test(before.text) && before.x1 > minus.x0) words.pop();
    words.push(minus === undefined ? word : { ...word, text: `-${number}`, x0: Math.min(word.x0, minus.x0) });
  }
  return words.every((word, index) => word === line.words[index]) ? line : toLine(words, line.order);
}
