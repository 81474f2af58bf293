import { expect, it } from 'vitest';
import type { Raster } from '../../../../../src/engine/stages/picture/raster.js';
import { parseHocr } from '../../../../../src/engine/stages/recognise/hocr.js';
import { readPage } from '../../../../../src/engine/stages/recognise/read-page.js';
import type { Recognition, TesseractEngine } from '../../../../../src/engine/stages/recognise/recogniser.js';

const [width, height] = [600, 800];
const BLACK = 0;
const LINE_HEIGHT = 32;
const [STROKE_WIDTH, STROKE_EVERY] = [6, 20];

interface Line {
  top: number;
  /** Height, if it is not that of one row. */
  height?: number;
  words: readonly string[];
  sure: number;
}

/** A page on which each line is a row of strokes. */
function draw(lines: readonly Line[]): Raster {
  const data = new Uint8Array(width * height).fill(255);
  for (const { top } of lines)
    for (let y = top; y < top + LINE_HEIGHT; y++)
      for (let x = 50; x < 550; x += STROKE_EVERY) data.fill(BLACK, y * width + x, y * width + x + STROKE_WIDTH);
  return { data, width, height };
}

function toHocr(lines: readonly Line[]): string {
  const spans = lines.map(({ top, height = LINE_HEIGHT, words, sure }) => {
    const inner = words.map((word, index) => {
      const x = 50 + index * 125;
      return `<span class='ocrx_word' title='bbox ${x} ${top} ${x + 120} ${top + height}; x_wconf ${sure}'>${word}</span>`;
    });
    return `<span class='ocr_line' title='bbox 50 ${top} 550 ${top + height}; x_size ${height}'>\n${inner.join('')}</span>`;
  });
  return `<p class='ocr_par' title=''>${spans.join('')}</p>`;
}

/** An engine that reads the lines whose strokes are in its picture, and notes its calls. */
function createEngine(name: string, page: readonly Line[], events: string[]): TesseractEngine {
  return {
    provider: name,
    async read(raster, segmentation) {
      const scale = raster.height / height;
      const seen = page.filter(({ top }) => {
        const start = Math.round((top + LINE_HEIGHT / 2) * scale) * raster.width;
        return raster.data.subarray(start, start + raster.width).some((shade) => shade < 128);
      });
      events.push(`${name} ${segmentation}: ${seen.length}`);
      const scaled = seen.map((line) => ({ ...line, words: [...line.words] }));
      const { blocks, textAngle } = parseHocr(toHocr(scaled));
      for (const part of blocks.flatMap(({ lines }) => lines.flatMap((line) => [line, ...line.words]))) {
        for (const side of ['x0', 'y0', 'x1', 'y1', 'baseline', 'fontSize'] as const) part[side] *= scale;
      }
      return { blocks, textAngle };
    },
  };
}

const textOf = ({ blocks }: Recognition) =>
  blocks.flatMap(({ lines }) => lines.map(({ words }) => words.map(({ text }) => text).join(' ')));

const clear: Line = { top: 100, words: ['receipt', 'harbour', 'ferries', 'limited'], sure: 99 };
const faint: Line = { top: 300, words: ['bicycle', 'evening', 'tickets', 'returns'], sure: 60 };
const never = Number.POSITIVE_INFINITY;

async function read(page: readonly Line[], hasOther: boolean) {
  const events: string[] = [];
  const usual = createEngine('usual', page, events);
  const other = hasOther ? createEngine('other', page, events) : usual;
  const interim: number[] = [];
  const found = await readPage({ usual, getOther: async () => other }, draw(page), never, ({ blocks }) => {
    interim.push(blocks.length);
  });
  return { events, found, interim };
}

it('a sure page → read once', async () => {
  const { events, found } = await read([clear, { ...faint, sure: 95 }], true);
  expect(events).toEqual(['usual 3: 2']);
  expect(textOf(found)).toHaveLength(2);
});

it('a doubtful page → as one block by the other model, then only the lines in doubt by both', async () => {
  const { events, found, interim } = await read([clear, faint], true);
  expect(events).toEqual(['usual 3: 2', 'other 6: 2', 'usual 6: 1', 'other 6: 1']);
  expect(textOf(found)).toEqual(['receipt harbour ferries limited', 'bicycle evening tickets returns']);
  // Each further reading is preceded by an interim result.
  expect(interim).toHaveLength(3);
});

it('several readings agree → less confidence than if each erred for itself, in interim results too', async () => {
  const confidenceOf = ({ blocks }: Pick<Recognition, 'blocks'>) =>
    blocks.flatMap(({ lines }) => lines.map(({ words }) => words[0]?.confidence ?? 0));
  const page = [clear, { ...faint, sure: 70 }];
  const interim: number[][] = [];
  const engine = createEngine('usual', page, []);
  const found = await readPage({ usual: engine, getOther: async () => engine }, draw(page), never, (known) => {
    interim.push(confidenceOf(known));
  });
  // Three votes of .7 would make .973.
  const [sure = 0, agreed = 0] = confidenceOf(found);
  expect(agreed).toBeGreaterThan(0.75);
  expect(agreed).toBeLessThan(0.85);
  expect(sure).toBeGreaterThan(agreed);
  expect(sure).toBeLessThan(0.995);
  expect(interim.map(([, word]) => word)).toEqual([0.7, expect.closeTo(0.643, 3)]);
});

it('a page that is read once → the confidence that the engine gives', async () => {
  const { found } = await read([clear], true);
  expect(found.blocks[0]?.lines[0]?.words[0]?.confidence).toBe(0.99);
});

it('no doubt after the block → no further reading', async () => {
  const { events } = await read(
    [
      { ...clear, sure: 86 },
      { ...faint, sure: 83 },
    ],
    true,
  );
  expect(events).toEqual(['usual 3: 2', 'other 6: 2']);
});

it('no other model → as one block and as words anywhere', async () => {
  const { events } = await read([clear, faint], false);
  expect(events).toEqual(['usual 3: 2', 'usual 6: 2', 'usual 11: 2']);
});

it('an engine outside of the thread → begins before one that blocks the thread', async () => {
  const events: string[] = [];
  const usual = createEngine('usual', [clear, faint], events);
  const other = createEngine('other', [clear, faint], events);
  usual.begin = async (...asked) => {
    events.push('begun');
    return { page: usual.read(...asked) };
  };
  await readPage({ usual, getOther: async () => other }, draw([clear, faint]), never, () => {});
  expect(events.slice(-3)).toEqual(['begun', 'usual 6: 1', 'other 6: 1']);
});

it('a row that runs up a doubtful page → read on its side, and absent from the further readings', async () => {
  const page = draw([clear, faint]);
  const rising = { x0: 20, x1: 44, y0: 500, y1: 734 };
  for (let y = rising.y0; y < rising.y1; y++)
    for (let x = rising.x0; x < rising.x1; x++)
      if ((y - rising.y0) % 20 < 14 && (x < 24 || x >= 40 || (y - rising.y0) % 20 < 4))
        page.data[y * width + x] = BLACK;
  const events: string[] = [];
  const usual = createEngine('usual', [clear, faint], events);
  const other = createEngine('other', [clear, faint], events);
  const readPlain = usual.read;
  usual.read = async (raster, segmentation, deadline) => {
    if (raster.height > 150) return await readPlain(raster, segmentation, deadline);
    events.push('sheet');
    const line = { top: Math.round(raster.height / 2) - LINE_HEIGHT / 2, words: ['passengers'], sure: 90 };
    return parseHocr(toHocr([line]));
  };
  const seen: boolean[] = [];
  const readOther = other.read;
  other.read = async (raster, segmentation, deadline) => {
    const scale = raster.height / height;
    const row = Math.round(642 * scale) * raster.width;
    seen.push(raster.data.subarray(row, row + Math.round(60 * scale)).some((shade) => shade < 128));
    return await readOther(raster, segmentation, deadline);
  };
  const found = await readPage({ usual, getOther: async () => other }, page, never, () => {});
  expect(events).toEqual(['usual 3: 2', 'sheet', 'other 6: 2', 'usual 6: 1', 'other 6: 1']);
  expect(seen).toEqual([false, false]);
  expect(textOf(found)).toEqual(['receipt harbour ferries limited', 'bicycle evening tickets returns', 'passengers']);
});

it('a page that is doubtful because lines mix two rows each → only those rows are read again, one by one', async () => {
  const page = draw([]);
  const isInk = (across: number, along: number) => across < 14 && (across < 4 || across >= 10 || along < 4);
  for (const top of [100, 160, 300, 340])
    for (let y = 0; y < LINE_HEIGHT; y++)
      for (let x = 50; x < 550; x++) if (isInk((x - 50) % STROKE_EVERY, y)) page.data[(top + y) * width + x] = BLACK;
  const events: string[] = [];
  /** Reads each row of letters as a line, but unsurely as one line what is closer than rows of a sheet. */
  const usual: TesseractEngine = {
    provider: 'usual',
    async read(raster, segmentation) {
      const lines: { top: number; height: number }[] = [];
      for (let y = 0; y < raster.height; y++) {
        if (!raster.data.subarray(y * raster.width, (y + 1) * raster.width).some((shade) => shade < 128)) continue;
        const last = lines.at(-1);
        if (last !== undefined && y - last.top - last.height < LINE_HEIGHT / 2) last.height = y + 1 - last.top;
        else lines.push({ top: y, height: 1 });
      }
      events.push(`${segmentation}: ${lines.length}`);
      return parseHocr(
        toHocr(lines.map((line) => ({ ...line, words: clear.words, sure: line.height > LINE_HEIGHT * 1.5 ? 40 : 95 }))),
      );
    },
  };
  const found = await readPage({ usual, getOther: async () => ({ ...usual }) }, page, never, () => {});
  expect(events).toEqual(['3: 3', '6: 2']);
  expect(textOf(found)).toEqual(Array(4).fill('receipt harbour ferries limited'));
});
