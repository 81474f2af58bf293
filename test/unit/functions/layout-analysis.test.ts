import { afterAll, describe, expect, it, test } from 'vitest';
import { closeIdleWorkers } from '../../../dist/engine/workers/warm-workers.js';
import type { BlockLayout, PageLayout } from '../../../src/engine/stages/render/layout.js';
import { documents, examples, images } from '../../fixtures/manifest.js';
import { runFunction } from './run-function.js';

afterAll(closeIdleWorkers);
const analyse = (fixture: { path: string; mimeType: string }, args: Record<string, unknown> = {}) =>
  runFunction<{ pages: PageLayout[] }>('LAYOUT_ANALYSIS', fixture, args);
const kindsOf = (page: PageLayout | undefined) => page?.blocks.map(({ kind }) => kind);

test('a report → blocks in reading order, the title apart from the headings', async () => {
  const { result, provider, pageCount } = await analyse(examples.report);
  expect({ provider, pageCount }).toEqual({ provider: 'pdf-text', pageCount: 4 });
  const [first, second] = result.pages;
  expect(first).toMatchObject({ page: 1, unit: 'point', rotation: 0, source: 'text-layer' });
  expect(first?.textLayer).toEqual({ verdict: 'trusted', reasons: [] });
  expect(kindsOf(first)?.slice(0, 3)).toEqual(['title', 'paragraph', 'heading']);
  expect(kindsOf(first)?.at(-1)).toBe('footer');
  expect(result.pages.flatMap(({ blocks }) => blocks).filter(({ kind }) => kind === 'title')).toHaveLength(1);
  const table = second?.blocks.find(({ kind }) => kind === 'table')?.table;
  expect(table).toMatchObject({ rows: 5, columns: 4 });
  expect(table?.cells[5]).toMatchObject({ row: 1, column: 1, rowSpan: 1, columnSpan: 1, text: '9.00 to 19.00' });
});

test('boxes → words inside lines, lines inside blocks', async () => {
  const { result } = await analyse(examples.twoColumn);
  const inside = ([a0, b0, a1, b1]: readonly number[] = [], [x0, y0, x1, y1]: readonly number[] = []) =>
    Number(a0) >= Number(x0) && Number(b0) >= Number(y0) && Number(a1) <= Number(x1) && Number(b1) <= Number(y1);
  let words = 0;
  for (const block of result.pages.flatMap(({ blocks }) => blocks)) {
    for (const line of block.lines) {
      expect(inside(line.box, block.box), line.text).toBe(true);
      for (const word of line.words ?? []) expect(inside(word.box, line.box), word.text).toBe(true);
      words += line.words?.length ?? 0;
    }
  }
  expect(words).toBeGreaterThan(100);
  // The left column is read before the right one, though both begin at one height.
  const columns = result.pages[0]?.blocks.filter(({ lines }) => lines.length > 1).map(({ box }) => box[0] < 0.5);
  expect(columns).toEqual([...(columns ?? [])].sort((a, b) => Number(b) - Number(a)));
  expect(new Set(columns).size).toBe(2);
});

test('"words": false → no words, all else unchanged', async () => {
  const whole = await analyse(examples.report, { pages: '2' });
  const { result } = await analyse(examples.report, { pages: '2', words: false });
  expect(JSON.stringify(result)).not.toContain('"words"');
  const lines = (pages: PageLayout[]) =>
    pages.flatMap(({ blocks }) => blocks.flatMap((block) => block.lines.map(({ words: _, ...line }) => line)));
  expect(lines(result.pages)).toEqual(lines(whole.result.pages));
});

test('a recognised page → its engine, confidence and rotation', async () => {
  const { result } = await analyse(images.rotated90);
  const [page] = result.pages;
  expect(page).toMatchObject({
    unit: 'pixel',
    rotation: 270,
    source: 'ocr',
    recogniser: expect.stringMatching(/^tesseract/),
  });
  expect(page?.textLayer.verdict).toBe('absent');
  for (const { confidence, lines } of page?.blocks ?? []) {
    if (lines.length > 0) expect(confidence).toBeGreaterThan(0.5);
  }
});

describe('the text of a layout', () => {
  it.each([
    ['a report', examples.report, {}],
    ['two columns', examples.twoColumn, {}],
    ['a page without a text layer', documents.mixed, { pages: '2' }],
    ['right to left', documents.rightToLeft, {}],
  ] as const)('the text → the same as TEXT_EXTRACTION gives: %s', async (_, fixture, args) => {
    const { result } = await analyse(fixture, args);
    const text = await runFunction<{ text: string }>('TEXT_EXTRACTION', fixture, { ...args, headersFooters: true });
    const textOf = ({ kind, table, text: whole }: BlockLayout) => {
      if (kind === 'figure') return [];
      if (table === undefined) return [whole];
      const rows = Array.from({ length: table.rows }, (_, row) => table.cells.filter((cell) => cell.row === row));
      return [rows.map((row) => row.flatMap((cell) => cell.text || []).join('  ')).join('\n')];
    };
    expect(result.pages.flatMap(({ blocks }) => blocks.flatMap(textOf)).join('\n\n')).toBe(text.result.text);
  });
});

test('a result → printed as a table of blocks', async () => {
  const { print } = await analyse(examples.report, { pages: '2' });
  const { columns, rows } = print() as { columns: string[]; rows: string[][] };
  expect(columns).toHaveLength(4);
  expect(rows[0]).toEqual([
    '2',
    'heading 1',
    expect.stringMatching(/^10\.1 8\.9 47\.8 /),
    '3. Branches and opening hours',
  ]);
  expect(rows.map((row) => row[1])).toEqual(expect.arrayContaining(['table', 'list-item']));
  for (const row of rows) expect(row[3]?.length).toBeLessThanOrEqual(60);
});
