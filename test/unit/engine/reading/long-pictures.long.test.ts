import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { readDocument } from '../../../../dist/engine/read-document.js';
import { readPieces } from '../../../../dist/engine/reading/read-pieces.js';
import { cutPieces } from '../../../../dist/engine/stages/picture/correct/cut-pieces.js';
import type { Raster } from '../../../../dist/engine/stages/picture/raster.js';
import { recognitionScale } from '../../../../dist/engine/stages/picture/recognition-scale.js';
import { toLine } from '../../../../dist/engine/stages/recognise/hocr.js';
import { RecognitionTimeout } from '../../../../dist/engine/stages/recognise/native-engine.js';
import type { Recogniser } from '../../../../dist/engine/stages/recognise/recogniser.js';
import { renderText } from '../../../../dist/engine/stages/render/text.js';
import { closeIdleWorkers } from '../../../../dist/engine/workers/warm-workers.js';
import { images } from '../../../fixtures/manifest.js';
import { withFile } from '../../../support/pdf-readers.js';
import { wordF1 } from '../../../support/word-f1.js';

afterAll(closeIdleWorkers);

describe('the scale at which a picture is recognised', () => {
  it.each([
    ['a page', 2480, 3508, 2200 / 3508],
    ['a receipt', 1000, 3000, 2200 / 3000],
    ['a screenshot of a scrolling page', 800, 14_100, 1],
    ['a wide screenshot of a scrolling page', 1920, 10_000, 1556 / 1920],
    ['a strip of one line', 9000, 60, 1],
    ['a screenshot with too many pixels', 2000, 40_000, Math.sqrt(24e6 / 80e6)],
    ['a small slip', 100, 400, 5.5],
  ])('%s of %i × %i pixels → its scale', (_, width, height, scale) => {
    expect(recognitionScale({ width, height }, 2200, 1)).toBeCloseTo(scale, 6);
  });
});

/** Draws lines as rows, or columns, of black and white in turn, like letters. */
function drawLines(width: number, height: number, lines: readonly (readonly [from: number, to: number])[]): Raster {
  const data = new Uint8Array(width * height).fill(255);
  const drawn = lines.flatMap(([from, to]) => Array.from({ length: to - from }, (_, row) => from + row));
  for (const along of drawn) {
    for (let across = 0; across < Math.min(width, height); across += 2)
      data[height > width ? along * width + across : across * width + along] = 0;
  }
  return { data, width, height };
}

describe('cutting a long picture', () => {
  const lines = Array.from({ length: 200 }, (_, line) => [line * 30, line * 30 + (line % 20 === 19 ? 8 : 20)] as const);

  it.each([
    ['tall', 40, 6000],
    ['wide', 6000, 40],
  ])('%s → cut in the widest gaps, and nothing is lost', (_, width, height) => {
    const raster = drawLines(width, height, lines);
    const pieces = cutPieces(raster);
    const starts = pieces.map(({ x0, y0 }) => x0 + y0);
    // The widest gaps follow the low lines: from 578 to 600, and each 600 further on.
    expect(starts).toEqual([0, 1789, 3589, 5389]);
    const lengths = pieces.map((piece) => Math.max(piece.raster.width, piece.raster.height));
    expect(lengths.map((length, index) => (starts[index] ?? 0) + length)).toEqual([...starts.slice(1), 6000]);
    const sum = ({ data }: Raster) => data.reduce((total, shade) => total + shade, 0);
    expect(pieces.reduce((total, piece) => total + sum(piece.raster), 0)).toBe(sum(raster));
  });
});

/** A recogniser that reads one word, ten pixels from the left and twenty from the top of each piece. */
const readingWords = (texts: (string | Error)[], rotation = 0): Recogniser => {
  let next = 0;
  return {
    recognise: async ({ width, height }) => {
      const text = texts[next++];
      if (text === undefined || text instanceof Error) throw text;
      const place = { x0: 10, y0: 20, x1: 60, y1: 40, baseline: 36, fontSize: 20 };
      const word = { text, ...place, bold: false, italic: false, confidence: 0.9 };
      const sides = rotation % 180 === 0 ? { width, height } : { width: height, height: width };
      const rules = [{ x0: 0, y0: 50, x1: 100, y1: 50 }];
      return { provider: 'fake', blocks: [{ lines: [toLine([word], 0)] }], rules, ...sides, rotation };
    },
    prepare: () => undefined,
  };
};
const wordsOf = ({ blocks }: Awaited<ReturnType<typeof readPieces>>) =>
  blocks.flatMap(({ lines }) =>
    lines.flatMap(({ words }) => words.map(({ text, x0, y0, baseline }) => [text, x0, y0, baseline])),
  );

describe('joining the readings of pieces', () => {
  const raster = drawLines(400, 3000, [[0, 10]]);
  const cutAt = cutPieces(raster)[1]?.y0 ?? 0;
  const inTime = () => performance.now() + 60_000;

  it('words of the pieces → their places on the page', async () => {
    const moves: boolean[] = [];
    const found = await readPieces(readingWords(['one', 'two']), raster, inTime(), (_, movesOn) => moves.push(movesOn));
    expect(wordsOf(found)).toEqual([
      ['one', 10, 20, 36],
      ['two', 10, 20 + cutAt, 36 + cutAt],
    ]);
    expect(found.rules?.map(({ y0 }) => y0)).toEqual([50, 50 + cutAt]);
    expect(found).toMatchObject({ width: 400, height: 3000, rotation: 0 });
    expect(found.unread).toBeUndefined();
    expect(moves).toEqual([true]);
  });

  it.each([
    [
      90,
      3000,
      400,
      [
        ['two', 10],
        ['one', 10 + 3000 - cutAt],
      ],
    ],
    [
      180,
      400,
      3000,
      [
        ['two', 10],
        ['one', 10],
      ],
    ],
    [
      270,
      3000,
      400,
      [
        ['one', 10],
        ['two', 10 + cutAt],
      ],
    ],
  ] as const)(
    'a page turned by %i degrees → words in their places on the turned page',
    async (rotation, width, height, words) => {
      const found = await readPieces(readingWords(['one', 'two'], rotation), raster, inTime(), () => undefined);
      expect(found).toMatchObject({ width, height, rotation });
      expect(wordsOf(found).map(([text, x0]) => [text, x0])).toEqual(words);
    },
  );

  it('one piece takes too long → the others, with a warning about the missing share', async () => {
    const found = await readPieces(
      readingWords([new RecognitionTimeout('late'), 'two']),
      raster,
      inTime(),
      () => undefined,
    );
    expect(wordsOf(found)).toEqual([['two', 10, 20 + cutAt, 36 + cutAt]]);
    expect(found.unread).toMatch(/50 % of it could not be read in time/);
  });
});

it('a screenshot of a scrolling page → its text from the first line to the last', async () => {
  const paragraph = await sharp(images.png.path).toBuffer({ resolveWithObject: true });
  const { width, height } = paragraph.info;
  const places = [0, 7000 - height];
  const picture = sharp({ create: { width, height: 7000, channels: 3, background: '#ffffff' } });
  const png = await picture
    .composite(places.map((top) => ({ input: paragraph.data, top, left: 0 })))
    .png()
    .toBuffer();
  const steps: number[] = [];
  const { document } = await withFile(png, (path) =>
    readDocument(path, 'image/png', {
      ...{ ocr: 'auto', maxPixels: 100e6, parallelism: 1, pageTimeoutMs: 180_000 },
      onProgress: (done) => steps.push(done),
    }),
  );
  expect(document.warnings).toEqual([]);
  const truth = places.map(() => images.png.text.join('\n')).join('\n');
  expect(wordF1(truth, renderText(document))).toBeGreaterThan(0.95);
  // Each finished piece is reported; without reports the document would end for lack of progress.
  expect(steps.filter((done) => done === 0).length).toBeGreaterThan(2);
});
