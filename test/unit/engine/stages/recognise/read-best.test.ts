import { expect, it } from 'vitest';
import { addMarks } from '../../../../../src/engine/stages/recognise/add-marks.js';
import { type HocrPage, parseHocr } from '../../../../../src/engine/stages/recognise/hocr.js';
import { isDoubtful, type Reading, readBest } from '../../../../../src/engine/stages/recognise/read-best.js';
import { readPage, toRecognition } from '../../../../../src/engine/stages/recognise/read-page.js';
import type { TesseractEngine } from '../../../../../src/engine/stages/recognise/recogniser.js';

const raster = { data: new Uint8Array(600 * 800).fill(255), width: 600, height: 800 };

/** An engine that reads nothing and notes its calls. */
function createBlindEngine(): TesseractEngine & { segmentations: number[] } {
  const segmentations: number[] = [];
  const read = async (_: unknown, segmentation: number) => {
    segmentations.push(segmentation);
    return { blocks: [], textAngle: 0 };
  };
  return { provider: 'blind', segmentations, read };
}

it('a poor picture → read in every way, even after the deadline: the same result on every machine', async () => {
  const engine = createBlindEngine();
  const known: Reading[] = [];
  await readBest(engine, raster, performance.now(), (best) => known.push(best));
  expect(engine.segmentations).toEqual([3, 3, 3, 11]);
  // Each further reading is preceded by an interim result.
  expect(known).toHaveLength(3);
});

it('a poor picture on a printed ground → read without the ground, in place of more contrast', async () => {
  const ground = raster.data.map((_, at) =>
    (Math.floor(at / 600 / 40) + Math.floor((at % 600) / 40)) % 2 === 0 ? 150 : 250,
  );
  const pictures: Uint8Array[] = [];
  const read = async ({ data }: { data: Uint8Array }) => {
    pictures.push(data);
    return { blocks: [], textAngle: 0 };
  };
  await readBest({ provider: 'blind', read }, { ...raster, data: ground }, performance.now(), () => {});
  const shares = pictures.map((data) => data.filter((shade) => shade > 200).length / data.length);
  // The readings: plain, without the ground, upside down, words anywhere.
  expect(shares.map((share) => share > 0.7)).toEqual([false, true, false, false]);
});

it('lines that run up → no sign that a page is upside down', async () => {
  const line = (box: string, text: string) =>
    `<p class='ocr_par' title='${box}'><span class='ocr_line' title='${box}; baseline 0 0; x_size 20'>\n<span class='ocrx_word' title='${box}; x_wconf 40'>${text}</span></span></p>`;
  const answers = [line('bbox 0 0 90 20', 'level'), line('bbox 0 0 20 300', 'running up'), '', ''];
  const read = async () => ({ ...parseHocr(answers.shift() ?? ''), textAngle: 0 });
  const best = await readBest({ provider: 'asked', read }, raster, performance.now(), () => {});
  expect(best.words.map(({ text }) => text)).toEqual(['level']);
});

/** A page with a row of marks, this far above the feet of the two figures before and after it. */
function drawMarks({ count, step, side, raised }: { count: number; step: number; side: number; raised: number }) {
  const page = { ...raster, data: new Uint8Array(raster.data) };
  const fill = (x0: number, y0: number, width: number, height: number) => {
    for (let y = y0; y < y0 + height; y++) page.data.fill(0, y * 600 + x0, y * 600 + x0 + width);
  };
  for (let index = 0; index < count; index++) fill(100 + index * step, 120 - raised - side, side, side);
  for (const x0 of [78, 100 + count * step]) fill(x0, 99, 14, 21);
  return page;
}
const wordOf = (text: string, x0: number, x1: number, sure: number) =>
  `<span class='ocrx_word' title='bbox ${x0} 99 ${x1} 120; x_wconf ${sure}'>${text}</span>`;
const lineOf = (...words: string[]) =>
  parseHocr(
    `<p class='ocr_par' title=''><span class='ocr_line' title='bbox 20 99 340 120; baseline 0 0; x_size 30'>${words.join('')}</span></p>`,
  );

it('a leader that was read as words → read again without it, and the dots given back', async () => {
  const page = drawMarks({ count: 20, step: 9, side: 4, raised: 0 });
  const pictures: Uint8Array[] = [];
  const answers = [
    lineOf(wordOf('Results', 20, 95, 90), wordOf('cesses', 100, 276, 40)),
    lineOf(wordOf('Results', 20, 95, 95), wordOf('7', 280, 294, 95)),
  ];
  const read = async ({ data }: { data: Uint8Array }) => {
    pictures.push(data);
    return answers[Math.min(pictures.length, 2) - 1] as HocrPage;
  };
  const best = await readBest({ provider: 'asked', read }, page, performance.now(), () => {});
  expect(best.words.map(({ text }) => text)).toEqual(['Results', '7']);
  const isInk = (shade: number) => shade < 128;
  expect(pictures[1]?.filter(isInk).length).toBe(2 * 14 * 21);
  const texts = addMarks(best.blocks, best.marks ?? []).flatMap(({ lines }) =>
    lines.flatMap(({ words }) => words.map(({ text }) => text)),
  );
  expect(texts).toEqual(['Results', '.'.repeat(20), '7']);
});

it('asterisks that were read as a word → left out, erased, and given back to the number', async () => {
  const page = drawMarks({ count: 12, step: 18, side: 10, raised: 10 });
  const read = async () => lineOf(wordOf('Card', 20, 80, 95), wordOf('WHHHRREAANH', 100, 308, 0));
  const engine = { provider: 'asked', read };
  const best = await readBest(engine, page, performance.now(), () => {});
  expect(best.words.map(({ text }) => text)).toEqual(['Card']);
  const recognised = await readPage({ usual: engine, getOther: async () => engine }, page, Infinity, () => {});
  const texts = recognised.blocks.flatMap(({ lines }) => lines.flatMap(({ words }) => words.map(({ text }) => text)));
  expect(texts).toEqual(['Card', '*'.repeat(12)]);
  expect(best.raster.data.filter((shade) => shade < 128).length).toBe(2 * 14 * 21);
  const { blocks } = lineOf(wordOf('Card', 20, 80, 95), wordOf('4', 316, 330, 95));
  const words = addMarks(blocks, best.marks ?? []).flatMap(({ lines }) => lines.flatMap(({ words }) => words));
  expect(words.map(({ text, x0 }) => [text, x0])).toEqual([
    ['Card', 20],
    [`${'*'.repeat(12)}4`, 100],
  ]);
  expect(addMarks([], best.marks ?? [])).toEqual([]);
});

it('a dotted rule that was read as words → read again without it, and not given back', async () => {
  const page = { ...raster, data: new Uint8Array(raster.data) };
  for (let x = 100; x < 500; x += 5) for (let y = 124; y < 126; y++) page.data.fill(0, y * 600 + x, y * 600 + x + 2);
  const pictures: Uint8Array[] = [];
  const answers = [
    lineOf(wordOf('Surname', 20, 95, 90), wordOf('eeeneeen', 100, 500, 20)),
    lineOf(wordOf('Surname', 20, 95, 95)),
  ];
  const read = async ({ data }: { data: Uint8Array }) => {
    pictures.push(data);
    return answers[Math.min(pictures.length, 2) - 1] as HocrPage;
  };
  const best = await readBest({ provider: 'asked', read }, page, performance.now(), () => {});
  expect(pictures).toHaveLength(2);
  expect(pictures[1]?.some((shade) => shade < 128)).toBe(false);
  expect(best.words.map(({ text }) => text)).toEqual(['Surname']);
  expect(best.marks).toEqual([]);
});

it('marks under a word that was surely read → letters', async () => {
  const page = drawMarks({ count: 12, step: 18, side: 10, raised: 10 });
  const read = async () => lineOf(wordOf('Cxqz', 20, 80, 0), wordOf('accessaccess', 100, 308, 95));
  const best = await readBest({ provider: 'asked', read }, page, performance.now(), () => {});
  expect(best.words.map(({ text }) => text)).toEqual(['Cxqz', 'accessaccess']);
  expect(best.marks).toBe(undefined);
});

it.each([
  ['clean', 0.94, 500, 60, false],
  ['doubtful', 0.7, 500, 20, true],
  ['worn', 0.55, 500, 10, true],
  ['noise', 0.2, 500, 0, false],
  ['a picture in which signs look like letters', 0.35, 500, 2, false],
  ['a few characters', 0.7, 10, 1, false],
  ['a drawing with one label', 0.5, 40, 1, false],
])('a reading that is %s → read once more or not', (_, meanConfidence, characters, sure, expected) => {
  const words = Array.from({ length: Math.max(characters / 5, sure) }, (_, index) => ({
    text: 'words',
    confidence: index < sure ? 0.95 : 0.3,
  }));
  expect(isDoubtful({ meanConfidence, meanSureness: meanConfidence, characters, words } as Reading)).toBe(expected);
});

it('words that no further reading confirmed → dropped', () => {
  const readingOf = (...words: [text: string, sure: number][]) => {
    const spans = words.map(
      ([text, sure], index) =>
        `<span class='ocrx_word' title='bbox ${index * 100} 0 ${index * 100 + 80} 20; x_wconf ${sure}'>${text}</span>`,
    );
    const { blocks } = parseHocr(
      `<p class='ocr_par' title=''><span class='ocr_line' title='x_size 20'>\n${spans.join('')}</span></p>`,
    );
    return { engine: createBlindEngine(), raster, rotation: 0, blocks } as unknown as Reading;
  };
  const first = readingOf(['both', 50], ['fleck', 60], ['sure', 80]);
  const textOf = (further: Reading[]) =>
    toRecognition(first, further).blocks.flatMap(({ lines }) =>
      lines.flatMap(({ words }) => words.map(({ text }) => text)),
    );
  expect(textOf([readingOf(['both', 50])])).toEqual(['both', 'sure']);
  // A single reading has no other one to confirm it.
  expect(textOf([])).toEqual(['both', 'fleck', 'sure']);
});

it('a word of low confidence between sure ones, or beside one → kept; a fleck, or one apart → dropped', () => {
  const textOf = (middle: string, before = 0, behind = 0, sure = 95) => {
    const words = [
      { text: 'if', x: 0, sure },
      { text: 'they', x: 40, sure: 95 },
      { text: middle, x: 120 + before, sure: 10 },
      { text: 'been', x: 240 + before + behind, sure },
    ];
    const spans = words.map(
      ({ text, x, sure }) =>
        `<span class='ocrx_word' title='bbox ${x} 0 ${x + (text === middle ? 110 : 70)} 20; x_wconf ${sure}'>${text}</span>`,
    );
    const { blocks } = parseHocr(
      `<p class='ocr_par' title=''><span class='ocr_line' title='x_size 20'>\n${spans.join('')}</span></p>`,
    );
    const first = { engine: createBlindEngine(), raster, rotation: 0, blocks } as unknown as Reading;
    return toRecognition(first, []).blocks.flatMap(({ lines: [line] }) => line?.words.map(({ text }) => text));
  };
  expect(textOf("haven't")).toEqual(['if', 'they', "haven't", 'been']);
  const without = ['if', 'they', 'been'];
  expect(textOf('|')).toEqual(without);
  expect(textOf("haven't", 0, 40)).toEqual(['if', 'they', "haven't", 'been']);
  expect(textOf("haven't", 40, 40)).toEqual(without);
  expect(textOf("haven't", 0, 0, 60)).toEqual(without);
});
