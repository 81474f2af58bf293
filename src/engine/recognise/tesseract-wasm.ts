import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { LaidBlock } from '../layout/blocks.js';
import { type Raster, toRgba, turnRaster } from '../raster/raster.js';
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

/** Mean confidence under which other ways to read a page are tried. */
const POOR = 0.65;

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
    recognise: (raster) => engines.map((engine) => recogniseUpright(engine, raster)).reduce(better).recognition,
  };
}

interface Reading {
  recognition: Recognition;
  /** Sum of the characters, each weighed by its word's confidence. */
  score: number;
  meanConfidence: number;
  textAngle: number;
}

const better = (a: Reading, b: Reading): Reading => (b.score > a.score ? b : a);

/** Reads the picture as it is, and turned where that reading says so or is poor. */
function recogniseUpright(engine: Engine, raster: Raster): Reading {
  const first = read(engine, raster, 0);
  if (first.textAngle !== 0) {
    const turned = read(engine, raster, (360 - first.textAngle) % 360);
    const upsideDown = turned.meanConfidence < POOR ? read(engine, raster, first.textAngle) : turned;
    return better(turned, upsideDown);
  }
  if (first.meanConfidence >= POOR || first.score === 0) return first;
  return better(first, read(engine, raster, 180));
}

function read(engine: Engine, raster: Raster, rotation: number): Reading {
  const turned = turnRaster(raster, rotation);
  const { width, height } = turned;
  engine.loadImage({ data: toRgba(turned), width, height });
  const { blocks, textAngle } = parseHocr(engine.getHOCR());
  engine.clearImage();
  const words = blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  const score = words.reduce((sum, { text, confidence }) => sum + text.length * (confidence ?? 0), 0);
  return {
    recognition: { blocks: dropNoise(blocks), width, height, rotation },
    score,
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
