import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { toSpix } from '../picture/decode/spix.js';
import { parseHocr } from './hocr.js';
import type { LanguageModel, TesseractEngine } from './recogniser.js';

/** The used part of the package, which has no types. */
type CreateModule = (options: { print(line: string): void; printErr(line: string): void }) => Promise<TesseractModule>;
interface TesseractModule {
  TessBaseAPI: new () => TessBaseApi;
  /** File system in memory. */
  FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
}
interface TessBaseApi {
  /** Returns 0 on success. */
  Init(folder: string, languages: string, engineMode: number): number;
  SetPageSegMode(mode: number): void;
  /** Reads `/input`. Returns 0 on success. */
  SetImageFile(exifOrientation: number, angle: number): number;
  Recognize(monitor: null): number;
  GetHOCRText(page: number): string;
  Clear(): void;
}

const PACKAGE = 'tesseract.js-core';
const NEURAL_ONLY = 1;
/** EXIF's orientation of an upright picture. */
const UPRIGHT = 1;
const INPUT = '/input';

/** Starts Tesseract (WebAssembly) in this thread; it reads in all the languages at once. Rejects if a model cannot be used. */
export async function createWasmEngine(models: readonly LanguageModel[]): Promise<TesseractEngine> {
  // The second build is for processors without vector instructions.
  const { FS, TessBaseAPI } = await load('tesseract-core-simd-lstm').catch(() => load('tesseract-core-lstm'));
  for (const { language, path } of models) {
    const bytes = await readFile(path);
    FS.writeFile(`/${language}.traineddata`, path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  }
  const tesseract = new TessBaseAPI();
  if (tesseract.Init('/', models.map(({ language }) => language).join('+'), NEURAL_ONLY) !== 0) {
    const files = models.map(({ path }) => path).join(' or ');
    throw new Error(`the language data in ${files} cannot be used: install it again`);
  }
  // Tesseract has its own copy.
  for (const { language } of models) FS.unlink(`/${language}.traineddata`);
  return {
    provider: 'tesseract-wasm',
    // A reading cannot be interrupted: a caller that stops waiting ends the thread.
    async read(raster, segmentation) {
      FS.writeFile(INPUT, toSpix(raster));
      tesseract.SetPageSegMode(segmentation);
      const failed = tesseract.SetImageFile(UPRIGHT, 0) !== 0 || tesseract.Recognize(null) !== 0;
      FS.unlink(INPUT);
      if (failed) throw new Error('Tesseract cannot read the picture');
      const page = parseHocr(tesseract.GetHOCRText(0));
      tesseract.Clear();
      return page;
    },
  };
}

async function load(variant: string): Promise<TesseractModule> {
  const createModule = createRequire(import.meta.url)(`${PACKAGE}/${variant}.js`) as CreateModule;
  return createModule({ print: () => undefined, printErr: () => undefined });
}
