import type { LaidBlock, LaidLine, PlacedWord } from '../layout/laid.js';
import { meanConfidence } from '../mean-confidence.js';
import { toLine } from './hocr.js';

/** Share of the smaller of two boxes that the other covers, from which they are readings of the same place. */
const SAME_PLACE = 0.2;
/** A word that the second reading alone has is taken from here. */
const LEAST_ADDED = 0.7;

/**
 * Two readings of one page → one, in the lines and the order of the first. Where both have words, the likelier ones
 * stand, and are the surer for being read twice; what only the second has stands where it is sure of it. Both are in the same pixels.
 */
export function mergeReadings(first: readonly LaidBlock[], second: readonly LaidBlock[]): LaidBlock[] {
  const places = pairWords(wordsOf(first), wordsOf(second));
  const blocks = first
    .map((block) => ({
      ...block,
      lines: block.lines
        .map((line) =>
          rebuild(
            line,
            line.words.flatMap((word) => decide(word, places.get(word))),
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

const wordsOf = (blocks: readonly LaidBlock[]): PlacedWord[] =>
  blocks.flatMap(({ lines }) => lines.flatMap(({ words }) => words));

/** The words that two readings have in one place: one of each, or the parts of what is one word to the other. */
interface Place {
  first: PlacedWord[];
  second: PlacedWord[];
}

/** The words of both readings that share a place → that place. */
function pairWords(first: readonly PlacedWord[], second: readonly PlacedWord[]): Map<PlacedWord, Place> {
  const grid = createGrid(second);
  const places = new Map<PlacedWord, Place>();
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
function decide(word: PlacedWord, place: Place | undefined): PlacedWord[] {
  if (place === undefined) return [word];
  const [mine, theirs] = [meanConfidence(place.first) ?? 0, meanConfidence(place.second) ?? 0];
  const [only] = place.second;
  const [read, other] = [textOf(place.first), textOf(place.second)];
  // Both would have to be wrong in the same way.
  const agreed = 1 - (1 - mine) * (1 - theirs);
  if (read === other || withoutSigns(read) === other) return [{ ...word, confidence: agreed }];
  const isFuller = withoutSigns(other) === read;
  if (theirs <= mine && !isFuller) return [word];
  if (place.first.length === 1 && place.second.length === 1 && only !== undefined) {
    return [{ ...word, text: only.text, confidence: isFuller ? agreed : theirs }];
  }
  return place.second
    .filter((other) => mostCovered(place.first, other) === word)
    .map((other) => ({ ...other, baseline: word.baseline, fontSize: word.fontSize }));
}

/** One of `words`, which may stand in several lines: a drop cap is as high as two. */
function mostCovered(words: readonly PlacedWord[], other: PlacedWord): PlacedWord | undefined {
  const covered = words.map((word) => overlap(word, other));
  return words[covered.indexOf(Math.max(...covered))];
}

/** Decimal signs are overlooked and not imagined: of two readings of the same digits the one that has them is right. */
const withoutSigns = (text: string): string => text.replace(/(?<=\d)[.,](?=\d)/g, '');

const textOf = (words: readonly PlacedWord[]): string => words.map(({ text }) => text).join('');

/** Words of one line that the first reading lacks: into the line that they stand in, else a line of their own. */
function addWords(blocks: LaidBlock[], words: PlacedWord[]): void {
  const line = toLine(words, 0);
  const size = Math.max(1, line.fontSize);
  let best: { block: LaidBlock; index: number } | undefined;
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

function rebuild(line: LaidLine, words: PlacedWord[]): LaidLine {
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
  covered(box: Boxed): PlacedWord[];
}

function createGrid(words: readonly PlacedWord[]): Grid {
  const bands = new Map<number, PlacedWord[]>();
  for (const word of words) {
    for (const band of bandsOf(word)) {
      const inBand = bands.get(band);
      if (inBand === undefined) bands.set(band, [word]);
      else inBand.push(word);
    }
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
