import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findNativeTesseract } from '../../dist/engine/stages/recognise/find-native-tesseract.js';
import { images } from '../fixtures/manifest.js';
import { wordF1 } from '../support/word-f1.js';
import { startTestService } from './support/running-service.js';

const native = await findNativeTesseract(process.env);

// Without native Tesseract these tests are skipped: apt install tesseract-ocr.
describe.runIf(native !== undefined)('a service on a machine with native Tesseract', () => {
  it.each([
    ['native', 'tesseract'],
    ['wasm', 'tesseract-wasm'],
  ])('ocrEngine %s → read by %s, in a confined process', async (ocrEngine, provider) => {
    const service = await startTestService({ config: { ocrEngine, inlineTimeoutMs: 60_000 } });
    onTestFinished(() => service.remove());
    const { status, json } = await service.submit(readFileSync(images.png.path), { filename: 'paragraph.png' });
    expect(status).toBe(200);
    expect(json).toMatchObject({ meta: { provider } });
    expect(wordF1(images.png.text.join('\n'), json.result.text)).toBeGreaterThan(0.95);
  });
});
