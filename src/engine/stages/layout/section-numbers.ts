/** "3", "3.1.", "A.2": what a numbered heading begins with. */
export const isSectionNumber = (text: string): boolean => /^(\d{1,3}|[A-Z])(\.\d{1,3})*\.?$/.test(text);

/** What an entry of a table of contents begins with, a bracket after it too; three figures alone are the number of a page. */
export const isEntryNumber = (text: string): boolean => /^(?:\d{1,2}|[A-Z])(?:\.\d{1,3})*[.)]?$/.test(text);

/** A section's number in figures alone: where nothing else tells a heading, "A" is a word, and three figures are an amount. */
export const isSectionFigure = (text: string): boolean => /^\d{1,2}(\.\d{1,2})*\.?$/.test(text);
