/** What begins a list item. */
export interface Marker {
  /** As printed: `•`, `2.`, `(a)`. */
  text: string;
  /** Words of the line that it takes up; 0 when the item's first word is glued to it. */
  wordCount: number;
  ordered: boolean;
}

const BULLET = /^[•◦▪▫‣⁃∙●○■□◆◇❖➢➤►▶✓✔✦★\uf0b7\uf0a7\uf0d8\uf076]$/;
const DASH = /^[-–—*·]$/;
const ORDERED = /^(?:\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivx]{1,5}[.)]|\[\d{1,3}\])$/;

/** The marker of a list item at the beginning of a line; undefined when there is none. */
export function parseMarker(words: readonly string[]): Marker | undefined {
  const [first, second] = words;
  if (first === undefined || second === undefined) return undefined;
  if (BULLET.test(first)) return { text: '•', wordCount: 1, ordered: false };
  if (DASH.test(first) && /\p{L}|\p{N}/u.test(second)) return { text: '•', wordCount: 1, ordered: false };
  // An initial ("J. Smith") is no marker: a lone capital letter needs a bracket.
  if (ORDERED.test(first) && !/^[A-Z]\.$/.test(first)) return { text: first, wordCount: 1, ordered: true };
  return undefined;
}
