import { findAlignedTables } from './aligned-tables.js';
import type { LaidBlock } from './blocks.js';
import type { LaidPage } from './classify.js';
import { createFragment, type Fragment, type PlacedWord } from './fragment.js';
import { buildLines, type LaidLine } from './lines.js';
import type { LaidTable } from './table.js';

const WIDE_GAP_EM = 1;
const LEAST_ROWS = 3;
/** Characters of a cell, on average: longer ones are lines of text beside each other. */
const MOST_IN_CELL = 18;

/**
 * Finds the tables of a recognised page. A recogniser takes the columns of a table for columns of text, or each cell
 * for a paragraph: its lines are put side by side again, and where they make a table without doubt, that replaces them.
 */
export function findRecognisedTables(page: LaidPage): LaidPage {
  const fragments = page.blocks.flatMap(({ kind, lines }) => (kind === undefined ? lines.flatMap(splitAtGaps) : []));
  if (fragments.length < LEAST_ROWS * 2) return page;
  const tables = findAlignedTables(buildLines(fragments), [])
    .flatMap(({ block }) => (block?.table === undefined ? [] : [block]))
    .filter(({ table }) => table !== undefined && isCertain(table));
  return tables.reduce(putInPlace, page);
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

/** Lines whose words are in the table leave their blocks; it stands where the first of them stood. */
function putInPlace(page: LaidPage, table: LaidBlock): LaidPage {
  const words = new Set(table.lines.flatMap((line) => line.words));
  const blocks: LaidBlock[] = [];
  let placed = false;
  for (const block of page.blocks) {
    const lines =
      block.kind === undefined
        ? block.lines.filter((line) => !line.words.some((word) => words.has(word)))
        : block.lines;
    const taken = lines.length < block.lines.length;
    const above = taken
      ? block.lines.slice(
          0,
          block.lines.findIndex((line) => !lines.includes(line)),
        )
      : lines;
    if (above.length > 0) blocks.push({ ...block, lines: above });
    if (taken && !placed) blocks.push(table);
    placed ||= taken;
    if (lines.length > above.length) blocks.push({ ...block, lines: lines.slice(above.length) });
  }
  return { ...page, blocks };
}
