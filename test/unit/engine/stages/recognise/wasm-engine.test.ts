import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recognisePage } from '../../../../../dist/engine/reading/recognise-page.js';
import { loadImage } from '../../../../../dist/engine/stages/picture/decode/load-image.js';
import type { HocrPage } from '../../../../../dist/engine/stages/recognise/hocr.js';
import { planRecognition } from '../../../../../dist/engine/stages/recognise/languages.js';
import type { LanguageModel, TesseractEngine } from '../../../../../dist/engine/stages/recognise/recogniser.js';
import { createWasmEngine } from '../../../../../dist/engine/stages/recognise/wasm-engine.js';
import { examples, images } from '../../../../fixtures/manifest.js';
import { wordF1 } from '../../../../support/word-f1.js';

const AUTOMATIC = 3;
const directory = mkdtempSync(join(tmpdir(), 'ocr-wasm-engine-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A small picture, which is recognised quickly. */
const line = { path: join(directory, 'line.png'), mimeType: 'image/png' };
let engine: TesseractEngine;
beforeAll(async () => {
  await sharp(images.png.path).extract({ left: 0, top: 70, width: 600, height: 60 }).png().toFile(line.path);
  engine = await createWasmEngine([english]);
});

const [english] = planRecognition(['eng']).models as [LanguageModel];
/** Loads a picture without enlarging it: that would take several times as long to read. */
const load = async (file: { path: string; mimeType: string }, page = 1) =>
  (await loadImage({ ...file, page, maxPixels: 100e6 }, { longSide: 2200, maxEnlargement: 1 })).raster;

/** Returns the share of images.png that was read. */
function scoreOf({ blocks }: HocrPage): number {
  const words = blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words.map(({ text }) => text)));
  return wordF1(images.png.text.join('\n'), words.join(' '));
}

const never = Number.POSITIVE_INFINITY;

it('several languages → read at once', async () => {
  const path = join(directory, 'other.traineddata');
  writeFileSync(path, gunzipSync(readFileSync(english.path)));
  const both = await createWasmEngine([english, { language: 'other', path }]);
  expect(scoreOf(await both.read(await load(images.png), AUTOMATIC, never))).toBeGreaterThan(0.95);
});

it.each([0, 1, 2, 3])('rows that end within a word of memory, %i pixels less → read', async (less) => {
  const raster = await load(images.png);
  const width = raster.width - less;
  const rows = Array.from({ length: raster.height }, (_, y) =>
    raster.data.subarray(y * raster.width).subarray(0, width),
  );
  const cut = { width, height: raster.height, data: Buffer.concat(rows) };
  expect(scoreOf(await engine.read(cut, AUTOMATIC, never))).toBeGreaterThan(0.95);
});

it('a page read again after others → the same result: nothing is learned', async () => {
  const page = await load(examples.photo);
  const first = await engine.read(page, AUTOMATIC, never);
  await engine.read(await load(images.png), AUTOMATIC, never);
  await engine.read(await load(examples.pagesTiff, 2), AUTOMATIC, never);
  expect(await engine.read(page, AUTOMATIC, never)).toEqual(first);
});

it.each([
  ['cut off', gunzipSync(readFileSync(english.path)).subarray(0, 1_000_000)],
  ['empty', Buffer.alloc(0)],
  ['of another kind', readFileSync(images.png.path)],
])('language data that is %s → an error that names its file', async (name, bytes) => {
  const path = join(directory, `${name.replaceAll(' ', '-')}.traineddata`);
  writeFileSync(path, bytes);
  await expect(createWasmEngine([{ language: 'broken', path }])).rejects.toThrow(
    `the language data in ${path} cannot be used: install it again`,
  );
});

it('a failed start → the next page starts the engine anew, with repaired data', async () => {
  const path = join(directory, 'repaired.traineddata');
  const plan = { models: [{ language: 'repaired', path }] };
  const task = { ...line, password: undefined, page: 1, plan, maxPixels: 100e6 };
  writeFileSync(path, 'not yet');
  await expect(recognisePage(task, never, () => undefined)).rejects.toThrow('cannot be used');
  writeFileSync(path, gunzipSync(readFileSync(english.path)));
  expect((await recognisePage(task, never, () => undefined)).content.fragments).not.toEqual([]);
});

it('a processor without vector instructions → reads more slowly; nothing is printed', () => {
  // V8's flags; on other processors they change nothing.
  const old = ['--no-enable-sse4-1', '--no-enable-ssse3', '--no-enable-sse3'];
  const script = `
    const { loadImage } = await import('./dist/engine/stages/picture/decode/load-image.js');
    const { planRecognition } = await import('./dist/engine/stages/recognise/languages.js');
    const { createWasmEngine } = await import('./dist/engine/stages/recognise/wasm-engine.js');
    const { raster } = await loadImage({ path: ${JSON.stringify(line.path)}, mimeType: 'image/png', page: 1, maxPixels: 1e8 });
    const engine = await createWasmEngine(planRecognition(['eng']).models);
    const { blocks } = await engine.read(raster, 3, Infinity);
    if (blocks.length === 0) process.exitCode = 1;`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...old, '--input-type=module', '-e', script], {
    cwd: new URL('../../../../../', import.meta.url),
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});
