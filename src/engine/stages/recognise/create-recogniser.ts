import type { Raster } from '../picture/raster.js';
import { createNativeEngine, RecognitionTimeout } from './native-engine.js';
import { isDoubtful, isUnsure, type Reading, readAgain, readBest, toRecognition } from './read-best.js';
import { readMissed } from './read-missed.js';
import type { OnInterim, Recogniser, Recognition, RecognitionPlan, TesseractEngine } from './recogniser.js';
import { createWasmEngine } from './wasm-engine.js';

/** Creates a recogniser: native Tesseract if the plan has it; otherwise, and after it failed, the built-in one. */
export function createRecogniser({ native, models }: RecognitionPlan): Recogniser {
  const program = native && createNativeEngine(native);
  let builtIn: Promise<TesseractEngine> | undefined;
  const startBuiltIn = () => {
    builtIn ??= createWasmEngine(models);
    return builtIn;
  };

  async function read(
    engine: TesseractEngine,
    raster: Raster,
    deadline: number,
    onInterim: OnInterim,
  ): Promise<Recognition> {
    const keep = (best: Reading) => onInterim(toRecognition(best, []));
    const first = await readBest(engine, raster, deadline, keep);
    const doubtful = isDoubtful(first);
    let found = toRecognition(first, []);
    if (doubtful) {
      // The language data of this package is another model than the system's.
      const other = models.length > 0 ? await startBuiltIn() : engine;
      const keepMerged = (further: readonly Reading[]) => onInterim(toRecognition(first, further));
      found = toRecognition(first, await readAgain(other, first, deadline, keepMerged));
    }
    const keepFound = () => onInterim(found);
    const blocks = await readMissed(engine, first.raster, found.blocks, doubtful, deadline, keepFound);
    return { ...found, blocks, isUnsure: isUnsure(first) };
  }

  return {
    async recognise(raster, deadline, onInterim) {
      if (program === undefined) return await read(await startBuiltIn(), raster, deadline, onInterim);
      try {
        return await read(program, raster, deadline, onInterim);
      } catch (error) {
        if (error instanceof RecognitionTimeout || models.length === 0) throw error;
        return await read(await startBuiltIn(), raster, deadline, onInterim);
      }
    },
    prepare: () => program?.prepare?.(),
  };
}
