import type { Line, Word } from '../../model/document.js';

/** The inline markup that is wanted. */
export interface InlineStyle {
  bold: boolean;
  italic: boolean;
  links: boolean;
  /** The label of the footnote that a raised mark leads to; undefined when there is none. */
  noteOf?(word: Word): string | undefined;
}

interface Piece {
  text: string;
  /** True when a space stands before it. */
  space: boolean;
  bold: boolean;
  italic: boolean;
  link: string | undefined;
  /** True when the text is Markdown already. */
  ready: boolean;
}

const STYLE = ['link', 'bold', 'italic', 'ready'] as const;

/** Renders lines as one line of Markdown: words that a hyphen splits are joined; emphasis, links, references to notes. */
export function renderInline(lines: readonly Line[], style: InlineStyle): string {
  if (!lines.some(({ words }) => words.some((word) => hasMarkup(word, style)))) return escapeInline(joinPlain(lines));
  const pieces = toPieces(lines, style);
  const runs: Piece[][] = [];
  for (const piece of pieces) {
    const last = runs.at(-1)?.[0];
    if (last !== undefined && STYLE.every((key) => last[key] === piece[key])) runs.at(-1)?.push(piece);
    else runs.push([piece]);
  }
  return joinLinks(runs.map((run, index) => ({ run, text: renderRun(run, runs[index - 1], runs[index + 1]) })));
}

const hasMarkup = (word: Word, style: InlineStyle): boolean =>
  (style.bold && word.bold === true) ||
  (style.italic && word.italic === true) ||
  (style.links && word.link !== undefined) ||
  (word.raised === true && style.noteOf?.(word) !== undefined);

/** Joins the words of lines without markup, which most lines are. */
function joinPlain(lines: readonly Line[]): string {
  let text = '';
  let open: Line['hyphenation'];
  for (const { words, hyphenation } of lines) {
    words.forEach((word, index) => {
      if (index === 0 && open === 'word') text = text.replace(/[-\u2010\u00ad]$/, '');
      const joined = text === '' || word.glued || (index === 0 && open !== undefined);
      text += joined ? word.text : ` ${word.text}`;
    });
    open = hyphenation;
  }
  return text.replaceAll('\u00ad', '');
}

function toPieces(lines: readonly Line[], style: InlineStyle): Piece[] {
  const pieces: Piece[] = [];
  let open: Line['hyphenation'];
  for (const line of lines) {
    for (const [index, word] of line.words.entries()) {
      const last = pieces.at(-1);
      if (index === 0 && open !== undefined && last !== undefined) {
        last.text = (open === 'word' ? last.text.replace(/[-\u2010\u00ad]$/, '') : last.text) + word.text;
        continue;
      }
      const note = word.raised ? style.noteOf?.(word) : undefined;
      const text = note === undefined ? word.text.replaceAll('\u00ad', '') : `[^${note}]`;
      if (text === '') continue;
      pieces.push({
        text: index === line.words.length - 1 && line.hyphenation !== undefined ? word.text : text,
        space: !(word.glued || note !== undefined) || last === undefined,
        bold: style.bold && word.bold === true && note === undefined,
        italic: style.italic && word.italic === true && note === undefined,
        link: style.links && note === undefined && !isReference(word.text) ? word.link : undefined,
        ready: note !== undefined,
      });
    }
    open = line.hyphenation;
  }
  return pieces;
}

/** True for the mark of a note or of an entry in a bibliography: the text itself tells its target. */
const isReference = (text: string): boolean => /^\[?[\d*†‡,–-]{1,7}\]?[.,;]?$/.test(text);

function renderRun(
  run: readonly Piece[],
  before: readonly Piece[] | undefined,
  after: readonly Piece[] | undefined,
): string {
  const plain = run.map(({ text, space }, index) => (space && index > 0 ? ` ${text}` : text)).join('');
  const [first] = run;
  if (first === undefined) return '';
  // Inside the brackets of a link no address becomes a link.
  const gluedAfter = after?.[0]?.space === false;
  const inline = first.link === undefined ? escapeInline(plain, gluedAfter) : escapeSigns(plain, gluedAfter);
  const escaped = first.ready ? plain : inline;
  const mark = (first.bold ? '**' : '') + (first.italic ? '*' : '');
  const marked = mark === '' ? escaped : putIn(mark, escaped, first, before, after);
  return first.space && before !== undefined ? ` ${marked}` : marked;
}

/**
 * Puts a run in its marks. CommonMark accepts a mark only where it stands apart, or between letters on both sides:
 * signs that touch the next run stay outside, as far as a space.
 */
function putIn(
  mark: string,
  text: string,
  first: Piece,
  before: readonly Piece[] | undefined,
  after: readonly Piece[] | undefined,
): string {
  const gluedBefore = before !== undefined && !first.space;
  const gluedAfter = after?.[0]?.space === false;
  const lead = (gluedBefore && /^[^\p{L}\p{N}\s]+ /u.exec(text)?.[0]) || '';
  const trail = (gluedAfter && / [^\p{L}\p{N}\s]+$/u.exec(text)?.[0]) || '';
  const inside = text.slice(lead.length, text.length - trail.length);
  if (!/[\p{L}\p{N}]/u.test(inside)) return text;
  const isMarked = before?.[0]?.bold || before?.[0]?.italic;
  if (gluedBefore && lead === '' && (isMarked || !/^[\p{L}\p{N}]/u.test(inside))) return text;
  if (gluedAfter && trail === '' && !/[\p{L}\p{N}]$/u.test(inside)) return text;
  return `${lead}${mark}${inside}${mark}${trail}`;
}

/** Puts runs of one link into its brackets together, whatever emphasis is in them. */
function joinLinks(runs: readonly { run: readonly Piece[]; text: string }[]): string {
  let result = '';
  for (let index = 0; index < runs.length; ) {
    const link = runs[index]?.run[0]?.link;
    let end = index + 1;
    while (link !== undefined && end < runs.length && runs[end]?.run[0]?.link === link) end++;
    const part = runs.slice(index, end);
    const text = part.map((run) => run.text).join('');
    if (link === undefined) result += text;
    else {
      const pieces = part.flatMap(({ run }) => run);
      // An exclamation mark before the bracket of a link would make a picture of it.
      result = result.replace(/!$/, '\\!') + renderLink(text, pieces, link);
    }
    index = end;
  }
  return result;
}

function renderLink(text: string, pieces: readonly Piece[], url: string): string {
  // A link ends before the punctuation that follows it.
  const [, space = '', label = '', after = ''] = /^( ?)(.*[^\s.,;:!?])(.*)$/su.exec(text) ?? [];
  const plain = pieces.map((piece) => piece.text).join('');
  if (plain === url && /^[a-z]+:[^\s<>]*$/i.test(url)) return `${space}<${url}>`;
  // Signs alone are no link, and a caret would make it the mark of a note.
  return label === '' ? text : `${space}[${label.replace(/^\^/, '\\^')}](${encodeUrl(url)})${after}`;
}

const encodeUrl = (url: string): string =>
  url.replace(/[\s()<>\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** An address that GFM makes a link of as it is written: a backslash would become a part of it. */
const ADDRESS = /((?:https?:\/\/|www\.)\S*)/i;

/** Escapes characters that CommonMark or GFM would read as markup inside a line. `beforeMarkup`: another run follows without a space. */
function escapeInline(text: string, beforeMarkup = false): string {
  if (!beforeMarkup && !/[\\`*[\]<>|~_&]/.test(text)) return text;
  const parts = text.split(ADDRESS);
  const escaped = parts.map((part, index) =>
    index % 2 === 1 ? escapeAddress(part, beforeMarkup && parts[index + 1] === '') : escapeSigns(part, beforeMarkup),
  );
  return escaped.join('');
}

/** `beforeMarkup`: the next run may end a character reference that begins here. */
const escapeSigns = (text: string, beforeMarkup = false): string =>
  text
    .replace(/[\\`*[\]<>|~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(beforeMarkup ? /&(?=#?\w*(?:;|$))/g : /&(?=#?\w+;)/g, '\\&');

/** An address with signs that need a backslash stands in brackets, or is no link. */
function escapeAddress(address: string, beforeMarkup: boolean): string {
  const escaped = escapeSigns(address);
  if (escaped === address && !beforeMarkup) return address;
  const [, url = '', after = ''] = /^(.*[\p{L}\p{N}/=#-])(.*)$/u.exec(address) ?? [];
  if (/^https?:[^|&<>]*$/i.test(url)) return `<${url}>${escapeSigns(after)}`;
  return escaped.replace(/:(?=\/\/)|(?<=www)\./gi, '\\$&');
}

/** Escapes characters that are markup at the beginning of a line; those inside are escaped already. */
export function escapeStart(text: string): string {
  return text
    .replace(/^(#{1,6})(?=\s|$)/, '\\$1')
    .replace(/^([-+])(?=\s|$)/, '\\$1')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
    .replace(/^=+\s*$|^-[-\s]*-\s*$/, '\\$&');
}
