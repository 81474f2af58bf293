import { median } from '../../model/median.js';
import { type Raster, scaleRaster } from '../picture/raster.js';
import { measure, type Reading, scaleBlocks } from './read-best.js';
import type { TesseractEngine } from './recogniser.js';

/** A further way to read a page. */
export interface Way {
  engine: TesseractEngine;
  segmentation: number;
  /** Height to which lines are scaled. Readings at several heights make different errors. */
  lineHeightPx: number;
}

const MIN_SCALE = 0.5;
const MAX_SCALE = 1.6;

/**
 * Reads `picture`, which is that of `first` or a part of it, in further ways. Readings outside of this thread run side by side,
 * and begin before one that blocks the thread. `onReading` is called before each wait, with the further readings so far.
 */
export async function readAgain(
  first: Reading,
  picture: Raster,
  ways: readonly Way[],
  deadline: number,
  onReading: (further: readonly Reading[]) => void,
): Promise<Reading[]> {
  const usual = snapSize(median(first.words.map(({ fontSize }) => fontSize)) ?? 0);
  const begun = [];
  for (const { engine, segmentation, lineHeightPx } of ways) {
    const factor = usual === 0 ? 1 : Math.min(MAX_SCALE, Math.max(MIN_SCALE, lineHeightPx / usual));
    const raster = await scaleRaster(picture, factor);
    begun.push({ engine, segmentation, raster, reading: await engine.begin?.(raster, segmentation, deadline) });
  }
  const further: Reading[] = [];
  for (const { engine, segmentation, raster, reading } of begun) {
    onReading(further);
    const page = await (reading?.page ?? engine.read(raster, segmentation, deadline));
    scaleBlocks(page.blocks, picture.width / raster.width, picture.height / raster.height);
    further.push(measure(page, { engine, raster: first.raster, rotation: first.rotation }));
  }
  return further;
}

/** Rounds a size to steps of a tenth: sizes of recognised lines vary with their letters and are no more precise. */
const snapSize = (size: number): number => (size > 0 ? 1.1 ** Math.round(Math.log(size) / Math.log(1.1)) : 0);
