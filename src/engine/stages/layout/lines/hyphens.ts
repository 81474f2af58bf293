import type { Block, Line, Word } from '../../../model/document.js';
import { type Stream, streamOf } from '../../../model/streams.js';

/** Parts of compounds that keep their hyphen ("self-made", "well-known") where more than a syllable follows. */
const COMPOUND_PARTS = new Set(
  'self well ill first two three half cross all quasi vice full long short high low twenty thirty forty fifty sixty seventy eighty ninety'.split(
    ' ',
  ),
);

const BEGUN = /^(?:.*[^\p{L}\p{M}'’-])?((?:[\p{L}\p{M}'’]+-)*[\p{L}\p{M}'’]+)[-\u2010\u00ad]$/u;
/** Words that end compounds of English, and no other words. */
const COMPOUND_TAILS = new Set(
  'based related dependent independent specific derived driven efficient centric oriented selected preserving induced enhanced dominated mediated associated aware'.split(
    ' ',
  ),
);
/** Syllables that begin words of English, some of them words themselves ("over-looked"), and "uncor-related": these need no hyphen. */
const PREFIX =
  /cor$|^(?:anti|co|counter|de|fore|hyper|in|inter|intra|macro|micro|mis|multi|non|out|over|para|per|post|pre|pro|re|semi|sub|super|trans|un|under|up|with)$/;
/** Share of "the" among the words of a text, from which it is English. */
const MIN_ARTICLE_SHARE = 0.02;
/** Words of fewer letters may be the ends of others. */
const MIN_TAIL_LETTERS = 6;
/** Words after a hyphen with a space behind it: in "3- to 4-year-olds" the first number shares the word of the second. */
const LEFT_OPEN = /^(to|and|or|bis|und|oder)$/;
/** The last part of a compound, in letters as it is written: nouns of German begin with capitals there. */
const TAIL = /\p{L}-([\p{L}\p{M}'’]+)[^\p{L}]*$/u;
/** Words that stand behind the first of two compounds with one tail: "Wasser- und Abwasser", "pre- and post-war". */
const SHARES_TAIL = /^(?:und|oder)$/;
const SHARES_ENGLISH_TAIL = /^(?:and|or)$/;
const REST = /^[\p{L}\p{M}'’]+/u;

interface Break {
  line: Line;
  begun: string;
  /** The last part of a compound; else the whole word. */
  part: string;
  rest: string;
  /** True for capitals alone, as in SQL-based: they are not split. */
  isAbbreviation: boolean;
  /** True for a name with a capital within it, and for a word that goes on with another hyphen, as in page-by-page. */
  mayJoin: boolean;
  /** True for a sign that programs set and nobody types. */
  isSet: boolean;
}

/** Kinds of blocks that words run over the end of. */
const PARTS = new Set<Block['kind']>(['paragraph', 'list-item', 'footnote']);

/**
 * Marks the lines whose last word continues in the next line, and whether its hyphen is the word's own. The document
 * itself is the dictionary: a word that stands elsewhere in one piece was split for the line's sake; one that stands
 * elsewhere with its hyphen keeps it. Where neither occurs, the hyphen is the line's, except after the first part of a
 * usual compound or an abbreviation in capitals, before the last one of a usual English compound, between two words
 * of the document of which the second ends other compounds or, in English, is long, and in a document that splits no
 * words. A hyphen that nobody types (U+2010) is the line's where those within words are typed.
 */
export function markHyphens(pages: readonly (readonly Block[])[]): void {
  const breaks: Break[] = [];
  const lines: Line[] = [];
  /** The last block of each text. */
  const last = new Map<Stream | undefined, Block>();
  for (const block of pages.flat()) {
    const before = last.get(streamOf(block));
    if (block.continues && block.table === undefined && before !== undefined)
      collectBreaks([...before.lines.slice(-1), ...block.lines.slice(0, 1)], breaks);
    if (PARTS.has(block.kind)) last.set(streamOf(block), block);
    if (block.code) continue;
    const groups = block.table === undefined ? [block.lines] : block.table.cells.map((cell) => cell.lines);
    for (const group of groups) collectBreaks(group, breaks);
    lines.push(...block.lines);
  }
  if (breaks.length === 0) return;
  const wanted = new Map<string, number>();
  /** Parts of words at breaks, with true for those that are words within lines as well. */
  const whole = new Map<string, boolean>();
  for (const { begun, part, rest } of breaks) {
    whole.set(part, false).set(rest, false);
    for (const word of [begun, part]) wanted.set(word + rest, 0).set(`${word}-${rest}`, 0);
  }
  const tails = new Set<string>();
  const least = Math.min(...breaks.map(({ part, rest }) => Math.min(part.length, rest.length)));
  let [articles, all] = [0, 0];
  for (const { words } of lines) {
    all += words.length;
    for (const [index, { text }] of words.entries()) {
      if (text === 'the') articles++;
      if (text.length < least) continue;
      const plain = trimPunctuation(text.toLowerCase());
      const count = wanted.get(plain);
      if (count !== undefined) wanted.set(plain, count + 1);
      if (index > 0 && index < words.length - 1 && whole.has(plain)) whole.set(plain, true);
      const tail = plain.includes('-') ? TAIL.exec(text)?.[1] : undefined;
      if (tail !== undefined) tails.add(tail);
    }
  }
  const isEnglish = articles > all * MIN_ARTICLE_SHARE;
  /** True for two words of the document, the second of which ends other compounds, or may in English. */
  const joinsWords = ({ part, rest, mayJoin }: Break) => {
    const isEnglishCompound = isEnglish && !PREFIX.test(part);
    if (isEnglishCompound && COMPOUND_TAILS.has(rest)) return true;
    if (whole.get(part) !== true || whole.get(rest) !== true) return false;
    return mayJoin || tails.has(rest) || (isEnglishCompound && rest.length >= MIN_TAIL_LETTERS);
  };
  const sharesTail = ({ part, rest, mayJoin }: Break) =>
    (SHARES_TAIL.test(rest) && !mayJoin) ||
    (isEnglish && SHARES_ENGLISH_TAIL.test(rest) && (PREFIX.test(part) || whole.get(part) === true));
  const told = breaks.map(({ begun, part, rest }) => {
    const more = (word: string) => (wanted.get(`${word}-${rest}`) ?? 0) - (wanted.get(word + rest) ?? 0);
    // The whole compound's count says more than that of its last part.
    return more(begun) || more(part);
  });
  const partsNone = splitsNoWords(told, lines.length);
  const setsOwn = breaks.some(({ isSet }) => isSet) && setsOwnHyphens(lines);
  for (const [index, found] of breaks.entries()) {
    const more = told[index] ?? 0;
    if (more === 0 && sharesTail(found)) continue;
    const isOwn =
      more !== 0 ? more > 0 : !(found.isSet && setsOwn) && (partsNone || isCompound(found) || joinsWords(found));
    found.line.hyphenation = isOwn ? 'compound' : 'word';
  }
}

/** True when all hyphens within words are typed ones: the others are set where lines end, as browsers do. */
const setsOwnHyphens = (lines: readonly Line[]): boolean => {
  const has = (hyphen: RegExp) => lines.some(({ words }) => words.some(({ text }) => hyphen.test(text)));
  return has(/\p{L}-\p{L}/u) && !has(/\p{L}\u2010\p{L}/u);
};

/** Words within compounds of three parts: "state-of-the-art", "end-to-end", "just-in-time". */
const LINK = /^(?:of|in|to|the|and)$/;

const isCompound = ({ begun, part, rest, mayJoin, isAbbreviation }: Break): boolean =>
  isAbbreviation || begun !== part || COMPOUND_PARTS.has(begun) || (mayJoin && LINK.test(rest));

/** Share of the lines that end in hyphens; more do where words are split. */
const MAX_UNSPLIT_SHARE = 0.05;

/**
 * True when the document splits no words at line ends, as browsers and word processors do by default. Some of the
 * split words would be elsewhere in one piece. `told`: more than 0 for each hyphen that is a compound's, less for
 * a line's.
 */
const splitsNoWords = (told: readonly number[], lines: number): boolean =>
  told.length < lines * MAX_UNSPLIT_SHARE && told.every((more) => more >= 0) && told.some((more) => more > 0);

/** Trims punctuation from both ends. Most words have none: a look at their ends is quicker than a pattern. */
function trimPunctuation(text: string): string {
  const bare = isSmallLetter(text.charCodeAt(0)) && isSmallLetter(text.charCodeAt(text.length - 1));
  return bare ? text : text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
}

const isSmallLetter = (code: number): boolean => code >= 97 && code <= 122;

/** True for two parts of an address, which has no space: after its beginning, after a hyphen within it, or of one link that both share. */
function isWithinAddress(last: Word | undefined, next: Word | undefined): boolean {
  if (last === undefined || next === undefined) return false;
  if (/\w:\/\/$|(?:@|^www\.|:\/\/)\S*-$/.test(last.text)) return true;
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
        const goesOn = /^[-\u2010]\p{L}/u.test(next.slice(rest.length));
        breaks.push({
          line,
          begun: word,
          part,
          rest: rest.toLowerCase(),
          isAbbreviation: /^\p{Lu}{2,}$/u.test(begun),
          mayJoin: goesOn || /\p{Ll}\p{Lu}/u.test(begun),
          isSet: last.endsWith('\u2010'),
        });
      }
    } else if (/[\p{L}\p{N}][-\u2010]$/u.test(last) && /^[\p{Lu}\p{N}]/u.test(next)) line.hyphenation = 'compound';
  }
}
