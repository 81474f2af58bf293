import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { toRgba } from '../raster/raster.js';
import { parseHocr } from './hocr.js';
import type { LanguageModel, TesseractEngine } from './recogniser.js';

/** What we use of the package, whose own types cannot be resolved under Node's rules. */
interface TesseractWasm {
  createOCREngine(options: { wasmBinary: Uint8Array }): Promise<Engine>;
  supportsFastBuild(): boolean;
}
interface Engine {
  loadModel(model: Uint8Array): void;
  loadImage(image: { data: Uint8ClampedArray; width: number; height: number }): void;
  clearImage(): void;
  getHOCR(): string;
  setVariable(name: string, value: string): void;
}
const PACKAGE: string = 'tesseract-wasm';

/** Starts Tesseract (WebAssembly) in this thread, for one language: the build takes one model at a time. */
export async function createWasmEngine({ path }: LanguageModel): Promise<TesseractEngine> {
  const { createOCREngine, supportsFastBuild } = (await import(PACKAGE)) as TesseractWasm;
  const name = supportsFastBuild() ? 'tesseract-core.wasm' : 'tesseract-core-fallback.wasm';
  const wasmBinary = await readFile(fileURLToPath(new URL(name, import.meta.resolve(PACKAGE))));
  const engine = await createOCREngine({ wasmBinary });
  const bytes = await readFile(path);
  engine.loadModel(path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  return {
    provider: 'tesseract-wasm',
    // Nothing can interrupt it: whoever is tired of waiting ends the thread.
    async read(raster, segmentation) {
      const { width, height } = raster;
      engine.loadImage({ data: toRgba(raster), width, height });
      // Loading an image resets the mode.
      engine.setVariable('tessedit_pageseg_mode', String(segmentation));
      const page = parseHocr(engine.getHOCR());
      engine.clearImage();
      return page;
    },
  };
}
