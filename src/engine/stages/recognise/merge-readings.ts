import { append } from '../../model/append.js';
import { meanConfidence } from '../../model/mean-confidence.js';
import type { PageBlock, PageLine, PageWord } from '../../model/page.js';
import { toLine } from './hocr.js';
import { type Ballots, elect, leading, votesOn, withoutSigns } from './votes.js';

/** Share of the smaller of two boxes that the other covers, from which they are readings of the same place. */
const SAME_PLACE = 0.2;
/** A word that the second reading alone has is taken from here. */
const LEAST_ADDED = 0.7;

/**
 * Readings of one page → one, in the lines and the order of the first. Each has a vote where it has a word: the likeliest text
 * stands, and is the surer the more readings have it; what only further ones have stands where they are sure of it. All are in the same pixels.
 */
export function mergeReadings(first: readonly PageBlock[], ...further: (readonly PageBlock[])[]): PageBlock[] {
  const ballots: Ballots = new Map();
  const merged = further.reduce((known, reading) => addReading(known, reading, ballots), first);
  return elect(merged, ballots);
}

/** The votes of the second reading are counted in `ballots`. */
function addReading(first: readonly PageBlock[], second: readonly PageBlock[], ballots: Ballots): PageBlock[] {
  const places = pairWords(wordsOf(first), wordsOf(second));
  const blocks = first
    .map((block) => ({
      ...block,
      lines: block.lines
        .map((line) =>
          rebuild(
            line,
            line.words.flatMap((word) => decide(word, places.get(word), ballots)),
          ),
        )
        .filter(({ words }) => words.length > 0),
    }))
    .filter(({ lines }) => lines.length > 0);
  for (const line of second.flatMap(({ lines }) => lines)) {
    const added = line.words.filter((word) => !places.has(word) && (word.confidence ?? 0) >= LEAST_ADDED);
    if (added.length > 0) addWords(blocks, added);
  }
  return blocks;
}

const wordsOf = (blocks: readonly PageBlock[]): PageWord[] =>
  blocks.flatMap(({ lines }) => lines.flatMap(({ words }) => words));

/** The words that two readings have in one place: one of each, or the parts of what is one word to the other. */
interface Place {
  first: PageWord[];
  second: PageWord[];
}

/** The words of both readings that share a place → that place. */
function pairWords(first: readonly PageWord[], second: readonly PageWord[]): Map<PageWord, Place> {
  const grid = createGrid(second);
  const places = new Map<PageWord, Place>();
  for (const word of first) {
    const met = grid.covered(word);
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

/** What is read where `word` of the first reading stands: where it is one of several, the words that lie on it more than on the others. */
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
  return place.second
    .filter((other) => mostCovered(place.first, other) === word)
    .map((other) => ({ ...other, baseline: word.baseline, fontSize: word.fontSize }));
}

/** One of `words`, which may stand in several lines: a drop cap is as high as two. */
function mostCovered(words: readonly PageWord[], other: PageWord): PageWord | undefined {
  const covered = words.map((word) => overlap(word, other));
  return words[covered.indexOf(Math.max(...covered))];
}

const textOf = (words: readonly { text: string }[]): string => words.map(({ text }) => text).join('');

/** Words of one line that the first reading lacks: into the line that they stand in, else a line of their own. */
function addWords(blocks: PageBlock[], words: PageWord[]): void {
  const line = toLine(words, 0);
  const size = Math.max(1, line.fontSize);
  let best: { block: PageBlock; index: number } | undefined;
  let least = MOST_APART_EM * size;
  for (const block of blocks) {
    block.lines.forEach((known, index) => {
      const common = Math.min(known.y1, line.y1) - Math.max(known.y0, line.y0);
      if (common < SHARED_HEIGHT * Math.min(known.y1 - known.y0, line.y1 - line.y0)) return;
      const gap = Math.max(known.x0 - line.x1, line.x0 - known.x1);
      if (gap < least) [least, best] = [gap, { block, index }];
    });
  }
  const known = best?.block.lines[best.index];
  if (best !== undefined && known !== undefined) {
    best.block.lines[best.index] = rebuild(
      known,
      [...known.words, ...words].sort((a, b) => a.x0 - b.x0),
    );
    return;
  }
  const middle = (line.y0 + line.y1) / 2;
  const below = blocks.findIndex(({ lines }) => (lines[0]?.y0 ?? 0) > middle);
  blocks.splice(below === -1 ? blocks.length : below, 0, { lines: [line] });
}

/** How much of their height two parts of one line share, and how far apart they may stand. */
const SHARED_HEIGHT = 0.5;
const MOST_APART_EM = 6;

function rebuild(line: PageLine, words: PageWord[]): PageLine {
  return words.length === 0 ? { ...line, words } : toLine(words, line.order);
}

interface Boxed {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}
const area = ({ x0, y0, x1, y1 }: Boxed): number => (x1 - x0) * (y1 - y0);
const smaller = (a: Boxed, b: Boxed): number => Math.min(area(a), area(b));

function overlap(a: Boxed, b: Boxed): number {
  const width = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  const height = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Words by the bands of the page that they stand in, so that the work does not grow with the square of the words. */
const BAND_PX = 64;

interface Grid {
  /** Words that cover more than a little of the box, or are covered by it. */
  covered(box: Boxed): PageWord[];
}

function createGrid(words: readonly PageWord[]): Grid {
  const bands = new Map<number, PageWord[]>();
  for (const word of words) {
    for (const band of bandsOf(word)) append(bands, band, word);
  }
  return {
    covered: (box) => {
      const near = new Set(bandsOf(box).flatMap((band) => bands.get(band) ?? []));
      return [...near].filter((word) => overlap(word, box) > SAME_PLACE * smaller(word, box));
    },
  };
}

function bandsOf({ y0, y1 }: Boxed): number[] {
  const [from, to] = [Math.floor(y0 / BAND_PX), Math.floor(y1 / BAND_PX)];
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
