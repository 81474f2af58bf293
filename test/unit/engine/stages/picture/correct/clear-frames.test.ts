import { expect, it } from 'vitest';
import { type ClearedFrames, clearFrames } from '../../../../../../src/engine/stages/picture/correct/clear-frames.js';
import type { Raster } from '../../../../../../src/engine/stages/picture/raster.js';
import { toLine } from '../../../../../../src/engine/stages/recognise/hocr.js';
import { restoreFrames } from '../../../../../../src/engine/stages/recognise/restore-frames.js';

const [WIDTH, HEIGHT, SIDE, LINE] = [900, 1200, 24, 2];

function createPage(): Raster & { fill(x: number, y: number, width: number, height: number): void } {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(250);
  const fill = (x: number, y: number, width: number, height: number) => {
    for (let row = y; row < y + height; row++) data.fill(10, row * WIDTH + x, row * WIDTH + x + width);
  };
  return { data, width: WIDTH, height: HEIGHT, fill };
}

type Page = ReturnType<typeof createPage>;

function drawFrame({ fill }: Page, x: number, y: number, width: number, height: number): void {
  fill(x, y, width, LINE);
  fill(x, y + height - LINE, width, LINE);
  fill(x, y, LINE, height);
  fill(x + width - LINE, y, LINE, height);
}

const drawTick = ({ fill }: Page, x: number, y: number, length: number) => {
  for (let step = 0; step < length; step++) {
    fill(x + step, y + step, 3, 1);
    fill(x + length - 1 - step, y + step, 3, 1);
  }
};

/** Letters of 9 x 20 pixels in every cell but those left out. */
function drawCells(page: Page, x: number, y: number, count: number, isLetter: (index: number) => boolean): void {
  drawFrame(page, x, y, count * 32 + LINE, 36);
  for (let index = 0; index <= count; index++) page.fill(x + index * 32, y, LINE, 36);
  for (let index = 0; index < count; index++) if (isLetter(index)) page.fill(x + index * 32 + 12, y + 8, 9, 20);
}

const inkOf = ({ data }: Raster) => data.filter((shade) => shade < 100).length;

it('an empty box, one with a cross and one with a letter → ☐, ☑ and the letter without its frame', () => {
  const page = createPage();
  for (const x of [100, 300, 500]) drawFrame(page, x, 200, SIDE, SIDE);
  drawTick(page, 304, 204, 14);
  page.fill(511, 205, 3, 14);
  page.fill(511, 205, 8, 3);
  const cleared = clearFrames(page);
  expect(cleared?.boxes.map(({ x0, isTicked }) => [x0, isTicked])).toEqual([
    [100, false],
    [300, true],
  ]);
  expect(inkOf(cleared?.raster ?? page)).toBe(3 * 14 + 5 * 3);
});

it('a letter with square corners and no box like it, and a table → the page as it is', () => {
  const page = createPage();
  drawFrame(page, 100, 200, SIDE, SIDE);
  page.fill(100, 211, SIDE, LINE);
  for (let row = 0; row < 4; row++) drawCells(page, 300, 200 + row * 36 - row * LINE, 4, () => true);
  expect(clearFrames(page)).toBeUndefined();
});

it('letters at even distances above an underline, and strokes on a slant → the page as it is', () => {
  const page = createPage();
  for (let index = 0; index < 10; index++) {
    page.fill(100 + index * 32, 200, 3, 22);
    page.fill(112 + index * 32, 200, 9, 21);
  }
  page.fill(90, 224, 340, LINE);
  for (let index = 0; index < 4; index++) page.fill(100 + index * 40, 400, 3, 22);
  for (let x = 0; x < 123; x++) page.fill(100 + x, 400 + Math.floor(x / 6), 1, 3);
  expect(clearFrames(page)).toBeUndefined();
});

const wordAt = (text: string, x0: number, x1: number) => ({
  ...{ text, x0, x1, y0: 207, y1: 229, baseline: 229, fontSize: 24 },
  ...{ bold: false, italic: false, confidence: 0.9 },
});

it('letters in a row of cells → moved together, and the words back over their cells', () => {
  const page = createPage();
  drawCells(page, 100, 200, 8, (index) => index !== 4 && index !== 7);
  const { raster, rows, boxes } = clearFrames(page) as ClearedFrames;
  const [letters = []] = rows;
  expect(letters.map(({ isAfterGap }) => isAfterGap)).toEqual([false, false, false, false, true, false]);
  expect(inkOf(raster)).toBe(6 * 9 * 20);
  const [first, fourth, fifth, last] = [0, 3, 4, 5].map((index) => letters[index]?.to);
  expect((last?.x1 ?? 0) - (first?.x0 ?? 0)).toBeLessThan(110);
  // The recogniser parted the first word.
  const middle = letters[1]?.to.x1 ?? 0;
  const line = toLine(
    [
      wordAt('12', first?.x0 ?? 0, middle),
      wordAt('34', middle + 1, fourth?.x1 ?? 0),
      wordAt('56', fifth?.x0 ?? 0, last?.x1 ?? 0),
    ],
    0,
  );
  const [block] = restoreFrames([{ lines: [line] }], boxes, rows);
  const words = block?.lines[0]?.words.map(({ text, x0, x1 }) => [
    text,
    Math.round((x0 - 100) / 32),
    Math.round((x1 - 100) / 32),
  ]);
  expect(words).toEqual([
    ['1234', 0, 4],
    ['56', 5, 7],
  ]);
});

it('boxes → signs in the line of the words of their row; those without words are left out', () => {
  const line = toLine([wordAt('yes', 140, 180), wordAt('no', 240, 270)], 0);
  const boxes = [
    { x0: 110, x1: 134, y0: 206, y1: 230, isTicked: true },
    { x0: 210, x1: 234, y0: 206, y1: 230, isTicked: false },
    { x0: 210, x1: 234, y0: 606, y1: 630, isTicked: false },
  ];
  const blocks = restoreFrames([{ lines: [line] }], boxes, []);
  const lines = blocks.flatMap((block) => block.lines.map(({ words }) => words.map(({ text }) => text).join(' ')));
  expect(lines).toEqual(['☑ yes ☐ no']);
});
