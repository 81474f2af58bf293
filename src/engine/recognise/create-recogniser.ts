import type { Raster } from '../raster/raster.js';
import { better, type Reading, readBest } from './read-best.js';
import type { LanguageModel, Recogniser, RecognitionPlan, TesseractEngine } from './recogniser.js';
import { createNativeEngine, RecognitionTimeout } from './tesseract-native.js';
import { createWasmEngine } from './tesseract-wasm.js';

/**
 * Native Tesseract where the plan has it, which reads several languages at once; otherwise, and where it fails, the one
 * that is built in, which reads with each language and takes the better reading.
 */
export function createRecogniser({ native, models }: RecognitionPlan): Recogniser {
  const program = native && createNativeEngine(native.program, native.languages);
  let builtIn: Promise<TesseractEngine[]> | undefined;

  async function readBuiltIn(raster: Raster, deadline: number): Promise<Reading> {
    builtIn ??= startBuiltIn(models);
    const readings: Reading[] = [];
    for (const engine of await builtIn) readings.push(await readBest(engine, raster, deadline));
    return readings.reduce(better);
  }

  async function read(raster: Raster, deadline: number): Promise<Reading> {
    if (program === undefined) return await readBuiltIn(raster, deadline);
    try {
      return await readBest(program, raster, deadline);
    } catch (error) {
      if (error instanceof RecognitionTimeout || models.length === 0) throw error;
      return await readBuiltIn(raster, deadline);
    }
  }

  return { recognise: async (raster, deadline) => (await read(raster, deadline)).recognition };
}

/** One after the other: each takes its language's data into memory twice while it starts. */
async function startBuiltIn(models: readonly LanguageModel[]): Promise<TesseractEngine[]> {
  const engines: TesseractEngine[] = [];
  for (const model of models) engines.push(await createWasmEngine(model));
  return engines;
}
