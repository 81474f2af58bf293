import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { closeIdleWorkers } from '../../../dist/engine/workers/warm-workers.js';
import { A4, createDocument, saveDocument } from '../../fixtures/maker/typeset.js';
import { examples } from '../../fixtures/manifest.js';
import { runFunction } from './run-function.js';

afterAll(closeIdleWorkers);

interface Tables {
  tables: Array<{
    page: number;
    rows: number;
    columns: number;
    continues?: boolean;
    box: number[];
    csv: string;
    cells: Array<{ row: number; column: number; text: string; box: number[]; confidence: number | null }>;
  }>;
}
const extract = (fixture: { path: string; mimeType: string }, args: Record<string, unknown> = {}) =>
  runFunction<Tables>('TABLE_EXTRACTION', fixture, args);

const BRANCHES = [
  'Branch,Hours,Visitors,Loans',
  'Central,9.00 to 19.00,"84,210","131,457"',
  'Millbrook,10.00 to 18.00,"22,968","30,115"',
  'Harbour Street,10.00 to 17.30,"17,344","25,803"',
  'Oakfield,13.00 to 18.00,"6,721","9,286"',
];

test('a text PDF → its tables with the places of their cells', async () => {
  const { result, print } = await extract(examples.report);
  expect(result.tables.map(({ page, rows, columns }) => ({ page, rows, columns }))).toEqual([
    { page: 2, rows: 5, columns: 4 },
    { page: 4, rows: 5, columns: 3 },
  ]);
  const [first] = result.tables;
  expect(first?.csv).toBe(`${BRANCHES.join('\r\n')}\r\n`);
  expect(first?.cells).toHaveLength(20);
  const at = (row: number, column: number) => first?.cells.find((cell) => cell.row === row && cell.column === column);
  expect(at(1, 2)).toMatchObject({ text: '84,210', confidence: null });
  // Cells of a column stand under each other, those of a row beside each other.
  const [head, below, beside] = [at(0, 0)?.box ?? [], at(1, 0)?.box ?? [], at(0, 1)?.box ?? []];
  expect(below[1]).toBeGreaterThanOrEqual(Number(head[3]) - 0.001);
  expect(beside[0]).toBeGreaterThanOrEqual(Number(head[2]) - 0.001);
  expect(print()).toBe(`${first?.csv}\r\n${result.tables[1]?.csv}`);
});

test('recognised pages → their tables, with confidence', async () => {
  const { result } = await extract(examples.report, { pages: '2', ocr: 'force' });
  expect(result.tables).toHaveLength(1);
  const [table] = result.tables;
  expect(table).toMatchObject({ rows: 5, columns: 4 });
  expect(table?.csv.split('\r\n')[2]).toBe(BRANCHES[2]);
  for (const { text, confidence } of table?.cells ?? []) if (text !== '') expect(confidence).toBeGreaterThan(0.5);
});

/** A table with rules around its cells, the head of its last two columns over both. */
async function makeRuled(): Promise<string> {
  const { document, fonts } = await createDocument('ruled');
  const page = document.addPage(A4);
  const write = (text: string, x: number, y: number) => page.drawText(text, { x, y, size: 11, font: fonts.body });
  const rows = [
    ['Landing', 'Boats in a week', ''],
    ['', 'Summer', 'Winter'],
    ['North pier', '112', '31'],
    ['Old harbour', '', '18'],
  ];
  const [xs, top, height] = [[80, 240, 350, 460], 700, 26];
  write('Boats are counted where they land, on every day of the week.', 80, 740);
  rows.forEach((row, index) => {
    row.forEach((text, column) => {
      if (text !== '') write(text, (xs[column] ?? 0) + 8, top - height * index - 18);
    });
  });
  const draw = (x0: number, y0: number, x1: number, y1: number) =>
    page.drawLine({ start: { x: x0, y: y0 }, end: { x: x1, y: y1 }, thickness: 0.8 });
  const bottom = top - height * rows.length;
  for (const row of [0, 2, 3, 4]) draw(80, top - height * row, 460, top - height * row);
  draw(240, top - height, 460, top - height);
  for (const x of [80, 240, 460]) draw(x, top, x, bottom);
  draw(350, top - height, 350, bottom);
  const directory = mkdtempSync(join(tmpdir(), 'ocr-ruled-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'ruled.pdf');
  writeFileSync(path, await saveDocument(document));
  return path;
}

test.each(['never', 'force'])('cells with lines around them → cells with their spans: ocr %s', async (ocr) => {
  const { result } = await extract({ path: await makeRuled(), mimeType: 'application/pdf' }, { ocr });
  const [table] = result.tables;
  expect(result.tables).toHaveLength(1);
  expect(table?.csv).toBe(
    ['Landing,Boats in a week,', ',Summer,Winter', 'North pier,112,31', 'Old harbour,,18', ''].join('\r\n'),
  );
  const [landing, boats] = table?.cells ?? [];
  expect(landing).toMatchObject({ row: 0, column: 0, rowSpan: 2, columnSpan: 1 });
  expect(boats).toMatchObject({ row: 0, column: 1, rowSpan: 1, columnSpan: 2 });
  const empty = table?.cells.find(({ row, column }) => row === 3 && column === 1);
  expect(empty?.text).toBe('');
  [240 / 595, 142 + 78, 350 / 595, 142 + 104].forEach((value, index) => {
    expect(empty?.box[index]).toBeCloseTo(index % 2 === 0 ? value : value / 842, 2);
  });
});

test('a table that continues on the next page → one on each page, the second marked as continued', async () => {
  const { document, fonts } = await createDocument('continued');
  for (const names of [
    ['Marigold', 'Heron', 'Old Tom'],
    ['Tern', 'Plover', 'Gull'],
  ]) {
    const page = document.addPage(A4);
    names.forEach((name, row) => {
      [name, `${row + 11}`, 'salt'].forEach((text, column) => {
        page.drawText(text, { x: 80 + column * 160, y: 700 - row * 20, size: 11, font: fonts.body });
      });
    });
  }
  const directory = mkdtempSync(join(tmpdir(), 'ocr-continued-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'continued.pdf');
  writeFileSync(path, await saveDocument(document));
  const { result } = await extract({ path, mimeType: 'application/pdf' });
  expect(result.tables.map(({ page, rows, continues }) => ({ page, rows, continues }))).toEqual([
    { page: 1, rows: 3, continues: undefined },
    { page: 2, rows: 3, continues: true },
  ]);
});

test('a page without tables → none', async () => {
  const { result, print } = await extract(examples.report, { pages: '1' });
  expect(result).toEqual({ tables: [] });
  expect(print()).toBe('');
});
