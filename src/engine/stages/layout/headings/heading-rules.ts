import { meanConfidence } from '../../../model/mean-confidence.js';
import type { PageBlock, PageLine } from '../../../model/page.js';
import { labelLength } from '../field-labels.js';
import { hasCells } from '../lines/line-cells.js';
import { isBold, lineText } from '../lines/lines.js';
import { decide, type Rule } from '../rules.js';
import { DAY } from '../running-heads/edge-rows.js';
import { blockSize, type HeadingScale, isOpening, MAX_HEADING_CHARACTERS, typeOf } from './block-type.js';

/** A block that may be a heading, and the type of its document. */
class Candidate {
  readonly size: number;
  #text: string | undefined;

  constructor(
    readonly block: PageBlock,
    readonly scale: HeadingScale,
  ) {
    this.size = blockSize(block);
  }

  /** The words of its lines, put together at the first call: most blocks are told by less. */
  get text(): string {
    this.#text ??= this.block.lines.map(lineText).join(' ');
    return this.#text;
  }

  get isLarge(): boolean {
    return this.size >= this.scale.bodySize * MIN_LARGE;
  }

  get isAllBold(): boolean {
    return this.block.lines.every(isBold);
  }
}

/** Rules in order: the first one that holds tells whether the block is a heading. Where none does, it is none. */
const HEADING_RULES: readonly Rule<Candidate>[] = [
  { when: ({ block, scale }) => scale.placedTitles.has(block), decides: true },
  {
    when: ({ block, scale }) => scale.proseTypes.has(typeOf(block)) && !block.banded && !isOpening(block),
    decides: false,
  },
  { when: ({ block }) => block.lines.length > MAX_LINES || block.lines.some(hasCells), decides: false },
  { when: ({ text }) => text.length > MAX_HEADING_CHARACTERS || !HAS_WORD.test(text), decides: false },
  { when: ({ block, text, isLarge }) => isNoTitle(block, text, isLarge), decides: false },
  { when: ({ text, scale }) => !scale.hasDays && isDay(text), decides: false },
  { when: ({ block, text, isLarge }) => !isLarge && isInText(block, text), decides: false },
  { when: isDoubtfulReading, decides: false },
  { when: isBandedTitle, decides: true },
  { when: ({ block, size, scale }) => block.framed === true && size < scale.bodySize * MIN_FRAMED, decides: false },
  { when: ({ block, size, scale }) => size < scale.bodySize * MIN_SURE && isListOfLines(block), decides: false },
  {
    when: ({ size, scale, text }) => size < scale.bodySize * MIN_SURE && (SENTENCES.test(text) || isFormula(text)),
    decides: false,
  },
  { when: ({ block, isLarge }) => block.framed === true || isLarge, decides: true },
  { when: ({ block }) => block.lines.length > MAX_SMALL_LINES, decides: false },
  { when: (candidate) => isBoldInPlainText(candidate) && runsOn(candidate.text), decides: false },
  { when: isBoldInPlainText, decides: true },
  { when: ({ size, scale }) => size >= scale.bodySize * MIN_LARGER, decides: true },
];

/** True when the block looks like a heading by itself, whatever stands around it. */
export const looksLikeHeading = (block: PageBlock, scale: HeadingScale): boolean =>
  decide(HEADING_RULES, new Candidate(block, scale)) === true;

/** Ratio to the body's size from which plain type is a heading. */
const MIN_LARGE = 1.15;
/** Ratio to the body's size from which plain type may be a heading. */
export const MIN_LARGER = 1.1;
/** Smallest ratio of bold type to the body's size. */
const MIN_BOLD = 0.95;
/** Ratio to the body's size from which a recognised line is no text. Recognised sizes vary. */
const MIN_SURE = 1.4;
/** Smallest confidence of a heading. A logo, handwriting or the edge of a picture is recognised with less. */
const MIN_CONFIDENCE = 0.7;
/** Ratio to the body's size below which words within a frame belong to a drawing. */
const MIN_FRAMED = 1.4;
const MAX_LINES = 4;
/** Most lines of a heading that is not larger than the text. */
const MAX_SMALL_LINES = 2;
/** Most characters of a bold line that is no sentence. */
const MAX_BOLD_CHARACTERS = 120;
/** Most words of a bold heading that ends with a full stop. */
const MAX_STOPPED_WORDS = 6;

/** The end of a sentence and the beginning of the next. The title of a part may have one behind it. */
const SENTENCES = /^(?!(?:Part|Section|Chapter|Schedule) ).{10,}\p{Ll}{3}[.;] \p{Lu}\p{L}* .{30,}/u;

/** A sign between the sides of an equation. */
const RELATION = /(?:^| )[=<>≤≥≈≡→⇒∈∼±](?: |$)/u;

/** True for an equation: a title has words of several letters. */
const isFormula = (text: string): boolean => RELATION.test(text) && !/\p{L}{4}/u.test(text);

/** One ideograph is a word. */
const HAS_WORD = /\p{L}\p{M}*\p{L}|\p{Script=Han}/u;

/** True for a title on a band; a date may stand on one, too. */
function isBandedTitle({ block, text, size, scale }: Candidate): boolean {
  return block.banded === true && size >= scale.bodySize && !runsOn(text) && !DAY.test(text);
}

function isDoubtfulReading({ block, size, scale, text }: Candidate): boolean {
  if (typeof block.lines[0]?.words[0]?.confidence !== 'number') return false;
  // The rest of a sentence, a whole one, signs of a picture.
  if (size < scale.bodySize * MIN_SURE && /^\p{Ll}|[,;(]$|[<>{}=;|]|(?: \S+){6}[.!]$/u.test(text)) return true;
  return (meanConfidence(block.lines.flatMap(({ words }) => words)) ?? 1) < MIN_CONFIDENCE;
}

/** Fewer lines that begin like sentences may be a title by chance. */
const MIN_LISTED_LINES = 3;

/** True for plain lines that begin level, and each like a sentence: entries that stand close, not a title that wraps. */
function isListOfLines({ lines }: PageBlock): boolean {
  const x0 = lines[0]?.x0 ?? 0;
  const begins = ({ words: [word] }: PageLine) => /^[\p{Lu}\p{N}]/u.test(word?.text ?? '');
  const isEntry = (line: PageLine) => !isBold(line) && begins(line) && Math.abs(line.x0 - x0) < line.fontSize * 0.1;
  return lines.length >= MIN_LISTED_LINES && lines.every(isEntry);
}

function isBoldInPlainText({ size, scale, isAllBold }: Candidate): boolean {
  return !scale.bodyBold && size >= scale.bodySize * MIN_BOLD && isAllBold;
}

/** Words before a note, the beginning of a sentence that a list ends, and the label of a number. */
const INTRODUCES =
  /^(?:Note|NOTE|Caution|CAUTION|Warning|WARNING|Tip|Important|Hinweis|Achtung)[sS]?:$|(?:\s\p{Ll}\S*){3}:$|[^\p{L})]:$/u;

/** True for bold words that a sentence goes on from, or that are one. */
function runsOn(text: string): boolean {
  if (text.length >= MAX_BOLD_CHARACTERS || /[,;!]$/.test(text)) return true;
  if (text.endsWith(':')) return text.split(' ').length > MAX_STOPPED_WORDS || INTRODUCES.test(text);
  return /\.$/.test(text) && text.split(' ').length > MAX_STOPPED_WORDS;
}

/** True for a day alone, as letters and papers are dated. */
export const isDay = (text: string): boolean => text !== '' && /^(?:\p{L}+,? )?$/u.test(text.replace(DAY, ''));

/** A note below a star, and a label with its number: "Phone: (425) 000-0000". */
const NOTE_OR_NUMBER = /^\*|^[^:\d]{2,25}: ?[\d+(][\d ()/.-]{5,}$/;

/** Words before a sum of money: the total below a table, which may be set large. */
const ENDS_WITH_SUM =
  /^\P{L}*\p{L}.* (?:\p{Sc} ?[\d.,' ]*\d|[\d.,' ]*\d[.,]\d\d(?: ?\p{Sc}| [A-Z]{3})|\d{1,3}([.,' ]\d{3})+[.,]\d\d)$/u;

/** True for what is no title however large it is set: a caption, a line of a table of contents or of a form, an address, figures. */
export function isNoTitle(block: PageBlock, text: string, isLarge: boolean): boolean {
  if (/^(table|figure|fig\.|tabelle|abbildung|tableau)\s+(?:[\divx]|[a-z]{1,3}[-.]?\d)/i.test(text)) return true;
  if (/\.{4}|(?:\. ){4}|…{2}|_{3}\P{L}*$/u.test(text) || /https?:\/\/|^www\.|\S@\S+\.\w/.test(text)) return true;
  if (NOTE_OR_NUMBER.test(text) || block.lines.some(isLabelled) || ENDS_WITH_SUM.test(text)) return true;
  // The number of a row, before that of the question in it.
  if (/^\d{1,3} (?:\d{1,3} )?\(?(?:[A-Z]|\d{1,2})[.)] /.test(text)) return true;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const figures = text.match(/\p{N}/gu)?.length ?? 0;
  // The number of an invoice may be longer than its name in large type.
  const isNamed = isLarge && /\p{L}{4}/u.test(text);
  if (letters < (isNamed ? figures / 2 : figures)) return true;
  // The marks of several affiliations stand behind the names of authors.
  return block.lines.flatMap(({ words }) => words).filter(({ raised }) => raised).length > 1;
}

/** True when the line begins with a label and goes on in plain type, where the label is bold or of another size. */
function isLabelled(line: PageLine): boolean {
  const [label, value] = [line.words[0], line.words[labelLength(line)]];
  if (label === undefined || value === undefined || value.bold) return false;
  return label.bold || Math.abs(label.fontSize - value.fontSize) > label.fontSize * 0.05;
}

/** Signs that an option, a line of a program or the rest of a sentence begins with. */
const BEGINS_NO_TITLE = /^(?:[-\u2212$\\|<>{}~%@=+,;:)]|# )/;

/** True for bold words of the body's size within the text: the rest of a sentence, a keyword of code, which a title may begin with. */
function isInText({ lines }: PageBlock, text: string): boolean {
  return (
    BEGINS_NO_TITLE.test(text) ||
    (/^\p{Ll}/u.test(text) && !lines[0]?.words[0]?.monospaced) ||
    lines.every(({ words }) => words.every(({ monospaced }) => monospaced))
  );
}
