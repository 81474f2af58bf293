import { describe, expect, it } from 'vitest';
import { parseHocr } from '../../../../../src/engine/stages/recognise/hocr.js';
import { markBullets } from '../../../../../src/engine/stages/recognise/mark-bullets.js';
import type { Recognition } from '../../../../../src/engine/stages/recognise/recogniser.js';
import { straighten } from '../../../../../src/engine/stages/recognise/straighten.js';

const SIZE = 30;
const [WIDTH, HEIGHT] = [1000, 800];

/** Makes lines of words at x, on base lines y; each is a paragraph of its own. */
const read = (...lines: { y: number; words: [text: string, x: number][] }[]) =>
  parseHocr(
    lines
      .map(({ y, words }) => {
        const boxed = words.map(([text, x]) => {
          const box = `bbox ${x} ${y - 20} ${x + text.length * 15} ${y}`;
          return `<span class='ocrx_word' title='${box}; x_wconf 90'>${text}</span>`;
        });
        const title = `bbox ${words[0]?.[1]} ${y - 20} ${WIDTH} ${y}; baseline 0 0; x_size ${SIZE}`;
        return `<p class='ocr_par' title=""><span class='ocr_line' title="${title}">\n${boxed.join('')}</span></p>`;
      })
      .join(''),
  ).blocks;

type Shape = (dx: number, dy: number) => boolean;
const disc: Shape = (dx, dy) => dx ** 2 + dy ** 2 <= 25;
const circle: Shape = (dx, dy) => disc(dx, dy) && dx ** 2 + dy ** 2 > 12;
const square: Shape = (dx, dy) => Math.abs(dx) < 5 && Math.abs(dy) < 5;
const triangle: Shape = (dx, dy) => Math.abs(dx) <= 6 && Math.abs(dy) <= (6 - dx) / 2;
const rough: Shape = (dx, dy) => square(dx, dy) && !(dy === -4 && dx === 0);
const bar: Shape = (dx, dy) => Math.abs(dx) < 2 && Math.abs(dy) < 12;
const cross: Shape = (dx, dy) => (Math.abs(dx) < 2 || Math.abs(dy) < 2) && Math.abs(dx) < 6 && Math.abs(dy) < 6;

type Drawn = [shape: Shape, x: number, y: number];

/** Draws shapes around the given middles. */
function draw(...drawn: Drawn[]) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (const [shape, x, y] of drawn)
    for (let dy = -12; dy <= 12; dy++)
      for (let dx = -12; dx <= 12; dx++) if (shape(dx, dy)) data[(y + dy) * WIDTH + x + dx] = 0;
  return { data, width: WIDTH, height: HEIGHT };
}

const textOf = (blocks: ReturnType<typeof read>) =>
  blocks.flatMap(({ lines }) => lines.map(({ words }) => words.map(({ text }) => text).join(' ')));
const bread = { y: 200, words: [['Bread', 120]] as [string, number][] };
const eggs = { y: 250, words: [['Eggs', 120]] as [string, number][] };

describe('bullets that the recogniser missed or misread', () => {
  it.each([
    ['disc', disc],
    ['circle', circle],
    ['square', square],
    ['triangle', triangle],
    ['square with a rough edge', rough],
  ])('a missed %s → a bullet in front of its line', (_, shape) => {
    const marked = markBullets(draw([shape, 90, 191], [shape, 90, 241]), read(bread, eggs));
    expect(textOf(marked)).toEqual(['• Bread', '• Eggs']);
  });

  it('a wide gap between bullet and line → found', () => {
    const marked = markBullets(draw([disc, 36, 191], [disc, 36, 241]), read(bread, eggs));
    expect(textOf(marked)).toEqual(['• Bread', '• Eggs']);
  });

  it('a bullet → in its line, with the box of its picture', () => {
    const [block] = markBullets(draw([disc, 90, 191], [disc, 90, 241]), read(bread, eggs));
    expect(block?.lines[0]).toMatchObject({ x0: 85, fontSize: SIZE, baseline: 200 });
    expect(block?.lines[0]?.words[0]).toMatchObject({ x0: 85, x1: 96, y0: 186, y1: 197 });
  });

  it('text that was read at its place, in the line or apart → removed', () => {
    const [inLine, apart] = [
      read({
        y: 200,
        words: [
          ['eo', 78],
          ['Bread', 120],
        ],
      }),
      read({ y: 200, words: [['°', 84]] }, bread),
    ];
    const picture = draw([disc, 90, 191]);
    expect(textOf(markBullets(picture, inLine))).toEqual(['• Bread']);
    expect(textOf(markBullets(picture, apart))).toEqual(['• Bread']);
  });

  it('a missed dot without another like it → a speck', () => {
    expect(textOf(markBullets(draw([disc, 90, 191]), read(bread, eggs)))).toEqual(['Bread', 'Eggs']);
    expect(textOf(markBullets(draw([disc, 90, 191], [circle, 90, 241]), read(bread, eggs)))).toEqual(['Bread', 'Eggs']);
  });

  it.each([
    ['a bar', bar, 0],
    ['a cross', cross, 0],
    ['a full stop', disc, 6],
    ['an apostrophe', disc, -12],
    ['the letter o', circle, 4],
  ])('%s → no bullet', (_, shape, down) => {
    const marked = markBullets(draw([shape, 90, 191 + down], [shape, 90, 241 + down]), read(bread, eggs));
    expect(textOf(marked)).toEqual(['Bread', 'Eggs']);
  });

  it('a dot close behind other ink, or far from its line → no bullet', () => {
    const close = draw([disc, 90, 191], [bar, 80, 191], [disc, 90, 241], [bar, 80, 241]);
    const far = draw([disc, 20, 191], [disc, 20, 241]);
    for (const picture of [close, far])
      expect(textOf(markBullets(picture, read(bread, eggs)))).toEqual(['Bread', 'Eggs']);
  });
});

describe('the interim result of a page', () => {
  it('a picture with bullets and bold type → both, as in the final result', async () => {
    const words = (stroke: number, y: number): Drawn[] =>
      Array.from({ length: 60 }, (_, index) => [upright(stroke), 120 + index * 10, y - 8]);
    const upright =
      (stroke: number): Shape =>
      (dx, dy) =>
        dx >= 0 && dx < stroke && dy >= -10 && dy < 8;
    const ys = [200, 250, 300, 350, 400];
    const picture = draw(...ys.flatMap((y) => [[disc, 90, y - 9] as Drawn, ...words(y === 300 ? 5 : 3, y)]));
    const found: Recognition = {
      ...{ provider: 'test', width: WIDTH, height: HEIGHT, rotation: 0 },
      blocks: read(...ys.map((y) => ({ y, words: [['x'.repeat(40), 120]] as [string, number][] }))),
    };
    const interim: Recognition[] = [];
    const recogniser = straighten(
      {
        recognise: async (_raster, _deadline, onInterim) => {
          onInterim(found);
          return found;
        },
        prepare: () => undefined,
      },
      true,
    );
    const final = await recogniser.recognise(picture, Number.POSITIVE_INFINITY, (recognition) =>
      interim.push(recognition),
    );
    const typeOf = ({ blocks }: Recognition) =>
      blocks.flatMap(({ lines }) => lines.map(({ words }) => words.map(({ text, bold }) => (bold ? 'bold' : text[0]))));
    expect(typeOf(final)).toEqual(ys.map((y) => ['•', y === 300 ? 'bold' : 'x']));
    expect(interim.map(typeOf)).toEqual([typeOf(final)]);
    expect(typeOf(found)).toEqual(ys.map(() => ['x']));
  });
});
