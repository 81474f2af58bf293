import type { Line } from '../../model/document.js';

/** Bounds of the spaces before a word and of the empty lines before a line: a place further off shows nothing. */
const MAX_SPACES = 200;
const MAX_EMPTY_LINES = 2;

/** Renders lines of a program as a fenced block. */
export function renderCode(lines: readonly Line[]): string {
  const rows = renderListing(lines);
  // The fence is longer than any run of its sign inside.
  const ticks = rows.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...ticks.map(({ length }) => length + 1)));
  return [fence, rows, fence].join('\n');
}

/** Renders lines of a program with the spaces and empty lines that their places show. */
export function renderListing(lines: readonly Line[]): string {
  const words = lines.flatMap((line) => line.words);
  const left = Math.min(...words.map(({ box }) => box[0]));
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const width = words.reduce((sum, { box }) => sum + box[2] - box[0], 0) / Math.max(1, letters);
  const steps = lines.map(({ box }, index) => box[1] - (lines[index - 1]?.box[1] ?? box[1]));
  const usual = Math.min(...steps.filter((step) => step > 0));
  const rows = lines.map((line, index) => {
    const empty = Math.round((steps[index] ?? 0) / usual) - 1;
    return '\n'.repeat(clamp(empty, 0, MAX_EMPTY_LINES)) + renderRow(line, left, width);
  });
  return rows.join('\n');
}

/** `left` and `width` of a letter are shares of the page. */
function renderRow(line: Line, left: number, width: number): string {
  let row = '';
  for (const { text, box, glued } of line.words) {
    const column = width > 0 ? Math.round((box[0] - left) / width) : 0;
    row += ' '.repeat(clamp(column - row.length, row === '' || glued ? 0 : 1, MAX_SPACES)) + text;
  }
  return row;
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
