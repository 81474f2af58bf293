import { extentOf } from '../../../model/geometry.js';
import { splitWhere } from '../../../model/groups.js';
import type { Fragment } from '../../../model/page.js';
import { columnsOf, isFarBelow, toStrips } from '../lines/strips.js';

/** Lower bounds of rows, of cards in each of them, and of their lines of words: answers of one line are the cells of rows. */
const MIN_ROWS = 2;
const MIN_CARDS_IN_ROW = 2;
const MIN_CARD_LINES = 2;

/** A row of cards: the strip of their numbers, and the fragments that begin with these. */
interface CardRow {
  strip: number;
  heads: Fragment[];
}

const NUMBER = /^[(#[]?(\d{1,2})[.):\]]?$/;

export const numberOf = ({ words: [word] }: Fragment): number =>
  Number(NUMBER.exec(word?.text ?? '')?.[1] ?? Number.NaN);

/**
 * Finds cards whose numbers go across ("1 2" over "3 4"): they are read so, though their columns could be read down.
 * Returns the text above them, the cards in the order of their numbers, and the text below; undefined where the numbers
 * do not go on from row to row, or text crosses the space between the columns.
 */
export function findCountedCards(fragments: readonly Fragment[]): Fragment[][] | undefined {
  const least = MIN_ROWS * MIN_CARDS_IN_ROW;
  if (fragments.filter((fragment) => numberOf(fragment) >= 0).length < least) return undefined;
  const strips = toStrips(fragments);
  for (const rows of chainsOf(strips)) {
    const [from, last] = [rows[0].strip, rows.at(-1)?.strip ?? 0];
    const columns = columnsOf(strips.slice(from, last + 1).flat());
    // The cards of a row stand in the columns from the first on, one in each.
    if (!rows.every(({ heads }) => heads.every((head, index) => columns[index]?.includes(head)))) continue;
    const to = endOfCards(strips, last);
    const cardRows = rows.map(({ strip }, index) => strips.slice(strip, rows[index + 1]?.strip ?? to));
    if (cardRows.some((row) => row.filter(hasWord).length < MIN_CARD_LINES)) continue;
    const cards = cardRows.flatMap((row) => partByColumns(row.flat(), columns));
    return [strips.slice(0, from).flat(), ...cards, strips.slice(to).flat()];
  }
  return undefined;
}

const hasWord = (strip: readonly Fragment[]): boolean =>
  strip.some(({ words }) => words.some(({ text }) => /\p{L}{3}/u.test(text)));

/** Rows of numbers that go on from each row to the next. The last row may have one card alone. */
function chainsOf(strips: readonly Fragment[][]): [CardRow, ...CardRow[]][] {
  const rows = strips.flatMap((fragments, strip): CardRow[] => {
    const heads = fragments.filter((fragment) => numberOf(fragment) >= 0).sort((a, b) => a.x0 - b.x0);
    return heads.length > 0 && areCounted(heads) ? [{ strip, heads }] : [];
  });
  const full = rows.filter(({ heads }) => heads.length >= MIN_CARDS_IN_ROW);
  const continues = (row: CardRow, before: CardRow) => areCounted([...before.heads.slice(-1), ...row.heads]);
  return splitWhere(full, (row, before) => !continues(row, before))
    .filter(({ length }) => length >= MIN_ROWS)
    .map((chain) => {
      const end = chain.at(-1) ?? chain[0];
      const alone = rows.find((row) => row.strip > end.strip && row.heads.length === 1 && continues(row, end));
      return alone === undefined ? chain : [...chain, alone];
    });
}

export const areCounted = (heads: readonly Fragment[]): boolean =>
  heads.every((head, index) => index === 0 || numberOf(head) === numberOf(heads[index - 1] ?? head) + 1);

/** The strip behind those of the last row: text far below it is no part of the cards. */
function endOfCards(strips: Fragment[][], last: number): number {
  const end = strips.findIndex((_, index) => index > last && isFarBelow(strips, index));
  return end === -1 ? strips.length : end;
}

/** The fragments of a row by the column that they stand in. */
function partByColumns(fragments: readonly Fragment[], columns: readonly Fragment[][]): Fragment[][] {
  const starts = columns.map((column) => extentOf(column).x0);
  const parts = starts.map((start, index) =>
    fragments.filter(({ x0 }) => (index === 0 || x0 >= start) && x0 < (starts[index + 1] ?? Infinity)),
  );
  return parts.filter(({ length }) => length > 0);
}
