import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSearchablePdf } from '../../../../dist/engine/products/searchable/searchable-pdf.js';
import { readDocument } from '../../../../dist/engine/read-document.js';
import type { ReadOptions } from '../../../../dist/engine/reading/reading.js';
import { renderPageText } from '../../../../dist/engine/stages/render/text.js';
import { closeIdleWorkers } from '../../../../dist/engine/workers/warm-workers.js';
import { images } from '../../../fixtures/manifest.js';
import { readByPdfium } from '../../../support/pdf-readers.js';
import { printedPicture, texturedPicture, writePicturePage } from '../../../support/picture-pages.js';
import { remember } from '../../../support/remember.js';
import { wordF1 } from '../../../support/word-f1.js';

const CAPTION = 'A letter that came in June, as it was scanned:';
const [TRUTH = ''] = images.jpeg.text;
let directory: string;
const pathOf = (name: string) => join(directory, `${name}.pdf`);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ocr-print-'));
  const print = await printedPicture();
  await writeFile(pathOf('print'), await writePicturePage([CAPTION], [print]));
  await writeFile(pathOf('turned'), await writePicturePage([CAPTION], [print], 90));
  await writeFile(pathOf('texture'), await writePicturePage([CAPTION], [await texturedPicture()]));
  const small = { ...print, width: 120, height: 39 };
  await writeFile(pathOf('small'), await writePicturePage([CAPTION], [small]));
});
afterAll(async () => {
  await closeIdleWorkers();
  await rm(directory, { recursive: true, force: true });
});

const read = (name: string, options: Partial<ReadOptions> = {}) =>
  readDocument(pathOf(name), 'application/pdf', {
    ...{ ocr: 'auto', maxPixels: 100e6, parallelism: 1, pageTimeoutMs: 180_000 },
    ...options,
  });
const readOnce = remember((name: string) => read(name));

it.each(['print', 'turned'])(
  'a typed caption above a scan (%s) → its text, then the print of the scan',
  async (name) => {
    const { document, provider, confidence } = await readOnce(name);
    const [page] = document.pages;
    expect(page).toMatchObject({ source: 'mixed', recogniser: 'tesseract-wasm', textLayer: { verdict: 'trusted' } });
    expect(provider).toBe('pdf-text+tesseract-wasm');
    expect(document.warnings).toEqual([]);
    const text = page === undefined ? '' : renderPageText(page);
    expect(text.startsWith(CAPTION)).toBe(true);
    expect(wordF1(TRUTH, text.slice(CAPTION.length))).toBeGreaterThan(0.95);
    expect(confidence).toBeGreaterThan(0.8);
  },
);

it('words of a scan on a page → each where it stands, the typed ones without confidence', async () => {
  const { document } = await readOnce('print');
  const words = (document.pages[0]?.blocks ?? []).flatMap(({ lines }) => lines.flatMap((line) => line.words));
  const [typed, recognised] = [true, false].map((isTyped) =>
    words.filter(({ confidence }) => (confidence === null) === isTyped),
  );
  expect(typed?.map(({ text }) => text).join(' ')).toBe(CAPTION);
  // The scan stands from 60 to 540 points across and from 244 to 400 points down a page of 600 x 800.
  for (const { box } of recognised ?? []) {
    expect(box[0]).toBeGreaterThan(60 / 600);
    expect(box[2]).toBeLessThan(540 / 600);
    expect(box[1]).toBeGreaterThan(244 / 800);
    expect(box[3]).toBeLessThan(400 / 800);
  }
});

it('a photograph of a texture, or a small picture → the text layer alone, without recognition', async () => {
  for (const name of ['texture', 'small']) {
    const { document, provider, confidence } = await read(name);
    expect({ provider, confidence }).toEqual({ provider: 'pdf-text', confidence: null });
    expect(document.pages.map((page) => [page.source, renderPageText(page)])).toEqual([['text-layer', CAPTION]]);
  }
});

it('ocr "never" → the text layer alone; "force" → the whole page recognised', async () => {
  const never = await read('print', { ocr: 'never' });
  expect(never.provider).toBe('pdf-text');
  expect(never.document.pages[0]?.source).toBe('text-layer');
  const force = await read('print', { ocr: 'force' });
  expect(force.document.pages[0]?.source).toBe('ocr');
});

it('a picture whose time ends before it is read → a warning, and the text layer', async () => {
  const { document, ranOutOfTime } = await read('print', { pageTimeoutMs: 1 });
  expect(ranOutOfTime).toBe(true);
  expect(document.warnings).toEqual([
    { page: 1, message: expect.stringMatching(/^a picture on it was not read: recognition took longer/) },
  ]);
  expect(document.pages.map(({ source }) => source)).toEqual(['text-layer']);
});

it('its searchable PDF → the print is found in its place, and not recognised again', async () => {
  const { document } = await readOnce('print');
  const { chunks, pages } = await makeSearchablePdf(pathOf('print'), undefined, document);
  expect(pages).toEqual([1]);
  await writeFile(pathOf('searchable'), Buffer.concat(chunks));
  const [words = []] = await readByPdfium(pathOf('searchable'));
  expect(words.filter(({ text }) => text === 'letter')).toHaveLength(1);
  expect(wordF1(`${CAPTION} ${TRUTH}`, words.map(({ text }) => text).join(' '))).toBeGreaterThan(0.95);
  expect((await read('searchable')).provider).toBe('pdf-text');
});
