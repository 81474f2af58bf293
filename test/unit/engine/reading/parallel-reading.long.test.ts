import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Worker } from 'node:worker_threads';
import {
  degrees,
  type PDFArray,
  PDFDocument,
  PDFName,
  type PDFPage,
  PDFRef,
  PDFString,
  StandardFonts,
} from '@cantoo/pdf-lib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadPdfium } from '../../../../dist/engine/pdf-files/pdfium/pdfium.js';
import { readDocument } from '../../../../dist/engine/read-document.js';
import { openTextLayers } from '../../../../dist/engine/reading/open-text-layers.js';
import type { TextLayerPage } from '../../../../dist/engine/reading/packed-page.js';
import { readTextLayers } from '../../../../dist/engine/reading/read-text-layers.js';
import type { ReadOptions } from '../../../../dist/engine/reading/reading.js';
import type { TextReport } from '../../../../dist/engine/reading/text-task.js';
import { layOutDocument } from '../../../../dist/engine/stages/layout/lay-out-document.js';
import { toPageContent } from '../../../../dist/engine/stages/text-layer/place-words.js';
import { closeIdleWorkers } from '../../../../dist/engine/workers/warm-workers.js';
import { documents, examples, images } from '../../../fixtures/manifest.js';
import { remember } from '../../../support/remember.js';

// Enough pages that other threads are started.
const PAGES = 60;
const PASSWORD = 'far and wide';
const DAMAGED = [17, 53, 54];
const PDF = 'application/pdf';
let directory: string;
let long: string;
let damaged: string;
let encrypted: string;

const read = (path: string, parallelism: number, options: Partial<ReadOptions> = {}) =>
  readDocument(path, PDF, { ...{ ocr: 'auto', maxPixels: 100e6, parallelism }, ...options });

/** Reads a document in one thread, once for all tests that compare with it. */
const readWithOneThread = remember((path: string, options: Partial<ReadOptions>) => read(path, 1, options));

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ocr-parallel-'));
  [long, damaged, encrypted] = ['long', 'damaged', 'encrypted'].map((name) => join(directory, `${name}.pdf`)) as [
    string,
    string,
    string,
  ];
  await writeFile(long, await (await compose()).save());
  const broken = await compose();
  const kids = broken.catalog.Pages().Kids();
  for (const number of DAMAGED) kids.set(number - 1, PDFRef.of(999_000 + number));
  await writeFile(damaged, await broken.save());
  const locked = await compose();
  locked.encrypt({ userPassword: PASSWORD, ownerPassword: 'of nobody' });
  await writeFile(encrypted, await locked.save());
});

afterEach(closeIdleWorkers);
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('pages read by other threads → the same to the last bit', () => {
  it.each<[string, () => string, string | undefined]>([
    ['a document of many kinds of words', () => long, undefined],
    ['a document of the fixtures', () => documents.hundred.path, undefined],
    ['with damaged pages', () => damaged, undefined],
    ['encrypted', () => encrypted, PASSWORD],
  ])('%s', async (_, path, password) => {
    const alone = await readAlone(path(), password);
    const { pages, own } = await readBeside(path(), password);
    // The first chunk is taken before the other threads have started.
    expect(own).toBeLessThanOrEqual(4);
    expect(pages).toHaveLength(alone.length);
    expect(findDifferent(pages, alone)).toEqual([]);
    expect(JSON.stringify(layOut(pages)) === JSON.stringify(layOut(alone))).toBe(true);
  });
});

describe('a long PDF in several threads → the same as in one', () => {
  it.each<[string, () => string, Partial<ReadOptions>]>([
    ['every page', () => long, {}],
    ['selected pages, in any order', () => long, { pages: '-1,10-58,3,2' }],
    ['with damaged pages and their warnings', () => damaged, {}],
    ['encrypted', () => encrypted, { password: PASSWORD }],
  ])('%s', async (_, path, options) => {
    const alone = await readWithOneThread(path(), options);
    const { workers, result } = await whileCountingWorkers(() => read(path(), 3, options));
    expect(workers).toHaveLength(2);
    expect(JSON.stringify(result) === JSON.stringify(alone)).toBe(true);
  });

  // One thread suffices: the tests above compare the others with it.
  it('damaged pages → warnings that name them', async () => {
    const { document, pageCount } = await readWithOneThread(damaged, {});
    expect(document.warnings.map(({ page }) => page)).toEqual(DAMAGED);
    expect(pageCount).toBe(PAGES - DAMAGED.length);
  });

  it('turned words, links, notes, rules → none is lost between threads', async () => {
    const { document } = await readWithOneThread(long, {});
    const words = document.pages.flatMap(({ blocks }) =>
      blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words)),
    );
    expect(words.filter(({ text }) => text === 'margin')).toHaveLength(PAGES);
    expect(words.filter(({ link }) => link !== undefined)).toHaveLength(PAGES);
    expect(words.filter(({ glued, raised }) => glued && raised)).toHaveLength(PAGES);
    expect(words.filter(({ bold }) => bold).length).toBeGreaterThanOrEqual(PAGES);
    expect(document.pages.every(({ blocks }) => blocks.some(({ table }) => table?.rows === 2))).toBe(true);
  });

  it('a short document, or a parallelism of 1 → no further thread', async () => {
    expect((await whileCountingWorkers(() => read(examples.report.path, 4))).workers).toHaveLength(0);
    expect((await whileCountingWorkers(() => read(long, 1))).workers).toHaveLength(0);
  });

  it('a second document → the threads of the first', async () => {
    const first = await whileCountingWorkers(() => read(long, 2));
    const second = await whileCountingWorkers(() => read(long, 2));
    expect([first.workers.length, second.workers.length]).toEqual([1, 0]);
  });
});

describe('failures of a thread', () => {
  it.each<[string, (worker: Worker) => void]>([
    ['before it begins', (worker) => void worker.terminate()],
    ['in the middle', (worker) => worker.once('message', () => void worker.terminate())],
  ])('terminated %s → no page is lost', async (_, end) => {
    const { pages } = await readBeside(long, undefined, end);
    expect(findDifferent(pages, await readAlone(long, undefined))).toEqual([]);
  });

  it('a trap of PDFium → only its page is lost', async () => {
    const pdfium = await loadPdfium();
    const load = pdfium._FPDF_LoadPage;
    // An invalid handle makes PDFium read outside of its memory, like a hostile page.
    let isBroken = false;
    pdfium._FPDF_LoadPage = (document, index) => {
      isBroken ||= index === 4;
      return load(isBroken ? 0x7fff_fff0 : document, index);
    };
    const { document } = await read(long, 1);
    expect(document.warnings).toEqual([{ page: 5, message: 'the page is damaged and was left out' }]);
    expect(document.pages).toHaveLength(PAGES - 1);
    expect((await read(long, 1)).document.warnings).toEqual([]);
  });
});

it('print in pictures → found by the threads that read the pages, and by none that was not asked to', async () => {
  const path = join(directory, 'pictured.pdf');
  const pictured = [1, 30, 60];
  await writeFile(path, await (await compose(pictured)).save());
  const numbersOf = (pages: readonly (TextLayerPage | undefined)[]) =>
    pages.flatMap((page) => (page === undefined || page.printed.length === 0 ? [] : [page.number]));
  const alone = await readAlone(path, undefined);
  expect(numbersOf(alone)).toEqual(pictured);
  const { pages } = await readBeside(path, undefined);
  expect(findDifferent(alone, pages)).toEqual([]);
  expect(numbersOf(await readAlone(path, undefined, false))).toEqual([]);
});

it('progress → grows by single pages, up to all', async () => {
  const seen: [number, number][] = [];
  await read(long, 3, { onProgress: (done, count) => seen.push([done, count]) });
  expect(seen.map(([done]) => done)).toEqual(Array.from({ length: PAGES + 1 }, (_, index) => index));
  expect(new Set(seen.map(([, count]) => count))).toEqual(new Set([PAGES]));
});

/** Reads all pages in this thread; anew for each test, since the layout changes pages. */
async function readAlone(
  path: string,
  password: string | undefined,
  findsPrint = true,
): Promise<(TextLayerPage | undefined)[]> {
  const layers = await openTextLayers(path, password, findsPrint);
  const pages: (TextLayerPage | undefined)[] = [];
  for (let number = 1; number <= layers.pageCount; number++) pages.push(await layers.read(number));
  layers.close();
  return pages;
}

/** Reads in several threads, and the calling one waits in its first chunk until the others have ended; `own` counts its pages. */
async function readBeside(path: string, password: string | undefined, onWorker: (worker: Worker) => void = () => {}) {
  const layers = await openTextLayers(path, password, true);
  const pages: (TextLayerPage | undefined)[] = [];
  const ends: Promise<void>[] = [];
  let own = 0;
  const waiting = {
    ...layers,
    read: async (number: number) => {
      // The 'worker' events come in the next turn of the event loop.
      await setImmediate();
      await Promise.all(ends);
      own++;
      return await layers.read(number);
    },
  };
  const numbers = Array.from({ length: layers.pageCount }, (_, index) => index + 1);
  const onPage = async (index: number, page: TextLayerPage | undefined) => {
    expect(index in pages).toBe(false);
    pages[index] = page;
  };
  await whileCountingWorkers(
    () => readTextLayers({ path, password, findsPrint: true, numbers, parallelism: 3, layers: waiting, onPage }),
    (worker) => {
      ends.push(untilItHasDone(worker));
      onWorker(worker);
    },
  );
  layers.close();
  return { pages, own };
}

const untilItHasDone = (worker: Worker) =>
  new Promise<void>((resolve) => {
    worker.on('exit', () => resolve());
    worker.on('message', ({ kind }: TextReport) => {
      if (kind !== 'chunk') resolve();
    });
  });

/** Returns the numbers of the pages that differ; functions of turned text are not compared. */
function findDifferent(pages: readonly (TextLayerPage | undefined)[], others: readonly (TextLayerPage | undefined)[]) {
  const plain = (page: TextLayerPage | undefined) =>
    page === undefined ? undefined : JSON.parse(JSON.stringify(page));
  return others.flatMap((other, index) => (isDeepStrictEqual(plain(pages[index]), plain(other)) ? [] : [index + 1]));
}

const layOut = (pages: readonly (TextLayerPage | undefined)[]) =>
  layOutDocument(
    pages.flatMap((page) =>
      page === undefined ? [] : [{ number: page.number, content: toPageContent(page.content) }],
    ),
  );

/** Runs `work` and collects the threads that it starts. */
async function whileCountingWorkers<T>(work: () => Promise<T>, onWorker: (worker: Worker) => void = () => {}) {
  const workers: Worker[] = [];
  const note = (worker: Worker) => {
    workers.push(worker);
    onWorker(worker);
  };
  process.on('worker', note);
  try {
    return { result: await work(), workers };
  } finally {
    process.off('worker', note);
  }
}

async function compose(pictured: readonly number[] = []): Promise<PDFDocument> {
  const document = await PDFDocument.create();
  const picture = await document.embedJpg(await readFile(images.jpeg.path));
  const plain = await document.embedFont(StandardFonts.TimesRoman);
  const bold = await document.embedFont(StandardFonts.TimesRomanBold);
  for (let number = 1; number <= PAGES; number++) {
    const page = document.addPage([400, 500]);
    page.setFont(plain);
    page.drawText(`Chapter ${number}`, { x: 40, y: 440, size: 18, font: bold });
    page.drawText(`The ${number}th page tells of ships, harbours and`, { x: 40, y: 400, size: 11 });
    page.drawText(`of the light on the sea; see the address below.`, { x: 40, y: 386, size: 11 });
    page.drawText(`${number}`, {
      x: 40 + plain.widthOfTextAtSize('of the light on the sea; see the address below.', 11),
      y: 390,
      size: 6,
    });
    page.drawText('address', { x: 40, y: 360, size: 11 });
    addLink(document, page, [38, 357, 80, 372]);
    page.drawText('in the margin', { x: 380, y: 200, size: 9, rotate: degrees(90) });
    drawTable(page, number);
    if (pictured.includes(number)) page.drawImage(picture, { x: 20, y: 60, width: 350, height: 114 });
  }
  return document;
}

function addLink(document: PDFDocument, page: PDFPage, box: number[]): void {
  const action = { Type: 'Action', S: 'URI', URI: PDFString.of('https://example.org/ships') };
  const link = document.context.obj({ Type: 'Annot', Subtype: 'Link', Rect: box, Border: [0, 0, 0], A: action });
  page.node.set(PDFName.of('Annots'), document.context.obj([document.context.register(link)]) as PDFArray);
}

function drawTable(page: PDFPage, number: number): void {
  for (const y of [300, 320, 340]) page.drawLine({ start: { x: 40, y }, end: { x: 240, y } });
  for (const x of [40, 140, 240]) page.drawLine({ start: { x, y: 300 }, end: { x, y: 340 } });
  ['harbour', 'ships', 'Aberdeen', `${number}`].forEach((text, index) => {
    page.drawText(text, { x: 50 + (index % 2) * 100, y: 326 - Math.floor(index / 2) * 20, size: 10 });
  });
}
