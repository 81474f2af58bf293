import { describe, expect, it } from 'vitest';
import { findLetterSized } from '../../../../../dist/engine/stages/picture/find/find-letter-sized.js';
import {
  type Raster,
  RECOGNITION_LONG_SIDE,
  scaleRaster,
  turnRaster,
} from '../../../../../dist/engine/stages/picture/raster.js';
import { createRecogniser } from '../../../../../dist/engine/stages/recognise/create-recogniser.js';
import { parseHocr, toLine } from '../../../../../dist/engine/stages/recognise/hocr.js';
import { planRecognition } from '../../../../../dist/engine/stages/recognise/languages.js';
import { addRising, readMissed, readRising } from '../../../../../dist/engine/stages/recognise/read-missed.js';
import { makeTextPdf } from '../../../../fixtures/maker/documents.js';
import { renderPages } from '../../../../fixtures/maker/scan.js';

const never = Number.POSITIVE_INFINITY;

interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Draws hollow boxes, which look like letters. */
function draw(boxes: readonly Box[], pale: readonly Box[] = []): Raster {
  const raster = { width: 1000, height: 800, data: new Uint8Array(1000 * 800).fill(255) };
  for (const { x0, y0, x1, y1 } of pale) {
    for (let y = y0; y < y1; y++) raster.data.fill(170, y * 1000 + x0, y * 1000 + x1);
    for (let y = y0 + 3; y < y1 - 3; y++) raster.data.fill(255, y * 1000 + x0 + 3, y * 1000 + x1 - 3);
  }
  for (const { x0, y0, x1, y1 } of boxes) {
    for (let y = y0; y < y1; y++) {
      const isSide = y < y0 + 3 || y >= y1 - 3;
      for (let x = x0; x < x1; x++) if (isSide || x < x0 + 3 || x >= x1 - 3) raster.data[y * 1000 + x] = 0;
    }
  }
  return raster;
}

const letterAt = (x0: number, y0: number): Box => ({ x0, y0, x1: x0 + 12, y1: y0 + 18 });
const row = (x0: number, y0: number, letters: number) =>
  Array.from({ length: letters }, (_, index) => letterAt(x0 + index * 15, y0));

/** Makes a reading of lines of one word each, in type of 24 pixels. */
const read = (...words: { text: string; box: Box; sure: number }[]) =>
  parseHocr(
    words
      .map(({ text, box: { x0, y0, x1, y1 }, sure }) => {
        const box = `bbox ${x0} ${y0} ${x1} ${y1}`;
        const word = `<span class='ocrx_word' title='${box}; x_wconf ${sure}'>${text}</span>`;
        return `<p class='ocr_par' title="${box}"><span class='ocr_line' title="${box}; baseline 0 0; x_size 24">\n${word}</span></p>`;
      })
      .join(''),
  ).blocks;
const around = (boxes: readonly Box[]): Box => ({
  x0: Math.min(...boxes.map(({ x0 }) => x0)),
  y0: Math.min(...boxes.map(({ y0 }) => y0)),
  x1: Math.max(...boxes.map(({ x1 }) => x1)),
  y1: Math.max(...boxes.map(({ y1 }) => y1)),
});
const wordsOf = (blocks: ReturnType<typeof read>) =>
  blocks.flatMap(({ lines }) => lines.flatMap(({ words }) => words.map(({ text }) => text)));

describe('words that Tesseract silently leaves out', () => {
  const hours = Array.from({ length: 12 }, (_, hour) => [
    `${8 + hour}:00`,
    ...[hour * 7, hour * 3, hour * 5 + 2].map((boats) => String(boats % 10)),
  ]);
  it.each([
    ['single digits', 150, [90, 60, 60, 60], [['Hour', 'In', 'Out', 'Left'], ...hours]],
    [
      'rows',
      100,
      [90, 90, 160, 110],
      [
        ['Ferry', 'Crossings', 'Passengers on one', 'Bicycles'],
        ['Heron 128', '64,058', '800.73 (484.11)', 'N/A'],
        ['Heron 256', '32,051', '400.64 (242.04)', 'N/A'],
        ['Heron 512', '16,046', '200.58 (121.01)', 'N/A'],
        ['Gull', '20,843', '260.57 (145.80)', '96.20 (57.53)'],
      ],
    ],
  ])('%s in a ruled table → read', async (_, dpi, widths, rows) => {
    const pdf = await makeTextPdf('Harbour', [[{ kind: 'table', widths, rows }]]);
    const [page] = await renderPages(pdf, dpi);
    if (page === undefined) throw new Error('nothing was rendered');
    const recogniser = createRecogniser({ models: planRecognition(['eng']).models });
    const raster = await scaleRaster(page, RECOGNITION_LONG_SIDE / page.height);
    const { blocks } = await recogniser.recognise(raster, never, () => {});
    const words = rows.flat().flatMap((cell) => cell.split(' '));
    expect(wordsOf(blocks).toSorted()).toEqual(words.toSorted());
  });

  it('a title that runs up beside the labels of a scale → read, at its place', async () => {
    const drawPage = async (block: Parameters<typeof makeTextPdf>[1][number][number]) => {
      const [page] = await renderPages(await makeTextPdf('Chart', [[block]]), 150);
      if (page === undefined) throw new Error('nothing was rendered');
      return page;
    };
    const rows = [
      ['Harbour', 'Ferries', 'Bicycles'],
      ['Gull', '4210', '3377'],
      ['Heron', '9854', '1206'],
    ];
    const chart = await drawPage({ kind: 'table', widths: [120, 120, 120], rows });
    const title = turnRaster(inkOf(await drawPage({ kind: 'paragraph', text: 'Passengers every evening' })), 270);
    const [left, top] = [20, 300];
    for (let y = 0; y < title.height; y++)
      chart.data.set(title.data.subarray(y * title.width, (y + 1) * title.width), (top + y) * chart.width + left);
    const recogniser = createRecogniser({ models: planRecognition(['eng']).models });
    const { blocks } = await recogniser.recognise(chart, never, () => {});
    const line = blocks.flatMap(({ lines }) => lines).find(({ words }) => words.some(({ text }) => text === 'evening'));
    expect(line?.words.map(({ text }) => text)).toEqual(['Passengers', 'every', 'evening']);
    const [first, , last] = line?.words ?? [];
    expect(first?.y1).toBeGreaterThan(last?.y1 ?? 0);
    expect(line?.x0).toBeGreaterThan(left - 10);
    expect(line?.x1).toBeLessThan(left + title.width + 10);
  });
});

/** Cuts out what is drawn on a page. */
function inkOf({ data, width }: Raster): Raster {
  const dark = [...data.keys()].filter((at) => (data[at] ?? 255) < 200);
  const [x0, x1] = endsOf(dark.map((at) => at % width));
  const [y0, y1] = endsOf(dark.map((at) => Math.floor(at / width)));
  const rows = Array.from({ length: y1 - y0 + 1 }, (_, row) => (y0 + row) * width);
  const cut = rows.flatMap((row) => [...data.subarray(row + x0, row + x1 + 1)]);
  return { data: Uint8Array.from(cut), width: x1 - x0 + 1, height: rows.length };
}

const endsOf = (values: number[]): [number, number] =>
  values.reduce<[number, number]>(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, 0]);

/** Paper around a row of type of 24 pixels that is cut out, and between the rows on the sheet. */
const MARGIN_PX = 5;
const SHEET_GAP_PX = 24;
/** The place of the only row on a sheet. */
const onSheet = ({ x0, y0, x1, y1 }: Box): Box => {
  const start = MARGIN_PX + SHEET_GAP_PX;
  return { x0: start, y0: start, x1: start + x1 - x0, y1: start + y1 - y0 };
};

/** The places of rows of one letter on a sheet. */
const stacked = (rows: readonly Box[]): Box[] =>
  rows.map((box, index) => {
    const { x0, y0, x1, y1 } = onSheet(box);
    const down = index * (18 + 2 * MARGIN_PX + SHEET_GAP_PX);
    return { x0, y0: y0 + down, x1, y1: y1 + down };
  });

/** An engine that gives one answer, and the pictures that it was asked to read. */
function askedEngine(answer: ReturnType<typeof read>) {
  const pictures: Raster[] = [];
  const engine = {
    provider: 'asked',
    read: async (picture: Raster) => {
      pictures.push(picture);
      return { blocks: answer, textAngle: 0 };
    },
  };
  return { engine, pictures };
}

describe('letters that no word covers', () => {
  const first = row(100, 100, 8);
  const [known] = [{ text: 'EIGHT', box: around(first), sure: 95 }];
  const ask = async (boxes: Box[], blocks: ReturnType<typeof read>, answer = read()) => {
    const { engine, pictures } = askedEngine(answer);
    return {
      found: wordsOf(await readMissed(engine, draw(boxes), blocks, { isDoubtful: false }, never, () => {})),
      pictures,
    };
  };

  it('specks, pictures, bars → no letters', () => {
    const others = [
      { x0: 500, y0: 300, x1: 504, y1: 304 },
      { x0: 500, y0: 400, x1: 700, y1: 600 },
      { x0: 100, y0: 700, x1: 180, y1: 706 },
    ];
    const lost = row(100, 300, 2);
    expect(findLetterSized(draw([...lost, ...others]), 24)).toMatchObject(lost);
  });

  it('missed letters → read alone, on a sheet of their own', async () => {
    const lost = row(100, 300, 4);
    const answer = read(
      { text: 'lost', box: onSheet(around(lost)), sure: 90 },
      { text: '=', box: { x0: 100, y0: 30, x1: 112, y1: 40 }, sure: 95 },
    );
    const { found, pictures } = await ask([...first, ...lost], read(known), answer);
    expect(found).toEqual(['EIGHT', 'lost']);
    const [sheet] = pictures;
    expect([sheet?.width, sheet?.height]).toEqual([
      57 + 2 * (MARGIN_PX + SHEET_GAP_PX),
      18 + 2 * (MARGIN_PX + SHEET_GAP_PX),
    ]);
    const isInk = (shade: number) => shade < 128;
    expect(sheet?.data.filter(isInk).length).toBe(draw(lost).data.filter(isInk).length);
  });

  it.each([
    ['a percent sign after a figure', ['18', '%'], ['18', '%']],
    ['a percent sign at the end of a sentence', ['18', '%.'], ['18', '%.']],
    ['a sign between two words', ['Bolts', '&', 'nuts'], ['Bolts', '&', 'nuts']],
    ['a percent sign after a word', ['Bolts', '%'], ['Bolts']],
    ['a sign at the end of a row', ['Bolts', '&'], ['Bolts']],
    ['a bound before a figure', ['&lt;', '18'], ['<', '18']],
    ['a bound before a word', ['&gt;', 'Bolts'], ['Bolts']],
    ['another sign', ['Bolts', '~', 'nuts'], ['Bolts', 'nuts']],
  ])('%s: %j → %j', async (_, texts, kept) => {
    const lost = row(100, 300, 4);
    const { x0, ...sides } = onSheet(around(lost));
    const answer = read(
      ...texts.map((text, index) => ({
        text,
        box: { ...sides, x0: x0 + index * 18, x1: x0 + index * 18 + 12 },
        sure: 95,
      })),
    );
    expect((await ask([...first, ...lost], read(known), answer)).found).toEqual(['EIGHT', ...kept]);
  });

  it('numbers beside points that were read alone → read; letters beside other words belong to them', async () => {
    const numbers = [300, 400, 500].map((y0) => letterAt(100, y0));
    const follows = (text: string) =>
      numbers.map(({ x1, y0, y1 }) => ({ text, box: { x0: x1 + 4, y0, x1: x1 + 8, y1 }, sure: 92 }));
    expect((await ask([...first, ...numbers], read(known, ...follows('.')))).pictures).toHaveLength(1);
    expect((await ask([...first, ...numbers], read(known, ...follows('1')))).pictures).toEqual([]);
  });

  it('a short row → read behind a sure word of the page, which shows the height of small letters', async () => {
    const lost = row(100, 300, 1);
    const widthOf = async (text: string, sure = 95) =>
      (await ask([...first, ...lost, ...row(500, 300, 3)], read({ ...known, text, sure }))).pictures[0]?.width;
    const plain = 42 + 2 * (MARGIN_PX + SHEET_GAP_PX);
    // The sample: eight letters, with the paper around them and a gap after it.
    expect(await widthOf('eight')).toBe(plain + 117 + 2 * MARGIN_PX + 7);
    expect(await widthOf('EIGHT')).toBe(plain);
    expect(await widthOf('eight', 80)).toBe(plain);
  });

  it('a short row of which one letter descends → its other letter stands on the base line of the word before it', async () => {
    const descending = [letterAt(100, 300), { ...letterAt(115, 300), y1: 324 }];
    const inNextRow = [letterAt(100, 400), { ...letterAt(115, 400), y1: 424 }];
    const beside = { text: 'beside', box: around(row(500, 300, 6)), sure: 95 };
    const raster = [...first, ...descending, ...inNextRow, ...row(500, 300, 6)];
    const sheet = (await ask(raster, read(known, beside))).pictures[0];
    if (sheet === undefined) throw new Error('no sheet was read');
    const { data, width } = sheet;
    // The first of the two rows on the sheet, behind the sample.
    const strip = data.subarray(0, (SHEET_GAP_PX + 2 * MARGIN_PX + 30) * width);
    const lastInk = (from: number, to: number) =>
      Math.floor(strip.findLastIndex((shade, at) => shade < 128 && at % width >= from && at % width < to) / width);
    const middle = SHEET_GAP_PX + 2 * MARGIN_PX + 87;
    expect(lastInk(middle, width) - lastInk(0, middle)).toBe(6);
  });

  it('pale letters on a sure page → read; on a doubtful page → left as stains', async () => {
    const pictures: Raster[] = [];
    const lost = row(100, 300, 4);
    const engine = {
      provider: 'asked',
      read: async (picture: Raster) => {
        pictures.push(picture);
        return { blocks: read({ text: 'pale', box: onSheet(around(lost)), sure: 90 }), textAngle: 0 };
      },
    };
    const look = async (isDoubtful: boolean) =>
      wordsOf(await readMissed(engine, draw(first, lost), read(known), { isDoubtful }, never, () => {}));
    expect(await look(true)).toEqual(['EIGHT']);
    expect(await look(false)).toEqual(['EIGHT', 'pale']);
    expect(pictures).toHaveLength(1);
  });

  it('few letters of a doubtful page by those that were read → left; many, or a row of five → read', async () => {
    const look = async (letters: number, minShare: number) => {
      const lost = row(100, 300, letters);
      const { engine, pictures } = askedEngine(read({ text: 'lost', box: onSheet(around(lost)), sure: 90 }));
      const options = { isDoubtful: true, minShare };
      const found = await readMissed(engine, draw([...first, ...lost]), read(known), options, never, () => {});
      return { count: pictures.length, found: wordsOf(found) };
    };
    expect(await look(4, 1)).toEqual({ count: 0, found: ['EIGHT'] });
    expect(await look(4, 0.5)).toEqual({ count: 1, found: ['EIGHT', 'lost'] });
    expect(await look(5, 2)).toEqual({ count: 1, found: ['EIGHT', 'lost'] });
  });

  it('few letters of a doubtful page → read where they stand in a column of a table', async () => {
    const rows = [0, 1, 2, 3, 4].map((index) => 200 + index * 36);
    const names = rows.map((y0) => ({ text: 'Oakboards', box: around(row(300, y0, 6)), sure: 95 }));
    const cells = rows.map((y0) => letterAt(500, y0));
    const raster = draw([...first, ...rows.flatMap((y0) => row(300, y0, 6)), ...cells]);
    const answer = read(...stacked(cells).map((box, index) => ({ text: String(index), box, sure: 80 })));
    const look = async (known: ReturnType<typeof read>) => {
      const { engine, pictures } = askedEngine(answer);
      const found = await readMissed(engine, raster, known, { isDoubtful: true, minShare: 1 }, never, () => {});
      return { count: pictures.length, found: wordsOf(found).filter((text) => /\d/.test(text)) };
    };
    expect(await look(read(known, ...names))).toEqual({ count: 1, found: ['0', '1', '2', '3', '4'] });
    // Without other cells in their rows they are no column of a table.
    const alone = draw([...first, ...cells]);
    const { engine, pictures } = askedEngine(answer);
    await readMissed(engine, alone, read(known), { isDoubtful: true, minShare: 2 }, never, () => {});
    expect(pictures).toEqual([]);
  });

  it('two columns of digits in one line that runs up → read again; a sure word that was put there stays', async () => {
    const rows = Array.from({ length: 5 }, (_, index) => 200 + index * 36);
    const digits = rows.flatMap((y0) => [letterAt(500, y0), letterAt(560, y0)]);
    const put = { text: 'SEVEN', box: around(row(600, 236, 5)), sure: 90 };
    const column = { text: 'NB=', box: around(digits), sure: 30 };
    const answer = read(...stacked(digits).map((box, index) => ({ text: String(index % 10), box, sure: 90 })));
    const { engine } = askedEngine(answer);
    const blocks = read(known, column);
    const [line] = blocks[1]?.lines ?? [];
    const [word] = read(put)[0]?.lines[0]?.words ?? [];
    if (line === undefined || word === undefined) throw new Error('the reading has two lines');
    line.words.push(word);
    const raster = draw([...first, ...digits, ...row(600, 236, 5)]);
    const found = wordsOf(await readMissed(engine, raster, blocks, { isDoubtful: false }, never, () => {}));
    expect(found).toContain('SEVEN');
    expect(found).not.toContain('NB=');
    expect(found.filter((text) => /^\d$/.test(text))).toHaveLength(10);
  });

  it.each([
    ['an unsure number', { text: '79.13', sure: 85 }, false, ['75.13'], 1],
    ['one that is read no surer', { text: '79.13', sure: 89 }, false, ['79.13'], 1],
    ['a sure number', { text: '79.13', sure: 90 }, false, ['79.13'], 0],
    ['a number of a doubtful page', { text: '79.13', sure: 85 }, true, ['79.13'], 0],
    ['one digit', { text: '7', sure: 85 }, false, ['7'], 0],
    ['a digit and a decimal sign', { text: '.9', sure: 85 }, false, ['75.13'], 1],
    ['an unsure word', { text: 'price', sure: 85 }, false, ['price'], 0],
  ])('%s: %j, on a doubtful page: %j → %j after %i further readings', async (_, number, isDoubtful, kept, count) => {
    const place = row(100, 300, 5);
    const { engine, pictures } = askedEngine(read({ text: '75.13', box: onSheet(around(place)), sure: 88 }));
    const blocks = read(known, { ...number, box: around(place) });
    const found = await readMissed(engine, draw([...first, ...place]), blocks, { isDoubtful }, never, () => {});
    expect(wordsOf(found)).toEqual(['EIGHT', ...kept]);
    expect(pictures).toHaveLength(count);
  });

  it('all letters covered, or a box a little off → no further reading', async () => {
    expect(await ask(first, read(known))).toEqual({ found: ['EIGHT'], pictures: [] });
    const shifted = { ...known, box: around(first.slice(2)) };
    expect((await ask(first, read(shifted))).pictures).toEqual([]);
  });

  it('a column that was taken for a line that runs up → read again; a line that runs up → not', async () => {
    const rows = [0, 1, 2, 3, 4].map((index) => letterAt(500, 200 + index * 36));
    const answer = read(...stacked(rows).map((box, index) => ({ text: String(index), box, sure: 90 })));
    const asLine = { text: 'Ow=', box: around(rows), sure: 65 };
    expect((await ask([...first, ...rows], read(known, asLine), answer)).found).toEqual([
      'EIGHT',
      '0',
      '1',
      '2',
      '3',
      '4',
    ]);
    const upended = Array.from({ length: 12 }, (_, index) => ({
      x0: 500,
      x1: 518,
      y0: 200 + index * 15,
      y1: 212 + index * 15,
    }));
    const running = { text: 'anything', box: around(upended), sure: 40 };
    expect(await ask([...first, ...upended], read(known, running))).toEqual({
      found: ['EIGHT', 'anything'],
      pictures: [],
    });
  });

  it('digits that were taken for a line that runs up → each in a row of its own', async () => {
    const rows = [0, 1, 2].map((index) => letterAt(500, 200 + index * 36));
    const column = { text: 'Ow=', box: around(rows), sure: 65 };
    const answer = read(...stacked(rows).map((box, index) => ({ text: String(index), box, sure: 90 })));
    const { engine } = askedEngine(answer);
    const raster = draw([...first, ...rows]);
    const blocks = await readMissed(engine, raster, read(known, column), { isDoubtful: false }, never, () => {});
    const lines = blocks.flatMap(({ lines }) => lines);
    expect(lines.map(({ words }) => words.map(({ text }) => text))).toEqual([['EIGHT'], ['0'], ['1'], ['2']]);
  });

  it('a column of two digits that was taken for a line that runs up → read again', async () => {
    const rows = [0, 1, 2, 3].map((index) => row(500, 200 + index * 36, 2));
    const column = { text: 'NB=', box: around(rows.flat()), sure: 65 };
    const answer = read(...stacked(rows.map(around)).map((box, index) => ({ text: `1${index}`, box, sure: 90 })));
    const { found } = await ask([...first, ...rows.flat()], read(known, column), answer);
    expect(found).toEqual(['EIGHT', '10', '11', '12', '13']);
  });

  it('an amount of which a column took a part → read as a whole, in place of its part', async () => {
    const amount = row(500, 300, 5);
    const part = { text: '1.', box: around(amount.slice(0, 2)), sure: 96 };
    const answer = read({ text: '1.905', box: onSheet(around(amount)), sure: 93 });
    expect((await ask([...first, ...amount], read(known, part), answer)).found).toEqual(['EIGHT', '1.905']);
  });

  it('raised marks over the end of a long word, however unsure that is → the word stays', async () => {
    const [name, marks] = [row(500, 300, 6), row(590, 284, 3)];
    const box = { ...around([...name, ...marks]), y0: 296 };
    const answer = read({ text: '1,2', box: onSheet(around(marks)), sure: 93 });
    const page = read(known, { text: 'Nujiez-Lee', box, sure: 10 });
    expect((await ask([...first, ...name, ...marks], page, answer)).found).toContain('Nujiez-Lee');
  });

  it('a word in two lines → read again and joined', async () => {
    const time = row(500, 300, 6);
    const [hour, rest] = [time.slice(0, 3), time.slice(3)];
    const torn = [
      { text: '00:', box: around(hour), sure: 93 },
      { text: '09:', box: around(rest), sure: 81 },
    ];
    const answer = read({ text: '00:09:', box: onSheet(around(time)), sure: 90 });
    const { found, pictures } = await ask([...first, ...time], read(known, ...torn), answer);
    expect(found).toEqual(['EIGHT', '00:09:']);
    expect(pictures).toHaveLength(1);
  });

  describe('a line that mixes rows of several heights', () => {
    const [upper, lower] = [row(300, 300, 6), row(300, 330, 6)];
    const [place, amount] = [row(100, 315, 1), row(600, 315, 3)];
    const ink = [...first, ...upper, ...lower, ...place, ...amount];
    /** Makes one line of words that stand at several heights; its base line is that of the lower row. */
    const lineOf = (...words: Parameters<typeof read>) => {
      const parts = read(...words).flatMap(({ lines }) => lines.flatMap((line) => line.words));
      return [
        {
          lines: [
            toLine(
              parts.map((word) => ({ ...word, baseline: 348 })),
              0,
            ),
          ],
        },
      ];
    };
    const sheet = (sure: number) =>
      read(
        ...stacked([upper, lower, place, amount].map(around).toSorted((a, b) => a.x0 - b.x0)).map((box, index) => ({
          text: ['7', 'Bracke', 'screws', '250'][index] ?? '',
          box,
          sure,
        })),
      );
    const linesAfter = async (mixed: ReturnType<typeof lineOf>, sure = 90) => {
      const { engine } = askedEngine(sheet(sure));
      const blocks = [...read(known), ...mixed];
      const found = await readMissed(engine, draw(ink), blocks, { isDoubtful: false }, never, () => {});
      return found.flatMap(({ lines }) => lines.map(({ words }) => words.map(({ text }) => text).join(' ')));
    };
    const tall = lineOf(
      { text: '7', box: around(place), sure: 90 },
      { text: 'serckes', box: around([...upper, ...lower]), sure: 80 },
      { text: '25', box: around(amount), sure: 40 },
    );
    const uneven = lineOf(
      { text: '7', box: around(place), sure: 90 },
      { text: 'screws', box: around(lower), sure: 95 },
      { text: '25', box: around(amount), sure: 40 },
    );

    it('both lines of a cell in one, or one of them with what stands beside the middle → read row by row', async () => {
      const rows = ['EIGHT', 'Bracke', '7', '250', 'screws'];
      expect(await linesAfter(tall)).toEqual(rows);
      expect(await linesAfter(uneven)).toEqual(rows);
    });

    it('rows that two mixed lines share → once', async () => {
      const above = lineOf(
        { text: '7', box: around(place), sure: 90 },
        { text: 'Bracke', box: around(upper), sure: 80 },
        { text: 'a', box: letterAt(650, 300), sure: 40 },
      );
      const below = lineOf(
        { text: 'screws', box: around(lower), sure: 95 },
        { text: '250', box: around(amount), sure: 95 },
      );
      expect(await linesAfter([...above, ...below])).toEqual(['EIGHT', 'Bracke', '7', '250', 'screws']);
    });

    it('rows that are read much less surely → the line stays', async () => {
      expect(await linesAfter(tall, 31)).toEqual(['EIGHT', '7 serckes 25']);
    });

    it.each([
      ['TITLES', 0],
      ['131,45', 1],
    ])('large type of one row, also with a comma: %s → not read again', async (text, commas) => {
      const letters = Array.from({ length: 6 }, (_, index) => ({
        x0: 300 + index * 30,
        x1: 324 + index * 30,
        y0: 500,
        y1: 536,
      }));
      const comma = { x0: 390, x1: 402, y0: 526, y1: 546 };
      const title = commas === 0 ? letters : [...letters.toSpliced(3, 1), comma];
      const blocks = [...read(known), ...lineOf({ text, box: around(title), sure: 95 })];
      expect((await ask([...first, ...title], blocks)).pictures).toEqual([]);
    });
  });

  it.each([
    ['a figure', '0.950', 50],
    ['an amount', '$25.00', 35],
    ['a word with a letter that the language lacks', 'umol/l', 65],
  ])('%s that is not quite sure → added on a clean page, not on another', async (_, text, sure) => {
    expect(await look(text, sure, 90)).toEqual(['EIGHT', text]);
    expect(await look(text, sure, 70)).toEqual(['EIGHT']);
  });

  it('an unsure word, or signs with two letters → not added on a clean page', async () => {
    expect(await look('lost', 50, 90)).toEqual(['EIGHT']);
    expect(await look('#on!', 65, 90)).toEqual(['EIGHT']);
  });

  /** Reads a page of which one row was missed. `page`: confidence of its other word. */
  async function look(text: string, sure: number, page: number) {
    const lost = row(100, 300, 4);
    const answer = read({ text, box: onSheet(around(lost)), sure });
    return (await ask([...first, ...lost], read({ ...known, sure: page }), answer)).found;
  }

  it('letters of a doubtful page that run up → read on their side, in place of what a level reading took them for', async () => {
    const letters = Array.from({ length: 12 }, (_, index) => ({
      x0: 500,
      x1: 518,
      y0: 200 + index * 16,
      y1: 212 + index * 16,
    }));
    const raster = draw([...first, ...letters]);
    const length = 188 + 2 * MARGIN_PX;
    const answer = read({ text: 'rising', box: { x0: 29, y0: 29, x1: 29 + 188, y1: 47 }, sure: 90 });
    const { engine, pictures } = askedEngine(answer);
    const junk = { text: 'ow', box: letterAt(500, 300), sure: 50 };
    const blocks = read(known, junk);
    const rising = await readRising(engine, raster, blocks, never, () => {});
    expect(pictures.map(({ width }) => width)).toEqual([length + 2 * SHEET_GAP_PX]);
    expect(rising).toMatchObject([{ x0: 500, x1: 518, y0: 200, y1: 388 }]);
    expect(wordsOf(addRising(blocks, rising))).toEqual(['EIGHT', 'rising']);
    expect(await readRising(engine, draw(first), read(known), never, () => {})).toEqual([]);
    expect(pictures).toHaveLength(1);
  });
});
