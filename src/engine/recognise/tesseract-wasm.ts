import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { LaidBlock } from '../layout/blocks.js';
import { type Raster, stretchContrast, toRgba, turnRaster } from '../raster/raster.js';
import { LEAST_CONFIDENCE, parseHocr } from './hocr.js';
import type { LanguageModel, Recogniser, Recognition } from './recogniser.js';

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

/** Starts Tesseract (WebAssembly) in this thread, one engine for each language: the build takes one model at a time. */
export async function createTesseractWasm(models: readonly LanguageModel[]): Promise<Recogniser> {
  const { createOCREngine, supportsFastBuild } = (await import(PACKAGE)) as TesseractWasm;
  const name = supportsFastBuild() ? 'tesseract-core.wasm' : 'tesseract-core-fallback.wasm';
  const wasmBinary = await readFile(fileURLToPath(new URL(name, import.meta.resolve(PACKAGE))));
  const engines: Engine[] = [];
  for (const { path } of models) {
    const engine = await createOCREngine({ wasmBinary });
    const bytes = await readFile(path);
    engine.loadModel(path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
    engines.push(engine);
  }
  return {
    provider: 'tesseract-wasm',
    recognise: (raster) => engines.map((engine) => readBest(engine, raster)).reduce(better).recognition,
  };
}

interface Reading {
  recognition: Recognition;
  /** Sum of the characters, each weighed by its word's confidence. */
  score: number;
  characters: number;
  meanConfidence: number;
  textAngle: number;
}

const better = (a: Reading, b: Reading): Reading => (b.score > a.score ? b : a);

/** Tesseract's page segmentation modes. */
const AUTOMATIC = 3;
const SPARSE = 11;

/** Reads the picture as it is; turned where that reading says so; in other ways where it is poor. The best reading wins. */
function readBest(engine: Engine, raster: Raster): Reading {
  const first = read(engine, raster, 0);
  if (first.textAngle !== 0) {
    const turned = read(engine, raster, (360 - first.textAngle) % 360);
    return isPoor(turned) ? better(turned, read(engine, raster, first.textAngle)) : turned;
  }
  if (!isPoor(first)) return first;
  const started = performance.now();
  let best = first;
  const otherWays = [
    () => read(engine, raster, 180),
    () => read(engine, stretchContrast(raster), 0),
    () => read(engine, raster, 0, SPARSE),
  ];
  for (const readAgain of otherWays) {
    best = better(best, readAgain());
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

function read(engine: Engine, raster: Raster, rotation: number, segmentation = AUTOMATIC): Reading {
  const turned = turnRaster(raster, rotation);
  const { width, height } = turned;
  engine.loadImage({ data: toRgba(turned), width, height });
  // Loading an image sets the mode back.
  engine.setVariable('tessedit_pageseg_mode', String(segmentation));
  const { blocks, textAngle } = parseHocr(engine.getHOCR());
  engine.clearImage();
  const words = blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  const score = words.reduce((sum, { text, confidence }) => sum + text.length * (confidence ?? 0), 0);
  return {
    recognition: { blocks: dropNoise(blocks), width, height, rotation },
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
