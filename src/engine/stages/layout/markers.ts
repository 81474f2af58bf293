/** The beginning of a list item. */
export interface Marker {
  /** The marker as printed: `•`, `2.`, `(a)`. */
  text: string;
  /** Words of the line that it takes up; 0 where it is drawn beside the item's first word. */
  wordCount: number;
  ordered: boolean;
}

/** Bullets, and the private use areas, where fonts of pictures have theirs. */
const BULLET = /^[•◦▪▫‣⁃∙●○■□◆◇◻◼◽◾❏❐❑❒❖➔➢➤➜►▶▸▹✓✔✦✧✱★☆☐☑☒☛☞⬛⬜█⚫⚪◉◘⦁⦾⦿\p{Co}]$/u;
const DASH = /^[-‐‒–—―*·]$/;
/** Letters that a typewriter prints for a bullet, where wide space follows: "o" is Word's bullet of the second level. */
const LETTER_BULLET = /^[o§Øü¨¦]$/;
/** Letters in whose places Wingdings and Zapf Dingbats have their boxes, discs and diamonds. */
const PICTURE_LETTER = /^[lmnqrsuvw]$/;
/** Characters of the longest marker: "(xviii)". */
const MAX_MARKER_CHARACTERS = 7;
const ORDERED = /^(?:\(?\d{1,3}[.)]|\d{1,3}[°º]|\(?[a-zA-Z][.)]|\(?[ivx]{1,5}[.)]|\[\d{1,3}\])$/;

/** A gap wider than a space, in ems. */
const MIN_WIDE_GAP_EM = 0.45;

interface MarkerWord {
  text: string;
  x0: number;
  x1: number;
  fontSize: number;
  pictorial?: boolean;
  face?: number;
  check?: { x0: number };
}

const isOfOtherType = (a: MarkerWord, b: MarkerWord): boolean =>
  (a.face !== undefined && b.face !== undefined && a.face !== b.face) ||
  Math.abs(a.fontSize - b.fontSize) > b.fontSize * 0.15;

/** True for written text: a drawing of signs alone has no items. */
const isWritten = ({ text }: MarkerWord, index: number): boolean => index > 0 && /[\p{L}\p{N}\p{Co}]/u.test(text);

/** True for a sign that stands before items alone, and in no program. */
export const isBullet = (text: string): boolean => /^[•◦▪▫‣⁃]$/.test(text);

/** True for a marker that is all of a cell. No word after it tells whether it is one, so rare bullets do not count. */
export const isLoneMarker = (text: string): boolean => /^([•◦▪●○■□–—*-]|\(?(\d{1,3}|[a-z]|[ivx]+)[.)])$/i.test(text);

/** The marker of a list item at the beginning of a line; undefined when there is none. */
export function parseMarker(words: readonly MarkerWord[]): Marker | undefined {
  const [first, second, third] = words;
  if (first?.check !== undefined && first.check.x0 < first.x0) return { text: '•', wordCount: 0, ordered: false };
  if (first === undefined || second === undefined || first.text.length > MAX_MARKER_CHARACTERS) return undefined;
  // A telephone number.
  if (/^\(\d{3}\)$/.test(first.text) && /^\d{3}/.test(second.text)) return undefined;
  const bullet = { text: '•', wordCount: 1, ordered: false };
  if (BULLET.test(first.text) || (first.pictorial && first.text.length === 1))
    return words.some(isWritten) ? bullet : undefined;
  if (DASH.test(first.text) && /\p{L}|\p{N}/u.test(second.text)) return bullet;
  const isSection = first.text === '§' && /^\d/.test(second.text);
  if (LETTER_BULLET.test(first.text) && !isSection && second.x0 - first.x1 > first.fontSize * 0.7) return bullet;
  // An initial ("J. Smith") is no marker: a lone capital letter needs a bracket, or more space than between words.
  const gap = second.x0 - first.x1;
  // Justified lines have such space between all words.
  const usual = third === undefined ? 0 : third.x0 - second.x1;
  const isApart = gap > first.fontSize * MIN_WIDE_GAP_EM && gap > usual * 1.4;
  if (PICTURE_LETTER.test(first.text) && isApart && isOfOtherType(first, second) && /^[\p{Lu}\p{N}]/u.test(second.text))
    return bullet;
  // Two letters, each with its stop, are an abbreviation ("i. V. Jane Smith", "z. B."); an ordinal may stand within a sentence.
  const mayBeWord =
    /^(?:[A-Z]\.|\d+[°º])$/.test(first.text) || (/^[a-z]\.$/.test(first.text) && /^\p{L}\.$/u.test(second.text));
  if (ORDERED.test(first.text) && (isApart || !mayBeWord)) return { text: first.text, wordCount: 1, ordered: true };
  return undefined;
}

/** True when `marker` may follow `before` in one list, or begin one. Tells "a." and "b." from the abbreviations "p." and "c.". */
export function continuesList(marker: Marker, before: Marker | undefined): boolean {
  if (!marker.ordered) return true;
  const letter = /^\(?([a-z])[.)]$/i.exec(marker.text)?.[1]?.toLowerCase();
  if (letter === undefined || letter === 'a' || letter === 'i') return true;
  const last = /^\(?([a-z]+)[.)]$/i.exec(before?.text ?? '')?.[1]?.toLowerCase();
  return last !== undefined && letter.charCodeAt(0) === last.charCodeAt(last.length - 1) + 1;
}
