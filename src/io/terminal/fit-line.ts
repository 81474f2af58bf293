/** Terminal columns that a text takes. */
export type ColumnsOf = (text: string) => number;

/** The parts of a line of progress. A part that does not fit is cut or left out, so that the line never wraps. */
export interface LineParts {
  /** How far the whole is: `3 of 10 done`. */
  head: string;
  /** A file's name, which is cut in its middle; empty for none. */
  name: string;
  /** The words after the name; without a name they stand alone. */
  words: string;
  /** Less important words; the last is left out first. */
  extras: readonly string[];
}

const GAP = ' · ';
/** Columns of a name that is still recognised. */
const MIN_NAME_WIDTH = 6;
/** Columns of a name before less important words are left out for it. */
const GOOD_NAME_WIDTH = 12;

/** Returns the parts on one line of at most `width` columns. */
export function fitLine({ head, name, words, extras }: LineParts, width: number, columnsOf: ColumnsOf): string {
  const before = head === '' || (name === '' && words === '') ? head : `${head}${GAP}`;
  const after = name === '' || words === '' ? words : `: ${words}`;
  const spaceFor = (count: number) => {
    const tail = extras
      .slice(0, count)
      .map((extra) => `${GAP}${extra}`)
      .join('');
    return { tail, left: width - columnsOf(before) - columnsOf(after) - columnsOf(tail) };
  };
  const wanted = Math.min(columnsOf(name), GOOD_NAME_WIDTH);
  let count = extras.length;
  while (count > 0 && spaceFor(count).left < wanted) count--;
  const { tail, left } = spaceFor(count);
  const shown = cutMiddle(name, Math.max(left, MIN_NAME_WIDTH), columnsOf);
  return cutEnd(`${before}${shown}${after}${tail}`, width, columnsOf);
}

/** Cuts a text in its middle, where a file's name says least. */
export function cutMiddle(text: string, width: number, columnsOf: ColumnsOf): string {
  if (columnsOf(text) <= width) return text;
  const chars = [...text];
  let [start, end] = ['', ''];
  // From both ends in turn; the end, with its extension, comes first.
  for (let isEnd = true; chars.length > 0; isEnd = !isEnd) {
    const [nextStart, nextEnd] = isEnd ? [start, chars.at(-1) + end] : [start + chars[0], end];
    if (columnsOf(`${nextStart}…${nextEnd}`) > width) break;
    [start, end] = [nextStart, nextEnd];
    if (isEnd) chars.pop();
    else chars.shift();
  }
  return `${start}…${end}`;
}

function cutEnd(text: string, width: number, columnsOf: ColumnsOf): string {
  if (columnsOf(text) <= width) return text;
  const chars = [...text];
  while (chars.length > 0 && columnsOf(`${chars.join('')}…`) > width) chars.pop();
  return `${chars.join('')}…`;
}
