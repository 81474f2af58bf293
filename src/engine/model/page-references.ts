import type { PageWord } from './page.js';

/** A page in a table of contents: its number, with that of its chapter or appendix before it ("A-3"). */
export const PAGE = String.raw`(?:(?:\d{1,2}|[A-Z]|[IVXL]{1,5})[-–])?(?:\d{1,4}|[ivxlc]{1,7})`;

const ALONE = new RegExp(`^${PAGE}$`);

/** True for any number of dots: a leader or a part of it. */
export const isDots = (text: string): boolean => /^[.·…]+$/.test(text);

export const isPage = (text: string): boolean => ALONE.test(text);

/** True when dots lead to the number of a page at the end of these words, as in an entry of a table of contents. In forms dots lead to the number of the line itself. */
export function leadsToPage({ words }: { readonly words: readonly PageWord[] }): boolean {
  const [before, dots, page] = [words.at(-3), words.at(-2), words.at(-1)];
  if (before === undefined || dots === undefined || page === undefined || !/^[.·…]/.test(dots.text)) return false;
  if (!/^[.·…]{3,}$/.test(dots.text) && !isDots(before.text)) return false;
  return isPage(page.text) && !words.some(({ text }, index) => text === page.text && index < words.length - 1);
}
