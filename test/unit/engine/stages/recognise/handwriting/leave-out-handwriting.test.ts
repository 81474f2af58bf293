import { describe, expect, it } from 'vitest';
import type { Area } from '../../../../../../src/engine/model/geometry.js';
import type { PageBlock, PageWord } from '../../../../../../src/engine/model/page.js';
import { leaveOutHandwriting } from '../../../../../../src/engine/stages/recognise/handwriting/leave-out-handwriting.js';
import { toLine } from '../../../../../../src/engine/stages/recognise/hocr.js';
import { drawPaper, setInType, writeByPen } from '../../../../../fixtures/maker/handwriting.js';

const [WIDTH, HEIGHT] = [1600, 2200];
const [TYPE_SIZE, PEN_SIZE, PITCH] = [28, 46, 90];
const WORDS = [5, 3, 7, 6, 4, 8];

type Row = 'printed' | 'written';
const LETTERS = { printed: 'p', written: 'w' };

interface RowOfWords {
  row: Row;
  /** Confidence of its words in the readings. */
  sure: number;
  /** Confidence after the readings were merged. */
  merged?: number;
}

/** Draws rows of words, and what the readings of the page would have found of them. */
function drawPage(rows: readonly RowOfWords[], meanConfidence: number) {
  const raster = drawPaper(WIDTH, HEIGHT);
  const boxes = rows.map(({ row }, index) => {
    const at = { x: 120, y: 120 + index * PITCH, words: WORDS };
    return row === 'printed'
      ? setInType(raster, { ...at, size: TYPE_SIZE }, index)
      : writeByPen(raster, { ...at, size: PEN_SIZE }, index);
  });
  const setPage = (confidenceOf: (row: RowOfWords) => number): PageBlock[] => [
    {
      lines: rows.map((row, index) => {
        const words = boxes[index] ?? [];
        const text = (word: number) => LETTERS[row.row].repeat(WORDS[word] ?? 0);
        return toLine(
          words.map((box, word) => setWord(box, text(word), confidenceOf(row))),
          index,
        );
      }),
    },
  ];
  const blocks = setPage(({ sure, merged }) => merged ?? sure);
  return { raster, blocks, readings: [setPage(({ sure }) => sure)], meanConfidence };
}

const setWord = (box: Area, text: string, confidence: number): PageWord => ({
  ...box,
  ...{ text, confidence, baseline: box.y1, fontSize: (box.y1 - box.y0) / 0.75, bold: false, italic: false },
});

const textsOf = (blocks: readonly PageBlock[]) =>
  blocks.flatMap(({ lines }) => lines.map(({ words }) => words.map(({ text }) => text).join(' ')));
const repeat = (count: number, row: Row, sure: number, merged?: number): RowOfWords[] =>
  Array.from({ length: count }, () => ({ row, sure, ...(merged === undefined ? {} : { merged }) }));
const lineOf = (row: Row) => WORDS.map((letters) => LETTERS[row].repeat(letters)).join(' ');

describe('a printed page', () => {
  it('filled in by hand → the handwriting is left out and counted, the print stays, even what is doubtful', () => {
    const form = [
      ...repeat(6, 'printed', 0.96),
      ...repeat(3, 'written', 0.45),
      ...repeat(3, 'printed', 0.7),
      ...repeat(3, 'printed', 0.96),
    ];
    const { blocks, handwriting } = leaveOutHandwriting(drawPage(form, 0.8));
    expect(textsOf(blocks)).toEqual(Array.from({ length: 12 }, () => lineOf('printed')));
    expect(handwriting).toEqual({ words: 3 * WORDS.length, isMost: false });
  });

  it('handwriting on which the readings agree → stays, as it is right', () => {
    const form = [...repeat(8, 'printed', 0.96), ...repeat(3, 'written', 0.45), ...repeat(1, 'written', 0.45, 0.97)];
    const { blocks, handwriting } = leaveOutHandwriting(drawPage(form, 0.8));
    expect(textsOf(blocks)).toEqual([...Array.from({ length: 8 }, () => lineOf('printed')), lineOf('written')]);
    expect(handwriting).toEqual({ words: 3 * WORDS.length, isMost: false });
  });

  it('a poorly read headline, many times as large as the rest → stays', () => {
    const page = drawPage(repeat(12, 'printed', 0.96), 0.8);
    for (const y of [1500, 1800]) {
      const [box] = setInType(page.raster, { x: 120, y, size: 8 * TYPE_SIZE, words: [4] }, y);
      const block = { lines: [toLine([setWord(box as Area, 'WALK', 0.6)], 0)] };
      page.blocks.push(block);
      page.readings[0]?.push(block);
    }
    expect(leaveOutHandwriting(page)).toEqual({ blocks: page.blocks });
  });

  it('read as poorly as handwriting → stays as it is', () => {
    const page = drawPage(repeat(12, 'printed', 0.45), 0.55);
    expect(leaveOutHandwriting(page)).toEqual({ blocks: page.blocks });
  });

  it('one word that is clearly handwriting → stays: a word of print may look like it', () => {
    const page = drawPage(repeat(12, 'printed', 0.96), 0.7);
    const write = (y: number) => {
      const [box] = writeByPen(page.raster, { x: 120, y, size: 64, words: [5] }, 2);
      const block = { lines: [toLine([setWord(box as Area, 'wntee', 0.3)], 0)] };
      page.blocks.push(block);
      page.readings[0]?.push(block);
    };
    write(1700);
    expect(leaveOutHandwriting(page)).toEqual({ blocks: page.blocks });
    write(1900);
    expect(leaveOutHandwriting(page).handwriting).toEqual({ words: 2, isMost: false });
  });
});

describe('a page that could hardly be read', () => {
  it('all handwriting → no words and no signs, and most of it is handwriting', () => {
    const page = drawPage(repeat(20, 'written', 0.3), 0.3);
    page.blocks.push({ lines: [toLine([setWord({ x0: 1400, y0: 100, x1: 1410, y1: 130 }, '|', 0.96)], 0)] });
    const { blocks, handwriting } = leaveOutHandwriting(page);
    expect(blocks).toEqual([]);
    expect(handwriting).toEqual({ words: 20 * WORDS.length + 1, isMost: true });
  });

  it('handwriting below a printed title → the title stays', () => {
    const page = drawPage([...repeat(1, 'printed', 0.9), ...repeat(19, 'written', 0.3)], 0.35);
    expect(textsOf(leaveOutHandwriting(page).blocks)).toEqual([lineOf('printed')]);
  });

  it('handwriting of which nothing was read → still most of it is handwriting', () => {
    const { raster } = drawPage(repeat(20, 'written', 0.3), 0.3);
    const { handwriting } = leaveOutHandwriting({ raster, blocks: [], readings: [[]], meanConfidence: 0.2 });
    expect(handwriting).toEqual({ words: 0, isMost: true });
  });

  it('print in another script, or an empty page → no handwriting', () => {
    const print = drawPage(repeat(20, 'printed', 0.3), 0.3);
    expect(leaveOutHandwriting(print)).toEqual({ blocks: print.blocks });
    const empty = { raster: drawPaper(WIDTH, HEIGHT), blocks: [], readings: [[]], meanConfidence: 0 };
    expect(leaveOutHandwriting(empty)).toEqual({ blocks: [] });
  });
});
