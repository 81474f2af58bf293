import type { PageLine } from '../../../model/page.js';
import { countSmall } from '../lines/line-room.js';
import { lineText } from '../lines/lines.js';
import type { Rules } from './table-rules.js';

/** The rules of a page, and what the caption of some lines says that they are. */
export type Evidence = Rules & { caption?: 'table' | 'figure' | undefined };

const NUMBER = String.raw`\s*(?:[A-Z]?[-.–]?\d|[IVX]+\b)`;
const OF_TABLE = new RegExp(`^(?:Tab(?:le|elle|leau|la|ela|ella|\\.)?|TABLE|表|Таблица)${NUMBER}`);
const OF_FIGURE = new RegExp(`^(?:Fig(?:ure|ura|\\.)?|FIG(?:URE|\\.)?|Abb(?:ildung|\\.)|Scheme|[图図]|Рис)${NUMBER}`);

/** Upper bound of the lines of a caption, with those between it and the table below it. */
const MAX_LINES_ABOVE = 8;
/** Lower bound of the words in small letters that make a sentence: titles within a table and the words of a drawing have fewer. */
const MIN_SENTENCE_WORDS = 8;

/** Reads the caption in the lines above a table, in the one right below it, or below a figure, which the next `endsFigure` ends. */
export function captionOf(above: readonly PageLine[], below?: PageLine, next?: PageLine): Evidence['caption'] {
  const near = above.slice(-MAX_LINES_ABOVE);
  const own = near.slice(near.findLastIndex(({ block }) => block !== undefined) + 1);
  if ([...own, below].some((line) => line !== undefined && OF_TABLE.test(lineText(line)))) return 'table';
  return next !== undefined && OF_FIGURE.test(lineText(next)) ? 'figure' : undefined;
}

/** True for the beginning of the caption of a table or a figure. */
export const isCaptionText = (text: string): boolean => OF_TABLE.test(text) || OF_FIGURE.test(text);

/** True for the caption of a figure, or for what is no part of one. */
export const endsFigure = (line: PageLine): boolean =>
  line.block !== undefined || isSentence(line) || OF_FIGURE.test(lineText(line));

/** True for a line with many words in small letters. */
export const isSentence = ({ words }: PageLine): boolean => countSmall(words) >= MIN_SENTENCE_WORDS;
