import { afterAll, expect, test } from 'vitest';
import { closeIdleWorkers } from '../../../dist/engine/pages/page-pool.js';
import { examples } from '../../fixtures/manifest.js';
import { runFunction } from './run-function.js';

afterAll(closeIdleWorkers);

interface Tables {
  tables: Array<{
    page: number;
    rows: number;
    columns: number;
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

test('the tables of a text PDF, with the places of their cells', async () => {
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

test('tables of recognised pages too, with confidence', async () => {
  const { result } = await extract(examples.report, { pages: '2', ocr: 'force' });
  expect(result.tables).toHaveLength(1);
  const [table] = result.tables;
  expect(table).toMatchObject({ rows: 5, columns: 4 });
  expect(table?.csv.split('\r\n')[2]).toBe(BRANCHES[2]);
  for (const { text, confidence } of table?.cells ?? []) if (text !== '') expect(confidence).toBeGreaterThan(0.5);
});

test('a page without tables has none', async () => {
  const { result, print } = await extract(examples.report, { pages: '1' });
  expect(result).toEqual({ tables: [] });
  expect(print()).toBe('');
});
