import type { Raster } from '../raster/raster.js';
import { better, isDoubtful, type Reading, readBest, readSecond, toRecognition } from './read-best.js';
import type { LanguageModel, Recogniser, Recognition, RecognitionPlan, TesseractEngine } from './recogniser.js';
import { createNativeEngine, RecognitionTimeout } from './tesseract-native.js';
import { createWasmEngine } from './tesseract-wasm.js';

/**
 * Native Tesseract where the plan has it, which reads several languages at once; otherwise, and where it fails, the one
 * that is built in, which reads with each language and takes the likelier words.
 */
export function createRecogniser({ native, models }: RecognitionPlan): Recogniser {
  const program = native && createNativeEngine(native.program, native.languages);
  let engines: Promise<TesseractEngine[]> | undefined;
  const startBuiltIn = () => {
    engines ??= startEngines(models);
    return engines;
  };

  async function readNative(engine: TesseractEngine, raster: Raster, deadline: number): Promise<Recognition> {
    const first = await readBest(engine, raster, deadline);
    if (!isDoubtful(first)) return toRecognition(first, []);
    // The data that we bring is another model than the system's, and the two err less alike; it is of one language.
    const second = models.length === 1 ? ((await startBuiltIn())[0] ?? engine) : engine;
    return toRecognition(first, await inTime(readSecond(second, first, deadline)));
  }

  async function readBuiltIn(raster: Raster, deadline: number): Promise<Recognition> {
    const readings: Reading[] = [];
    for (const engine of await startBuiltIn()) readings.push(await readBest(engine, raster, deadline));
    const best = readings.reduce(better);
    const others = readings.filter((reading) => reading !== best && reading.rotation === best.rotation);
    if (isDoubtful(best)) others.push(...(await inTime(readSecond(best.engine, best, deadline))));
    return toRecognition(best, others);
  }

  return {
    async recognise(raster, deadline) {
      if (program === undefined) return await readBuiltIn(raster, deadline);
      try {
        return await readNative(program, raster, deadline);
      } catch (error) {
        if (error instanceof RecognitionTimeout || models.length === 0) throw error;
        return await readBuiltIn(raster, deadline);
      }
    },
  };
}

/** A second reading that comes too late leaves the first one as it is. */
async function inTime(reading: Promise<Reading>): Promise<Reading[]> {
  try {
    return [await reading];
  } catch (error) {
    if (error instanceof RecognitionTimeout) return [];
    throw error;
  }
}

/** One after the other: each takes its language's data into memory twice while it starts. */
async function startEngines(models: readonly LanguageModel[]): Promise<TesseractEngine[]> {
  const engines: TesseractEngine[] = [];
  for (const model of models) engines.push(await createWasmEngine(model));
  return engines;
}
