import type { Block, Line, Word } from '../../../model/document.js';

/** Parts of compounds that keep their hyphen ("self-made", "well-known") where more than a syllable follows. */
const COMPOUND_PARTS = new Set(
  'self well ill half cross all quasi vice full long short high low twenty thirty forty fifty sixty seventy eighty ninety'.split(
    ' ',
  ),
);
const LEAST_REST = 4;

const BEGUN = /^(?:.*[^\p{L}\p{M}'’-])?((?:[\p{L}\p{M}'’]+-)*[\p{L}\p{M}'’]+)[-\u2010\u00ad]$/u;
/** As in "3- to 4-year-olds", whose first number shares the word of the second: its hyphen has a space after it. */
const LEFT_OPEN = /^(to|and|or|bis|und|oder)$/;
const REST = /^[\p{L}\p{M}'’]+/u;

interface Break {
  line: Line;
  begun: string;
  /** Of a compound, its last part; else the same. */
  part: string;
  rest: string;
  /** Capitals alone, as in SQL-based: they are not parted. */
  isAbbreviation: boolean;
}

/**
 * Marks the lines whose last word goes on in the next line, and whether its hyphen is its own. The document itself is
 * the dictionary: a word that it has elsewhere in one piece was parted for the line's sake; one that it has with its
 * hyphen keeps it. Where it has neither, a hyphen is the line's, except after the first part of a usual compound or an
 * abbreviation in capitals, and in a document that parts no words.
 */
export function markHyphens(pages: readonly (readonly Block[])[]): void {
  const breaks: Break[] = [];
  const lines: Line[] = [];
  let before: Block | undefined;
  for (const block of pages.flat()) {
    if (block.continues && block.table === undefined && before !== undefined)
      collectBreaks([...before.lines.slice(-1), ...block.lines.slice(0, 1)], breaks);
    if (block.kind === 'paragraph' || block.kind === 'list-item') before = block;
    if (block.code) continue;
    const groups = block.table === undefined ? [block.lines] : block.table.cells.map((cell) => cell.lines);
    for (const group of groups) collectBreaks(group, breaks);
    lines.push(...block.lines);
  }
  if (breaks.length === 0) return;
  const wanted = new Map<string, number>();
  for (const { begun, part, rest } of breaks)
    for (const word of [begun, part]) wanted.set(word + rest, 0).set(`${word}-${rest}`, 0);
  const least = Math.min(...breaks.map(({ part, rest }) => part.length + rest.length));
  for (const { words } of lines) {
    for (const { text } of words) {
      if (text.length < least) continue;
      const plain = trimPunctuation(text.toLowerCase());
      const count = wanted.get(plain);
      if (count !== undefined) wanted.set(plain, count + 1);
    }
  }
  const told = breaks.map(({ begun, part, rest }) => {
    const more = (word: string) => (wanted.get(`${word}-${rest}`) ?? 0) - (wanted.get(word + rest) ?? 0);
    // What the document has of the whole compound says more than what it has of its last part.
    return more(begun) || more(part);
  });
  const partsNone = partsNoWords(told, lines.length);
  for (const [index, found] of breaks.entries()) {
    const more = told[index] ?? 0;
    found.line.hyphenation = (more !== 0 ? more > 0 : partsNone || isCompound(found)) ? 'compound' : 'word';
  }
}

const isCompound = ({ begun, part, rest, isAbbreviation }: Break): boolean =>
  isAbbreviation || begun !== part || (COMPOUND_PARTS.has(begun) && rest.length >= LEAST_REST);

/** Of the lines: where words are parted, more end in hyphens. */
const MOST_UNPARTED = 0.05;
/** Of the hyphens at ends of lines: so many the document has elsewhere too. */
const LEAST_TOLD = 0.25;

/**
 * Does the document part no words at the ends of lines, as browsers and word processors do by default? Of those that it
 * parted some would be elsewhere in one piece. `told`: more than 0 for each hyphen that is a compound's, less for a line's.
 */
function partsNoWords(told: readonly number[], lines: number): boolean {
  if (told.length >= lines * MOST_UNPARTED || told.some((more) => more < 0)) return false;
  const compounds = told.filter((more) => more > 0).length;
  return compounds > 0 && compounds >= told.length * LEAST_TOLD;
}

/** Most words have none: a look at their ends is quicker than a pattern. */
function trimPunctuation(text: string): string {
  const bare = isSmallLetter(text.charCodeAt(0)) && isSmallLetter(text.charCodeAt(text.length - 1));
  return bare ? text : text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
}

const isSmallLetter = (code: number): boolean => code >= 97 && code <= 122;

/** Are these two parts of an address, which has no space: after its beginning, or of one that both lead to? */
function isWithinAddress(last: Word | undefined, next: Word | undefined): boolean {
  if (last === undefined || next === undefined) return false;
  if (/\w:\/\/$/.test(last.text)) return true;
  if (last.link === undefined || last.link !== next.link || !/[/.:?=&#_-]/.test(last.text)) return false;
  return last.link.includes(last.text.replace(/^[(<[]+/, '') + next.text.replace(/[)>\].,;:]+$/, ''));
}

function collectBreaks(lines: readonly Line[], breaks: Break[]): void {
  for (let index = 0; index + 1 < lines.length; index++) {
    const line = lines[index];
    const last = line?.words.at(-1)?.text ?? '';
    const first = lines[index + 1]?.words[0];
    if (line !== undefined && isWithinAddress(line.words.at(-1), first)) {
      line.hyphenation = 'compound';
      continue;
    }
    if (line === undefined || !/[-\u2010\u00ad]$/.test(last)) continue;
    const next = first?.text ?? '';
    const begun = BEGUN.exec(last)?.[1];
    const rest = REST.exec(next)?.[0];
    if (/\p{N}\p{L}*[-\u2010]$/u.test(last)) {
      if (/^[\p{L}\p{N}]/u.test(next) && !LEFT_OPEN.test(next)) line.hyphenation = 'compound';
    } else if (begun !== undefined && rest !== undefined && /^\p{Ll}/u.test(rest)) {
      if (last.endsWith('\u00ad')) line.hyphenation = 'word';
      else {
        const word = begun.toLowerCase();
        const part = word.slice(word.lastIndexOf('-') + 1);
        breaks.push({ line, begun: word, part, rest: rest.toLowerCase(), isAbbreviation: /^\p{Lu}{2,}$/u.test(begun) });
      }
    } else if (/[\p{L}\p{N}][-\u2010]$/u.test(last) && /^[\p{Lu}\p{N}]/u.test(next)) line.hyphenation = 'compound';
  }
}
