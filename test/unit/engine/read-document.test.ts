import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { countPages } from '../../../dist/engine/count-pages.js';
import { readDocument } from '../../../dist/engine/read-document.js';
import type { ReadOptions } from '../../../dist/engine/reading/reading.js';
import { createRecognitionPool } from '../../../dist/engine/reading/recognition-pool.js';
import { takePicture } from '../../../dist/engine/reading/take-picture.js';
import { planRecognition } from '../../../dist/engine/stages/recognise/languages.js';
import { renderPageText, renderText } from '../../../dist/engine/stages/render/text.js';
import { closeIdleWorkers } from '../../../dist/engine/workers/warm-workers.js';
import { bad, documents, examples, type Fixture, images, PASSWORD } from '../../fixtures/manifest.js';
import { withFile } from '../../support/pdf-readers.js';
import { writeGlyphs } from '../../support/read-glyphs.js';
import { remember } from '../../support/remember.js';
import { wordF1 } from '../../support/word-f1.js';
import { writePdf } from '../../support/write-pdf.js';

// Page workers are built files, so these tests read documents with dist/.
const MAX_PIXELS = 100e6;
const read = (file: { path: string; mimeType: string | undefined }, options: Partial<ReadOptions> = {}) =>
  readDocument(file.path, file.mimeType ?? '', {
    // A long time limit: a busy machine would skip other ways to read a page.
    ...{ ocr: 'auto', maxPixels: MAX_PIXELS, parallelism: 2, pageTimeoutMs: 180_000 },
    ...options,
  });
/** Reads a fixture once; `steps` are its reports of progress. */
const readOnce = remember(async (fixture: Fixture) => {
  const steps: string[] = [];
  const password = fixture.password === undefined ? {} : { password: fixture.password };
  const result = await read(fixture, { ...password, onProgress: (done, count) => steps.push(`${done}/${count}`) });
  return { ...result, steps };
});
const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean).join(' ');

afterAll(closeIdleWorkers);

async function expectText(fixture: Fixture): Promise<void> {
  const { document, pageCount } = await readOnce(fixture);
  expect(document.warnings).toEqual([]);
  expect(pageCount).toBe(fixture.pages);
  expect(document.pages.map(({ source }) => source)).toEqual(fixture.source);
  document.pages.forEach((page, index) => {
    const text = renderPageText(page, { headersFooters: true });
    const truth = fixture.text[index] ?? '';
    if (page.source === 'text-layer') expect(wordsOf(text)).toBe(wordsOf(truth));
    else expect(wordF1(truth, text)).toBeGreaterThan(0.95);
  });
}

describe('documents with a good text layer', () => {
  const { report, twoColumn } = examples;
  const { hundred, landscapeRotated, rightToLeft, ownerPassword, recoverable } = documents;
  it.each(
    [report, twoColumn, hundred, landscapeRotated, rightToLeft, ownerPassword, recoverable].map(
      (f) => [f.file, f] as const,
    ),
  )('%s → its text word for word, in reading order', (_, fixture) => expectText(fixture));

  it('page numbers in the footer → left out, unless asked for', async () => {
    const { document } = await readOnce(report);
    expect(renderText(document)).not.toMatch(/page \d of 4/);
    expect(renderText(document, { headersFooters: true }).match(/page \d of 4/g)).toHaveLength(4);
  });

  it('an encrypted document and its password → read', () => expectText(documents.encrypted));
});

describe('pages without a good text layer', () => {
  const { mixed, noMapping, wrongMapping } = documents;
  const { png, bmp, rotated90, rotated180, rotated270, ...ofOnePicture } = images;
  // The turn of a page is measured before it is recognised: orientation.test.ts has the third one.
  it.each(
    [
      examples.scanned,
      examples.pagesTiff,
      examples.photo,
      mixed,
      noMapping,
      wrongMapping,
      png,
      bmp,
      rotated90,
      rotated180,
    ].map((f) => [f.file, f] as const),
  )('%s → recognised, with its text', (_, fixture) => expectText(fixture));

  it.each(Object.values(ofOnePicture).map((f) => [f.file, f] as const))(
    '%s → the same picture for recognition as in PNG',
    async (_, fixture) => {
      const { raster: expected } = await takePictureOf(png);
      const { raster, damaged } = await takePictureOf(fixture);
      expect({ width: raster.width, height: raster.height, damaged }).toEqual({
        ...{ width: expected.width, height: expected.height, damaged: false },
      });
      // Lossy ones are a little off.
      const off = raster.data.reduce((sum, shade, at) => sum + Math.abs(shade - (expected.data[at] ?? 0)), 0);
      expect(off / raster.data.length).toBeLessThan(6);
      expect(await countPages(fixture.path, fixture.mimeType, { maxPixels: MAX_PIXELS })).toBe(1);
    },
  );

  it('light print on transparency → drawn on black', async () => {
    const { raster: expected } = await takePictureOf(images.transparent);
    const light = await sharp(images.transparent.path).negate({ alpha: false }).png().toBuffer();
    const { raster } = await withFile(light, (path) => takePictureOf({ ...images.transparent, path }));
    const off = raster.data.reduce((sum, shade, at) => sum + Math.abs(255 - shade - (expected.data[at] ?? 0)), 0);
    expect(off / raster.data.length).toBeLessThan(1);
  });

  it('a drawing of black and white parts on transparency → drawn on white', async () => {
    const column = (left: number, shade: string) => ({
      input: { create: { width: 20, height: 60, channels: 3 as const, background: shade } },
      ...{ left, top: 70 },
    });
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const drawing = await sharp({ create: { width: 200, height: 200, channels: 4, background: clear } })
      .composite([column(60, '#000000'), column(80, '#ffffff'), column(100, '#ffffff')])
      .png()
      .toBuffer();
    const { raster } = await withFile(drawing, (path) => takePictureOf({ ...images.transparent, path }));
    expect([raster.data[0], raster.data.at(-1)]).toEqual([255, 255]);
  });

  it('a turned page → its rotation, and boxes of the page as it is read', async () => {
    const [sideways, upsideDown] = await Promise.all([readOnce(rotated90), readOnce(rotated180)]);
    const [page] = sideways.document.pages;
    const [other] = upsideDown.document.pages;
    expect([page?.rotation, other?.rotation]).toEqual([270, 180]);
    expect([page?.width, page?.height]).toEqual([other?.width, other?.height]);
    const tops = page?.blocks.map(({ box }) => box[1]) ?? [];
    expect(tops[0]).toBeLessThan(0.2);
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
  });
});

/** Returns the picture that recognition gets. */
const takePictureOf = ({ path, mimeType }: Fixture) =>
  takePicture({
    ...{ path, mimeType, password: undefined, page: 1 },
    ...{ plan: planRecognition(['eng']), maxPixels: MAX_PIXELS },
  });

describe('options of the caller', () => {
  it('pages → only those, numbered as in the document', async () => {
    const { document, pageCount } = await read(documents.hundred, { pages: '2,-1' });
    expect(pageCount).toBe(2);
    expect(document.pages.map(({ number }) => number)).toEqual([2, 100]);
    expect(wordsOf(renderText(document))).toBe(wordsOf(`${documents.hundred.text[1]} ${documents.hundred.text[99]}`));
  });

  it('ocr force → a good text layer is recognised too', async () => {
    const { landscapeRotated } = documents;
    const { document, provider } = await read(landscapeRotated, { ocr: 'force' });
    expect(provider).toBe('tesseract-wasm');
    expect(document.pages[0]).toMatchObject({ source: 'ocr', textLayer: { verdict: 'trusted' } });
    expect(wordF1(landscapeRotated.text[0] ?? '', renderText(document, { headersFooters: true }))).toBeGreaterThan(
      0.95,
    );
  });

  it('ocr never → the text layer alone, scans stay empty', async () => {
    const { document, provider, pageCount } = await read(documents.mixed, { ocr: 'never' });
    expect(provider).toBe('pdf-text');
    expect(pageCount).toBe(3);
    expect(document.pages.map((page) => renderPageText(page) === '')).toEqual([false, true, false]);
  });

  it('a doubtful text layer in a script without language data → kept, unless forced', async () => {
    // One character of six has no meaning.
    const pdf = writeGlyphs('(ABCDEF) Tj', { A: 'р', B: 'у', C: 'ч', D: 'к', E: 'а', F: '\ue000' }, Array(6).fill(500));
    await withFile(pdf, async (path) => {
      const file = { path, mimeType: 'application/pdf' };
      const { document } = await read(file);
      expect(renderText(document)).toContain('ручка');
      expect(document.pages[0]).toMatchObject({ source: 'text-layer', textLayer: { verdict: 'suspect' } });
      expect(document.warnings).toEqual([
        { page: 1, message: expect.stringMatching(/symbols where letters should be.*Cyrillic.*eng.*"languages".*rus/) },
      ]);
      expect((await read(file, { ocr: 'force' })).document.pages[0]).toMatchObject({ source: 'ocr' });
    });
  });

  it('a page with an empty box → left out, with a warning', async () => {
    const page = (crop: string) => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /CropBox [${crop}] >>`;
    const pdf = writePdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
      page('0 0 100 100'),
      page('500 500 600 600'),
    ]);
    await withFile(pdf, async (path) => {
      const { document } = await read({ path, mimeType: 'application/pdf' }, { ocr: 'never' });
      expect(document.pages.map(({ number, width, height }) => [number, width, height])).toEqual([[1, 100, 100]]);
      expect(document.warnings).toEqual([{ page: 2, message: expect.stringContaining('damaged') }]);
    });
  });

  it('text layer and recognition in one document → both are named', async () => {
    expect((await readOnce(documents.mixed)).provider).toBe('pdf-text+tesseract-wasm');
    expect((await readOnce(examples.report)).provider).toBe('pdf-text');
  });

  it('a document that is removed while it is read → an error that does not call it damaged', async () => {
    await withFile(await readFile(images.png.path), async (path) => {
      const reading = read(
        { path, mimeType: images.png.mimeType },
        { onProgress: () => rmSync(path, { force: true }) },
      );
      await expect(reading).rejects.not.toMatchObject({ name: 'DocumentError' });
    });
  });

  it('progress → each page once, in steps of one', async () => {
    expect((await readOnce(examples.scanned)).steps).toEqual(['0/3', '1/3', '2/3', '3/3']);
  });

  it('confidence → for recognised words alone', async () => {
    const { document } = await readOnce(documents.mixed);
    const confidences = document.pages.map(({ blocks }) => blocks[0]?.lines[0]?.words[0]?.confidence);
    expect(confidences[0]).toBeNull();
    expect(confidences[1]).toBeGreaterThan(0.3);
    expect(confidences[1]).toBeLessThanOrEqual(1);
  });

  it('the same page twice with one warm worker → the same words', async () => {
    const once = renderText((await read(images.png, { parallelism: 1 })).document);
    await read(examples.pagesTiff, { parallelism: 1, pages: '2' });
    expect(renderText((await read(images.png, { parallelism: 1 })).document)).toBe(once);
  });
});

describe('an unreadable document → one clear error', () => {
  const count = (file: { path: string; mimeType: string | undefined }, password?: string) =>
    countPages(file.path, file.mimeType ?? '', { maxPixels: MAX_PIXELS, ...(password ? { password } : {}) });

  it.each([
    ['damaged PDF', bad.damaged, {}, { reason: 'damaged' }],
    ['damaged PNG', bad.brokenPng, {}, { reason: 'damaged' }],
    ['too many pixels', bad.bomb, {}, { reason: 'too-large' }],
    ['encrypted', documents.encrypted, {}, { reason: 'encrypted' }],
    ['wrong password', documents.encrypted, { password: 'sesame' }, { reason: 'wrong-password' }],
    ['page out of range', examples.report, { pages: '9' }, { reason: 'invalid-argument', pointer: '/pages' }],
    ['page of an image', images.png, { pages: '2' }, { reason: 'invalid-argument', pointer: '/pages' }],
    ['language', images.png, { languages: ['xyz'] }, { reason: 'invalid-argument', pointer: '/languages' }],
    ['language that is not needed', examples.report, { languages: ['xyz'] }, { pointer: '/languages' }],
    [
      'image without recognition',
      images.png,
      { ocr: 'never' as const },
      { reason: 'invalid-argument', pointer: '/ocr' },
    ],
  ])('%s', async (_, file, options, expected) => {
    await expect(read(file, options)).rejects.toMatchObject({ name: 'DocumentError', ...expected });
  });

  it('a language without data → what to install', async () => {
    await expect(read(images.png, { languages: ['xyz'] })).rejects.toThrow('ocr languages install xyz');
  });

  it('a fault that the header shows → found by countPages', async () => {
    await expect(count(documents.encrypted)).rejects.toMatchObject({ reason: 'encrypted' });
    await expect(count(documents.encrypted, 'wrong')).rejects.toMatchObject({ reason: 'wrong-password' });
    await expect(count(bad.damaged)).rejects.toMatchObject({ reason: 'damaged' });
    await expect(count(bad.bomb)).rejects.toMatchObject({ reason: 'too-large' });
    expect(await count(documents.encrypted, PASSWORD)).toBe(1);
    expect(await count(documents.hundred)).toBe(100);
    expect(await count(examples.pagesTiff)).toBe(3);
    expect(await count(images.gif)).toBe(1);
  });

  it('a PDF without pages → no-pages', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'no-pages-'));
    try {
      const path = join(folder, 'none.pdf');
      await writeFile(path, makePdfWithoutPages());
      await expect(count({ path, mimeType: 'application/pdf' })).rejects.toMatchObject({ reason: 'no-pages' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('page workers', () => {
  /** A picture that is recognised quickly. */
  const readOneLine = async <T>(work: (path: string) => Promise<T>) =>
    withFile(await sharp(images.png.path).extract({ left: 0, top: 70, width: 600, height: 60 }).png().toBuffer(), work);
  const task = (fixture: Fixture) => ({
    ...{ path: fixture.path, mimeType: fixture.mimeType, password: undefined, page: 1 },
    ...{ plan: planRecognition(['eng']), maxPixels: MAX_PIXELS },
  });

  it('a page that takes too long → a warning that names it; the others are read', async () => {
    // The first page of a fresh worker cannot be done in a millisecond.
    await closeIdleWorkers();
    const { document, ranOutOfTime } = await read(documents.mixed, { pageTimeoutMs: 1 });
    expect(ranOutOfTime).toBe(true);
    expect(document.warnings).toEqual([{ page: 2, message: 'recognition took longer than 0.001 s' }]);
    expect(document.pages.map(({ number }) => number)).toEqual([1, 3]);
  });

  it('no page read in time → an error', async () => {
    await closeIdleWorkers();
    await expect(read(images.png, { pageTimeoutMs: 1 })).rejects.toMatchObject({
      ...{ reason: 'timeout', message: 'recognition took longer than 0.001 s' },
    });
  });

  it('a page that timed out → the pool reads on', async () => {
    await closeIdleWorkers();
    const hasty = createRecognitionPool(1, 1);
    await expect(hasty.read(task(images.png))).rejects.toThrow('recognition took longer');
    await hasty.close();
    const patient = createRecognitionPool(1, 60_000);
    const page = await readOneLine((path) => patient.read({ ...task(images.png), path }));
    await patient.close();
    expect(page.content.fragments.length).toBeGreaterThan(0);
  });

  it('warm workers → no reason for a process to live on', async () => {
    const script = fileURLToPath(new URL('read-once.mjs', import.meta.url));
    await readOneLine(async (path) => {
      const started = performance.now();
      const child = spawn(process.execPath, [script, path], { stdio: 'ignore' });
      const code = await new Promise((resolve) => child.once('exit', resolve));
      expect(code).toBe(0);
      // Idle workers go after 30 s: a process that waited for them would take longer.
      expect(performance.now() - started).toBeLessThan(29_000);
    });
  });
});

function makePdfWithoutPages(): string {
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>'];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj${object}endobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const xref = file.length;
  return `${file}xref\n0 3\n0000000000 65535 f \n${offsets.join('')}trailer<</Size 3/Root 1 0 R>>\nstartxref\n${xref}\n%%EOF`;
}
