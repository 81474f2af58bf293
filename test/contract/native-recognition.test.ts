import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findNativeTesseract } from '../../dist/engine/stages/recognise/find-native-tesseract.js';
import { images } from '../fixtures/manifest.js';
import { wordF1 } from '../support/word-f1.js';
import { startTestService } from './support/running-service.js';

const native = await findNativeTesseract(process.env);

async function extract(ocrEngine: string) {
  const service = await startTestService({ config: { ocrEngine, inlineTimeoutMs: 60_000 } });
  onTestFinished(() => service.remove());
  return await service.submit(readFileSync(images.png.path), { filename: 'paragraph.png' });
}

it('installed language data → named in the catalog', async () => {
  const service = await startTestService();
  onTestFinished(() => service.remove());
  const { json } = await service.get('/v1/ocr/functions');
  const { argsSchema } = json.functions.find(({ id }: { id: string }) => id === 'TEXT_EXTRACTION');
  expect(argsSchema.properties.languages.description).toMatch(/ Installed: (?:\w+, )*eng\b/);
  expect(argsSchema.properties.languages.items.examples).toContain('eng');
});

// Without native Tesseract these tests are skipped: apt install tesseract-ocr.
describe.runIf(native !== undefined)('a service on a machine with native Tesseract', () => {
  // The other engines: native-recognition.long.test.ts.
  it('ocrEngine auto → read by tesseract, in a confined process', async () => {
    const { status, json } = await extract('auto');
    expect(status).toBe(200);
    expect(json).toMatchObject({ meta: { provider: 'tesseract' } });
    expect(wordF1(images.png.text.join('\n'), json.result.text)).toBeGreaterThan(0.95);
  });
});

it('native engine without an installation → the service does not start, with a hint', async () => {
  const { PATH } = process.env;
  onTestFinished(() => {
    process.env.PATH = PATH;
  });
  process.env.PATH = '/nowhere';
  await expect(extract('native')).rejects.toMatchObject({ code: 'CONFIG_INVALID', hint: /tesseract-ocr/ });
});
