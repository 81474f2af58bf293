import { append } from '../../model/append.js';
import { type Area, areLevel, gapBetween, sizeOfArea } from '../../model/geometry.js';
import { splitWhere } from '../../model/groups.js';
import { meanConfidence } from '../../model/mean-confidence.js';
import type { PageBlock, PageLine, PageWord } from '../../model/page.js';
import { wordsOf } from '../../model/words-of.js';
import { toLine } from './hocr.js';
import { surenessOf } from './sureness.js';
import { type Ballots, elect, leading, votesOn, withoutSigns } from './votes.js';

/** Share of the smaller of two boxes that the other covers, from which they are readings of one place. */
const MIN_COMMON_SHARE = 0.2;
/** Confidence of a word that only the second reading has. */
const MIN_ADDED_CONFIDENCE = 0.7;

/**
 * Merges readings of one page into one, in the lines and the order of the first. Each reading votes for its words: the
 * likeliest text wins, with a confidence that grows with the number of votes. Words that only further readings have are taken
 * if they are sure. All readings are in the same pixels.
 */
export function mergeReadings(first: readonly PageBlock[], ...further: (readonly PageBlock[])[]): PageBlock[] {
  const ballots: Ballots = new Map();
  const merged = further.reduce((known, reading) => addReading(known, reading, ballots), first);
  return elect(merged, ballots);
}

/** Merges single words, all of them sure enough to be added, into a reading. */
export function mergeWords(first: readonly PageBlock[], words: readonly PageWord[]): PageBlock[] {
  const ballots: Ballots = new Map();
  // Each word is placed on its own, since the lines of one block run across columns.
  return elect(addReading(first, [{ lines: words.map((word) => toLine([word], 0)) }], ballots, 0), ballots);
}

/** Adds the words of a second reading, and their votes to `ballots`. `minAdded`: confidence of those that only it has. */
function addReading(
  first: readonly PageBlock[],
  second: readonly PageBlock[],
  ballots: Ballots,
  minAdded = MIN_ADDED_CONFIDENCE,
): PageBlock[] {
  const places = pairWords(wordsOf(first), wordsOf(second));
  const decided = (line: PageLine): PageLine[] =>
    rebuild(
      line,
      line.words.flatMap((word) => decide(word, places.get(word), ballots)),
    );
  const blocks = first
    .map((block) => ({ ...block, lines: block.lines.flatMap(decided) }))
    .filter(({ lines }) => lines.length > 0);
  for (const line of second.flatMap(({ lines }) => lines)) {
    const added = line.words.filter((word) => !places.has(word) && surenessOf(word) >= minAdded);
    if (added.length > 0) addWords(blocks, added);
  }
  return blocks;
}

/** The words of two readings at one place: one word of each, or one word and its parts in the other reading. */
interface Place {
  first: PageWord[];
  second: PageWord[];
}

/** Maps each word that shares a place with the other reading to that place. */
function pairWords(first: readonly PageWord[], second: readonly PageWord[]): Map<PageWord, Place> {
  const [grid, firstGrid] = [createGrid(second), createGrid(first)];
  const isMet = (word: PageWord, other: PageWord) => inOneLine(other, firstGrid.covered(other)).includes(word);
  const places = new Map<PageWord, Place>();
  for (const word of first) {
    const met = inOneLine(word, grid.covered(word)).filter((other) => isMet(word, other));
    if (met.length === 0) continue;
    const place: Place = { first: [word], second: [] };
    places.set(word, place);
    for (const other of met) {
      const joined = places.get(other);
      if (joined === undefined) {
        place.second.push(other);
        places.set(other, place);
      } else if (joined !== place) {
        place.first.unshift(...joined.first);
        place.second.unshift(...joined.second);
        for (const moved of [...joined.first, ...joined.second]) places.set(moved, place);
      }
    }
  }
  return places;
}

/** Leaves out the sure words above and below if one of `words` has the text of `word`, whose box is too high. */
function inOneLine(word: PageWord, words: readonly PageWord[]): readonly PageWord[] {
  const same = words.find(({ text }) => text === word.text);
  return same === undefined ? words : words.filter((other) => areLevel(other, same, 0) || !isSureText(other));
}

const isSureText = (word: PageWord): boolean =>
  surenessOf(word) >= MIN_ADDED_CONFIDENCE && /[\p{L}\p{N}]/u.test(word.text);

/** Returns the words at the place of `word`. If the first reading has several words there, `word` gets those that overlap it most. */
function decide(word: PageWord, place: Place | undefined, ballots: Ballots): PageWord[] {
  if (place === undefined) return [word];
  const known = place.first.map((part) => leading(votesOn(part, ballots)));
  const [mine, theirs] = [meanConfidence(known) ?? 0, meanConfidence(place.second) ?? 0];
  const [read, other] = [textOf(known), textOf(place.second)];
  const isFuller = other !== read && withoutSigns(other) === read;
  const confirms = read === other || withoutSigns(read) === other;
  const isSingle = place.first.length === 1;
  if (confirms || (isSingle && (isFuller || place.second.length === 1))) {
    const vote = { text: isSingle ? other : word.text, confidence: theirs };
    ballots.set(word, [...votesOn(word, ballots), vote]);
    return [word];
  }
  if (theirs <= mine && !isFuller) return [word];
  const parts = place.second.filter((other) => mostCovered(place.first, other) === word);
  // The box of a word may reach over the next one, which its reading does not have.
  if (parts.length === 0 && isSureText(word) && !other.includes(word.text)) return [word];
  // Words of two rows keep their base lines, by which these are told apart.
  if (areStacked(place.second)) return parts;
  return parts.map((other) => ({ ...other, baseline: word.baseline, fontSize: word.fontSize }));
}

/** Returns the one of `words` that `other` overlaps most. They may be in several lines: a drop cap is as high as two. */
function mostCovered(words: readonly PageWord[], other: PageWord): PageWord | undefined {
  const covered = words.map((word) => commonSize(word, other));
  return words[covered.indexOf(Math.max(...covered))];
}

const textOf = (words: readonly { text: string }[]): string => words.map(({ text }) => text).join('');

/** Adds words of one line that the first reading lacks to the line at their place, else as a new line. */
function addWords(blocks: PageBlock[], words: PageWord[]): void {
  const line = toLine(words, 0);
  const size = Math.max(1, line.fontSize);
  let best: { block: PageBlock; index: number } | undefined;
  let smallestGap = MAX_GAP_EM * size;
  for (const block of blocks) {
    block.lines.forEach((known, index) => {
      const common = Math.min(known.y1, line.y1) - Math.max(known.y0, line.y0);
      if (common < MIN_COMMON_HEIGHT_SHARE * Math.min(known.y1 - known.y0, line.y1 - line.y0)) return;
      const gap = gapBetween(known, line);
      if (gap < smallestGap) [smallestGap, best] = [gap, { block, index }];
    });
  }
  const known = best?.block.lines[best.index];
  if (best !== undefined && known !== undefined) {
    const all = [...known.words, ...words].sort((a, b) => a.x0 - b.x0);
    best.block.lines.splice(best.index, 1, ...rebuild(known, all));
    return;
  }
  const middle = (line.y0 + line.y1) / 2;
  const below = blocks.findIndex(({ lines }) => (lines[0]?.y0 ?? 0) > middle);
  blocks.splice(below === -1 ? blocks.length : below, 0, { lines: [line] });
}

/** Share of their height that two parts of one line have in common, and the gap between them. */
const MIN_COMMON_HEIGHT_SHARE = 0.5;
const MAX_GAP_EM = 6;

/** Least step from row to row, in ems. */
const MIN_ROW_STEP_EM = 0.5;

/** Builds a line of other words, or one for each row where words stand above each other: one reading may mix rows that another parts. */
function rebuild({ order }: PageLine, words: PageWord[]): PageLine[] {
  if (words.length === 0) return [];
  if (!areStacked(words)) return [toLine(words, order)];
  const byBaseline = [...words].sort((a, b) => a.baseline - b.baseline);
  const isBelow = (word: PageWord, above: PageWord) => word.baseline - above.baseline > word.fontSize * MIN_ROW_STEP_EM;
  return splitWhere(byBaseline, isBelow).map((row) =>
    toLine(
      words.filter((word) => row.includes(word)),
      order,
    ),
  );
}

/** True when a sure word stands above another one. */
function areStacked(words: readonly PageWord[]): boolean {
  const sure = words.filter(isSureText);
  return sure.some((word) =>
    sure.some((other) => gapBetween(word, other) < -MIN_COMMON_WIDTH_EM * word.fontSize && !areLevel(word, other, 0)),
  );
}

/** Least width that words above each other have in common, in ems. */
const MIN_COMMON_WIDTH_EM = 0.3;

const smaller = (a: Area, b: Area): number => Math.min(sizeOfArea(a), sizeOfArea(b));

/** The size of what the two have in common. */
function commonSize(a: Area, b: Area): number {
  const width = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  const height = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Height of a band. Words are grouped by bands, so that the work does not grow with the square of the words. */
const BAND_PX = 64;

interface Grid {
  /** Returns the words that share more than MIN_COMMON_SHARE of the smaller box. */
  covered(box: Area): PageWord[];
}

function createGrid(words: readonly PageWord[]): Grid {
  const bands = new Map<number, PageWord[]>();
  for (const word of words) {
    for (const band of bandsOf(word)) append(bands, band, word);
  }
  return {
    covered: (box) => {
      const near = new Set(bandsOf(box).flatMap((band) => bands.get(band) ?? []));
      return [...near].filter((word) => commonSize(word, box) > MIN_COMMON_SHARE * smaller(word, box));
    },
  };
}

function bandsOf({ y0, y1 }: Area): number[] {
  const [from, to] = [Math.floor(y0 / BAND_PX), Math.floor(y1 / BAND_PX)];
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
