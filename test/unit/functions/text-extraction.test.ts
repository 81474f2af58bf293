import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { closeIdleWorkers } from '../../../dist/engine/workers/warm-workers.js';
import { createDocument, saveDocument } from '../../fixtures/maker/typeset.js';
import { documents, examples } from '../../fixtures/manifest.js';
import { runFunction } from './run-function.js';

afterAll(closeIdleWorkers);

interface Text {
  text: string;
  pages: Array<{ page: number; source: string; confidence: number | null; text?: string }>;
}
const extract = (fixture: { path: string; mimeType: string }, args: Record<string, unknown> = {}) =>
  runFunction<Text>('TEXT_EXTRACTION', fixture, args);

test('a text PDF → its pages from the text layer, without confidence and without texts', async () => {
  const { result, confidence } = await extract(examples.report, { pages: '2-3' });
  expect(result.pages).toEqual([
    { page: 2, source: 'text-layer', confidence: null },
    { page: 3, source: 'text-layer', confidence: null },
  ]);
  expect(confidence).toBeNull();
});

test('a page with a text layer and a scanned one → a confidence for the scanned one, which is that of the document', async () => {
  const { result, confidence } = await extract(documents.mixed);
  const [layer, scan, ...others] = result.pages;
  expect(layer).toEqual({ page: 1, source: 'text-layer', confidence: null });
  expect(scan).toEqual({ page: 2, source: 'recognised', confidence: expect.any(Number) });
  expect(others).toEqual([{ page: 3, source: 'text-layer', confidence: null }]);
  expect(scan?.confidence).toBeGreaterThan(0.5);
  expect(scan?.confidence).toBeLessThanOrEqual(1);
  expect(confidence).toBe(scan?.confidence);
});

test('perPage → the text of each page, which together are the text', async () => {
  const { result } = await extract(examples.report, { perPage: true });
  expect(result.pages.map(({ page }) => page)).toEqual([1, 2, 3, 4]);
  expect(result.pages.map(({ text }) => text).join('\n\n')).toBe(result.text);
  expect(result.pages[1]?.text).toMatch(/^3\. Branches and opening hours\n/);
});

test('perPage with Markdown → each page by itself', async () => {
  const { result } = await extract(examples.report, { perPage: true, format: 'markdown' });
  expect(result.pages[1]?.text).toMatch(/^## 3\. Branches and opening hours\n/);
  expect(result.pages[1]?.text).toContain('| Branch | Hours | Visitors | Loans |');
  expect(result.text).toContain('| Branch | Hours | Visitors | Loans |');
});

test('pageBreaks → a form feed between pages of text, a comment between those of Markdown', async () => {
  const args = { pageBreaks: true, perPage: true, pages: '2-4' };
  const { result: text } = await extract(examples.report, args);
  expect(text.text.split('\n\f')).toEqual(text.pages.map((page) => page.text));
  const { result: markdown } = await extract(examples.report, { ...args, format: 'markdown' });
  expect(markdown.text.match(/^<!-- page \d+ -->$/gm)).toEqual(['<!-- page 3 -->', '<!-- page 4 -->']);
  expect(markdown.text.split(/\n\n<!-- page \d -->\n\n/)).toEqual(markdown.pages.map((page) => page.text));
});

test('a ledger that fills its pages, with running heads → all rows, without the heads unless they are asked for', async () => {
  const { document, fonts } = await createDocument('Readings of meters');
  const rows = [0, 1].map((page) =>
    Array.from({ length: 40 }, (_, line) => `Meter ${7001 + page * 40 + line}: ${1000 + ((line * 613) % 877)} kWh`),
  );
  for (const [index, lines] of rows.entries()) {
    const page = document.addPage([595, 842]);
    const set = (text: string, y: number, size: number) => page.drawText(text, { x: 50, y, size, font: fonts.body });
    set(`Readings of the year 2024, page ${index + 1} of 2`, 815, 8);
    for (const [line, text] of lines.entries()) set(text, 780 - line * 19, 11);
  }
  const directory = await mkdtemp(join(tmpdir(), 'ocr-ledger-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const fixture = { path: join(directory, 'ledger.pdf'), mimeType: 'application/pdf' };
  await writeFile(fixture.path, await saveDocument(document));
  const { result } = await extract(fixture);
  expect(result.text.split('\n').filter(Boolean)).toEqual(rows.flat());
  const { result: whole } = await extract(fixture, { headersFooters: true });
  expect(whole.text.match(/page \d of 2/g)).toHaveLength(2);
});
