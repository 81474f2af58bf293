import { createNativeEngine, RecognitionTimeout } from './native-engine.js';
import { type Engines, readPage } from './read-page.js';
import { languagesOf, type Recogniser, type RecognitionPlan, type TesseractEngine } from './recogniser.js';
import { createWasmEngine } from './wasm-engine.js';
import { isLatin } from './writing-systems.js';

/** Creates a recogniser: native Tesseract if the plan has it; otherwise, and after it failed, the built-in one. `read` reads a page with them. */
export function createRecogniser(plan: RecognitionPlan, read = readPage): Recogniser {
  const { native, models } = plan;
  const isOtherScript = !isLatin(languagesOf(plan));
  const program = native && createNativeEngine(native);
  const further =
    native?.otherFolder === undefined ? undefined : createNativeEngine({ ...native, folder: native.otherFolder });
  let builtIn: Promise<TesseractEngine> | undefined;
  const startBuiltIn = () => {
    builtIn ??= createWasmEngine(models);
    return builtIn;
  };
  const useBuiltIn = async (): Promise<Engines> => {
    const engine = await startBuiltIn();
    return { usual: engine, getOther: async () => engine, isOtherScript };
  };
  const useProgram = (usual: TesseractEngine): Engines => ({
    usual,
    // The language data of this package is another model than the system's.
    getOther: async () => further ?? (models.length > 0 ? await startBuiltIn() : usual),
    isOtherScript,
  });

  return {
    async recognise(raster, deadline, onInterim) {
      if (program === undefined) return await read(await useBuiltIn(), raster, deadline, onInterim);
      try {
        return await read(useProgram(program), raster, deadline, onInterim);
      } catch (error) {
        if (error instanceof RecognitionTimeout || models.length === 0) throw error;
        return await read(await useBuiltIn(), raster, deadline, onInterim);
      }
    },
    prepare: () => program?.prepare?.(),
  };
}
