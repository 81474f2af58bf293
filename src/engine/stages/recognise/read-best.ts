import { median } from '../../model/median.js';
import type { PageBlock, PageWord } from '../../model/page.js';
import { despeckle } from '../picture/find/speckles.js';
import { type Raster, scaleRaster, stretchContrast, turnRaster } from '../picture/raster.js';
import { dropNoise } from './drop-noise.js';
import { type HocrPage, LEAST_CONFIDENCE } from './hocr.js';
import { mergeReadings } from './merge-readings.js';
import { AUTOMATIC, ONE_BLOCK, type Recognition, type TesseractEngine } from './recogniser.js';

/** One way of reading a page, and how far it can be believed. */
export interface Reading {
  engine: TesseractEngine;
  /** As it was read, turned upright. */
  raster: Raster;
  /** Clockwise turn, in degrees, of the raster as it was given. */
  rotation: number;
  blocks: PageBlock[];
  words: PageWord[];
  /** Sum of the characters, each weighed by its word's confidence. */
  score: number;
  characters: number;
  meanConfidence: number;
  textAngle: number;
}

const better = (a: Reading, b: Reading): Reading => (b.score > a.score ? b : a);

/** The page segmentation mode for words anywhere. */
const SPARSE = 11;

/**
 * Mean confidence under which other ways to read a page are tried, and a number of characters that is hardly a page;
 * of a slip or a label, as many fewer as it has fewer pixels. Clean scans have .94 and more, photographed receipts .6 to .88.
 */
const POOR_CONFIDENCE = 0.65;
const FEW_CHARACTERS = 30;
const PAGE_PIXELS = 2200 * 1555;
const DOUBTFUL_CONFIDENCE = 0.85;

/**
 * Reads the picture as it is; without its specks where it has many; turned where that reading says so; in other ways where it is poor. The best reading wins.
 * How many there are depends on the picture alone, never on how quick the machine is.
 */
export async function readBest(
  engine: TesseractEngine,
  given: Raster,
  deadline: number,
  /** Before each further one. */
  onReading: (best: Reading) => void,
): Promise<Reading> {
  const read = async (picture: Raster, rotation: number, segmentation = AUTOMATIC) => {
    const raster = turnRaster(picture, rotation);
    return measure(await engine.read(raster, segmentation, deadline), { engine, raster, rotation });
  };
  let first = await read(given, 0);
  const clean = first.meanConfidence < DOUBTFUL_CONFIDENCE ? await despeckle(given) : undefined;
  if (clean !== undefined) {
    onReading(first);
    first = better(first, await read(clean, 0));
  }
  const raster = clean ?? given;
  if (first.textAngle !== 0) {
    const turned = await read(raster, (360 - first.textAngle) % 360);
    if (!isPoor(turned)) return turned;
    onReading(turned);
    return better(turned, await read(raster, first.textAngle));
  }
  const otherWays = [() => read(raster, 180), () => read(stretchContrast(raster), 0), () => read(raster, 0, SPARSE)];
  let best = first;
  for (const readAgain of otherWays) {
    if (!isPoor(best)) break;
    onReading(best);
    best = better(best, await readAgain());
  }
  return best;
}

const isPoor = ({ meanConfidence, characters, raster: { width, height } }: Reading): boolean =>
  meanConfidence < POOR_CONFIDENCE ||
  characters < FEW_CHARACTERS * Math.min(1, (width * height) / PAGE_PIXELS) ||
  characters === 0;

/** Are further readings worth their time? Not of mere noise, which takes longest and has no text. */
export const isDoubtful = ({ meanConfidence, characters }: Reading): boolean =>
  meanConfidence < DOUBTFUL_CONFIDENCE && meanConfidence >= LEAST_CONFIDENCE && characters >= FEW_CHARACTERS;

/** Photographed receipts have a mean confidence of .57 and more, print in a script that is none of the languages' .13 to .25; photographs of things are as low, but have no lines. */
const UNSURE_CONFIDENCE = 0.4;

/** Of a page with lines of print: is it in a script that was not read for, or too poor to be read? */
export const isUnsure = ({ meanConfidence }: Reading): boolean => meanConfidence < UNSURE_CONFIDENCE;

/** Height of the lines at which further readings differ most usefully from the first, in pixels. */
const FURTHER_LINE_HEIGHT = 32;
const LEAST_SCALE = 0.5;
const MOST_SCALE = 1.6;

/**
 * Reads a doubtful page again, at another scale: as one block, in which no word is lost to a column that does not exist, and as
 * words anywhere. `other`: an engine of another model, or the first again; two of them err less alike, and each reads the block.
 * What can read beside this thread begins before another one holds the thread up.
 * `onReading` as in readBest, with the further readings so far.
 */
export async function readAgain(
  other: TesseractEngine,
  first: Reading,
  deadline: number,
  onReading: (further: readonly Reading[]) => void,
): Promise<Reading[]> {
  const usual = snapSize(median(first.words.map(({ fontSize }) => fontSize)) || FURTHER_LINE_HEIGHT);
  const factor = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, FURTHER_LINE_HEIGHT / usual));
  const raster = await scaleRaster(first.raster, factor);
  const engines = other === first.engine ? [other] : [other, first.engine];
  const ways = [
    ...engines.map((engine) => ({ engine, segmentation: ONE_BLOCK })),
    { engine: other, segmentation: SPARSE },
  ];
  const begun = [];
  for (const { engine, segmentation } of ways) begun.push(await engine.begin?.(raster, segmentation, deadline));
  const further: Reading[] = [];
  for (const [index, { engine, segmentation }] of ways.entries()) {
    onReading(further);
    const page = await (begun[index]?.page ?? engine.read(raster, segmentation, deadline));
    const reading = measure(page, { engine, raster, rotation: first.rotation });
    scaleBlocks(reading.blocks, first.raster.width / raster.width, first.raster.height / raster.height);
    further.push(reading);
  }
  return further;
}

/** Sizes of recognised lines vary with their letters; steps of a tenth are all that can be told apart. */
const snapSize = (size: number): number => 1.1 ** Math.round(Math.log(size) / Math.log(1.1));

/** Turns readings to what the document's page has: words that are likelier noise than text are left out. */
export function toRecognition(first: Reading, others: readonly Reading[]): Recognition {
  const { engine, raster, rotation } = first;
  const blocks = mergeReadings(first.blocks, ...others.map((other) => other.blocks));
  const { width, height } = raster;
  return {
    provider: engine.provider,
    blocks: dropNoise(blocks, others.length > 0),
    width,
    height,
    rotation,
  };
}

/** How far a page that was read in one way can be believed. */
function measure({ blocks, textAngle }: HocrPage, by: Pick<Reading, 'engine' | 'raster' | 'rotation'>): Reading {
  const words = blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  const score = words.reduce((sum, { text, confidence }) => sum + text.length * (confidence ?? 0), 0);
  const meanConfidence = characters === 0 ? 0 : score / characters;
  return { ...by, blocks, words, score, characters, meanConfidence, textAngle };
}

/** In place. */
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
