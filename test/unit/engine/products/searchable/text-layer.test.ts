import { inflateSync } from 'node:zlib';
import { degrees, PDFArray, PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Box, Line, Page } from '../../../../../dist/engine/model/document.js';
import { openPdfFile } from '../../../../../dist/engine/pdf-files/objects/pdf-file.js';
import { readPageFrame } from '../../../../../dist/engine/pdf-files/pdfium/page-frame.js';
import { openPdf } from '../../../../../dist/engine/pdf-files/pdfium/pdfium.js';
import { addTextLayers, type PageToWrite } from '../../../../../dist/engine/products/searchable/add-text-layers.js';
import { makeSearchablePdf } from '../../../../../dist/engine/products/searchable/searchable-pdf.js';
import { renderPage } from '../../../../../dist/engine/stages/picture/decode/render-page.js';
import {
  checkByQpdf,
  hasProgram,
  readByPdfium,
  readByPdfJs,
  readByPoppler,
  readTextByPoppler,
  type SeenWord,
  withFile,
} from '../../../../support/pdf-readers.js';

const noPoppler = !hasProgram('pdftotext');
const noQpdf = !hasProgram('qpdf');

type SetPage = (page: ReturnType<PDFDocument['addPage']>) => void;

/** Empty pages, each set up in another way, with drawing that leaves the coordinates scaled and moved. */
async function makePages(setUps: readonly SetPage[], save: { useObjectStreams: boolean }): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (const setUp of setUps) {
    const page = document.addPage([400, 600]);
    page.node.set(PDFName.of('Contents'), document.context.register(document.context.stream('q 3 0 0 3 70 20 cm')));
    setUp(page);
  }
  return document.save(save);
}

const boxOf = (x0: number, y0: number, x1: number, y1: number): Box => [x0, y0, x1, y1];

/** Lines of words with their boxes, on a page as it is read. */
function pageOf(number: number, rotation: number, lines: [string, Box][][], more: Partial<Page> = {}): Page {
  const sideways = rotation % 180 !== 0;
  const [width, height] = sideways ? [600, 400] : [400, 600];
  const toLine = (words: [string, Box][]): Line => ({
    box: words[0]?.[1] ?? boxOf(0, 0, 1, 1),
    words: words.map(([text, box]) => ({ text, box, confidence: 0.9 })),
    fontSize: ((words[0]?.[1][3] ?? 0) - (words[0]?.[1][1] ?? 0)) * height * 1.3,
    direction: 'ltr',
  });
  const blocks = [{ kind: 'paragraph' as const, box: boxOf(0, 0, 1, 1), lines: lines.map(toLine) }];
  const textLayer = { verdict: 'absent' as const, reasons: [] };
  return { number, width, height, rotation, source: 'ocr', textLayer, blocks, ...more };
}

async function addLayers(bytes: Uint8Array, pages: readonly Page[]): Promise<Buffer> {
  const framed = await withFile(bytes, async (path): Promise<PageToWrite[]> => {
    const pdf = await openPdf(path, undefined);
    const pagesToWrite = pages.map((page) => {
      const handle = pdf.pdfium._FPDF_LoadPage(pdf.handle, page.number - 1);
      const frame = readPageFrame(pdf.pdfium, handle);
      pdf.pdfium._FPDF_ClosePage(handle);
      return { page, frame };
    });
    pdf.close();
    return pagesToWrite;
  });
  const file = openPdfFile(bytes);
  const pageCount = (await PDFDocument.load(bytes)).getPageCount();
  return Buffer.concat(addTextLayers(file, pageCount, framed));
}

const WORDS: [string, Box][][] = [
  [
    ['Above', boxOf(0.1, 0.1, 0.3, 0.13)],
    ['all', boxOf(0.32, 0.1, 0.4, 0.13)],
    ['houses', boxOf(0.43, 0.11, 0.85, 0.13)],
  ],
  [
    ['the', boxOf(0.1, 0.5, 0.2, 0.53)],
    ['moon', boxOf(0.6, 0.51, 0.9, 0.53)],
  ],
];

/** Converts a box of the page as it is read to the displayed page of these sizes. */
function toDisplay([x0, y0, x1, y1]: Box, rotation: number, width: number, height: number): Box {
  const turned = {
    0: [x0, y0, x1, y1],
    90: [y0, 1 - x1, y1, 1 - x0],
    180: [1 - x1, 1 - y1, 1 - x0, 1 - y0],
    270: [1 - y1, x0, 1 - y0, x1],
  }[rotation] as number[];
  const [a = 0, b = 0, c = 0, d = 0] = turned;
  return [a * width, b * height, c * width, d * height];
}

function expectWords(seen: readonly SeenWord[], page: Page, display: { width: number; height: number }): void {
  const words = page.blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  // The order of words that stand upside down differs by reader.
  expect(seen.map(({ text }) => text).sort()).toEqual(words.map(({ text }) => text).sort());
  if (page.rotation !== 180) expect(seen.map(({ text }) => text)).toEqual(words.map(({ text }) => text));
  for (const word of words) {
    const [x0, y0, x1, y1] = toDisplay(word.box, page.rotation, display.width, display.height);
    const found = seen.find(({ text }) => text === word.text) as SeenWord;
    const along = page.rotation % 180 === 0 ? (['x0', 'x1'] as const) : (['y0', 'y1'] as const);
    const [start, end] = page.rotation % 180 === 0 ? [x0, x1] : [y0, y1];
    // Along the line a word is as wide as its box; across it as high as the type.
    expect(Math.abs(found[along[0]] - start), word.text).toBeLessThan(0.75);
    expect(Math.abs(found[along[1]] - end), word.text).toBeLessThan(0.75);
    expect(Math.abs((found.x0 + found.x1) / 2 - (x0 + x1) / 2), word.text).toBeLessThan(6);
    expect(Math.abs((found.y0 + found.y1) / 2 - (y0 + y1) / 2), word.text).toBeLessThan(6);
  }
}

const moved: SetPage = (page) => page.setMediaBox(-120, 60, 400, 600);
const cropped: SetPage = (page) => {
  page.setMediaBox(0, 0, 500, 700);
  page.setCropBox(30, 40, 400, 600);
};
const rotated =
  (angle: number, then: SetPage = () => undefined): SetPage =>
  (page) => {
    page.setRotation(degrees(angle));
    then(page);
  };
const inUnits: SetPage = (page) => page.node.set(PDFName.of('UserUnit'), page.node.context.obj(2));

const SET_UPS: [string, SetPage][] = [
  ['a plain page', () => undefined],
  ['a page with /Rotate 90', rotated(90)],
  ['a page with /Rotate 180', rotated(180)],
  ['a page with /Rotate 270', rotated(270)],
  ['a page whose corner is not 0 0', moved],
  ['a page that shows a part of the sheet', cropped],
  ['a rotated page that shows a part of the sheet', rotated(90, cropped)],
  ['another one', rotated(270, moved)],
  ['a page with a unit of its own', inUnits],
];

describe.each([{ useObjectStreams: false }, { useObjectStreams: true }])(
  'words at the places where they were recognised, %o',
  (save) => {
    const cases = SET_UPS.flatMap(([name, setUp]) => [0, 90, 180, 270].map((turn) => ({ name, setUp, turn })));
    const isSideways = ({ name }: { name: string }) => /Rotate (90|270)|rotated|another/.test(name);
    let pages: Page[] = [];
    let result: Buffer = Buffer.alloc(0);
    let byPdfium: SeenWord[][] = [];

    beforeAll(async () => {
      const original = await makePages(
        cases.map(({ setUp }) => setUp),
        save,
      );
      pages = cases.map((entry, index) => {
        // The page as it is read is what the displayed one becomes by its turn.
        const upright = pageOf(index + 1, entry.turn, WORDS);
        return isSideways(entry) ? { ...upright, width: upright.height, height: upright.width } : upright;
      });
      result = await addLayers(original, pages);
      expect(result.subarray(0, original.length).equals(original)).toBe(true);
      byPdfium = await withFile(result, (path) => readByPdfium(path));
    });

    it.each(cases.map((entry, index) => [`${entry.name}, turned by ${entry.turn} to be read`, entry, index] as const))(
      '%s → read back at its place',
      (_, entry, index) => {
        const display = isSideways(entry) ? { width: 600, height: 400 } : { width: 400, height: 600 };
        expectWords(byPdfium[index] ?? [], pages[index] as Page, display);
      },
    );

    it.skipIf(noPoppler)('words read by poppler → the same places', async () => {
      const seen = await withFile(result, readByPoppler);
      for (const [index, entry] of cases.entries()) {
        const display = isSideways(entry) ? { width: 600, height: 400 } : { width: 400, height: 600 };
        // Upright text alone: poppler has another order for words of several directions.
        if (entry.turn === 0) expectWords(seen[index] ?? [], pages[index] as Page, display);
      }
    });

    it.skipIf(noQpdf)('the file checked by qpdf → no errors', async () => {
      expect(await withFile(result, checkByQpdf)).toBe('');
    });

    it('words read by pdf.js → line by line', async () => {
      const [first] = await readByPdfJs(result);
      expect(first?.split('\n').map((line) => line.trim())).toEqual(['Above all houses', 'the moon']);
    });
  },
);

describe('any text', () => {
  /** Words of equal width side by side; right-to-left lines begin at the right. */
  const setLine = (texts: readonly string[], y: number, fromRight = false): [string, Box][] =>
    texts.map((text, index) => {
      const x0 = fromRight ? 0.8 - index * 0.2 : 0.05 + index * 0.2;
      return [text, boxOf(x0, y, x0 + 0.17, y + 0.03)];
    });
  const LATIN = ['Größe', 'naïve', 'e\u0301te\u0301', 'ﬁn'];
  const ASTRAL = ['𝒜𝒷', '中文', '👩‍💻', '<&>'];
  const HEBREW = ['שלום', 'עולם', '1948', 'שנה'];
  const ARABIC = ['مرحبا', 'بالعالم', 'الجميل'];
  const TRUTH = [
    [LATIN, ASTRAL],
    [HEBREW, ARABIC],
  ].map((page) => page.map((words) => plain(words.join(' '))).join('\n'));
  let result: Buffer = Buffer.alloc(0);

  beforeAll(async () => {
    const leftToRight = pageOf(1, 0, [setLine(LATIN, 0.1), setLine(ASTRAL, 0.2)]);
    const rightToLeft = pageOf(2, 0, [setLine(HEBREW, 0.1, true), setLine(ARABIC, 0.2, true)]);
    const plainPages = [() => undefined, () => undefined];
    result = await addLayers(await makePages(plainPages, { useObjectStreams: false }), [leftToRight, rightToLeft]);
  });

  it.skipIf(noPoppler)('any text → read by poppler', async () => {
    const pages = await withFile(result, (path) => readTextByPoppler(path));
    expect(plain(pages[0] ?? '').trim()).toBe(TRUTH[0]);
    // Poppler decides on which side of a number the space goes in right-to-left text.
    const withoutSpace = (text = '') => plain(text).replaceAll(/\s/g, '');
    expect(withoutSpace(pages[1])).toBe(withoutSpace(TRUTH[1]));
  });

  it('any text → read by pdf.js', async () => {
    expect((await readByPdfJs(result)).map(plain)).toEqual(TRUTH);
  });

  it('any text → read by PDFium', async () => {
    const pages = await withFile(result, (path) => readByPdfium(path));
    expect(pages.map((words) => plain(words.map(({ text }) => text).join(' ')))).toEqual(
      TRUTH.map((text) => text.replaceAll('\n', ' ')),
    );
  });
});

function plain(text: string): string {
  const marks = /[\u200e\u200f\u202a-\u202e]/g;
  return text
    .normalize('NFKC')
    .replaceAll(marks, '')
    .replaceAll(/^ +| +$/gm, '');
}

describe('the existing content of a page', () => {
  it('a font name in use and inherited resources → kept beside the new layer', async () => {
    const document = await PDFDocument.create();
    const [first, second] = [document.addPage([400, 600]), document.addPage([400, 600])];
    const helvetica = document.context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' });
    const resources = document.context.obj({ Font: { OcrTextLayer: document.context.register(helvetica) } });
    const draw = document.context.stream('BT /OcrTextLayer 20 Tf 40 30 Td (Printed) Tj ET');
    for (const page of [first, second]) {
      page.node.delete(PDFName.of('Resources'));
      page.node.set(PDFName.of('Contents'), document.context.register(draw));
    }
    document.catalog.Pages().set(PDFName.of('Resources'), resources);
    const original = await document.save({ useObjectStreams: false });
    const result = await addLayers(original, [pageOf(1, 0, WORDS, { source: 'mixed' })]);
    const pages = await withFile(result, (path) => readByPdfium(path));
    expect(pages.map((words) => words.map(({ text }) => text))).toEqual([
      ['Above', 'all', 'houses', 'the', 'moon', 'Printed'],
      ['Printed'],
    ]);
  });

  it('pages from a text layer, from recognition and from both → layers for the last two', async () => {
    const bytes = await makePages([() => {}, () => {}, () => {}], { useObjectStreams: false });
    const sources = ['text-layer', 'ocr', 'mixed'] as const;
    const pages = sources.map((source, index) => pageOf(index + 1, 0, WORDS, { source }));
    const result = await withFile(bytes, (path) => makeSearchablePdf(path, undefined, { pages, warnings: [] }));
    expect({ pages: result.pages, warnings: result.warnings }).toEqual({ pages: [2, 3], warnings: [] });
    const seen = await withFile(Buffer.concat(result.chunks), (path) => readByPdfium(path));
    expect(seen.map((words) => words.length)).toEqual([0, 5, 5]);
  });

  it('a text layer that is replaced → drawn as before, but without text', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([400, 600]);
    page.drawText('Gbesntrg', { x: 40, y: 500 });
    page.drawText('drei', { x: 40, y: 300, rotate: degrees(90) });
    const original = await document.save();
    const result = await addLayers(original, [pageOf(1, 0, WORDS)]);
    await withFile(result, async (path) => {
      const [words = []] = await readByPdfium(path);
      expect(words.map(({ text }) => text)).toEqual(['Above', 'all', 'houses', 'the', 'moon']);
      if (!noPoppler) expect(await readTextByPoppler(path)).toEqual([expect.not.stringMatching(/Gbes|drei/)]);
      expect((await drawn(path)).equals(await withFile(original, drawn))).toBe(true);
    });
  });

  it('replaced text behind parts with texts of their own → no text', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([400, 600]);
    const { context } = document;
    const helvetica = context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' });
    const fonts = { F: context.register(helvetica) };
    const mark = (text: string, properties: string) =>
      `/Span ${properties} BDC BT /F 20 Tf 40 0 Td (${text}) Tj ET EMC 1 0 0 1 0 40 cm BT /F 20 Tf 40 0 Td (${text}) Tj ET`;
    const form = context.stream(mark('inform', '<</ActualText (drinnen)>>'), {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, 400, 600],
      Resources: { Font: fonts },
    });
    page.node.set(PDFName.of('Resources'), context.obj({ Font: fonts, XObject: { Form: context.register(form) } }));
    const picture = 'q 9 0 0 9 0 0 cm BI /W 2 /H 2 /CS /G /BPC 8 ID (\\(<< EI Q';
    const inline = mark('\\(/ActualText\\) BDC', '<</MCID 2/ActualText<feff00410042>/Lang(de)>>');
    const content = [picture, inline, '1 0 0 1 0 40 cm /Form Do'].join('\n');
    page.node.set(PDFName.of('Contents'), context.register(context.stream(content)));
    const original = await document.save();
    const result = await addLayers(original, [pageOf(1, 0, WORDS)]);
    await withFile(result, async (path) => {
      const [words = []] = await readByPdfium(path);
      expect(words.map(({ text }) => text)).toEqual(['Above', 'all', 'houses', 'the', 'moon']);
      if (!noPoppler) expect((await readTextByPoppler(path))[0]?.split(/\s+/).filter(Boolean)).toHaveLength(5);
      expect((await drawn(path)).equals(await withFile(original, drawn))).toBe(true);
      if (!noQpdf) expect(await checkByQpdf(path)).toBe('');
    });
  });

  it('one object shared by two pages → the same content on both', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([400, 600]);
    const pages = document.catalog.Pages();
    pages.lookup(PDFName.of('Kids'), PDFArray).push(page.ref);
    pages.set(PDFName.of('Count'), document.context.obj(2));
    const result = await addLayers(await document.save(), [pageOf(1, 0, WORDS), pageOf(2, 0, WORDS)]);
    const seen = await withFile(result, (path) => readByPdfium(path));
    expect(seen.map((words) => words.length)).toEqual([5, 5]);
  });
});

/** The first page as it looks. */
async function drawn(path: string): Promise<Buffer> {
  const pdf = await openPdf(path, undefined);
  try {
    return Buffer.from(renderPage(pdf, 0).raster.data);
  } finally {
    pdf.close();
  }
}

it('the metadata of a damaged document → kept', async () => {
  const document = await PDFDocument.create();
  document.addPage([400, 600]);
  document.setTitle('Gründung');
  document.setCreationDate(new Date('2026-02-28T09:30:00Z'));
  const sound = Buffer.from(await document.save({ useObjectStreams: false })).toString('latin1');
  const damaged = Buffer.from(sound.replace(/startxref\n\d+/, 'startxref\n1'), 'latin1');
  const made = await withFile(damaged, (path) =>
    makeSearchablePdf(path, undefined, { pages: [pageOf(1, 0, WORDS)], warnings: [] }),
  );
  expect(made.warnings).toEqual([{ message: expect.stringContaining('damaged') }]);
  const result = Buffer.concat(made.chunks);
  const pdf = await PDFDocument.load(result, { updateMetadata: false });
  expect(pdf.getTitle()).toBe('Gründung');
  expect(pdf.getCreationDate()).toEqual(new Date('2026-02-28T09:30:00Z'));
  if (!noQpdf) expect(await withFile(result, checkByQpdf)).toBe('');
});

describe('slanted lines', () => {
  // Two degrees: the boxes of words to the right stand higher, and a long word climbs by itself.
  const LEAN = Math.tan((2 * Math.PI) / 180) * (400 / 600);
  const climb = (x: number) => LEAN * x;
  const TEXTS = ['moon', 'constellation', 'river', 'home'];
  const EDGES = [0.05, 0.2, 0.6, 0.75, 0.9];
  const lines = [0.2, 0.24, 0.28].map((y) =>
    TEXTS.map((text, index): [string, Box] => {
      const [x0 = 0, x1 = 0] = [EDGES[index], (EDGES[index + 1] ?? 0) - 0.02];
      return [text, boxOf(x0, y - climb(x1), x1, y + 0.02 - climb(x0))];
    }),
  );
  let result: Buffer = Buffer.alloc(0);

  beforeAll(async () => {
    result = await addLayers(await makePages([() => undefined], { useObjectStreams: false }), [pageOf(1, 0, lines)]);
  });

  it('a slanted line → every word on it', () => {
    const places = [...decodeContent(result).matchAll(/([\d.-]+) ([\d.-]+) Tm/g)].map(([, x, y]) => [
      Number(x),
      Number(y),
    ]);
    expect(places).toHaveLength(12);
    lines.flat().forEach(([, [x0, , x1]], index) => {
      const [x = 0, y = 0] = places[index] ?? [];
      const line = [0.2, 0.24, 0.28][Math.floor(index / 4)] ?? 0;
      expect(x).toBeCloseTo(x0 * 400, 1);
      expect(Math.abs(y - (600 - (line + 0.02 - climb((x0 + x1) / 2)) * 600))).toBeLessThan(2);
    });
  });

  it('slanted lines → read word by word', async () => {
    const wordsOf = (pages: readonly string[]) => pages.flatMap((page) => plain(page).split(/\s+/).filter(Boolean));
    const truth = lines.flatMap(() => TEXTS);
    if (!noPoppler) expect(wordsOf(await withFile(result, (path) => readTextByPoppler(path, '-raw')))).toEqual(truth);
    expect((await readByPdfJs(result)).map(plain)).toEqual([lines.map(() => TEXTS.join(' ')).join('\n')]);
    const [words = []] = await withFile(result, (path) => readByPdfium(path));
    expect(words.map((word) => word.text)).toEqual(truth);
  });
});

/** The first of the streams that the update added. */
function decodeContent(pdf: Buffer): string {
  const update = pdf.subarray(pdf.lastIndexOf('%%EOF', pdf.length - 10));
  const start = update.indexOf('stream\n') + 'stream\n'.length;
  return inflateSync(update.subarray(start, update.indexOf('\nendstream'))).toString('latin1');
}
