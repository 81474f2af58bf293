import { append } from '../../../model/append.js';
import { median } from '../../../model/median.js';
import type { PageLine } from '../../../model/page.js';
import { endsSentence, fillsLine, isWide } from './line-room.js';

export const sizeKey = (line: PageLine): number => Math.round(line.fontSize);

/** The usual distance of base lines, by size of type. */
export function usualPitch(lines: readonly PageLine[]): Map<number, number> {
  const steps = new Map<number, number[]>();
  lines.forEach((line, index) => {
    const previous = lines[index - 1];
    if (previous === undefined || sizeKey(previous) !== sizeKey(line)) return;
    const step = line.baseline - previous.baseline;
    if (step < line.fontSize * 0.7 || step > line.fontSize * 2.2) return;
    append(steps, sizeKey(line), step);
  });
  const pitch = new Map<number, number>();
  for (const [size, all] of steps) {
    const sorted = all.sort((a, b) => a - b);
    // Lines within paragraphs stand closer than paragraphs do: the lower third is among them.
    const step = sorted[Math.floor(sorted.length / 3)];
    if (step !== undefined) pitch.set(size, step);
  }
  return pitch;
}

/** In ems, and how many steps tell of it. */
const LEAST_DOUBLE = 1.5;
const MOST_DOUBLE = 3;
const LEAST_STEPS = 3;

/**
 * The distance of base lines in text that is set with double spacing, as in manuscripts and in court: the usual one
 * between full lines that a sentence runs over. NaN without such text: space between paragraphs, where names begin some,
 * is no double spacing.
 */
export function doublePitch(lines: readonly PageLine[], right: number): number {
  const steps = lines.flatMap((line, index) => {
    const previous = lines[index - 1];
    if (previous === undefined || !isWide(previous) || endsSentence(previous) || !fillsLine(line, previous, right))
      return [];
    const step = line.baseline - previous.baseline;
    const isFar = step > line.fontSize * LEAST_DOUBLE && step < line.fontSize * MOST_DOUBLE;
    return isFar && /^\p{Ll}/u.test(line.words[0]?.text ?? '') ? [step] : [];
  });
  return steps.length < LEAST_STEPS ? Number.NaN : (median(steps) ?? Number.NaN);
}
