import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { degrees, PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { OcrDocument } from '../../../dist/engine/model/document.js';
import { openPdf } from '../../../dist/engine/pdf-files/pdfium/pdfium.js';
import { makeSearchableImage } from '../../../dist/engine/products/searchable/searchable-image.js';
import { makeSearchablePdf } from '../../../dist/engine/products/searchable/searchable-pdf.js';
import { readDocument } from '../../../dist/engine/read-document.js';
import type { ReadOptions } from '../../../dist/engine/reading/reading.js';
import { renderPage } from '../../../dist/engine/stages/picture/decode/render-page.js';
import { renderPageText } from '../../../dist/engine/stages/render/text.js';
import { closeIdleWorkers } from '../../../dist/engine/workers/warm-workers.js';
import { searchablePdf } from '../../../dist/functions/searchable-pdf.js';
import { documents, examples, type Fixture, images, PASSWORD } from '../../fixtures/manifest.js';
import { checkResult } from '../../support/check-result.js';
import {
  checkByQpdf,
  hasProgram,
  readByPdfium,
  readByPdfJs,
  readByPoppler,
  readTextByPoppler,
  withFile,
} from '../../support/pdf-readers.js';
import { remember } from '../../support/remember.js';
import { wordF1 } from '../../support/word-f1.js';

const noPoppler = !hasProgram('pdftotext') || !hasProgram('pdfimages');
const noQpdf = !hasProgram('qpdf');
const PDF = 'application/pdf';
const limits = { maxPixels: 100e6, parallelism: 1 };

interface Result {
  pdf: Buffer;
  recognisedPages: number[];
  warnings: { page?: number; message: string }[];
}

interface File {
  path: string;
  mimeType: string;
}

/** The whole function, which recognises what it needs. */
async function run({ path, mimeType }: File, args: Record<string, unknown> = {}): Promise<Result> {
  const { result } = await searchablePdf.run({ path, mimeType, args, limits, onProgress: () => undefined });
  checkResult(searchablePdf, result);
  const { pdf, recognisedPages, warnings = [] } = result as Omit<Result, 'pdf'> & { pdf: string };
  return { pdf: Buffer.from(pdf, 'base64'), recognisedPages, warnings };
}

/** Makes the result of a document that is already recognised: recognition takes nearly all of the time. */
async function make({ path, mimeType }: File, document: OcrDocument): Promise<Result> {
  const { chunks, pages, warnings } =
    mimeType === PDF
      ? await makeSearchablePdf(path, undefined, document)
      : await makeSearchableImage(path, mimeType, document, { ...limits, onPage: () => undefined });
  return { pdf: Buffer.concat(chunks), recognisedPages: pages, warnings };
}

const read = (path: string, mimeType = PDF, options: Partial<ReadOptions> = {}) =>
  readDocument(path, mimeType, { ocr: 'auto', ...limits, ...options });
const recognise = remember(
  async (path: string, mimeType: string, pages?: string) =>
    (await read(path, mimeType, pages === undefined ? {} : { pages })).document,
);
/** The first two of three pages. */
const recogniseScan = () => recognise(examples.scanned.path, PDF, '1-2');
const onlyPage = ({ pages }: OcrDocument, number: number): OcrDocument => ({
  pages: pages.filter((page) => page.number === number),
  warnings: [],
});
const textsOf = ({ pages }: OcrDocument) => pages.map((page) => renderPageText(page, { headersFooters: true }));
const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean);

afterAll(closeIdleWorkers);

describe('a scan', () => {
  it('a scan → a layer of the recognised words, and no others for any reader', async () => {
    const document = await recogniseScan();
    const { pdf, recognisedPages, warnings } = await make(examples.scanned, document);
    expect({ recognisedPages, warnings }).toEqual({ recognisedPages: [1, 2], warnings: [] });
    const recognised = textsOf(document).map(wordsOf);
    expect(recognised.map((words) => words.length > 100)).toEqual([true, true]);
    const expected = [...recognised, []];
    await withFile(pdf, async (result) => {
      const again = await read(result, PDF, { ocr: 'never' });
      expect(again.document.pages.map(({ textLayer }) => textLayer.verdict)).toEqual(['trusted', 'trusted', 'absent']);
      expect(textsOf(again.document).map(wordsOf)).toEqual(expected);
      expect((await readByPdfJs(pdf)).map(wordsOf)).toEqual(expected);
      if (noPoppler) return;
      expect((await readTextByPoppler(result)).map(wordsOf)).toEqual(expected);
    });
  });

  it('the bytes of a scan → unchanged in the result, pictures included', async () => {
    const original = await readFile(examples.scanned.path);
    const { pdf } = await make(examples.scanned, onlyPage(await recogniseScan(), 2));
    expect(pdf.subarray(0, original.length).equals(original)).toBe(true);
    const [before, after] = [await imagesOf(original), await imagesOf(pdf)];
    expect(before.length).toBeGreaterThan(0);
    expect(after.map((image, index) => before[index]?.equals(image))).toEqual(before.map(() => true));
    expect((await withFile(pdf, (path) => readByPdfium(path))).map((words) => words.length > 0)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it.each([0, 90, 180, 270] as const)('a page with /Rotate %i → words at their places', async (angle) => {
    const document = await PDFDocument.load(await readFile(examples.scanned.path));
    for (const index of [2, 1]) document.removePage(index);
    const [page] = document.getPages();
    page?.setRotation(degrees(angle));
    // The sheet is larger than what is shown of it.
    page?.setMediaBox(-50, -70, 700, 1000);
    page?.setCropBox(0, 0, 595, 842);
    // The displayed page is the scan's page, turned; it is turned back to be read.
    const rotation = (360 - angle) % 360;
    const [expected] = onlyPage(await recogniseScan(), 1).pages.map((upright) => ({ ...upright, rotation }));
    if (expected === undefined) throw new Error('no page was read');
    const { pdf } = await withFile(await document.save(), (path) =>
      make({ path, mimeType: PDF }, { pages: [expected], warnings: [] }),
    );
    const truth = expected.blocks.flatMap(({ lines }) => lines.flatMap(({ words }) => words));
    expect(truth.length).toBeGreaterThan(100);
    const display = angle % 180 === 0 ? [595, 842] : [842, 595];
    const readers = noPoppler ? [readByPdfium] : [readByPdfium, readByPoppler];
    for (const readWords of readers) {
      const [seen = []] = await withFile(pdf, (path) => readWords(path));
      expect(seen.length).toBe(truth.length);
      const far = truth.filter(({ text, box }) => {
        const [x0, y0, x1, y1] = toDisplay(box, rotation, display as [number, number]);
        return !seen.some(
          (word) =>
            word.text === text &&
            Math.abs(word.x0 - x0) + Math.abs(word.x1 - x1) < 8 &&
            Math.abs(word.y0 - y0) + Math.abs(word.y1 - y1) < 8,
        );
      });
      expect(far).toEqual([]);
    }
  });
});

type Box = readonly [number, number, number, number];

/** Converts a box of the page as it is read to the displayed page, in points. */
function toDisplay([x0, y0, x1, y1]: Box, rotation: number, [width, height]: [number, number]): Box {
  const [a, b, c, d] = {
    0: [x0, y0, x1, y1],
    90: [y0, 1 - x1, y1, 1 - x0],
    180: [1 - x1, 1 - y1, 1 - x0, 1 - y0],
    270: [1 - y1, x0, 1 - y0, x1],
  }[rotation] as unknown as Box;
  return [a * width, b * height, c * width, d * height];
}

/** The bytes of every picture in a PDF, by a reader that is not ours. */
async function imagesOf(pdf: Uint8Array): Promise<Buffer[]> {
  const document = await PDFDocument.load(pdf);
  return document.context
    .enumerateIndirectObjects()
    .map(([, object]) => object)
    .filter((object) => object instanceof PDFRawStream)
    .filter((stream) => stream.dict.get(PDFName.of('Subtype')) === PDFName.of('Image'))
    .map((stream) => Buffer.from(stream.getContents()));
}

describe('a PDF', () => {
  it('a PDF of text pages alone → unchanged', async () => {
    const { pdf, recognisedPages } = await run(examples.report);
    expect(recognisedPages).toEqual([]);
    expect(pdf.equals(await readFile(examples.report.path))).toBe(true);
  });

  it('a scan between text pages → a layer on the scan alone', async () => {
    const { pdf, recognisedPages } = await run(documents.mixed);
    expect(recognisedPages).toEqual([2]);
    const before = await readByPdfium(documents.mixed.path);
    const after = await withFile(pdf, (path) => readByPdfium(path));
    expect([after[0], after[2]]).toEqual([before[0], before[2]]);
    expect(after[1]?.length).toBeGreaterThan(10);
  });

  it.each([documents.noMapping, documents.wrongMapping])(
    '%o → the words found are the recognised ones',
    async (fixture) => {
      const { pdf, recognisedPages } = await run(fixture);
      expect(recognisedPages).toEqual([1]);
      await withFile(pdf, async (path) => {
        const again = await read(path);
        expect(again.provider).toBe('pdf-text');
        const [page] = again.document.pages;
        expect(wordF1(fixture.text[0] ?? '', page === undefined ? '' : renderPageText(page))).toBeGreaterThan(0.95);
        if (noPoppler) return;
        const [text = ''] = await readTextByPoppler(path);
        expect(wordF1(fixture.text[0] ?? '', text)).toBeGreaterThan(0.95);
      });
    },
  );

  it('an encrypted PDF → a result without encryption, and a warning', async () => {
    const { encrypted } = documents;
    const { pdf, warnings } = await run(encrypted, { password: PASSWORD, ocr: 'force' });
    expect(warnings).toEqual([{ message: expect.stringContaining('was encrypted') }]);
    const [words = []] = await withFile(pdf, (path) => readByPdfium(path));
    expect(wordF1(encrypted.text[0] ?? '', words.map(({ text }) => text).join(' '))).toBeGreaterThan(0.95);
    await expect(run(encrypted, { password: 'wrong' })).rejects.toMatchObject({ reason: 'wrong-password' });
  });

  it('an encrypted PDF that needs no text layer → unchanged', async () => {
    const { pdf } = await run(documents.ownerPassword);
    expect(pdf.equals(await readFile(documents.ownerPassword.path))).toBe(true);
  });

  it('a damaged PDF → written anew, with a warning', async () => {
    const { pdf, warnings } = await make(documents.recoverable, onlyPage(await recogniseScan(), 2));
    expect(warnings).toEqual([{ message: expect.stringContaining('damaged') }]);
    const pages = await withFile(pdf, (path) => readByPdfium(path));
    expect(pages).toHaveLength(4);
    if (!noQpdf) expect(await withFile(pdf, checkByQpdf)).toBe('');
  });

  it('a PDF with a page that shows nothing → a warning', async () => {
    const document = await PDFDocument.create();
    const white = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    document.addPage([300, 400]).drawImage(await document.embedPng(white), { width: 300, height: 400 });
    const original = Buffer.from(await document.save());
    const { pdf, recognisedPages, warnings } = await withFile(original, (path) => run({ path, mimeType: PDF }));
    expect(recognisedPages).toEqual([]);
    expect(warnings).toEqual([{ page: 1, message: expect.stringContaining('no text') }]);
    expect(pdf.equals(original)).toBe(true);
  });

  it('a signed PDF → a warning about the signature', async () => {
    const document = await PDFDocument.load(await readFile(examples.scanned.path));
    const { context } = document;
    const signature = context.register(
      context.obj({ Type: 'Sig', Filter: 'Adobe.PPKLite', SubFilter: 'adbe.pkcs7.detached', ByteRange: [0, 1, 2, 3] }),
    );
    const field = context.register(
      context.obj({
        Type: 'Annot',
        Subtype: 'Widget',
        FT: 'Sig',
        T: 'Name',
        Rect: [0, 0, 0, 0],
        V: signature,
      } as never),
    );
    document.catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [field], SigFlags: 3 }));
    const page = onlyPage(await recogniseScan(), 1);
    const { warnings } = await withFile(await document.save(), (path) => make({ path, mimeType: PDF }, page));
    expect(warnings).toEqual([{ message: expect.stringContaining('signed') }]);
  });
});

describe('an image', () => {
  const { png, rotated90, rotated180, rotated270, ...paragraphs } = images;
  const turned = [rotated90, rotated180, rotated270];
  const all: Fixture[] = [examples.photo, examples.pagesTiff, png, ...turned, ...Object.values(paragraphs)];

  /** Recognises fixtures of one picture once: the places of words do not depend on how the words were found. */
  async function recogniseImage(fixture: Fixture): Promise<OcrDocument> {
    if (fixture === examples.photo || fixture === examples.pagesTiff) return recognise(fixture.path, fixture.mimeType);
    const turn = turned.indexOf(fixture);
    if (turn === -1) return recognise(png.path, png.mimeType);
    const { pages, warnings } = await recognise(rotated90.path, rotated90.mimeType);
    return { pages: pages.map((page) => ({ ...page, rotation: page.rotation - 90 * turn })), warnings };
  }
  const makeOf = async (fixture: Fixture) => make(fixture, await recogniseImage(fixture));

  it.each(all.map((fixture) => [fixture.file, fixture] as const))(
    '%s → looks as before, and can be searched',
    async (_, fixture) => {
      const document = await recogniseImage(fixture);
      const { pdf, recognisedPages, warnings } = await make(fixture, document);
      expect({ recognisedPages, warnings }).toEqual({
        recognisedPages: fixture.text.map((_text, index) => index + 1),
        warnings: [],
      });
      await withFile(pdf, async (path) => {
        const [picture, truth] = await Promise.all([drawn(path), sheetOf(fixture)]);
        expect(meanDifference(picture, truth)).toBeLessThan(6);
        const again = await read(path);
        expect(again.provider).toBe('pdf-text');
        expect(textsOf(again.document).map(wordsOf)).toEqual(textsOf(document).map(wordsOf));
        if (!noQpdf) expect(await checkByQpdf(path)).toBe('');
      });
    },
  );

  it('an image → a layer of the words recognised in it', async () => {
    const { pdf, recognisedPages, warnings } = await run(png);
    expect({ recognisedPages, warnings }).toEqual({ recognisedPages: [1], warnings: [] });
    const again = await withFile(pdf, (path) => read(path));
    expect(textsOf(again.document)).toEqual(textsOf(await recogniseImage(png)));
  });

  it.each([images.jpeg, images.cmyk, images.exif6])('$file → the bytes of its JPEG kept', async (fixture) => {
    const { pdf } = await makeOf(fixture);
    const bytes = await readFile(fixture.path);
    expect((await imagesOf(pdf)).some((image) => image.equals(bytes))).toBe(true);
  });

  it('PNG, TIFF, BMP, GIF and WebP → every pixel kept', async () => {
    const { tiff, bmp, gif, webp, sixteenBit } = images;
    for (const fixture of [png, tiff, gif, webp, sixteenBit, examples.pagesTiff]) {
      const { pdf } = await makeOf(fixture);
      await withFile(pdf, async (path) => {
        if (noPoppler) return;
        const extracted = await extractFirst(path);
        const truth = await sharp(fixture.path).toColourspace('srgb').removeAlpha().raw().toBuffer();
        expect(extracted.equals(truth), fixture.file).toBe(true);
      });
    }
    expect((await makeOf(bmp)).pdf.length).toBeGreaterThan(1000);
  });

  it('the page of an image → sized by its resolution, or A4 without one', async () => {
    const size = async (fixture: Fixture) => (await PDFDocument.load((await makeOf(fixture)).pdf)).getPage(0).getSize();
    // 1000 x 416 pixels, 200 an inch.
    expect(await size(examples.pagesTiff)).toEqual({ width: 360, height: 149.76 });
    const { width, height } = await size(images.png);
    expect(width).toBeCloseTo(841.89, 1);
    expect(height / width).toBeCloseTo(361 / 1111, 3);
  });

  it('a fax with pixels that are not square → as high as it was sent', async () => {
    const fax = await sharp(images.png.path)
      .resize({ width: 1111, height: Math.round((361 * 98) / 204), fit: 'fill' })
      .tiff({ xres: 204 / 25.4, yres: 98 / 25.4 })
      .toBuffer();
    const { pdf } = await withFile(fax, (path) => run({ path, mimeType: 'image/tiff' }));
    const { width, height } = (await PDFDocument.load(pdf)).getPage(0).getSize();
    expect(width).toBeCloseTo((1111 / 204) * 72, 0);
    expect(height).toBeCloseTo((361 / 204) * 72, 0);
    const [text = ''] = textsOf((await withFile(pdf, (path) => read(path))).document);
    expect(wordsOf(text)).toEqual(wordsOf(images.png.text.join(' ')));
  });

  it('a choice of pages → the other pages kept too', async () => {
    const { pdf, recognisedPages } = await run(examples.pagesTiff, { pages: '2' });
    expect(recognisedPages).toEqual([2]);
    const pages = await withFile(pdf, (path) => readByPdfium(path));
    expect(pages.map((words) => words.length > 0)).toEqual([false, true, false]);
  });
});

/** The first picture of a PDF, as poppler takes it out: red, green and blue. */
async function extractFirst(path: string): Promise<Buffer> {
  await promisify(execFile)('pdfimages', ['-png', '-f', '1', '-l', '1', path, `${path}-image`]);
  return sharp(`${path}-image-000.png`).toColourspace('srgb').removeAlpha().raw().toBuffer();
}

const SIDE = 400;

/** The first page as it looks, in grey, of one size. */
async function drawn(path: string): Promise<Buffer> {
  const pdf = await openPdf(path, undefined);
  try {
    const { data, width, height } = renderPage(pdf, 0).raster;
    return await sharp(data, { raw: { width, height, channels: 1 } })
      .resize(SIDE, SIDE, { fit: 'fill' })
      .toColourspace('b-w')
      .raw()
      .toBuffer();
  } finally {
    pdf.close();
  }
}

async function sheetOf({ path, mimeType }: Fixture): Promise<Buffer> {
  const { loadImage } = await import('../../../dist/engine/stages/picture/decode/load-image.js');
  const { data, width, height } = (await loadImage({ path, mimeType, page: 1, maxPixels: 100e6 })).raster;
  return sharp(data, { raw: { width, height, channels: 1 } })
    .resize(SIDE, SIDE, { fit: 'fill' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
}

function meanDifference(a: Buffer, b: Buffer): number {
  expect(a.length).toBe(b.length);
  return a.reduce((sum, shade, index) => sum + Math.abs(shade - (b[index] ?? 0)), 0) / a.length;
}

describe('printing a result', () => {
  it('a result → bytes of a PDF, nothing else', () => {
    const { print } = searchablePdf.output;
    const pdf = Buffer.from('%PDF-1.7 …').toString('base64');
    expect(print({ pdf })).toEqual(Buffer.from('%PDF-1.7 …'));
    expect(print({ pdf: 'no such thing' })).toBeUndefined();
  });
});
