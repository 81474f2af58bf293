/** True for the number of a heading: "3", "3.1.", "A.2". */
export const isSectionNumber = (text: string): boolean => /^(\d{1,3}|[A-Z])(\.\d{1,3})*\.?$/.test(text);

/** True for the number of an entry of a table of contents, a bracket after it too; three figures alone are the number of a page. */
export const isEntryNumber = (text: string): boolean => /^(?:\d{1,2}|[A-Z])(?:\.\d{1,3})*[.)]?$/.test(text);

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

/** The value of a Roman number of any case. */
export const romanValue = (text: string): number =>
  [...text.toLowerCase()]
    .map((sign) => ROMAN[sign] ?? 0)
    .reduce((sum, value, index, values) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);

/** True for a section's number in figures alone: where nothing else tells a heading, "A" is a word, and three figures are an amount. */
export const isSectionFigure = (text: string): boolean => /^\d{1,2}(\.\d{1,2})*\.?$/.test(text);

const DECIMAL = /^\d{1,2}(?:\.\d{1,2}){0,5}\.?$/;

/** The parts of a decimal number of a section: 2 and 1 of "2.1"; none where the text is no such number. */
export const partsOfNumber = (text: string): number[] =>
  DECIMAL.test(text) ? text.replace(/\.$/, '').split('.').map(Number) : [];

/** Numbers that may be missing, where a title was not found. */
const MAX_SKIPPED_NUMBERS = 2;

/**
 * True when `number` is the next after `last`: its first child, its next sibling or the next of one of its parents
 * (1.2.3 → 1.2.3.1, 1.2.4, 1.3, 2).
 */
export function follows(number: readonly number[], last: readonly number[]): boolean {
  const depth = number.length - 1;
  if (depth > last.length || number.slice(0, depth).some((part, index) => part !== last[index])) return false;
  const step = (number[depth] ?? 0) - (last[depth] ?? 0);
  return step > 0 && step <= (depth === last.length ? 1 : 1 + MAX_SKIPPED_NUMBERS);
}
