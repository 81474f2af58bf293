import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readDocument } from '../../../../../dist/engine/read-document.js';
import { darkenFaded } from '../../../../../dist/engine/stages/picture/correct/contrast.js';
import { evenGround, evenLight } from '../../../../../dist/engine/stages/picture/correct/light.js';
import { liftGrounds } from '../../../../../dist/engine/stages/picture/correct/lost-grounds.js';
import { measureSkew, rotateRaster } from '../../../../../dist/engine/stages/picture/correct/skew.js';
import { loadImage } from '../../../../../dist/engine/stages/picture/decode/load-image.js';
import { outlineOf } from '../../../../../dist/engine/stages/picture/find/outline.js';
import type { Raster } from '../../../../../dist/engine/stages/picture/raster.js';
import { toLine } from '../../../../../dist/engine/stages/recognise/hocr.js';
import type { Recogniser } from '../../../../../dist/engine/stages/recognise/recogniser.js';
import { straighten } from '../../../../../dist/engine/stages/recognise/straighten.js';
import { renderText } from '../../../../../dist/engine/stages/render/text.js';
import { closeIdleWorkers } from '../../../../../dist/engine/workers/warm-workers.js';
import { makeTextPdf } from '../../../../fixtures/maker/documents.js';
import { turn } from '../../../../fixtures/maker/poor-scans.js';
import { encodeJpeg, renderPages } from '../../../../fixtures/maker/scan.js';
import { images, poorScans } from '../../../../fixtures/manifest.js';
import { remember } from '../../../../support/remember.js';
import { wordF1 } from '../../../../support/word-f1.js';

interface File {
  path: string;
  mimeType: string;
}

const MAX_PIXELS = 100e6;
/** Time limit of a page. Other ways to read it begin in its first third, which a busy machine may need for the first way. */
const PATIENT_MS = 180_000;
const read = remember((file: File) =>
  readDocument(file.path, file.mimeType, {
    ocr: 'auto',
    maxPixels: MAX_PIXELS,
    parallelism: 1,
    pageTimeoutMs: PATIENT_MS,
  }),
);
const load = remember(async (file: File) => (await loadImage({ ...file, page: 1, maxPixels: MAX_PIXELS })).raster);
const named = (name: string) => {
  const found = poorScans.find(({ file }) => file.includes(name));
  if (found === undefined) throw new Error(name);
  return found;
};

afterAll(closeIdleWorkers);

describe('poor scans → the text of good ones', () => {
  it.each(poorScans.map((fixture) => [fixture.file, fixture] as const))('%s', async (_, fixture) => {
    const { document } = await read(fixture);
    expect(wordF1(fixture.text.join('\n'), renderText(document, { headersFooters: true }))).toBeGreaterThan(0.96);
  });

  it('words of a skewed page → their places on the page', async () => {
    // Both are pictures of one page.
    const [skewed, straight] = await Promise.all([read(named('skewed-minus-7')), read(named('shaded'))]);
    const placesOf = ({ document }: typeof skewed) => {
      const [page] = document.pages;
      const { width = 0, height = 0 } = page ?? {};
      const words = page?.blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words)) ?? [];
      return new Map(
        words.map(({ text, box: [x0, y0, x1, y1] }) => [
          text,
          { x: ((x0 + x1) / 2 - 0.5) * width, y: ((y0 + y1) / 2 - 0.5) * height, height: (y1 - y0) * height },
        ]),
      );
    };
    const found = placesOf(skewed);
    const angle = (-7 * Math.PI) / 180;
    let compared = 0;
    for (const [text, { x, y, height }] of placesOf(straight)) {
      const word = found.get(text);
      // Each of these words stands once on the page.
      if (word === undefined || !['Rules', 'posted', 'lobby,', 'Telephones', 'staircase', 'hours.'].includes(text))
        continue;
      compared++;
      expect(word.x).toBeCloseTo(x * Math.cos(angle) - y * Math.sin(angle), -1);
      expect(word.y).toBeCloseTo(y * Math.cos(angle) + x * Math.sin(angle), -1);
      expect(word.height).toBeLessThan(height * 1.3);
    }
    expect(compared).toBeGreaterThanOrEqual(4);
  });
});

describe('a skewed page', () => {
  const rows = [
    ['Shelf', 'Books', 'Lent'],
    ['Poetry', '120', '14'],
    ['Travel', '86', '31'],
    ['History', '204', '57'],
  ];

  it('a table → its cells, at their places on the page', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skewed-'));
    try {
      const pdf = await makeTextPdf('Shelves', [
        [
          { kind: 'paragraph', text: 'What stands on the shelves of the library, and what of it was lent last week.' },
          { kind: 'table', widths: [150, 90, 90], rows },
        ],
      ]);
      const [page] = await renderPages(pdf, 150);
      if (page === undefined) throw new Error('nothing was rendered');
      const place = async (degreesOfPage: number) => {
        const path = join(folder, `${degreesOfPage}.jpg`);
        await writeFile(path, await encodeJpeg(turn(page, degreesOfPage), 80));
        const [sheet] = (await read({ path, mimeType: 'image/jpeg' })).document.pages;
        const table = sheet?.blocks.find(({ kind }) => kind === 'table')?.table;
        return table?.cells.map(({ row, column, box: [x0, y0, x1, y1], lines }) => ({
          text: `${row} ${column} ${lines.flatMap(({ words }) => words.map(({ text }) => text)).join(' ')}`,
          x: ((x0 + x1) / 2 - 0.5) * (sheet?.width ?? 0),
          y: ((y0 + y1) / 2 - 0.5) * (sheet?.height ?? 0),
        }));
      };
      const level = await place(0);
      const expected = rows.flatMap((row, index) => row.map((text, column) => `${index} ${column} ${text}`));
      expect(level?.map(({ text }) => text)).toEqual(expected);
      for (const degrees of [5, -8]) {
        const skewed = await place(degrees);
        expect(skewed?.map(({ text }) => text)).toEqual(expected);
        const angle = (degrees * Math.PI) / 180;
        level?.forEach(({ x, y }, index) => {
          expect(skewed?.[index]?.x).toBeCloseTo(x * Math.cos(angle) - y * Math.sin(angle), -1.3);
          expect(skewed?.[index]?.y).toBeCloseTo(y * Math.cos(angle) + x * Math.sin(angle), -1.3);
        });
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** The picture that a recogniser gets last. */
async function handedOver(raster: Raster): Promise<Uint8Array> {
  let got = new Uint8Array();
  const recogniser: Recogniser = {
    recognise: async ({ data, width, height }) => {
      got = Uint8Array.from(data);
      return { provider: 'none', blocks: [], width, height, rotation: 0 };
    },
    prepare: () => undefined,
  };
  await straighten(recogniser, true).recognise(raster, PATIENT_MS, () => undefined);
  return got;
}

describe('measurements of a page', () => {
  it.each([
    ['skewed-minus-7', -7],
    ['skewed-small', -5],
    ['upside-down-skewed', 4],
    ['shaded', 0],
    ['inverted', 0],
  ])('%s → a skew of %d degrees', async (name, degrees) => {
    expect(measureSkew(outlineOf(await load(named(name)))).skew).toBeCloseTo(degrees, 0);
  });

  it.each([-17, -2, 1.2, 15])('a page turned by %d degrees, upright or on its side → that skew', async (degrees) => {
    const [level, sideways] = [await load(images.rotated180), await load(images.rotated90)];
    expect(measureSkew(outlineOf(rotateRaster(level, degrees))).skew).toBeCloseTo(degrees, 0);
    expect(measureSkew(outlineOf(rotateRaster(sideways, degrees))).skew).toBeCloseTo(degrees, 0);
  });

  it('faded print → dark; dark print, with specks or not → unchanged', () => {
    const print = (paper: number, ink: number) => {
      const page = { data: new Uint8Array(600 * 800).fill(paper), width: 600, height: 800 };
      for (let y = 100; y < 700; y += 20) page.data.fill(ink, y * 600 + 50, y * 600 + 550);
      page.data.fill(0, 0, 100);
      return page;
    };
    const dark = darkenFaded(print(200, 120));
    expect(dark?.data[100 * 600 + 60]).toBeLessThan(40);
    expect(dark?.data[110 * 600 + 60]).toBeGreaterThan(230);
    expect(darkenFaded(print(200, 20))).toBeUndefined();
    expect(darkenFaded(print(255, 255))).toBeUndefined();
  });

  it('a poor reading of lines → unsure; of a picture without lines → not', async () => {
    const unsure: Recogniser = {
      recognise: async ({ width, height }) => ({
        ...{ provider: 'fake', blocks: [], width, height, rotation: 0 },
        isUnsure: true,
      }),
      prepare: () => undefined,
    };
    const print = await load(images.png);
    const plain = { ...print, data: new Uint8Array(print.data.length).fill(200) };
    const found = await Promise.all(
      [print, plain].map((raster) => straighten(unsure, true).recognise(raster, Infinity, () => undefined)),
    );
    expect(found.map(({ isUnsure }) => isUnsure)).toEqual([true, false]);
  });

  it('a box before a word → ☐ in its line for Latin letters alone', async () => {
    const [width, height] = [900, 1200];
    const data = new Uint8Array(width * height).fill(250);
    for (let y = 200; y < 224; y++)
      for (let x = 100; x < 124; x++) if (x < 102 || x >= 122 || y < 202 || y >= 222) data[y * width + x] = 10;
    const word = {
      ...{ text: 'yes', x0: 140, x1: 180, y0: 203, y1: 222, baseline: 222, fontSize: 24 },
      ...{ bold: false, italic: false, confidence: 0.9 },
    };
    const recogniser: Recogniser = {
      recognise: async () => ({
        ...{ provider: 'fake', width, height, rotation: 0 },
        blocks: [{ lines: [toLine([word], 0)] }],
      }),
      prepare: () => undefined,
    };
    const textWith = async (isLatin: boolean) => {
      const { blocks } = await straighten(recogniser, isLatin).recognise({ data, width, height }, Infinity, () => {});
      return blocks.flatMap(({ lines }) => lines.flatMap(({ words }) => words.map(({ text }) => text))).join(' ');
    };
    expect([await textWith(true), await textWith(false)]).toEqual(['☐ yes', 'yes']);
  });

  it('an empty page, and a very small one → no skew', () => {
    expect(measureSkew(outlineOf({ data: new Uint8Array(600 * 800).fill(255), width: 600, height: 800 })).skew).toBe(0);
    expect(measureSkew(outlineOf({ data: new Uint8Array(1), width: 1, height: 1 })).skew).toBe(0);
  });

  it.each([
    [0.65, true],
    [0.85, false],
  ])('a lower half tinted to %d of the white → light corrected: %s', async (tint, isEvened) => {
    const page = await load(images.rotated180);
    const data = page.data.map((shade, at) => (at > page.data.length / 2 ? Math.round(shade * tint) : shade));
    const even = evenLight({ ...page, data });
    expect(even !== undefined).toBe(isEvened);
    // Most of a page is paper.
    const lower = even?.data.subarray(Math.ceil(page.data.length * 0.6)) ?? new Uint8Array();
    expect(lower.filter((shade) => shade > 225).length).toBeGreaterThanOrEqual(lower.length * 0.8);
  });

  it('a ground that is printed in fine tints → taken off; plain paper, also in shadow → unchanged', async () => {
    const page = await load(images.rotated180);
    const { width } = page;
    const isTinted = (at: number) => (Math.floor(at / width / 90) + Math.floor((at % width) / 90)) % 2 === 0;
    const data = page.data.map((shade, at) => (isTinted(at) ? Math.round(shade * 0.6) : shade));
    const even = evenGround({ ...page, data });
    const light = (pixels: Uint8Array) => pixels.filter((shade) => shade > 200).length / pixels.length;
    expect(light(data)).toBeLessThan(0.6);
    expect(light(even?.data ?? data)).toBeGreaterThan(0.85);
    for (const plain of [images.png, images.rotated180, named('shaded')])
      expect(evenGround(evenLight(await load(plain)) ?? (await load(plain)))).toBe(undefined);
  });

  describe('a card on a lighter sheet', () => {
    /** A page of grey print, and the same with a darker lower half: a threshold between both papers separates more than one between ink and paper. */
    const pages = async () => {
      const page = await load(images.rotated180);
      const isCard = (at: number) => at > page.data.length * 0.4;
      const sheet = { ...page, data: page.data.map((shade) => 90 + (shade * 165) / 255) };
      const card = { ...page, data: sheet.data.map((shade, at) => (isCard(at) ? shade * 0.77 : shade)) };
      return { sheet, card, isCard };
    };
    const share = (data: Uint8Array, isCounted: (shade: number) => boolean) =>
      data.filter(isCounted).length / data.length;
    const [isLight, isDark] = [(shade: number) => shade >= 230, (shade: number) => shade < 150];

    it('→ the card as light as paper, its print dark, the sheet as it is', async () => {
      const { sheet, card, isCard } = await pages();
      const lifted = liftGrounds(card)?.data ?? card.data;
      for (const is of [isLight, isDark]) expect(share(lifted, is)).toBeCloseTo(share(sheet.data, is), 2);
      expect(lifted.every((shade, at) => isCard(at + card.width * 100) || shade === card.data[at])).toBe(true);
    });

    it('→ the recogniser gets one paper', async () => {
      const { sheet, card } = await pages();
      const [light, other] = [await handedOver(card), await handedOver(sheet)].map((data) => share(data, isLight));
      expect(light).toBeCloseTo(other ?? 0, 1);
    });

    it('plain paper, also in shadow → unchanged', async () => {
      const shaded = await load(named('shaded'));
      const plain = [(await pages()).sheet, await load(named('grainy')), evenLight(shaded) ?? shaded];
      for (const page of plain) expect(liftGrounds(page)).toBe(undefined);
    });
  });

  it('paper with grain around a table → white; without rules → as it is', async () => {
    const page = await load(images.rotated180);
    const grained = page.data.map((shade, at) => Math.min(shade, 240 + (Math.floor(at / 3) % 9)));
    const isRule = (at: number) => [600, 900, 1200].some((y) => at >= y * page.width && at < (y + 3) * page.width);
    const ruled = grained.map((shade, at) => (isRule(at) ? 0 : shade));
    const isGrain = (shade: number) => shade >= 240 && shade < 250;
    expect((await handedOver({ ...page, data: ruled })).filter(isGrain).length).toBe(0);
    expect((await handedOver({ ...page, data: grained })).filter(isGrain).length).toBeGreaterThan(page.data.length / 2);
  });

  it('uneven light → corrected; even light → unchanged', async () => {
    expect(evenLight(await load(named('shaded'))) === undefined).toBe(false);
    for (const even of [images.png, images.rotated180, named('inverted'), named('grainy')]) {
      expect(evenLight(await load(even)) === undefined).toBe(true);
    }
  });
});
