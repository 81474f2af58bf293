import { type Area, overlap } from '../../model/geometry.js';
import { meanConfidence } from '../../model/mean-confidence.js';
import { median } from '../../model/median.js';
import type { PageBlock, PageLine, PageWord } from '../../model/page.js';
import { wordsOf } from '../../model/words-of.js';
import { eraseAreas } from '../picture/correct/keep-only.js';
import { evenGround } from '../picture/correct/light.js';
import { findDottedRules } from '../picture/find/find-dotted-rules.js';
import { findMarkRows, type MarkRow } from '../picture/find/find-mark-rows.js';
import { despeckle } from '../picture/find/speckles.js';
import { type Raster, stretchContrast, turnRaster } from '../picture/raster.js';
import { type HocrPage, MIN_CONFIDENCE } from './hocr.js';
import { AUTOMATIC, SPARSE, type TesseractEngine } from './recogniser.js';
import { meanSureness, surenessOf } from './sureness.js';
import { withoutWords } from './without-words.js';

/** One reading of a page, with the measures of its quality. */
export interface Reading {
  engine: TesseractEngine;
  /** The picture that was read, turned upright. */
  raster: Raster;
  /** Clockwise turn, in degrees, from the given picture to `raster`. */
  rotation: number;
  blocks: PageBlock[];
  words: PageWord[];
  /** Sum of the characters of level lines, each weighted by its word's confidence. */
  score: number;
  characters: number;
  meanConfidence: number;
  /** Mean by `surenessOf`: how likely the page is text rather than noise. */
  meanSureness: number;
  textAngle: number;
  /** The rows of marks that were erased from `raster`, to be given back. */
  marks?: readonly MarkRow[];
}

const betterOf = (a: Reading, b: Reading): Reading => (b.score > a.score ? b : a);

/**
 * Mean confidence below which other ways to read a page are tried, and characters of a page that has hardly any text; a slip
 * or a label has fewer, in proportion to its pixels. Clean scans have .94 and more, photographed receipts .57 to .88, and
 * upside down .19 to .34.
 */
const MAX_POOR_CONFIDENCE = 0.45;
const MIN_PAGE_CHARACTERS = 30;
const PAGE_PIXELS = 2200 * 1555;
/** Length and confidence of a word that may have been a row of marks. */
const MIN_JUNK_LENGTH = 3;
const MAX_JUNK_CONFIDENCE = 0.5;
/** Mean confidence below which a page is read again. */
const MAX_DOUBTFUL_CONFIDENCE = 0.85;

/**
 * Reads the picture as it is; without rows of marks and dotted rules, if it has some that were not read; without specks if it has many, and without its ground if that is printed; turned if that reading
 * says so; in other ways if the result is poor. The best reading wins. The number of readings depends on the picture alone, never on the speed of the machine.
 */
export async function readBest(
  engine: TesseractEngine,
  given: Raster,
  deadline: number,
  /** Called before each further reading. */
  onReading: (best: Reading) => void,
): Promise<Reading> {
  const read = async (picture: Raster, rotation: number, segmentation = AUTOMATIC) => {
    const raster = turnRaster(picture, rotation);
    return measure(await engine.read(raster, segmentation, deadline), { engine, raster, rotation });
  };
  const whole = await read(given, 0);
  const { marks, rules } = findUnreadMarks(given, whole.words);
  if (marks.length === 0 && rules.length === 0) return readPlain(whole, given, read, onReading);
  const raster = eraseAreas(given, [...marks.flatMap((row) => row.marks), ...rules]);
  onReading(whole);
  // Leaders and rules spoil the lines that they are in; without asterisks a line could fall apart like columns, so that they only go.
  const isLed = rules.length > 0 || marks.some(({ sign }) => sign === '.');
  const unmarked = isLed ? await read(raster, 0) : withoutMarked(whole, raster, marks);
  const best = await readPlain(unmarked, raster, read, onReading);
  return best.rotation === 0 ? { ...best, marks } : best;
}

/** Leaves out what the marks were read as. The figures beside them are read with the missed rows. The page stays as doubtful as it was: its other words were read no better. */
function withoutMarked({ blocks, ...reading }: Reading, raster: Raster, marks: readonly MarkRow[]): Reading {
  const left = withoutWords(blocks, (word) => marks.some((row) => overlap(word, row)));
  const measured = measure({ blocks: left, textAngle: reading.textAngle }, { ...reading, raster });
  return { ...measured, meanConfidence: reading.meanConfidence };
}

type Read = (picture: Raster, rotation: number, segmentation?: number) => Promise<Reading>;

/** Reads a picture without rows of marks, after its first reading. */
async function readPlain(
  whole: Reading,
  given: Raster,
  read: Read,
  onReading: (best: Reading) => void,
): Promise<Reading> {
  let first = whole;
  const clean = first.meanConfidence < MAX_DOUBTFUL_CONFIDENCE ? await despeckle(given) : undefined;
  if (clean !== undefined) {
    onReading(first);
    first = betterOf(first, await read(clean, 0));
  }
  const plain = clean ?? given;
  const even = first.meanConfidence < MAX_DOUBTFUL_CONFIDENCE ? evenGround(plain) : undefined;
  if (even !== undefined) {
    onReading(first);
    first = betterOf(first, await read(even, 0));
  }
  const raster = first.raster === even ? even : plain;
  if (first.textAngle !== 0) {
    const turned = await read(raster, (360 - first.textAngle) % 360);
    if (!isPoor(turned)) return turned;
    onReading(turned);
    return betterOf(turned, await read(raster, first.textAngle));
  }
  const otherWays = [
    () => read(raster, 180),
    ...(even === undefined ? [() => read(stretchContrast(raster), 0)] : []),
    () => read(raster, 0, SPARSE),
  ];
  let best = first;
  for (const readAgain of otherWays) {
    if (!isPoor(best)) break;
    onReading(best);
    best = betterOf(best, await readAgain());
  }
  return best;
}

/** Finds the rows of marks, and the free parts of dotted rules, that a reading took for words, if it may have: it hardly ever reads them surely. */
function findUnreadMarks(raster: Raster, words: readonly PageWord[]): { marks: MarkRow[]; rules: Area[] } {
  const size = median(words.filter((word) => !isJunk(word)).map(({ fontSize }) => fontSize));
  if (size === undefined || !words.some(isJunk)) return { marks: [], rules: [] };
  const sure = words.filter((word) => surenessOf(word) >= MIN_SURE_CONFIDENCE);
  // The dots of a form may stand under what was written on them.
  const marks = findMarkRows(raster, size).filter(
    (row) => row.sign === '.' || !sure.some((word) => overlap(word, row)),
  );
  const high = median(sure.map(({ y0, y1 }) => y1 - y0)) ?? size;
  const isFree = (part: Area) => !marks.some((row) => overlap(part, row));
  const rules = findDottedRules(raster, high).filter((parts) => parts.every(isFree));
  return { marks, rules: rules.flat().filter((part) => !sure.some((word) => overlap(word, part))) };
}

/** True for what a recogniser makes of a row of dots or asterisks, and of much else. */
const isJunk = (word: PageWord): boolean =>
  word.text.length >= MIN_JUNK_LENGTH && surenessOf(word) < MAX_JUNK_CONFIDENCE;

const isPoor = ({ meanSureness, characters, raster: { width, height } }: Reading): boolean =>
  meanSureness < MAX_POOR_CONFIDENCE ||
  characters < MIN_PAGE_CHARACTERS * Math.min(1, (width * height) / PAGE_PIXELS) ||
  characters === 0;

/** Confidence of a word that is text, and least number and share of such words on a page of text. The most worn receipts have a sixth; photographs of things, drawings, plots and sheet music one word in ten or less, and one or two in all. */
const MIN_SURE_CONFIDENCE = 0.85;
const MIN_SURE_WORDS = 2;
const MIN_SURE_SHARE = 0.05;

/** True when further readings may improve a page. Mere noise takes longest and has no text. */
export const isDoubtful = ({ meanConfidence, meanSureness, characters, words }: Reading): boolean =>
  meanConfidence < MAX_DOUBTFUL_CONFIDENCE &&
  meanSureness >= MIN_CONFIDENCE &&
  characters >= MIN_PAGE_CHARACTERS &&
  words.filter(isSure).length >= Math.max(MIN_SURE_WORDS, words.length * MIN_SURE_SHARE);

/** True for a word with three letters or digits: signs and short words are found in noise too. */
const isSure = (word: PageWord): boolean =>
  (word.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3 && surenessOf(word) >= MIN_SURE_CONFIDENCE;

/** Mean confidence below which hardly anything was read. Photographed receipts have .57 and more, print in a foreign script .13 to .25; photographs of things are as low, but have no lines. */
const MAX_UNSURE_CONFIDENCE = 0.4;

/** True when a page with lines of print is in the script of another language, or too poor to be read. */
export const isUnsure = ({ meanSureness }: Reading): boolean => meanSureness < MAX_UNSURE_CONFIDENCE;

/** Measures the quality of a reading. */
export function measure({ blocks, textAngle }: HocrPage, by: Pick<Reading, 'engine' | 'raster' | 'rotation'>): Reading {
  const words = wordsOf(blocks);
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  const means = { meanConfidence: meanConfidence(words) ?? 0, meanSureness: meanSureness(words) ?? 0 };
  const score = sureness(blocks.flatMap(({ lines }) => lines.filter(isLevel)).flatMap((line) => line.words));
  return { ...by, blocks, words, score, characters, ...means, textAngle };
}

const sureness = (words: readonly PageWord[]): number =>
  words.reduce((sum, word) => sum + word.text.length * surenessOf(word), 0);

/** True for a line that is no higher than wide, or little: one that runs up shows no way up. */
const isLevel = ({ x0, x1, y0, y1 }: PageLine): boolean => y1 - y0 <= 2 * (x1 - x0);

/** Scales blocks in place. */
export function scaleBlocks(blocks: readonly PageBlock[], scaleX: number, scaleY: number): void {
  for (const line of blocks.flatMap(({ lines }) => lines)) {
    for (const part of [line, ...line.words]) {
      part.x0 *= scaleX;
      part.x1 *= scaleX;
      part.y0 *= scaleY;
      part.y1 *= scaleY;
      part.baseline *= scaleY;
      part.fontSize *= scaleY;
    }
  }
}
