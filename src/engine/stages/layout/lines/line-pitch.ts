import { append } from '../../../model/append.js';
import { median } from '../../../model/median.js';
import type { PageLine } from '../../../model/page.js';
import { beginsSmall, endsSentence, fillsLine, isWide, isWithinSentence, lastText } from './line-room.js';

/** Sizes that differ by less than half a point are one. */
export const roundSize = (size: number): number => Math.round(size * 2) / 2;

export const sizeKey = (line: PageLine): number => Math.round(line.fontSize);

/** The distance of each base line but the first from the one before it. */
export const stepsOf = (lines: readonly { baseline: number }[]): number[] =>
  lines.slice(1).map(({ baseline }, index) => baseline - (lines[index]?.baseline ?? baseline));

/**
 * The usual distance of base lines, by size of type. Wide steps are usual where a sentence continues over one of them:
 * most others of a letter or a notice may stand between paragraphs of one line.
 */
export function usualPitch(lines: readonly PageLine[], right: number): Map<number, number> {
  const steps = new Map<number, number[]>();
  const within = new Map<number, number>();
  lines.forEach((line, index) => {
    const previous = lines[index - 1];
    if (previous === undefined || sizeKey(previous) !== sizeKey(line)) return;
    const step = line.baseline - previous.baseline;
    if (step < line.fontSize * 0.7 || step > line.fontSize * 2.2) return;
    append(steps, sizeKey(line), step);
    if (runsOver(line, previous, right)) within.set(sizeKey(line), Math.max(step, within.get(sizeKey(line)) ?? 0));
  });
  // Lines within paragraphs stand closer than paragraphs do: the lower third is among them.
  const lowerThird = (all: number[]) => all.sort((a, b) => a - b)[Math.floor(all.length / 3)] ?? 0;
  const mostOf = (size: number) => Math.max(size * MAX_UNTOLD_STEP_EM, (within.get(size) ?? 0) * MAX_UNEVEN);
  return new Map([...steps].map(([size, all]) => [size, Math.min(lowerThird(all), mostOf(size))]));
}

/** True when a sentence continues over the end of a line. The names that letters begin with end in commas, in short lines. */
function runsOver(line: PageLine, previous: PageLine, right: number): boolean {
  if (endsSentence(previous)) return false;
  if (isWithinSentence(line, previous)) return fillsLine(line, previous, right) || !/[,，、]$/.test(lastText(previous));
  return isWide(previous) && fillsLine(line, previous, right);
}

/** Steps of double spacing, in ems, and their least count. */
const MIN_DOUBLE_STEP_EM = 1.5;
const MAX_DOUBLE_STEP_EM = 3;
const MIN_STEPS = 3;
/** Largest usual step that no sentence continues over, in ems, and its largest ratio to one that a sentence does. */
const MAX_UNTOLD_STEP_EM = 1.4;
const MAX_UNEVEN = 1.1;

/**
 * The distance of base lines in text with double spacing, as in manuscripts and in court: the usual one between full
 * lines within a sentence. NaN without such text: space between paragraphs, where names begin some, is no double
 * spacing.
 */
export function doublePitch(lines: readonly PageLine[], right: number): number {
  const steps = lines.flatMap((line, index) => {
    const previous = lines[index - 1];
    if (previous === undefined || !isWide(previous) || endsSentence(previous) || !fillsLine(line, previous, right))
      return [];
    const step = line.baseline - previous.baseline;
    const isFar = step > line.fontSize * MIN_DOUBLE_STEP_EM && step < line.fontSize * MAX_DOUBLE_STEP_EM;
    return isFar && beginsSmall(line) ? [step] : [];
  });
  return steps.length < MIN_STEPS ? Number.NaN : (median(steps) ?? Number.NaN);
}
