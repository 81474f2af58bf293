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
