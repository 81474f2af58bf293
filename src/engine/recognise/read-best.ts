import type { LaidBlock } from '../layout/blocks.js';
import { type Raster, stretchContrast, turnRaster } from '../raster/raster.js';
import { LEAST_CONFIDENCE } from './hocr.js';
import type { Recognition, TesseractEngine } from './recogniser.js';

/** One way of reading a page, and how far it can be believed. */
export interface Reading {
  recognition: Recognition;
  /** Sum of the characters, each weighed by its word's confidence. */
  score: number;
  characters: number;
  meanConfidence: number;
  textAngle: number;
}

export const better = (a: Reading, b: Reading): Reading => (b.score > a.score ? b : a);

/** Tesseract's page segmentation modes. */
const AUTOMATIC = 3;
const SPARSE = 11;

/** Reads the picture as it is; turned where that reading says so; in other ways where it is poor. The best reading wins. */
export async function readBest(engine: TesseractEngine, raster: Raster, deadline: number): Promise<Reading> {
  const read = (picture: Raster, rotation: number, segmentation = AUTOMATIC) =>
    readOnce(engine, picture, rotation, segmentation, deadline);
  const first = await read(raster, 0);
  if (first.textAngle !== 0) {
    const turned = await read(raster, (360 - first.textAngle) % 360);
    return isPoor(turned) ? better(turned, await read(raster, first.textAngle)) : turned;
  }
  if (!isPoor(first)) return first;
  const started = performance.now();
  let best = first;
  const otherWays = [() => read(raster, 180), () => read(stretchContrast(raster), 0), () => read(raster, 0, SPARSE)];
  for (const readAgain of otherWays) {
    best = better(best, await readAgain());
    if (!isPoor(best) || performance.now() - started > OTHER_WAYS_MS) break;
  }
  return best;
}

/** A picture without text can take long, and no way helps. */
const OTHER_WAYS_MS = 4000;

/** Mean confidence under which other ways to read a page are tried, and a number of characters that is hardly a page. */
const POOR_CONFIDENCE = 0.65;
const FEW_CHARACTERS = 30;

function isPoor({ meanConfidence, characters }: Reading): boolean {
  return meanConfidence < POOR_CONFIDENCE || characters < FEW_CHARACTERS;
}

async function readOnce(
  engine: TesseractEngine,
  raster: Raster,
  rotation: number,
  segmentation: number,
  deadline: number,
): Promise<Reading> {
  const turned = turnRaster(raster, rotation);
  const { width, height } = turned;
  const { blocks, textAngle } = await engine.read(turned, segmentation, deadline);
  const words = blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  const score = words.reduce((sum, { text, confidence }) => sum + text.length * (confidence ?? 0), 0);
  return {
    recognition: { provider: engine.provider, blocks: dropNoise(blocks), width, height, rotation },
    score,
    characters,
    meanConfidence: characters === 0 ? 0 : score / characters,
    textAngle,
  };
}

function dropNoise(blocks: readonly LaidBlock[]): LaidBlock[] {
  return blocks
    .map(({ lines }) => ({
      lines: lines
        .map((line) => ({ ...line, words: line.words.filter((word) => (word.confidence ?? 1) >= LEAST_CONFIDENCE) }))
        .filter(({ words }) => words.length > 0),
    }))
    .filter(({ lines }) => lines.length > 0);
}
