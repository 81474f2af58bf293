import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples, images, phonePictures } from '../fixtures/manifest.js';
import { runInProcess } from '../support/run-in-process.js';
import { type Serving, startServe } from '../support/serve.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';
import { wordF1 } from '../support/word-f1.js';

/** The paragraph has 401,071 pixels. */
const MAX_PIXELS = 500_000;

let home: TemporaryHome;
let serving: Serving;
let avif: string;
beforeAll(async () => {
  home = createHome();
  serving = await startServe(home, ['--port', '0'], { OCR_SERVE_MAX_PIXELS: String(MAX_PIXELS) });
  const key = readFileSync(join(serving.dataDir, 'api-key'), 'utf8').trim();
  Object.assign(home.env, { OCR_BASE_URL: serving.url, OCR_API_KEY: key });
  avif = join(home.dir, 'paragraph.avif');
  await sharp(images.png.path).avif({ quality: 60, effort: 2 }).toFile(avif);
});
afterAll(async () => {
  await serving.stop();
  home.remove();
});
const run = (...args: string[]) => runInProcess(args, { home });
const TRUTH = images.png.text.join('\n');

test.each([
  ['HEIC', 'image/heic', () => phonePictures.heic.path],
  ['AVIF', 'image/avif', () => avif],
])(
  '%s → its text, with the type that it has',
  async (_, type, findPath) => {
    const { stdout, exitCode, stderr } = await run('extract', findPath());
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(wordF1(TRUTH, stdout)).toBeGreaterThan(0.95);
    const inspected = JSON.parse((await run('extract', '-f', 'inspect', '--json', findPath())).stdout);
    expect(inspected.result).toMatchObject({ mimeType: type, pageCount: 1, pages: [{ width: 1111, height: 361 }] });
  },
  60_000,
);

test('several pictures in one file → pages', async () => {
  const { stdout } = await run('extract', '--json', '-a', 'pages=2', phonePictures.heicTwice.path);
  const { result, meta } = JSON.parse(stdout);
  expect(result.pages).toMatchObject([{ page: 2, source: 'recognised' }]);
  expect(wordF1(TRUTH, result.text)).toBeGreaterThan(0.95);
  expect(meta.pageCount).toBe(1);
  expect(await run('extract', '-a', 'pages=3', phonePictures.heicTwice.path)).toMatchObject({ exitCode: 1 });
});

test('HEIC → a searchable PDF with its picture', async () => {
  const pdf = join(home.dir, 'a.pdf');
  expect(await run('extract', '-f', 'searchable-pdf', phonePictures.heic.path, '-o', pdf)).toMatchObject({
    exitCode: 0,
  });
  expect(wordF1(TRUTH, (await run('extract', pdf)).stdout)).toBeGreaterThan(0.95);
});

test('HEIC → a page of ocr open with its picture', async () => {
  const { stdout } = await run('open', phonePictures.heic.path, '-o', '-');
  expect(stdout).toContain('src="data:image/webp');
});

test('HEIC that is larger than the limit, or damaged → refused', async () => {
  const bytes = readFileSync(phonePictures.heic.path);
  const large = Buffer.from(bytes);
  // The sizes of the coded picture and of what is shown of it.
  for (let at = large.indexOf('ispe'); at >= 0; at = large.indexOf('ispe', at + 1)) large.writeUInt32BE(30_000, at + 8);
  writeFileSync(join(home.dir, 'large.heic'), large);
  writeFileSync(join(home.dir, 'cut.heic'), bytes.subarray(0, bytes.length / 2));
  const refused = await run('extract', '--json', join(home.dir, 'large.heic'));
  expect(refused.exitCode).toBe(1);
  expect(JSON.parse(refused.stdout).error.message).toMatch(/30000 x 361 pixels; the limit is/);
  const cut = await run('extract', '--json', join(home.dir, 'cut.heic'));
  expect(cut.exitCode).toBe(1);
  expect(await run('extract', examples.report.path)).toMatchObject({ exitCode: 0 });
});
