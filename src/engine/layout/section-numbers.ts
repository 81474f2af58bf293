/** "3", "3.1.", "A.2": what a numbered heading begins with. */
export const isSectionNumber = (text: string): boolean => /^(\d{1,3}|[A-Z])(\.\d{1,3})*\.?$/.test(text);

/** The same in figures alone: where nothing else tells a heading, "A" is a word, and three figures are an amount. */
export const isSectionFigure = (text: string): boolean => /^\d{1,2}(\.\d{1,2})*\.?$/.test(text);
