import type { Raster } from '../raster/raster.js';
import { createNativeEngine, RecognitionTimeout } from './native-engine.js';
import { better, isDoubtful, type Reading, readBest, readSecond, toRecognition } from './read-best.js';
import type {
  LanguageModel,
  OnInterim,
  Recogniser,
  Recognition,
  RecognitionPlan,
  TesseractEngine,
} from './recogniser.js';
import { createWasmEngine } from './wasm-engine.js';

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

  async function readNative(
    engine: TesseractEngine,
    raster: Raster,
    deadline: number,
    onInterim: OnInterim,
  ): Promise<Recognition> {
    const keep = (best: Reading) => onInterim(toRecognition(best, []));
    const first = await readBest(engine, raster, deadline, keep);
    if (!isDoubtful(first)) return toRecognition(first, []);
    keep(first);
    // The data that we bring is another model than the system's, and the two err less alike; it is of one language.
    const second = models.length === 1 ? ((await startBuiltIn())[0] ?? engine) : engine;
    return toRecognition(first, [await readSecond(second, first, deadline)]);
  }

  async function readBuiltIn(raster: Raster, deadline: number, onInterim: OnInterim): Promise<Recognition> {
    const readings: Reading[] = [];
    const keep = (best: Reading) => onInterim(toRecognition([...readings, best].reduce(better), []));
    for (const engine of await startBuiltIn()) {
      const [previous] = readings;
      if (previous !== undefined) keep(previous);
      readings.push(await readBest(engine, raster, deadline, keep));
    }
    const best = readings.reduce(better);
    const others = readings.filter((reading) => reading !== best && reading.rotation === best.rotation);
    if (isDoubtful(best)) {
      keep(best);
      others.push(await readSecond(best.engine, best, deadline));
    }
    return toRecognition(best, others);
  }

  return {
    async recognise(raster, deadline, onInterim) {
      if (program === undefined) return await readBuiltIn(raster, deadline, onInterim);
      try {
        return await readNative(program, raster, deadline, onInterim);
      } catch (error) {
        if (error instanceof RecognitionTimeout || models.length === 0) throw error;
        return await readBuiltIn(raster, deadline, onInterim);
      }
    },
  };
}

/** One after the other: each takes its language's data into memory twice while it starts. */
async function startEngines(models: readonly LanguageModel[]): Promise<TesseractEngine[]> {
  const engines: TesseractEngine[] = [];
  for (const model of models) engines.push(await createWasmEngine(model));
  return engines;
}
