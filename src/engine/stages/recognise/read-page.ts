import type { Area } from '../../model/geometry.js';
import { median } from '../../model/median.js';
import type { PageBlock } from '../../model/page.js';
import { layBare } from '../picture/correct/bare.js';
import { keepOnly } from '../picture/correct/keep-only.js';
import type { Raster } from '../picture/raster.js';
import { dropNoise } from './drop-noise.js';
import { addZone, findZone } from './machine-readable/add-zones.js';
import { mergeReadings } from './merge-readings.js';
import { readAgain, type Way } from './read-again.js';
import { isDoubtful, isUnsure, type Reading, readBest } from './read-best.js';
import { findMissedRows, readMissed } from './read-missed.js';
import { ONE_BLOCK, type OnInterim, type Recognition, SPARSE, type TesseractEngine } from './recogniser.js';

/** The engines that read a page. */
export interface Engines {
  usual: TesseractEngine;
  /** Returns an engine with another model, whose errors are others; the usual one where there is none. */
  getOther(): Promise<TesseractEngine>;
}

/** Heights of the lines at which further readings complement the first one best. */
const LINE_HEIGHT_PX = 32;
const SMALL_LINE_HEIGHT_PX = 24;
/** Confidence of a word below which its line is read again. */
const MIN_SURE_CONFIDENCE = 0.97;
/** Paper around a line that is read again. */
const MARGIN_EM = 0.3;

/**
 * Reads a page as often as it needs:
 *
 * 1. as it is, and in other ways if that reading is poor (`readBest`). If the page is sure, only the letters that this reading
 *    left out are read, and it is done;
 * 2. if it is doubtful, as one block by the other model, which loses no word to an imagined column;
 * 3. by both models the lines that are still in doubt, and letters that no word covers, alone on paper;
 * 4. where there is no other model, as one block and as words anywhere, and then what was left out.
 *
 * All readings of a page vote (`mergeReadings`). Their number depends on the picture alone, never on the speed of the machine.
 */
export async function readPage(
  { usual, getOther }: Engines,
  given: Raster,
  deadline: number,
  onInterim: OnInterim,
): Promise<Recognition> {
  const first = await readBest(usual, given, deadline, (best) => onInterim(toRecognition(best, [])));
  const zone = await findZone(first.raster, first.blocks, first.meanConfidence);
  const finish = (found: Recognition): Recognition =>
    zone === undefined
      ? { ...found, isUnsure: isUnsure(first) }
      : { ...found, blocks: addZone(found.blocks, zone), isUnsure: false };
  const doubtful = isDoubtful(first);
  let further: readonly Reading[] = [];
  const readOn = async (picture: Raster, ways: readonly Way[]) => {
    const known = further;
    const keep = (more: readonly Reading[]) => onInterim(toRecognition(first, [...known, ...more]));
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
    return finish(toRecognition(first, further));
  }
  if (doubtful) {
    await readOn(first.raster, [
      { engine: usual, segmentation: ONE_BLOCK, lineHeightPx: LINE_HEIGHT_PX },
      { engine: usual, segmentation: SPARSE, lineHeightPx: LINE_HEIGHT_PX },
    ]);
  }
  const found = toRecognition(first, further);
  const blocks = await readMissed(usual, first.raster, found.blocks, doubtful, deadline, () => onInterim(found));
  return finish({ ...found, blocks });
}

/** Returns the picture with only the doubtful lines and the letters that no word covers; undefined if there are none. */
function pictureOfDoubts({ raster, words }: Reading, blocks: readonly PageBlock[]): Raster | undefined {
  const bare = layBare(raster);
  const doubtful: Area[] = blocks
    .flatMap(({ lines }) => lines)
    .filter((line) => line.words.some(({ confidence }) => (confidence ?? 1) < MIN_SURE_CONFIDENCE));
  const parts = [...doubtful, ...findMissedRows(bare, blocks)];
  const size = median(words.map(({ fontSize }) => fontSize)) ?? 0;
  return parts.length === 0 ? undefined : keepOnly(bare, parts, Math.round(size * MARGIN_EM));
}

const mergeAll = (first: Reading, further: readonly Reading[]): PageBlock[] =>
  mergeReadings(first.blocks, ...further.map(({ blocks }) => blocks));

/** Merges the readings of a page and leaves out the words that are likelier noise than text. */
export function toRecognition(first: Reading, further: readonly Reading[]): Recognition {
  const { engine, raster, rotation } = first;
  const { width, height } = raster;
  const blocks = dropNoise(mergeAll(first, further), further.length > 0);
  return { provider: engine.provider, blocks, width, height, rotation };
}
