import type { PageBlock, PageLine } from '../../../model/page.js';
import { isBullet, parseMarker } from '../markers.js';
import { fillsLine } from './line-room.js';

/** True for a line of a program. The number of the line may be in other type. */
export const isCode = ({ block, words }: PageLine): boolean =>
  block === undefined &&
  !isBullet(words[0]?.text ?? '') &&
  words.every(
    ({ monospaced, text }, index) => monospaced || (index === 0 && words[1]?.monospaced && /^\d{1,4}$/.test(text)),
  );

/**
 * Marks the blocks that are programs, and their output: text beside them in such type whose lines end early.
 * `right`: the right end of the column's lines.
 */
export function markCode(blocks: readonly PageBlock[], right: number): void {
  const programs = blocks.filter(isProgram);
  if (programs.length === 0) return;
  const output = blocks.filter((block) => !programs.includes(block) && isOutput(block, right));
  for (const block of [...programs, ...output]) block.code = true;
}

function isOutput({ kind, lines }: PageBlock, right: number): boolean {
  const [first, ...others] = lines;
  if (kind !== undefined || first === undefined || others.length === 0) return false;
  if (!lines.every(isCode) || parseMarker(first.words) !== undefined) return false;
  return others.every((line, index) => !fillsLine(line, lines[index] ?? first, right));
}

/** Least lines of a list that spaces put into columns. */
const MIN_SPACED_LINES = 3;

/** True for a program, or what one prints in columns. Text that is typed into a form has neither the signs nor the indents of code. */
function isProgram({ kind, lines }: PageBlock): boolean {
  if (kind !== undefined || !lines.every(isCode)) return false;
  if (lines.filter(({ apart }) => apart.size > 0).length >= MIN_SPACED_LINES) return true;
  const left = Math.min(...lines.map(({ x0 }) => x0));
  return lines.some(
    ({ words, x0, fontSize }) =>
      x0 > left + fontSize * 0.8 || words.some(({ text }) => /[<>{}()[\];=$#\\_|@]|\w\/\w|^--?\w/.test(text)),
  );
}
