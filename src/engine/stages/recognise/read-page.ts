import type { Area } from '../../model/geometry.js';
import { median } from '../../model/median.js';
import type { PageBlock } from '../../model/page.js';
import { layBare } from '../picture/correct/bare.js';
import { eraseAreas, keepOnly } from '../picture/correct/keep-only.js';
import type { Raster } from '../picture/raster.js';
import { addMarks } from './add-marks.js';
import { calibrate } from './calibrate.js';
import { dropNoise } from './drop-noise.js';
import { leaveOutHandwriting } from './handwriting/leave-out-handwriting.js';
import type { Evidence } from './handwriting/measure-words.js';
import { addZone, findZone } from './machine-readable/add-zones.js';
import { mergeReadings } from './merge-readings.js';
import { findMissedRows, findMixedLines, wholeRows } from './missed-rows.js';
import { partFigures } from './part-figures.js';
import { readAgain, type Way } from './read-again.js';
import { isDoubtful, isUnsure, measure, type Reading, readBest } from './read-best.js';
import { addRising, readMissed, readRising, withoutWordsIn } from './read-missed.js';
import { ONE_BLOCK, type OnInterim, type Recognition, SPARSE, type TesseractEngine } from './recogniser.js';

/** The engines that read a page. */
export interface Engines {
  usual: TesseractEngine;
  /** Returns an engine with another model, whose errors are others; the usual one where there is none. */
  getOther(): Promise<TesseractEngine>;
  /** True when a language has other letters than Latin ones: many scripts join their letters in print too. */
  isOtherScript?: boolean;
}

/** Heights of the lines at which further readings complement the first one best. */
const LINE_HEIGHT_PX = 32;
const SMALL_LINE_HEIGHT_PX = 24;
/** Confidence of a word below which its line is read again. */
const MIN_SURE_CONFIDENCE = 0.97;
/**
 * Letters that further readings left out, by those that they read, from which rows are read one by one: the page is a drawing or
 * a card. Receipts have up to .27, few up to .46; cards .16 to 1.4.
 */
const MIN_MISSED_SHARE = 0.3;
/** Lines of a page that mix rows, by all, from which the page is doubtful because of them. Receipts have up to .13, tables with cells of two lines .26 to .8. */
const MIN_MIXED_SHARE = 0.2;
/** Paper around a line that is read again. */
const MARGIN_EM = 0.3;

/**
 * Reads a page as often as it needs:
 *
 * 1. as it is, and in other ways if that reading is poor (`readBest`); where many lines mix rows, those row by row, after which
 *    the page may be doubtful no more;
 * 2. if it is doubtful, rows that run up, by themselves: they are erased from the picture;
 * 3. if it is doubtful, as one block by the other model, which loses no word to an imagined column, and by both models the
 *    lines that are still in doubt, and letters that no word covers, alone on paper;
 * 4. where there is no other model, as one block and as words anywhere;
 * 5. the letters that no word covers, row by row; where step 3 has read them, only if they are many. If the page is not doubtful,
 *    its unsure numbers too.
 *
 * All readings of a page vote (`mergeReadings`). Their number depends on the picture alone, never on the speed of the machine.
 * Words that a pen wrote are left out (`leaveOutHandwriting`), and in the end the agreement of the readings is put into
 * proportion (`calibrate`).
 */
export async function readPage(
  engines: Engines,
  given: Raster,
  deadline: number,
  onInterim: OnInterim,
): Promise<Recognition> {
  const { evidence, hasZone, finish } = await readWords(engines, given, deadline, onInterim);
  // Identity documents are hard to read, and have no more handwriting than a signature.
  return finish(hasZone || engines.isOtherScript ? { blocks: [...evidence.blocks] } : leaveOutHandwriting(evidence));
}

/** The words of a page before any is left out as handwriting. */
export interface ReadWords {
  evidence: Evidence;
  hasZone: boolean;
  /** Adds rows that run up and the machine-readable zone, and gives words the confidence that they deserve. */
  finish(printed: Pick<Recognition, 'blocks' | 'handwriting'>): Recognition;
}

/** Reads the words of a page as `readPage` says, handwriting among them. */
export async function readWords(
  { usual, getOther }: Engines,
  given: Raster,
  deadline: number,
  onInterim: OnInterim,
): Promise<ReadWords> {
  const onReading = (known: Reading) => onInterim(toRecognition(known, []));
  const best = await partMixedLines(await readBest(usual, given, deadline, onReading), deadline, onReading);
  const zone = await findZone(best.raster, best.blocks, best.meanConfidence);
  const doubtful = isDoubtful(best);
  const onRising = () => onInterim(toRecognition(best, []));
  const rising = doubtful ? await readRising(usual, best.raster, best.blocks, deadline, onRising) : [];
  const first = rising.length === 0 ? best : withoutRows(best, rising);
  let further: readonly Reading[] = [];
  const readOn = async (picture: Raster, ways: readonly Way[]) => {
    const known = further;
    const keep = (more: readonly Reading[]) => {
      const all = [...known, ...more];
      onInterim(inProportion(toRecognition(first, all), all));
    };
    further = [...known, ...(await readAgain(first, picture, ways, deadline, keep))];
  };
  const other = doubtful ? await getOther() : usual;
  if (other !== usual) {
    await readOn(first.raster, [{ engine: other, segmentation: ONE_BLOCK, lineHeightPx: LINE_HEIGHT_PX }]);
    const doubts = pictureOfDoubts(first, mergeAll(first, further));
    if (doubts !== undefined) {
      await readOn(doubts, [
        { engine: usual, segmentation: ONE_BLOCK, lineHeightPx: LINE_HEIGHT_PX },
        { engine: other, segmentation: ONE_BLOCK, lineHeightPx: SMALL_LINE_HEIGHT_PX },
      ]);
    }
  } else if (doubtful) {
    await readOn(first.raster, [
      { engine: usual, segmentation: ONE_BLOCK, lineHeightPx: LINE_HEIGHT_PX },
      { engine: usual, segmentation: SPARSE, lineHeightPx: LINE_HEIGHT_PX },
    ]);
  }
  const found = toRecognition(first, further);
  const minShare = other === usual ? 0 : MIN_MISSED_SHARE;
  const keepFound = () => onInterim(inProportion(found, further));
  const complete = await readMissed(
    usual,
    first.raster,
    found.blocks,
    { isDoubtful: doubtful, minShare },
    deadline,
    keepFound,
  );
  const blocks = partFigures(first.raster, complete);
  return {
    evidence: {
      ...{ raster: first.raster, blocks, meanConfidence: best.meanConfidence },
      readings: [first, ...further].map((reading) => reading.blocks),
    },
    hasZone: zone !== undefined,
    finish: (printed) => {
      const read = inProportion(
        { ...found, ...printed, blocks: addMarks(addRising(printed.blocks, rising), best.marks ?? []) },
        further,
      );
      return zone === undefined
        ? { ...read, isUnsure: isUnsure(best) }
        : { ...read, blocks: addZone(read.blocks, zone), isUnsure: false };
    },
  };
}

/** Puts the confidence of words into proportion where readings voted. Everything that judges words of votes comes before. */
const inProportion = (read: Recognition, further: readonly Reading[]): Recognition =>
  further.length === 0 ? read : { ...read, blocks: calibrate(read.blocks) };

/**
 * Reads the lines of a doubtful page that mix rows row by row, if they are many: cells of two lines beside cells of one, as browsers
 * print tables, are doubtful only because their lines were mixed, and no reading of the whole page parts them.
 */
async function partMixedLines(
  reading: Reading,
  deadline: number,
  onReading: (known: Reading) => void,
): Promise<Reading> {
  const { engine, raster, blocks, textAngle } = reading;
  const least = blocks.flatMap(({ lines }) => lines).length * MIN_MIXED_SHARE;
  if (!isDoubtful(reading) || findMixedLines(raster, blocks, undefined, least).length < least) return reading;
  const keep = () => onReading(reading);
  const parted = await readMissed(engine, raster, blocks, { isDoubtful: false }, deadline, keep);
  return measure({ blocks: parted, textAngle }, reading);
}

/** Returns the picture with only the doubtful lines and the letters that no word covers; undefined if there are none. */
function pictureOfDoubts({ raster, words }: Reading, blocks: readonly PageBlock[]): Raster | undefined {
  const bare = layBare(raster);
  const doubtful: Area[] = blocks
    .flatMap(({ lines }) => lines)
    .filter((line) => line.words.some(({ confidence }) => (confidence ?? 1) < MIN_SURE_CONFIDENCE));
  const size = median(words.map(({ fontSize }) => fontSize)) ?? 0;
  const parts = [...doubtful, ...wholeRows(findMissedRows(bare, blocks), blocks, size)];
  return parts.length === 0 ? undefined : keepOnly(bare, parts, Math.round(size * MARGIN_EM));
}

/** Returns a reading without some rows, in its picture too. */
const withoutRows = (reading: Reading, rows: readonly Area[]): Reading => ({
  ...reading,
  raster: eraseAreas(reading.raster, rows),
  blocks: withoutWordsIn(reading.blocks, rows),
});

const mergeAll = (first: Reading, further: readonly Reading[]): PageBlock[] =>
  mergeReadings(first.blocks, ...further.map(({ blocks }) => blocks));

/** Merges the readings of a page and leaves out the words that are likelier noise than text. */
export function toRecognition(first: Reading, further: readonly Reading[]): Recognition {
  const { engine, raster, rotation } = first;
  const { width, height } = raster;
  const blocks = dropNoise(mergeAll(first, further), further.length > 0);
  return { provider: engine.provider, blocks, width, height, rotation };
}
