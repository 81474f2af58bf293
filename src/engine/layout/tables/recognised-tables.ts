import type { Area } from '../../pdf/read-drawing.js';
import type { LaidPage } from '../classify.js';
import { createFragment } from '../fragment.js';
import type { Fragment, LaidBlock, LaidLine, LaidTable, PlacedWord } from '../laid.js';
import { buildLines, countCharacters } from '../lines.js';
import { findAlignedTables } from './aligned-tables.js';
import { findGrids, joinRules } from './grids.js';
import { takeRuledTables } from './ruled-tables.js';

const WIDE_GAP_EM = 1;
const LEAST_ROWS = 3;
/** Characters of a cell, on average: longer ones are lines of text beside each other. */
const MOST_IN_CELL = 18;

/** How far rules of a picture may miss each other, as a share of the page: scans lean, and their lines fray. */
const REACH_SHARE = 0.005;
/** What the recogniser takes a table's lines for. */
const LINE_SIGN = /^[|¦[\](){}_—–=-]{1,3}$/;
/** A line is so many times as high as what it was taken for. */
const LEAST_LINE = 2.5;

/** Places of a grid that a character stands in, with all that its cell spans: of more it is a form, whose boxes are no rows and columns. */
const MOST_SPANNED = 4;

/** Finds the tables of a recognised page: those that lines are drawn around, then those that white space makes. */
export function findRecognisedTables(page: LaidPage): LaidPage {
  const { rules } = page;
  const ruled = rules === undefined || rules.length === 0 ? page : takeRuled(dropLines(page, rules), rules);
  return orderBeside(findAligned(ruled));
}

/** Without the signs that a recogniser takes long upright lines for, alone or at the ends of words. */
function dropLines(page: LaidPage, rules: readonly Area[]): LaidPage {
  const upright = rules.filter(({ x0, x1 }) => x0 === x1);
  const runsThrough = (word: PlacedWord, from: number, to: number) =>
    upright.some(
      ({ x0, y0, y1 }) =>
        y1 - y0 > (word.y1 - word.y0) * LEAST_LINE && x0 > from - 1 && x0 < to + 1 && y0 < word.y1 && y1 > word.y0,
    );
  const isLine = (word: PlacedWord) => LINE_SIGN.test(word.text) && runsThrough(word, word.x0, word.x1);
  const trim = (word: PlacedWord): PlacedWord => {
    const letter = (word.x1 - word.x0) / word.text.length;
    const [first, last] = [word.x0 + letter, word.x1 - letter];
    if (opensWithLine(word.text) && runsThrough(word, word.x0, first))
      return trim({ ...word, text: word.text.slice(1), x0: first });
    if (endsWithLine(word.text) && runsThrough(word, last, word.x1))
      return trim({ ...word, text: word.text.slice(0, -1), x1: last });
    return word;
  };
  const blocks = page.blocks.map((block) => ({
    ...block,
    lines: block.lines.flatMap((line) => {
      const lost = new Set(line.words.filter(isLine));
      const left = lost.size === 0 ? line : withoutWords(line, lost);
      return left === undefined ? [] : [{ ...left, words: left.words.map(trim) }];
    }),
  }));
  return { ...page, blocks: blocks.filter(({ lines }) => lines.length > 0) };
}

/** Brackets are lines where their other half is not in the word. */
const opensWithLine = (text: string): boolean => /^[|¦].|^\[[^\]]+$|^\([^)]+$|^\{[^}]+$/.test(text);
const endsWithLine = (text: string): boolean => /.[|¦]$|^[^[]+\]$|^[^(]+\)$|^[^{]+\}$/.test(text);

function takeRuled(page: LaidPage, drawn: readonly Area[]): LaidPage {
  const lines = page.blocks.flatMap((block) => (block.kind === undefined ? block.lines : []));
  const words = lines.flatMap((line) => line.words);
  const signs = new Set(words.filter(({ text }) => LINE_SIGN.test(text)));
  const text = words.filter((word) => !signs.has(word));
  const reach = Math.max(page.width, page.height) * REACH_SHARE;
  const rules = joinRules(
    drawn.filter((rule) => !text.some((word) => isStroke(rule, word))),
    reach,
  );
  const fragments = lines
    .map((line) => ({ ...line, words: line.words.filter((word) => !signs.has(word)) }))
    .flatMap(splitAtGaps);
  const grids = findGrids(rules.horizontal, rules.vertical, reach);
  const { tables } = takeRuledTables(fragments, [], grids);
  return tables.reduce((before, table) => {
    const { block } = table;
    if (block?.table === undefined || isForm(block.table)) return before;
    const lost = new Set<PlacedWord>(block.lines.flatMap((line) => line.words));
    for (const sign of signs) if (isWithin(sign, table, reach)) lost.add(sign);
    return putInPlace(before, block, (line) => withoutWords(line, lost));
  }, page);
}

function isForm({ cells }: LaidTable): boolean {
  let [characters, spanned] = [0, 0];
  for (const { lines, rowSpan, columnSpan } of cells) {
    const count = lines.reduce((sum, line) => sum + countCharacters(line), 0);
    characters += count;
    spanned += count * rowSpan * columnSpan;
  }
  return spanned > characters * MOST_SPANNED;
}

/** Is the rule a stroke of the word's letters? */
function isStroke(rule: Area, word: PlacedWord): boolean {
  if (rule.x0 < word.x0 || rule.x1 > word.x1) return false;
  const shared = Math.min(rule.y1, word.y1) - Math.max(rule.y0, word.y0);
  return shared > 0 && shared > (rule.y1 - rule.y0) * 0.6;
}

function isWithin(word: PlacedWord, { x0, x1, y0, y1 }: Area, reach: number): boolean {
  const [x, y] = [(word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2];
  return x > x0 - reach * 2 && x < x1 + reach * 2 && y > y0 - reach && y < y1 + reach;
}

function withoutWords(line: LaidLine, lost: ReadonlySet<PlacedWord>): LaidLine | undefined {
  if (!line.words.some((word) => lost.has(word))) return line;
  const words = line.words.filter((word) => !lost.has(word));
  if (words.length === 0) return undefined;
  return { ...createFragment(words, line.order), baseline: line.baseline, apart: new Set() };
}

/**
 * A recogniser takes the columns of a table for columns of text, or each cell
 * for a paragraph: its lines are put side by side again, and where they make a table without doubt, that replaces them.
 */
function findAligned(page: LaidPage): LaidPage {
  const fragments = page.blocks.flatMap(({ kind, lines }) => (kind === undefined ? lines.flatMap(splitAtGaps) : []));
  if (fragments.length < LEAST_ROWS * 2) return page;
  const tables = findAlignedTables(buildLines(fragments), { horizontal: [], vertical: [] })
    .flatMap(({ block }) => (block?.table === undefined ? [] : [block]))
    .filter(({ table }) => table !== undefined && isCertain(table));
  return tables.reduce((before, table) => {
    const lost = new Set(table.lines.flatMap((line) => line.words));
    return putInPlace(before, table, (line) => (line.words.some((word) => lost.has(word)) ? undefined : line));
  }, page);
}

function splitAtGaps(line: LaidLine): Fragment[] {
  const parts: PlacedWord[][] = [];
  let last: PlacedWord | undefined;
  for (const word of line.words) {
    if (last === undefined || word.x0 - last.x1 > line.fontSize * WIDE_GAP_EM) parts.push([]);
    parts.at(-1)?.push(word);
    last = word;
  }
  return parts.map((words, order) => ({ ...createFragment(words, order), baseline: line.baseline }));
}

/** Three columns, or two of which the last has numbers; short cells; three rows of them. */
function isCertain({ rows, columns, cells }: LaidTable): boolean {
  if (rows < LEAST_ROWS) return false;
  const texts = Array.from({ length: columns }, (_, column) =>
    cells
      .filter((cell) => cell.column === column && cell.lines.length > 0)
      .map(({ lines }) => lines.flatMap(({ words }) => words.map(({ text }) => text)).join(' ')),
  );
  const long = texts.filter((column) => column.join('').length > column.length * MOST_IN_CELL);
  if (long.length > 1) return false;
  const numeric = texts.filter((column) => column.filter((text) => /\d/.test(text)).length >= column.length * 0.7);
  return columns >= 3 ? numeric.length > 0 || long.length === 0 : numeric.includes(texts.at(-1) ?? []);
}

/** Tables that follow each other and stand side by side, from left to right. */
function orderBeside(page: LaidPage): LaidPage {
  const blocks: LaidBlock[] = [];
  for (const block of page.blocks) {
    let at = blocks.length;
    while (at > 0 && isRightOf(blocks[at - 1], block)) at--;
    blocks.splice(at, 0, block);
  }
  return { ...page, blocks };
}

function isRightOf(known: LaidBlock | undefined, block: LaidBlock): boolean {
  if (known?.table === undefined || block.table === undefined) return false;
  const [a, b] = [known, block].map(({ lines }) => boxOf(lines));
  return a !== undefined && b !== undefined && b.x1 <= a.x0 && a.y0 < b.y1 && b.y0 < a.y1;
}

const boxOf = (lines: readonly LaidLine[]): Area => ({
  x0: Math.min(...lines.map(({ x0 }) => x0)),
  x1: Math.max(...lines.map(({ x1 }) => x1)),
  y0: Math.min(...lines.map(({ y0 }) => y0)),
  y1: Math.max(...lines.map(({ y1 }) => y1)),
});

/** What is left of the lines stays in their blocks; the table stands where the first of its words stood. */
function putInPlace(page: LaidPage, table: LaidBlock, whatIsLeft: (line: LaidLine) => LaidLine | undefined): LaidPage {
  const blocks: LaidBlock[] = [];
  let placed = false;
  for (const block of page.blocks) {
    if (block.kind !== undefined) {
      blocks.push(block);
      continue;
    }
    const above: LaidLine[] = [];
    const below: LaidLine[] = [];
    let taken = false;
    for (const line of block.lines) {
      const left = whatIsLeft(line);
      taken ||= left !== line;
      if (left !== undefined) (taken ? below : above).push(left);
    }
    if (above.length > 0) blocks.push({ ...block, lines: above });
    if (taken && !placed) blocks.push(table);
    placed ||= taken;
    if (below.length > 0) blocks.push({ ...block, lines: below });
  }
  return { ...page, blocks };
}
