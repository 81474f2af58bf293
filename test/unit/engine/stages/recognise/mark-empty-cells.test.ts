import { expect, it } from 'vitest';
import { parseHocr } from '../../../../../src/engine/stages/recognise/hocr.js';
import { markEmptyCells } from '../../../../../src/engine/stages/recognise/mark-empty-cells.js';
import { straighten } from '../../../../../src/engine/stages/recognise/straighten.js';

const [WIDTH, HEIGHT] = [700, 400];
/** Size of the type, height of a figure, and distance of two rows. */
const [SIZE, HIGH, PITCH] = [30, 22, 44];
const LEFTS = [20, 250, 400, 550];

interface Box {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

function draw(boxes: readonly Box[]) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (const { x0, x1, y0, y1 } of boxes) for (let y = y0; y < y1; y++) data.fill(0, y * WIDTH + x0, y * WIDTH + x1);
  return { data, width: WIDTH, height: HEIGHT };
}

const footOf = (row: number) => 40 + row * PITCH;
const inkAt = (row: number, x0: number, width: number, raised: number, height = 3): Box => ({
  ...{ x0, x1: x0 + width },
  ...{ y0: footOf(row) - raised - height, y1: footOf(row) - raised },
});
const dotsAt = (row: number, x0: number, count: number, step = 10): Box[] =>
  Array.from({ length: count }, (_, index) => inkAt(row, x0 + index * step, 3, 0));

/** Reads rows of words at LEFTS; '' is an empty cell. */
const read = (rows: readonly (readonly string[])[]) =>
  parseHocr(
    rows
      .map((words, row) => {
        const [y0, y1] = [footOf(row) - HIGH, footOf(row)];
        const spans = words.map((text, column) => {
          const x0 = LEFTS[column] ?? 0;
          const title = `bbox ${x0} ${y0} ${x0 + text.length * 15} ${y1}; x_wconf 95`;
          return text === '' ? '' : `<span class='ocrx_word' title='${title}'>${text}</span>`;
        });
        const title = `bbox 20 ${y0} 640 ${y1}; baseline 0 0; x_size ${SIZE}`;
        return `<p class='ocr_par' title=""><span class='ocr_line' title="${title}">${spans.join('')}</span></p>`;
      })
      .join(''),
  ).blocks;
const linesOf = (blocks: ReturnType<typeof read>) =>
  blocks.flatMap(({ lines }) => lines.map(({ words }) => words.map(({ text }) => text).join(' ')));

const TABLE = [
  ['Harbour', '0555', '0620', '0650'],
  ['Hall', '0601', '', '0657'],
  ['Swan', '0612', '0637', ''],
  ['Library', '', '0646', '0718'],
  ['Station', '0629', '0654', '0727'],
];

it('a dash, three dots and two dots alone in cells → added to their rows', () => {
  const ink = [inkAt(1, 415, 30, 7), ...dotsAt(2, 568, 3), ...dotsAt(3, 280, 2)];
  expect(linesOf(markEmptyCells(draw(ink), read(TABLE)))).toEqual([
    'Harbour 0555 0620 0650',
    'Hall 0601 — 0657',
    'Swan 0612 0637 …',
    'Library .. 0646 0718',
    'Station 0629 0654 0727',
  ]);
});

it.each([
  ['a hyphen', 10, '-'],
  ['an en dash', 16, '–'],
])('%s by its width', (_, width, sign) => {
  expect(linesOf(markEmptyCells(draw([inkAt(1, 425, width, 7)]), read(TABLE)))[1]).toBe(`Hall 0601 ${sign} 0657`);
});

it.each([
  ['a stroke on the base line', [inkAt(1, 415, 30, -2)]],
  ['a stroke as long as the cell', [inkAt(1, 380, 100, 7)]],
  ['a dash beside other ink', [inkAt(1, 415, 20, 7), inkAt(1, 440, 14, 0, 20)]],
  ['a thick stroke', [inkAt(1, 415, 30, 5, 8)]],
  ['a speck', [inkAt(1, 430, 3, 0)]],
  ['dots of unequal steps', [...dotsAt(1, 415, 2), ...dotsAt(1, 442, 1)]],
])('%s → no sign', (_, ink) => {
  const blocks = read(TABLE);
  expect(markEmptyCells(draw(ink), blocks)).toEqual(blocks);
});

it('a dash where no column is → no sign', () => {
  const blocks = read([
    ['Harbour', '0555', '', '0650'],
    ['Hall', '0601'],
    ['Swan', '0612', '', '0701'],
  ]);
  expect(markEmptyCells(draw([inkAt(1, 415, 30, 7)]), blocks)).toEqual(blocks);
});

it('a recognised page → its signs', async () => {
  const recognise = async () => ({ provider: '', blocks: read(TABLE), width: WIDTH, height: HEIGHT, rotation: 0 });
  const letters = TABLE.flatMap((row, at) =>
    row.flatMap((text, column) =>
      [...text].map((_, index) => inkAt(at, (LEFTS[column] ?? 0) + index * 15, 10, 0, HIGH)),
    ),
  );
  const raster = draw([...letters, inkAt(1, 415, 30, 7)]);
  const { blocks } = await straighten({ recognise, prepare() {} }, false).recognise(raster, Infinity, () => {});
  expect(linesOf(blocks)[1]).toBe('Hall 0601 — 0657');
});
